// Faults of the kinds that public reports tell of, in other shapes and at other moments, each as a
// whole cell on the stub server. Whatever a server does, the run ends in time and in the right
// verdict, and a fault of transport is never told as a difference of answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "report_cell.h"
#include "stub_launch.h"

namespace bi_test::fault {
namespace {

using stub::Exit;
using stub::Hang;
using stub::Log;
using stub::Raise;
using stub::Reset;
using stub::Rule;
using stub::Send;
using stub::SendForever;
using stub::SendSlowly;
using stub::SendTimes;
using stub::Wait;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kFault[] = "RED AC_DIVERGED INFRASTRUCTURE; class infrastructure; transport only; ";

/// `ask 3` is answered by these acts whenever it is served by more than one slot; the rest is
/// honest.
ReportCell OneFault(std::vector<stub::Act> acts) {
  ReportCell cell;
  cell.rules = {Rule{.prompt = "ask 3", .min_slots = 2, .at_once = true, .acts = std::move(acts)}};
  cell.request_ms = 10'000;
  return cell;
}

/// ... for acts that only a deadline ends.
ReportCell OneFaultWithoutEnd(std::vector<stub::Act> acts) {
  ReportCell cell = OneFault(std::move(acts));
  cell.request_ms = 800;
  return cell;
}

/// The same on the concurrent pass alone.
ReportCell OneFaultOnceBatched(std::vector<stub::Act> acts) {
  ReportCell cell = OneFault(std::move(acts));
  cell.rules.front().from = 2;  // The first time is in arm B.
  cell.rules.front().to = 2;
  return cell;
}

/// Every answer of every arm comes as these bytes.
ReportCell AllAs(std::string bytes) {
  ReportCell cell;
  cell.rules = {Rule{.acts = {Send(std::move(bytes))}}};
  return cell;
}

ReportCell AllStreaming(const std::string& stream) { return AllAs(StreamHead() + stream); }

ReportCell With(std::map<std::string, std::string> script) {
  ReportCell cell;
  cell.script = std::move(script);
  return cell;
}

ReportCell WithPage(const std::string& page, std::vector<stub::Act> acts,
                    std::map<std::string, std::string> script = {}) {
  ReportCell cell = With(std::move(script));
  cell.rules = {Rule{.page = page, .min_slots = 2, .chats_from = 1, .acts = std::move(acts)}};
  return cell;
}

std::string Head(const std::string& fields) { return "HTTP/1.1 200 OK\r\n" + fields + "\r\n"; }

std::string Metrics(const std::string& calls, const std::string& mean,
                    const std::string& busy = "0") {
  return HttpReply(200, "text/plain",
                   "llamacpp:n_decode_total " + calls + "\nllamacpp:n_busy_slots_per_decode " +
                       mean + "\nllamacpp:requests_processing " + busy +
                       "\nllamacpp:requests_deferred 0\n");
}

std::string Status(int status, const std::string& body, const std::string& headers = "",
                   const std::string& type = "application/json") {
  return HttpReply(status, type, body, headers);
}

std::string Chunk(const std::string& data, const std::string& extension) {
  std::ostringstream out;
  out << std::hex << data.size() << extension << "\r\n" << data << "\r\n";
  return out.str();
}

class Hostile : public ::testing::TestWithParam<ReportCase> {};

TEST_P(Hostile, EndsAsItShould) { CheckCase(GetParam()); }

std::string Name(const ::testing::TestParamInfo<ReportCase>& test) { return test.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Connections, Hostile,
    ::testing::Values(
        ReportCase{"ResetBeforeHeaders", OneFaultOnceBatched({Reset()}), kFault, {"reset"}},
        ReportCase{"ResetAfterHeaders",
                   OneFaultOnceBatched({Send(StreamHead()), Reset()}),
                   kFault,
                   {"reset"}},
        ReportCase{"ResetInTheMiddleOfAChunk",
                   OneFaultOnceBatched({Send(Head("Transfer-Encoding: chunked\r\n") +
                                             "40\r\ndata: {\"choices\":[{\"ind"),
                                        Wait(20), Reset()}),
                   kFault,
                   {"reset"}},
        ReportCase{"ResetAfterTheEndMark",
                   // The answer is whole, but the connection does not end as it said it would.
                   OneFaultOnceBatched({Send(StreamHead() + E("ok-{i}")), Wait(20), Reset()}),
                   kFault,
                   {"reset"}},
        ReportCase{"ClosedWithoutAByte", OneFaultOnceBatched({}), kFault},
        ReportCase{"ClosedInTheStatusLine", OneFaultOnceBatched({Send("HTTP/1.")}), kFault},
        ReportCase{"ClosedInTheHeaders",
                   OneFaultOnceBatched({Send("HTTP/1.1 200 OK\r\nContent-Ty")}), kFault},
        ReportCase{
            "DripInTheHeaders",
            OneFaultWithoutEnd({Send("HTTP/1.1 200 OK\r\n"), SendForever("X-Drip: 1\r\n", 30)}),
            kFault,
            {"http_timeout"}},
        ReportCase{"DripInTheStatusLine",
                   OneFaultWithoutEnd({SendSlowly(StreamHead(), 1, 60)}),
                   kFault,
                   {"http_timeout"}},
        ReportCase{"DripOfBytesInTheBody",
                   OneFaultWithoutEnd({Send(StreamHead()), SendSlowly(E("ok-{i}"), 1, 60)}),
                   kFault,
                   {"http_timeout"}},
        ReportCase{"HangAfterHeaders",
                   OneFaultWithoutEnd({Send(StreamHead()), Hang()}),
                   kFault,
                   {"http_timeout"}},
        ReportCase{"HangAfterTheWholeAnswer",
                   // The end mark is not the end of the reply: what follows might be an error.
                   OneFaultWithoutEnd({Send(StreamHead() + E("ok-{i}")), Hang()}),
                   kFault,
                   {"http_timeout"}},
        ReportCase{
            "HeadersWithoutEnd",
            OneFaultWithoutEnd({Send("HTTP/1.1 200 OK\r\n"),
                                SendForever("X-Pad: " + std::string(4'000, 'x') + "\r\n", 0)}),
            kFault}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    StatusLines, Hostile,
    ::testing::Values(
        ReportCase{"ContinueFirst",
                   AllAs("HTTP/1.1 100 Continue\r\n\r\n" + StreamHead() + E("ok-{i}")),
                   "GREEN CLEAN"},
        ReportCase{"ProcessingWithoutEnd",
                   OneFaultWithoutEnd({SendForever("HTTP/1.1 102 Processing\r\n\r\n", 20)}),
                   kFault},
        ReportCase{
            "NoContent", OneFault({Send("HTTP/1.1 204 No Content\r\n\r\n")}), kFault, {"204"}},
        ReportCase{"RedirectIsNotFollowed",
                   OneFault({Send(Status(302, "", "Location: /health\r\n"))}),
                   kFault,
                   {"302"}},
        ReportCase{"KeyRefusedInMidRun",
                   OneFault({Send(Status(401, R"({"error":{"message":"Invalid API Key"}})"))}),
                   kFault,
                   {"http_4xx", "Invalid API Key"}},
        ReportCase{"TooLarge",
                   OneFault({Send(Status(413, "request too large"))}),
                   kFault,
                   {"http_4xx", "413"}},
        ReportCase{"TooManyRequestsIsNotAskedAgain",
                   OneFault({Send(Status(429, R"({"error":"slow down"})", "Retry-After: 0\r\n"))}),
                   kFault,
                   {"http_4xx", "429", "slow down"},
                   [](const ReportRun& run) {
                     EXPECT_EQ(run.run().requests_sent, 6 * 4 + 2)
                         << "A, A2, B, C and one item in each of A3 and B2";
                   }},
        ReportCase{"FaultInHtml",
                   OneFault({Send(Status(500, "<html><h1>Oops & \x1b[31m\x01</h1></html>", "",
                                         "text/html"))}),
                   kFault,
                   {"http_5xx", "Oops & \\x1b[31m\\x01"}},
        ReportCase{
            "GatewayTimeout", OneFault({Send(Status(504, "upstream"))}), kFault, {"http_timeout"}},
        ReportCase{"StatusOutOfRange", OneFault({Send("HTTP/1.1 999 Odd\r\n\r\n")}), kFault},
        ReportCase{"NoHttpAtAll", OneFault({Send("SSH-2.0-OpenSSH_9.2\r\n")}), kFault},
        ReportCase{"GzipThatWasNotAskedFor",
                   OneFault({Send(HttpReply(200, "application/json",
                                            std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\x56", 12),
                                            "Content-Encoding: gzip\r\n"))}),
                   kFault}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Lengths, Hostile,
    ::testing::Values(
        ReportCase{
            "ChunkSizeBeyondAllMemory",
            OneFault({Send(Head("Transfer-Encoding: chunked\r\n") + "fffffffffffffffff\r\ndata")}),
            kFault},
        ReportCase{"NegativeChunkSize",
                   OneFault({Send(Head("Transfer-Encoding: chunked\r\n") + "-5\r\nhello\r\n")}),
                   kFault},
        ReportCase{"ChunkSizeThatIsNoNumber",
                   OneFault({Send(Head("Transfer-Encoding: chunked\r\n") + "zz\r\nhello\r\n")}),
                   kFault},
        ReportCase{"ChunksWithoutTheLast",
                   OneFault({Send(Head("Transfer-Encoding: chunked\r\n") + "5\r\ndata:\r\n")}),
                   kFault},
        ReportCase{"ChunksWithExtensionsAndTrailers",
                   AllAs(Head("Transfer-Encoding: chunked\r\n") + Chunk(E("ok"), ";a=b") +
                         "0\r\nX-Trailer: 1\r\n\r\n"),
                   "GREEN CLEAN"},
        ReportCase{"LengthTooLong",
                   OneFault({Send(Head("Content-Length: 9000\r\n") + D("ok-{i}"))}), kFault},
        ReportCase{"LengthTooShort",
                   OneFault({Send(Head("Content-Type: application/json\r\nContent-Length: 40\r\n") +
                                  D("ok-{i}"))}),
                   kFault},
        ReportCase{"LengthNegative", OneFault({Send(Head("Content-Length: -1\r\n") + D("ok-{i}"))}),
                   kFault},
        ReportCase{
            "LengthTwiceAndDifferent",
            OneFault({Send(Head("Content-Length: 10\r\nContent-Length: 9000\r\n") + D("ok-{i}"))}),
            kFault},
        ReportCase{"LengthBeyondSixtyFourBits",
                   OneFault({Send(Head("Content-Length: 99999999999999999999\r\n") + D("ok-{i}"))}),
                   kFault}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Events, Hostile,
    ::testing::Values(
        ReportCase{
            "LinesThatEndInCrLf",
            AllStreaming("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok-{i}\"}"
                         ",\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\r\n\r\n"),
            "GREEN CLEAN"},
        ReportCase{
            "LinesThatEndInCrAlone",
            AllStreaming("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok-{i}\"}"
                         ",\"finish_reason\":\"stop\"}]}\r\rdata: [DONE]\r\r"),
            "GREEN CLEAN"},
        ReportCase{"ByteOrderMarkFirst", AllStreaming("\xEF\xBB\xBF" + E("ok-{i}")), "GREEN CLEAN"},
        ReportCase{"DataInSeveralLines",
                   AllStreaming("data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":"
                                "\"ok-{i}\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n"
                                "data: [DONE]\n\n"),
                   "GREEN CLEAN"},
        ReportCase{"OtherFieldsOfTheProtocol",
                   AllStreaming("event: message\nid: 7\nretry: 10\nunknown: x\n" + E("ok-{i}")),
                   "GREEN CLEAN"},
        ReportCase{
            "NoNewlineAtTheEnd",
            AllStreaming("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok-{i}\"}"
                         ",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]"),
            "GREEN CLEAN"},
        ReportCase{"NulInTheStream",
                   OneFault({Send(StreamHead() + std::string("data: {\"choices\0\":[]}\n\n", 22) +
                                  E("ok-{i}"))}),
                   kFault},
        ReportCase{"AFlipBehindANulInTheText",
                   // A text that is read as if it ended at its NUL would be equal.
                   [] {
                     ReportCell cell;
                     cell.rules = {
                         Rule{.width_from = 2, .acts = {Send(StreamHead() + E("ok-{i}\\u0000b"))}},
                         Rule{.acts = {Send(StreamHead() + E("ok-{i}\\u0000a"))}}};
                     return cell;
                   }(),
                   "RED AC_DIVERGED",
                   {"class co_batching"}},
        ReportCase{"DepthBombInADelta",
                   OneFault({Send(StreamHead() + "data: {\"choices\":[{\"delta\":"),
                             SendTimes("[", 200'000), Send("\n\n")}),
                   kFault},
        ReportCase{"LineOfTenMegabytes",
                   [] {
                     ReportCell cell = OneFault({Send(StreamHead() + "data: {\"pad\":\""),
                                                 SendTimes(std::string(1 << 20, 'x'), 10),
                                                 Send("\"}\n\n" + E("ok-{i}"))});
                     cell.request_ms = 3'000;
                     return cell;
                   }(),
                   kFault,
                   {"a line of the stream has more than the allowed 4194304 bytes"}},
        ReportCase{"BodyWithoutEnd",
                   [] {
                     ReportCell cell = OneFault({Send(StreamHead() + "data: "),
                                                 SendForever(std::string(1 << 20, 'x'), 0)});
                     cell.request_ms = 6'000;
                     return cell;
                   }(),
                   kFault},
        ReportCase{
            "AnswerAfterTheEndMark",
            OneFaultOnceBatched({Send(
                StreamHead() + Delta(R"({"content":"ok-{i}"})", R"(,"finish_reason":"stop")") +
                Event(R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3}})") +
                "data: [DONE]\n\n" + Delta(R"({"content":"more"})"))}),
            "GREEN CLEAN"},
        ReportCase{"SecondChoiceIsNotTheAnswer",
                   AllStreaming(Event(R"({"choices":[{"index":1,"delta":{"content":"other"}}]})") +
                                E("ok-{i}")),
                   "GREEN CLEAN"},
        ReportCase{"InvalidUtf8InTheText",
                   OneFaultOnceBatched({Send(StreamHead() + E("ok-\xFF{i}"))}), "RED"}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Usage, Hostile,
    ::testing::Values(ReportCase{"UsageIsMissing", AllStreaming(E("ok-{i}")), "GREEN CLEAN"},
                      ReportCase{"UsageContradictsItself",
                                 // Counts that cannot be are no reason to call answers different.
                                 AllAs(JsonReply(D("ok-{i}", "", "", "-7"))), "GREEN CLEAN"},
                      ReportCase{"UsageIsText", AllAs(JsonReply(D("ok-{i}", "", "", "\"many\""))),
                                 "GREEN CLEAN"},
                      ReportCase{"UsageIsMissingOnceBatched",
                                 [] {
                                   ReportCell cell;
                                   cell.rules = {Rule{.width_from = 2,
                                                      .acts = {Send(StreamHead() + E("ok-{i}"))}}};
                                   return cell;
                                 }(),
                                 "AMBER TOKEN_ONLY"},
                      ReportCase{"PromptCountFlipsOnceBatched",
                                 [] {
                                   ReportCell cell;
                                   cell.rules = {Rule{.width_from = 2, .prompt_tokens = 4}};
                                   return cell;
                                 }(),
                                 "UNVERIFIED PROMPT_TRUNCATED"}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Evidence, Hostile,
    ::testing::Values(
        ReportCase{"ListingOfHundredThousandSlots",
                   WithPage("/slots",
                            {Send(Head("Content-Type: application/json\r\n") + "["),
                             SendTimes(R"({"id":0,"is_processing":true},)", 100'000),
                             Send(R"({"id":1,"is_processing":true}])")},
                            {{"STUB_NO_METRICS", "1"}}),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}},
        ReportCase{"ListingThatShrinks",
                   WithPage("/slots", {Send(JsonReply(R"([{"id":0,"is_processing":true}])"))},
                            {{"STUB_NO_METRICS", "1"}}),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}},
        ReportCase{"EmptyListing",
                   WithPage("/slots", {Send(JsonReply("[]"))}, {{"STUB_NO_METRICS", "1"}}),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}},
        ReportCase{
            "ListingThatIsAlwaysBusyWithoutCounters",
            // It is busy before the pass begins, too.
            WithPage("/slots",
                     {Send(JsonReply(
                         R"([{"id":0,"is_processing":true},{"id":1,"is_processing":true}])"))},
                     {{"STUB_NO_METRICS", "1"}, {"STUB_ENGINE_SLOTS", "1"}}),
            "UNVERIFIED",
            {"no evidence of width from the server"}},
        ReportCase{"CountersThatStandStill",
                   WithPage("/metrics", {Send(Metrics("100", "2"))}, {{"STUB_SLOT_SHAPE", "bare"}}),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}},
        ReportCase{
            "MeanIsNotANumber",
            WithPage("/metrics", {Send(Metrics("100", "NaN"))}, {{"STUB_SLOT_SHAPE", "bare"}}),
            "UNVERIFIED",
            {"no evidence of width from the server"}},
        ReportCase{
            "CountersBeyondAllIntegers",
            WithPage("/metrics", {Send(Metrics("1e308", "1e308"))}, {{"STUB_SLOT_SHAPE", "bare"}}),
            "UNVERIFIED",
            {"no evidence of width from the server"}},
        ReportCase{"CountersThatJumpToInfinity",
                   [] {
                     ReportCell cell = With({{"STUB_SLOT_SHAPE", "bare"}});
                     cell.rules = {Rule{.page = "/metrics",
                                        .min_slots = 2,
                                        .chats_to = 5,
                                        .acts = {Send(Metrics("100", "1"))}},
                                   Rule{.page = "/metrics",
                                        .min_slots = 2,
                                        .acts = {Send(Metrics("+Inf", "1e308"))}}};
                     return cell;
                   }(),
                   "UNVERIFIED"},
        ReportCase{"NegativeCounters",
                   WithPage("/metrics", {Send(Metrics("-5", "-2"))}, {{"STUB_SLOT_SHAPE", "bare"}}),
                   "UNVERIFIED"},
        ReportCase{"NeverIdle",
                   [] {
                     ReportCell cell = WithPage("/metrics", {Send(Metrics("100", "1", "1"))});
                     cell.arm_ms = 3'000;
                     return cell;
                   }(),
                   kFault,
                   {"did not become idle"}},
        ReportCase{"CountersInHtml",
                   WithPage("/metrics", {Send(HttpReply(200, "text/html", "<html>hello</html>"))},
                            {{"STUB_SLOT_SHAPE", "bare"}}),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}}),
    Name);

INSTANTIATE_TEST_SUITE_P(
    Processes, Hostile,
    ::testing::Values(
        ReportCase{"AHelperInItsOwnSession", With({{"STUB_GRANDCHILD", "session"}}), "GREEN CLEAN"},
        ReportCase{
            "ADaemon", With({{"STUB_DAEMON", "1"}}), "error: ", {"exited 0 before it was ready"}},
        ReportCase{"IgnoresTheSignalToStop", With({{"STUB_IGNORE_TERM", "1"}}), "GREEN CLEAN"},
        ReportCase{"ClosesItsOutput", With({{"STUB_CLOSE_OUTPUT", "1"}}), "GREEN CLEAN"},
        ReportCase{"LogsWithoutANewline", With({{"STUB_UNFINISHED_LINE", "1"}}), "GREEN CLEAN"},
        ReportCase{"ListensLate", With({{"STUB_SLEEP_AT_START_MS", "300"}}), "GREEN CLEAN"},
        ReportCase{"ListensOnIpv6Alone",
                   [] {
                     ReportCell cell = With({{"STUB_LISTEN_ON_IPV6", "1"}});
                     cell.ready_ms = 600;
                     return cell;
                   }(),
                   "error: ",
                   {"was not ready within 0.6 s"}},
        ReportCase{"ExitsWithZeroInMidRun", OneFaultOnceBatched({Exit(0)}), kFault, {"exited 0"}},
        ReportCase{"CrashesInMidRun",
                   OneFaultOnceBatched({Log("assertion failed\n"), Raise(SIGABRT)}),
                   kFault,
                   {"signal 6"}},
        ReportCase{
            "IsKilledInMidRun", OneFaultOnceBatched({Raise(SIGKILL)}), kFault, {"oom", "signal 9"}},
        ReportCase{"StopsInMidRun",
                   [] {
                     ReportCell cell = OneFaultOnceBatched({Raise(SIGSTOP)});
                     cell.arm_ms = 3'000;
                     return cell;
                   }(),
                   kFault,
                   {"; arm C pass 0 test_id"}},
        ReportCase{"DiesInTheBaseline",
                   [] {
                     ReportCell cell;
                     cell.rules = {Rule{.from = 3, .at_once = true, .acts = {Exit(3)}}};
                     return cell;
                   }(),
                   "RED SELF_IDENTITY INFRASTRUCTURE; class infrastructure; transport only; ",
                   {"exited 3"}},
        ReportCase{"DiesOnlyOnTheFreshLaunch",
                   [] {
                     ReportCell cell;
                     cell.rules = {Rule{.launch_from = 2, .at_once = true, .acts = {Exit(3)}}};
                     return cell;
                   }(),
                   "RED RESTART_UNSTABLE INFRASTRUCTURE; class infrastructure; transport only; ",
                   {"exited 3"}},
        ReportCase{"AnotherBuildAtEachLaunch",
                   With({{"STUB_BUILD_PER_LAUNCH", "1"}}),
                   "error: ",
                   {"server A3 is not the program of the first launch: it reports the build "
                    "`stub-2`, the first was `stub-1`"}},
        ReportCase{"AnotherModelThanLaunched",
                   With({{"STUB_MODEL_PATH", "/elsewhere/big.gguf"}}),
                   "error: ",
                   {"the server has loaded `/elsewhere/big.gguf`"}},
        ReportCase{"AnotherModelAfterTheFirstLaunch",
                   [] {
                     ReportCell cell;
                     cell.rules = {Rule{
                         .page = "/props",
                         .launch_from = 2,
                         .acts = {Send(JsonReply(R"({"total_slots":1,"model_path":"/other.gguf",)"
                                                 R"("n_ctx":1024})"))}}};
                     return cell;
                   }(),
                   "error: ",
                   {"the server has loaded `/other.gguf`"}},
        ReportCase{"TwoServersOnOnePort",
                   With({{"STUB_TWIN", "1"}}),
                   "error: ",
                   {"held by pid "},
                   [](const ReportRun& run) {
                     std::ifstream report(run.report_file() + ".twin");
                     std::string word;
                     int pid = 0;
                     ASSERT_TRUE(report >> word >> pid);
                     EXPECT_TRUE(IsAlive(pid)) << "it is not ours";
                     ::kill(pid, SIGKILL);
                     EXPECT_TRUE(WaitGone(pid));
                   }}),
    Name);

}  // namespace
}  // namespace bi_test::fault
