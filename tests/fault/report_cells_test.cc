// Public reports replayed as whole cells: the stub server misbehaves as the report says, and the
// run must end as the report's entry demands. The entries' numbers begin the names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report_cell.h"

namespace bi_test::fault {
namespace {

using stub::Exit;
using stub::Hang;
using stub::Log;
using stub::Reset;
using stub::Rule;
using stub::Send;
using stub::SendForever;
using stub::SendSlowly;
using stub::SendTimes;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Le;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

/// The work-set and the cell of the reports, with fewer passes.
ReportCell W8(int n = 4, int passes = 2) {
  ReportCell cell;
  cell.n = n;
  cell.passes = passes;
  cell.items = 8;
  cell.ctx = 4096;
  return cell;
}

ReportCell W8With(std::vector<Rule> rules, int n = 4, int passes = 2) {
  ReportCell cell = W8(n, passes);
  cell.rules = std::move(rules);
  return cell;
}

ReportCell W8As(std::map<std::string, std::string> script, int n = 4, int passes = 2) {
  ReportCell cell = W8(n, passes);
  cell.script = std::move(script);
  return cell;
}

/// For answers that take long to read: the next chats come late.
ReportCell Patient(ReportCell cell) {
  cell.gather_ms = 1'000;
  return cell;
}

/// Every answer is sent as these bytes.
ReportCell W8Sending(const std::string& bytes) { return W8With({Rule{.acts = {Send(bytes)}}}); }

/// ... as this stream.
ReportCell W8Streaming(const std::string& stream) { return W8Sending(StreamHead() + stream); }

const Judgement& Of(const ReportRun& run) { return run.run().judgement; }

void EveryIdHasSeveralOutputs(const ReportRun& run) {
  EXPECT_THAT(Of(run).distinct_outputs, Not(::testing::IsEmpty()));
  for (const auto& [id, outputs] : Of(run).distinct_outputs) {
    EXPECT_THAT(outputs, ::testing::AllOf(Gt(1), Le(4))) << id;
  }
}

std::vector<Rule> FirstDiverge(int ids) {
  std::vector<Rule> rules;
  for (int i = 0; i < ids; ++i) {
    rules.push_back(
        Rule{.prompt = "ask " + std::to_string(i), .width_from = 2, .answer = "other-{i}"});
  }
  return rules;
}

std::function<void(const ReportRun&)> EffectIs(int divergent) {
  return [divergent](const ReportRun& run) {
    const SampleStatistics& numbers = Of(run).statistics;
    EXPECT_EQ(numbers.n_divergent_prompts, divergent);
    EXPECT_EQ(numbers.n_compared_prompts, 12);
    EXPECT_LT(*numbers.exact_lower_95, divergent / 12.0);
    EXPECT_GT(*numbers.exact_upper_95, divergent / 12.0);
  };
}

ReportCell TwelveOfWhichDiverge(int ids) {
  ReportCell cell = W8With(FirstDiverge(ids));
  cell.items = 12;
  return cell;
}

class Reports : public ::testing::TestWithParam<ReportCase> {};

TEST_P(Reports, EndAsTheyShould) { CheckCase(GetParam()); }

std::string Name(const ::testing::TestParamInfo<ReportCase>& test) { return test.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Answers, Reports,
    ::testing::Values(
        ReportCase{"R000Honest", W8(), "GREEN CLEAN"},
        ReportCase{"R001SlotModThree",
                   W8As({{"STUB_DIVERGE", "1"}}, 4, 3),
                   "RED AC_DIVERGED",
                   {"class co_batching"},
                   EveryIdHasSeveralOutputs},
        ReportCase{"R005OnlyAtWidthTwo",
                   [] {
                     ReportCell cell = W8With(
                         {Rule{.width_from = 2, .width_to = 2, .answer = "narrow-{i}"}}, 4, 1);
                     cell.items = 10;
                     return cell;
                   }(),
                   "RED AC_DIVERGED",
                   {"differences by width in service"},
                   [](const ReportRun& run) {
                     EXPECT_THAT(Of(run).divergences_by_width, Not(Contains(Key(4))));
                     EXPECT_THAT(Of(run).divergences_by_width, Contains(Key(2)));
                   }},
        ReportCase{"R007BesideALongPrompt",
                   [] {
                     ReportCell cell = W8With(
                         {Rule{.prompt = "ask 0", .beside = "ask 7", .answer = "changed"}}, 4, 8);
                     cell.ctx = 16384;
                     cell.prompt = [](int i) {
                       return "ask " + std::to_string(i) +
                              (i == 7 ? " " + std::string(9'000, 'x') : "");
                     };
                     return cell;
                   }(),
                   "RED AC_DIVERGED",
                   {},
                   [](const ReportRun& run) {
                     EXPECT_THAT(Of(run).ac.divergent_ids, SizeIs(1));
                     std::string last;  // The id of the last item.
                     for (const Trial& trial : run.run().record.trials) {
                       if (trial.expected_answer == Json("ok-7")) last = trial.test_id;
                     }
                     for (const Divergence& found : Of(run).divergences) {
                       EXPECT_THAT(found.companions, Contains(last));
                     }
                   }},
        ReportCase{"R009SeriallyUnstable",
                   W8With({Rule{.prompt = "ask 0", .every = 2, .answer = "ok-0b"}}),
                   "RED SELF_IDENTITY",
                   {"class harness_nondeterminism", "batching was not judged for: "}},
        ReportCase{"R011EqualPromptsShowNothing",
                   [] {
                     ReportCell cell = W8With({Rule{.beside_others = true, .answer = "other"}});
                     cell.prompt = [](int) { return "ask 0"; };
                     return cell;
                   }(),
                   "UNVERIFIED FEW_PROMPTS"},
        ReportCase{"R011OtherPromptsDo", W8With({Rule{.beside_others = true, .answer = "other"}}),
                   "RED AC_DIVERGED"},
        ReportCase{"R013SixOfTwelve", TwelveOfWhichDiverge(6), "RED AC_DIVERGED", {}, EffectIs(6)},
        ReportCase{"R013TwoOfTwelve", TwelveOfWhichDiverge(2), "RED AC_DIVERGED", {}, EffectIs(2)},
        ReportCase{"R014SwappedAnswers",
                   W8With({Rule{.prompt = "ask 2", .beside = "ask 3", .answer = "ok-3"},
                           Rule{.prompt = "ask 3", .beside = "ask 2", .answer = "ok-2"}},
                          4, 8),
                   "RED AC_DIVERGED LEAK",
                   {"class leak"},
                   [](const ReportRun& run) {
                     EXPECT_FALSE(Of(run).divergences.front().leak_donor.empty());
                   }},
        ReportCase{
            "R016SwappedOnce",
            W8With({Rule{.prompt = "ask 0", .min_slots = 2, .from = 4, .to = 4, .answer = "ok-1"},
                    Rule{.prompt = "ask 1", .min_slots = 2, .from = 4, .to = 4, .answer = "ok-0"}},
                   4, 3),
            "RED AC_DIVERGED LEAK"},
        ReportCase{"R018BesideAnotherRequest",
                   W8With({Rule{.prompt = "ask 0", .beside = "ask 1", .answer = "hot"}}, 4, 8),
                   "RED AC_DIVERGED",
                   {},
                   [](const ReportRun& run) {
                     EXPECT_THAT(Of(run).ac.divergent_ids, SizeIs(1));
                     EXPECT_THAT(Of(run).divergences.front().companions, SizeIs(Gt(0U)));
                   }},
        ReportCase{"R020PromptLongerThanTheSlot",
                   W8As({{"STUB_N_CTX", "64"}}),
                   "error: ",
                   {"slot context 64 < 4096"}},
        ReportCase{"R024RepeatUnstableDespiteCacheOff",
                   W8With({Rule{.from = 9, .answer = "ok-{i}+"}}),
                   "RED SELF_IDENTITY",
                   {"class harness_nondeterminism"}},
        ReportCase{
            "R024RepeatUnstableOnlyWithCache",
            W8With({Rule{.body_lacks = "\"cache_prompt\":false", .from = 9, .answer = "ok-{i}+"}}),
            "GREEN CLEAN"},
        ReportCase{"R132PromptsCutInBAndC",
                   W8With({Rule{.max_slots = 1, .prompt_tokens = 300},
                           Rule{.answer = "the the OOOO", .prompt_tokens = 128}}),
                   "UNVERIFIED PROMPT_TRUNCATED",
                   {"class infrastructure",
                    "prompt truncated in B, B2, C: ", "has 300 prompt tokens in A, 128 in B"}}),
    Name);

/// Monitoring page of llama-server with these counters, whatever the truth.
std::string MetricsPage(const std::string& decode_calls, const std::string& mean) {
  return HttpReply(200, "text/plain",
                   "llamacpp:n_decode_total " + decode_calls +
                       "\nllamacpp:n_busy_slots_per_decode " + mean +
                       "\nllamacpp:requests_processing 0\nllamacpp:requests_deferred 0\n");
}

/// N = 8: counters of 100 calls, mean 1.00, before the concurrent pass and others after it.
ReportCell CountersAfterThePass(const std::string& decode_calls, const std::string& mean) {
  ReportCell cell = W8With(
      {Rule{.page = "/metrics",
            .min_slots = 2,
            .chats_to = 11,  // 9 before the pass, 17 after it; the stub counts a little late
            .acts = {Send(MetricsPage("100", "1.00"))}},
       Rule{.page = "/metrics", .min_slots = 2, .acts = {Send(MetricsPage(decode_calls, mean))}}},
      8, 1);
  cell.service_ms = 60;
  return cell;
}

INSTANTIATE_TEST_SUITE_P(
    Slots, Reports,
    ::testing::Values(
        ReportCase{"R026ContextDividedBySlots",
                   W8As({{"STUB_N_CTX", "1024"}}),
                   "error: ",
                   {"slot context 1024 < 4096"}},
        ReportCase{"R028OneAtATime",
                   W8As({{"STUB_ENGINE_SLOTS", "1"}}),
                   "UNVERIFIED NO_OVERLAP",
                   {"no co-batching: widest 1 < 4"}},
        ReportCase{"R124OneConnectionServedAtATime",  // However many the client has open.
                   [] {
                     ReportCell cell = W8As({{"STUB_ENGINE_SLOTS", "1"}, {"STUB_NO_METRICS", "1"}});
                     cell.service_ms = 60;
                     return cell;
                   }(),
                   "UNVERIFIED NO_OVERLAP",
                   {"widest 1 < 4"}},
        ReportCase{"R126ARelayOfSixConnections",
                   [] {
                     ReportCell cell = W8As({{"STUB_ENGINE_SLOTS", "6"}}, 8, 1);
                     cell.items = 18;
                     cell.service_ms = 90;
                     return cell;
                   }(),
                   "UNVERIFIED",
                   {"widest 6 < 8"}},
        ReportCase{"R030FaultsAfterSixtyChats",
                   W8With({Rule{.from = 60,
                                .acts = {Send(HttpReply(
                                    500, "application/json",
                                    R"({"error":{"code":500,"message":"Invalid input batch.",)"
                                    R"("type":"server_error"}})"))}}},
                          4, 8),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"class infrastructure", "transport only", "Invalid input batch.", "pass 6"},
                   [](const ReportRun& run) {
                     EXPECT_THAT(Of(run).status_counts, Contains(Pair("http_5xx", Gt(12))));
                   }},
        ReportCase{"R032ResetsAboveSixConnections",
                   W8With({Rule{.in_flight_from = 7, .at_once = true, .acts = {Reset()}}}, 8, 1),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"class infrastructure", "reset", "widest 6 < 8"}},
        ReportCase{"R034OneLongRequestOverlapsNothing",
                   [] {
                     ReportCell cell = W8With({Rule{.prompt = "ask 0", .decode_calls = 80}}, 4, 1);
                     cell.service_ms = 12;
                     return cell;
                   }(),
                   "UNVERIFIED",
                   {"median width 1"}},
        ReportCase{
            "R036StateAsANumber",
            [] {
              ReportCell cell = W8As({{"STUB_SLOT_SHAPE", "state"}, {"STUB_NO_METRICS", "1"}});
              cell.service_ms = 150;
              cell.passes = 1;
              return cell;
            }(),
            "GREEN CLEAN"},
        ReportCase{"R036NoStateAtAll",
                   W8As({{"STUB_SLOT_SHAPE", "bare"}, {"STUB_NO_METRICS", "1"}}, 4, 1),
                   "UNVERIFIED",
                   {"no evidence of width from the server"}},
        ReportCase{"R038PagesWaitWhileItDecodes",
                   W8With({Rule{.page = "/slots", .while_busy = true, .delay_ms = 2'500},
                           Rule{.page = "/metrics", .while_busy = true, .delay_ms = 2'500}}),
                   "GREEN CLEAN",
                   {},
                   [](const ReportRun& run) {
                     EXPECT_LT(run.run().server_busy_s, 10.0);
                     for (const PassReport& pass : Of(run).passes) {
                       EXPECT_GT(*pass.mean_busy_slots, 3.0);
                     }
                   }},
        ReportCase{"R040MeanWidthFromCounters",
                   CountersAfterThePass("180", "2.60"),
                   "UNVERIFIED",
                   {"mean width 4.60 < 6.00"}},
        ReportCase{"R040CountersThatFall",
                   CountersAfterThePass("20", "2.60"),
                   "UNVERIFIED",
                   {"counter reset: the server was restarted within the pass"}},
        ReportCase{
            "R042NullLogprobs",
            W8Sending(JsonReply(D("ok-{i}", "", ",\"logprobs\":null"))),
            "GREEN CLEAN",
            {},
            [](const ReportRun& run) { EXPECT_EQ(Of(run).ac.logit_drift.n_ids_with_logprobs, 0); }},
        ReportCase{
            "R044PromptsInTheListing",
            W8As({{"STUB_SLOT_PROMPTS", "1"}}),
            "GREEN CLEAN",
            {},
            [](const ReportRun& run) { EXPECT_THAT(run.AllText(), Not(HasSubstr("SECRET"))); }}),
    Name);

ReportCell OutOfMemory(int n) {
  return W8With({Rule{.in_flight_from = 4,
                      .at_once = true,
                      .acts = {Log("CUDA error: out of memory\n"), Exit(1)}}},
                n);
}

INSTANTIATE_TEST_SUITE_P(
    Processes, Reports,
    ::testing::Values(
        ReportCase{"R046LoadingAtFirst", W8As({{"STUB_LOADING_MS", "400"}}), "GREEN CLEAN"},
        ReportCase{"R048ProxyThatIsHealthyBeforeItsModel",
                   [] {
                     ReportCell cell = W8As({{"STUB_BAD_GATEWAYS", "3"}});
                     cell.rules = {Rule{.page = "/health",
                                        .acts = {Send(HttpReply(200, "text/plain", "OK"))}}};
                     return cell;
                   }(),
                   "GREEN CLEAN"},
        ReportCase{"R048ProxyWithoutAModel",
                   [] {
                     ReportCell cell = W8As({{"STUB_BAD_GATEWAYS", "1000000"}});
                     cell.ready_ms = 800;
                     return cell;
                   }(),
                   "error: ",
                   {"was not ready within 0.8 s", "status 502"}},
        ReportCase{"R050ThePortIsTaken",
                   [] {
                     ReportCell cell = W8As({{"STUB_BIND_FAILURES", "1000"}});
                     cell.run_ms = 5'000;
                     return cell;
                   }(),
                   "error: ",
                   {"exited 1 before it was ready", "couldn't bind"}},
        ReportCase{"R052OutOfMemoryAtFour",
                   OutOfMemory(4),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"oom", "exited 1", "CUDA error: out of memory"}},
        ReportCase{"R052EnoughMemoryAtTwo", OutOfMemory(2), "GREEN CLEAN"},
        ReportCase{"R054AStreamWithoutEnd",
                   [] {
                     ReportCell cell =
                         W8With({Rule{.min_slots = 2,
                                      .at_once = true,
                                      .acts = {Send(StreamHead()),
                                               SendForever(Delta(R"({"content":"a"})"), 50)}}});
                     cell.request_ms = 400;
                     return cell;
                   }(),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"http_timeout"}},
        ReportCase{
            "R056BusyAboveFour",
            W8With({Rule{.in_flight_from = 5,
                         .at_once = true,
                         .acts = {Send(HttpReply(503, "application/json",
                                                 R"({"error":"server busy, please try again.  )"
                                                 R"(maximum pending requests exceeded"})"))}}},
                   8),
            "RED AC_DIVERGED INFRASTRUCTURE",
            {"class infrastructure", "widest 4 < 8", "maximum pending requests exceeded"}},
        ReportCase{"R058AChunkCutInTheMiddle",
                   W8With({Rule{.prompt = "ask 3",
                                .min_slots = 2,
                                .from = 4,
                                .to = 4,
                                .acts = {Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                                              "chunked\r\n\r\n1a\r\n{\"id\":\"c\","
                                              "\"choices\":[{\"ind")}}},
                          4, 3),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"class infrastructure", "transport only", "arm C pass 2"},
                   [](const ReportRun& run) { EXPECT_EQ(Of(run).ac.n_compared, 8); }},
        ReportCase{"R060AGrandchildKeepsTheSocket", W8As({{"STUB_GRANDCHILD", "group"}}),
                   "GREEN CLEAN"},
        ReportCase{"R062AcceptsAndNeverAnswers",
                   [] {
                     ReportCell cell =
                         W8With({Rule{.min_slots = 2, .at_once = true, .acts = {Hang()}}});
                     cell.run_ms = 6'000;
                     return cell;
                   }(),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"class infrastructure"},
                   [](const ReportRun& run) { EXPECT_FALSE(run.run().cert_path.empty()); }},
        ReportCase{"R130MegabytesOfLogWithoutALine",
                   W8As({{"STUB_SPAM_BYTES", std::to_string(12 << 20)}}, 4, 1),
                   "GREEN CLEAN",
                   {},
                   [](const ReportRun& run) { EXPECT_LT(run.AllText().size(), 60U << 20); }}),
    Name);

const char kUsageOnly[] =
    R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}})";

INSTANTIATE_TEST_SUITE_P(Streams, Reports,
                         ::testing::Values(ReportCase{"R064DataWithoutASpace",
                                                      W8Streaming("data:{\"choices\":[{\"index\":0,"
                                                                  "\"delta\":{\"content\":"
                                                                  "\"ok-{i}\"},\"finish_reason\":"
                                                                  "\"stop\"}]}\n\ndata:[DONE]\n\n"),
                                                      "GREEN CLEAN"},
                                           ReportCase{
                                               "R067CharactersCutByteByByte",
                                               Patient(W8With({Rule{
                                                   .prompt = "ask 0",
                                                   .acts = {Send(StreamHead()),
                                                            SendSlowly(
                                                                E("n\xC3\xA9\xF0\x9F\x99\x82"), 1,
                                                                1)}}})),
                                               "GREEN CLEAN",
                                               {},
                                               [](const ReportRun& run) {
                                                 for (const Trial& trial :
                                                      run.run().record.trials) {
                                                   if (trial.expected_answer != Json("ok-0"))
                                                     continue;
                                                   EXPECT_EQ(trial.content,
                                                             Json("n\xC3\xA9\xF0\x9F\x99\x82"));
                                                 }
                                               }},
                                           ReportCase{
                                               "R069CommentsInTheStream",
                                               W8Streaming(":\n\n" + Delta(R"({"content":"ok-"})") +
                                                           ": keep-alive\n\n" + E("{i}") +
                                                           ": keep-alive\n\n"),
                                               "GREEN CLEAN"},
                                           ReportCase{"R069CommentsAloneDoNotExtendTheDeadline",
                                                      [] {
                                                        ReportCell cell = W8With({Rule{
                                                            .prompt = "ask 3",
                                                            .min_slots = 2,
                                                            .at_once = true,
                                                            .acts = {Send(StreamHead()),
                                                                     SendForever(": keep-alive\n\n",
                                                                                 20)}}});
                                                        cell.request_ms = 300;
                                                        return cell;
                                                      }(),
                                                      "RED AC_DIVERGED INFRASTRUCTURE",
                                                      {"http_timeout"}},
                                           ReportCase{
                                               "R071UsageAloneInTheLastEvent",
                                               W8Streaming(Delta(R"({"content":"ok-{i}"})",
                                                                 R"(,"finish_reason":"stop")") +
                                                           Event(kUsageOnly) + "data: [DONE]\n\n"),
                                               "GREEN CLEAN",
                                               {},
                                               [](const ReportRun& run) {
                                                 EXPECT_EQ(run.run()
                                                               .record.trials.front()
                                                               .completion_tokens,
                                                           Json(3));
                                               }},
                                           ReportCase{
                                               "R073ErrorInTheStream",
                                               W8With({Rule{
                                                   .width_from = 2,
                                                   .acts = {Send(
                                                       StreamHead() +
                                                       Event(
                                                           R"({"error":{"message":"quota exceeded"}})") +
                                                       "data: [DONE]\n\n")}}}),
                                               "RED AC_DIVERGED INFRASTRUCTURE",
                                               {"quota exceeded"}},
                                           ReportCase{
                                               "R073ErrorAsText",
                                               W8With({Rule{
                                                   .width_from = 2,
                                                   .acts = {Send(
                                                       StreamHead() +
                                                       Event(R"({"error":"STREAM_EXPLODED"})"))}}}),
                                               "RED AC_DIVERGED INFRASTRUCTURE",
                                               {"STREAM_EXPLODED"}},
                                           ReportCase{
                                               "R075EmptyDeltasInPieces",
                                               W8With({Rule{
                                                   .acts =
                                                       {Send(StreamHead()),
                                                        SendSlowly(
                                                            Delta(
                                                                R"({"role":"assistant","content":null})") +
                                                                Delta(R"({"content":""})") +
                                                                Delta("{}") + E("ok-{i}"),
                                                            37, 1)}}}),
                                               "GREEN CLEAN"},
                                           ReportCase{
                                               "R077ThinkingFramedOtherwise",
                                               W8With({Rule{.width_from = 2,
                                                            .acts = {Send(JsonReply(D(
                                                                "ok-{i}",
                                                                R"(,"reasoning_content":"x")")))}},
                                                       Rule{.acts = {Send(JsonReply(
                                                                D("<think>x</think>ok-{i}")))}}}),
                                               "AMBER FRAMING"},
                                           ReportCase{
                                               "R079NullsInTheConcurrentArm",
                                               W8With({Rule{
                                                   .width_from = 2,
                                                   .acts = {Send(JsonReply(D(
                                                       "ok-{i}",
                                                       R"(,"tool_calls":null,"reasoning_content":null)",
                                                       R"(,"logprobs":null)")))}}}),
                                               "GREEN CLEAN"},
                                           ReportCase{
                                               "R081AnotherFinishReason",
                                               W8With({Rule{
                                                   .width_from = 2,
                                                   .acts = {Send(
                                                       StreamHead() +
                                                       Delta(R"({"content":"ok-{i}"})",
                                                             R"(,"finish_reason":"length")") +
                                                       Event(kUsageOnly) + "data: [DONE]\n\n")}}}),
                                               "AMBER FINISH_REASON"}),
                         Name);

std::string WithLogprobs(const std::string& values) {
  return D("ok-{i}", "", R"(,"logprobs":{"content":[)" + values + "]}");
}

/// 2,048 tokens with 20 alternatives each.
std::string SixMegabytes() {
  std::string entry = R"({"id":7,"token":"tok","bytes":[116,111,107],"logprob":-0.125,)"
                      R"("top_logprobs":[)";
  for (int i = 0; i < 20; ++i) {
    entry += (i > 0 ? "," : "") + std::string(R"({"id":)") + std::to_string(7 + i) +
             R"(,"token":"alternative )" + std::to_string(i) +
             R"(","bytes":[97,108,116,101,114,110,97,116,105,118,101],"logprob":-)" +
             std::to_string(i) + R"(.125,"padding":"0123456789012345678901234567890123456789"})";
  }
  entry += "]}";
  std::string entries = entry;
  for (int i = 1; i < 2'048; ++i) entries += "," + entry;
  return WithLogprobs(entries);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, Reports,
    ::testing::Values(
        ReportCase{"R084BareNaN",
                   W8With({Rule{
                       .prompt = "ask 3",
                       .width_from = 2,
                       .acts = {Send(JsonReply(WithLogprobs(R"({"token":"a","logprob":NaN})")))}}}),
                   "RED AC_DIVERGED INFRASTRUCTURE",
                   {"invalid JSON at byte "}},
        ReportCase{"R084SentinelsAreCounted",
                   W8Sending(JsonReply(WithLogprobs(R"({"token":"a","logprob":-9999.0})"))),
                   "GREEN CLEAN",
                   {},
                   [](const ReportRun& run) {
                     EXPECT_GT(Of(run).ac.logit_drift.n_sentinels, 0);
                     EXPECT_EQ(Of(run).ac.logit_drift.n_tokens_compared, 0);
                   }},
        ReportCase{"R086SixMegabytesPerAnswer",
                   [] {
                     ReportCell cell = W8Sending(JsonReply(SixMegabytes()));
                     cell.passes = 1;
                     cell.gather_ms = 1'000;  // As long as the reading of a whole wave may take.
                     return cell;
                   }(),
                   "GREEN CLEAN",
                   {},
                   [](const ReportRun& run) {
                     EXPECT_LT(CertText(run.run().cert).size(), 1'000'000U);
                     rusage used{};
                     ASSERT_EQ(::getrusage(RUSAGE_SELF, &used), 0);
                     EXPECT_LT(used.ru_maxrss, 512 << 10) << "KiB";
                   }},
        ReportCase{
            "R088CountsBeyondDoubles",
            W8With({Rule{.width_from = 2,
                         .acts = {Send(JsonReply(D("ok-{i}", "", "", "9007199254740992")))}},
                    Rule{.acts = {Send(JsonReply(D("ok-{i}", "", "", "9007199254740993")))}}}),
            "UNVERIFIED PROMPT_TRUNCATED",
            {"9007199254740993", "9007199254740992"}},
        ReportCase{"R088CreatedBeyondSixtyFourBits",
                   W8Sending(JsonReply(
                       R"({"created":18446744073709551617,"choices":[{"index":0,"message":)"
                       R"({"content":"ok-{i}"},"finish_reason":"stop"}]})")),
                   "GREEN CLEAN"},
        ReportCase{"R090LoneSurrogate", W8Sending(JsonReply(D("ok-{i} \\udc00"))), "GREEN CLEAN"}),
    Name);

/// The planned power of a plan as its cert states it.
double PlannedPower(int items, int passes, std::string* outcome) {
  ReportCell cell = W8(4, passes);
  cell.items = items;
  cell.service_ms = 6;
  const ReportRun run(cell);
  *outcome = run.Outcome();
  return Of(run).statistics.planned_power_1_percent;
}

TEST(ReportsOfRareFlips, R003ThePlanSaysWhatItCanCatch) {
  std::string outcome;
  EXPECT_NEAR(PlannedPower(48, 8, &outcome), 0.979, 5e-4);
  EXPECT_THAT(outcome, ::testing::StartsWith("GREEN"));
  EXPECT_NEAR(PlannedPower(8, 2, &outcome), 0.149, 5e-4);
}

TEST(ReportsOfRareFlips, R003AFlipOfOneRequestInAHundredIsCaught) {
  ReportCell cell =
      W8With({Rule{.min_slots = 2, .from = 100, .every = 100, .answer = "flip"}}, 4, 8);
  cell.items = 48;
  cell.service_ms = 6;
  const ReportRun run(cell);
  EXPECT_THAT(run.Outcome(), ::testing::StartsWith("RED AC_DIVERGED"));
  EXPECT_EQ(Of(run).n_divergences, 4) << "of the 384 requests after the 48 of arm B";
}

TEST(ReportsOfTheClient, R128ProxyVariablesAreIgnored) {
  ::setenv("http_proxy", "http://127.0.0.1:9", 1);
  ::setenv("ALL_PROXY", "http://127.0.0.1:9", 1);
  const ReportRun run(W8(4, 1));
  ::unsetenv("http_proxy");
  ::unsetenv("ALL_PROXY");
  EXPECT_THAT(run.Outcome(), ::testing::StartsWith("GREEN"));
}

TEST(ReportsOfTheClient, R022BodiesOfAnItemAreTheSameInEveryArm) {
  const ReportRun run(W8(4, 1));
  std::map<std::string, std::set<std::string>> bodies;
  for (const Trial& trial : run.run().record.trials) {
    bodies[trial.test_id].insert(CompactText(trial.request_sha256));
  }
  EXPECT_THAT(bodies, SizeIs(8));
  EXPECT_THAT(bodies, Each(Pair(::testing::_, SizeIs(1))));
}

}  // namespace
}  // namespace bi_test::fault
