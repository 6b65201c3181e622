#include "http/http_multi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/scripted_server.h"

namespace bi_test::http {
namespace {

using namespace std::chrono_literals;
using namespace test_support;  // NOLINT
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Long enough for any machine; no test waits for it unless it fails.
constexpr std::chrono::milliseconds kPatience = 20s;

HttpRequest Get(std::uint16_t port) {
  HttpRequest request;
  request.port = port;
  request.total_timeout = kPatience;
  return request;
}

void RunUntil(HttpMulti& multi, const std::function<bool()>& condition) {
  const auto limit = Clock::now() + kPatience;
  while (!condition() && Clock::now() < limit) multi.Run(limit);
  ASSERT_TRUE(condition());
}

std::string Chunked(const std::string& rest) {
  return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + rest;
}

std::string Many(const std::string& line, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += line;
  return out;
}

const char* NameOf(Ending ending) {
  switch (ending) {
    case Ending::kDone:
      return "kDone";
    case Ending::kConnectFailed:
      return "kConnectFailed";
    case Ending::kReset:
      return "kReset";
    case Ending::kTruncated:
      return "kTruncated";
    case Ending::kDeadline:
      return "kDeadline";
    case Ending::kTooLarge:
      return "kTooLarge";
    case Ending::kMalformed:
      return "kMalformed";
    case Ending::kCancelled:
      return "kCancelled";
  }
  return "?";
}

struct EndingCase {
  const char* name;
  Script script;
  Ending ending;
  int status;
  std::string body;
  std::string error_part;
  int os_errno = 0;
};

void PrintTo(const EndingCase& c, std::ostream* out) { *out << c.name; }

class Endings : public ::testing::TestWithParam<EndingCase> {};

TEST_P(Endings, AreToldApart) {
  const EndingCase& c = GetParam();
  const ScriptedServer server(c.script);
  HttpRequest request = Get(server.port());
  request.max_body = 100'000;
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(NameOf(reply.ending), NameOf(c.ending)) << reply.error;
  EXPECT_EQ(reply.status, c.status);
  EXPECT_TRUE(reply.body == c.body) << reply.body.substr(0, 200);
  EXPECT_THAT(reply.error, HasSubstr(c.error_part));
  EXPECT_EQ(reply.os_errno, c.os_errno);
  if (c.ending == Ending::kDone) {
    EXPECT_EQ(reply.error, "");
  }
  EXPECT_LE(reply.dispatched, reply.completed);
}

const EndingCase kEndingCases[] = {
    {"ContentLength", Answer(HttpReplyBytes(200, "text/plain", "hello")), Ending::kDone, 200,
     "hello", ""},
    {"ContentLengthThenKeptOpen",
     {ReadRequest(), Send(HttpReplyBytes(200, "text/plain", "hello")), AwaitClose()},
     Ending::kDone,
     200,
     "hello",
     ""},
    {"EmptyBody", Answer(HttpReplyBytes(200, "text/plain", "")), Ending::kDone, 200, "", ""},
    {"Chunked", Answer(Chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n")),
     Ending::kDone, 200, "abcde", ""},
    {"ChunkSizeInUpperCaseWithZeros", Answer(Chunked("00A\r\n0123456789\r\n0\r\n\r\n")),
     Ending::kDone, 200, "0123456789", ""},
    {"BodyUntilClose", Answer("HTTP/1.0 200 OK\r\n\r\nhello"), Ending::kDone, 200, "hello", ""},
    {"OneBytePerSegment",
     {ReadRequest(), SendInPieces(HttpReplyBytes(200, "text/plain", "hello"), 1, 0ms)},
     Ending::kDone,
     200,
     "hello",
     ""},
    {"BareLineFeeds", Answer("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"), Ending::kDone, 200, "ok",
     ""},
    {"VersionWithoutEnd", Answer("HTTP/2222222222222222\xff\xff\xa5\r\n\r\ndata: {}\n\n"),
     Ending::kMalformed, 0, "", "the status line of the reply holds no status from 100 to 999"},
    {"InterimContinue",
     Answer("HTTP/1.1 100 Continue\r\n\r\n" + HttpReplyBytes(200, "text/plain", "ok")),
     Ending::kDone, 200, "ok", ""},
    {"ErrorStatusWithBody", Answer(HttpReplyBytes(503, "application/json", R"({"error":"busy"})")),
     Ending::kDone, 503, R"({"error":"busy"})", ""},
    {"RedirectIsNotFollowed",
     Answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"),
     Ending::kDone, 302, "", ""},
    {"CompressionIsNotUndone",
     Answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
     Ending::kDone, 200, "abc", ""},
    {"ClosedBeforeAnyByte", {ReadRequest(), Close()}, Ending::kReset, 0, "", "Empty reply"},
    {"ResetBeforeAnyByte",
     {ReadRequest(), Reset()},
     Ending::kReset,
     0,
     "",
     "ECONNRESET",
     ECONNRESET},
    {"ClosedInsideStatusLine", Answer("HTTP/1.1 20"), Ending::kReset, 0, "", ""},
    {"ClosedInsideHeaders", Answer("HTTP/1.1 200 OK\r\nContent-Le"), Ending::kReset, 0, "",
     "closed inside the headers"},
    {"ClosedAfterInterimReply", Answer("HTTP/1.1 100 Continue\r\n\r\n"), Ending::kReset, 0, "", ""},
    {"ResetInsideBody",
     {ReadRequest(), Send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), Pause(30ms), Reset()},
     Ending::kReset,
     200,
     "abc",
     "ECONNRESET",
     ECONNRESET},
    {"ClosedInsideContentLength", Answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
     Ending::kTruncated, 200, "abc", ""},
    {"ClosedInsideChunk", Answer(Chunked("1a\r\n{\"id\":\"c\",\"choices\":[{\"ind")),
     Ending::kTruncated, 200, "{\"id\":\"c\",\"choices\":[{\"ind", ""},
    {"ClosedBetweenChunks", Answer(Chunked("3\r\nabc\r\n")), Ending::kTruncated, 200, "abc", ""},
    {"ClosedBeforeFinalBlankLine", Answer(Chunked("3\r\nabc\r\n0\r\n")), Ending::kTruncated, 200,
     "abc", ""},
    {"ChunkSizeIsNoNumber", Answer(Chunked("xyz\r\nabc\r\n0\r\n\r\n")), Ending::kMalformed, 200, "",
     ""},
    {"ChunkSizeIsHuge", Answer(Chunked("fffffffffffffffffff\r\nabc\r\n")), Ending::kMalformed, 200,
     "", ""},
    {"ChunkWithoutItsLineEnd", Answer(Chunked("3\r\nabcXX0\r\n\r\n")), Ending::kMalformed, 200,
     "abc", ""},
    {"NotHttp", Answer("SSH-2.0-OpenSSH_9.2\r\n"), Ending::kMalformed, 0, "", ""},
    {"StatusIsNoNumber", Answer("HTTP/1.1 abc OK\r\n\r\n"), Ending::kMalformed, 0, "", ""},
    {"ContentLengthIsNoNumber", Answer("HTTP/1.1 200 OK\r\nContent-Length: nine\r\n\r\nabc"),
     Ending::kMalformed, 0, "", ""},
    {"HeadersAboveTheLimit",
     Answer("HTTP/1.1 200 OK\r\n" +
            Many("X-Filler: 0123456789012345678901234567890123456789\r\n", 1500) + "\r\n"),
     Ending::kTooLarge, 0, "", "65536 header bytes"},
    {"OneHeaderLineAboveTheLimit",
     Answer("HTTP/1.1 200 OK\r\nX-Filler: " + std::string(300'000, 'x') + "\r\n\r\n"),
     Ending::kTooLarge, 0, "", ""},
    {"ContentLengthAboveTheLimit",
     Answer("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n" + std::string(100'001, 'x')),
     Ending::kTooLarge, 200, "", ""},
    {"ContentLengthBeyond64Bits",
     Answer("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc"),
     Ending::kTooLarge, 0, "", ""},
};

INSTANTIATE_TEST_SUITE_P(Wire, Endings, ::testing::ValuesIn(kEndingCases),
                         [](const auto& test) { return test.param.name; });

TEST(HttpMulti, EndsWithTooLargeWhenAStreamGrowsBeyondTheLimit) {
  const ScriptedServer server({ReadRequest(), Send(Chunked("")),
                               SendForever("3e8\r\n" + std::string(1000, 'x') + "\r\n", 0ms)});
  HttpRequest request = Get(server.port());
  request.max_body = 5000;
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(reply.ending, Ending::kTooLarge);
  EXPECT_EQ(reply.error, "the reply has more than the allowed 5000 body bytes");
  EXPECT_LE(reply.body.size(), 5000u);
}

TEST(HttpMulti, KeepsSixtyFourKibibytesOfAnErrorBodyAndReadsNoFurther) {
  const ScriptedServer server(
      {ReadRequest(), Send("HTTP/1.1 500 Oops\r\n\r\n"), SendForever(std::string(1000, 'e'), 0ms)});
  const HttpReply reply = HttpMulti::Fetch(Get(server.port()));
  EXPECT_EQ(reply.ending, Ending::kDone) << reply.error;
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body, std::string(65536, 'e'));
}

TEST(HttpMulti, NamesARefusedConnection) {
  const RefusingPort port;
  const HttpReply reply = HttpMulti::Fetch(Get(port.port()));
  EXPECT_EQ(reply.ending, Ending::kConnectFailed);
  EXPECT_EQ(reply.os_errno, ECONNREFUSED);
  EXPECT_THAT(reply.error, HasSubstr("ECONNREFUSED"));
  EXPECT_EQ(reply.status, 0);
}

TEST(HttpMulti, TotalDeadlineEndsADripOfBytes) {
  const ScriptedServer server({ReadRequest(), Send(Chunked("")), SendForever("1\r\nx\r\n", 10ms)});
  HttpRequest request = Get(server.port());
  request.total_timeout = 200ms;
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(reply.ending, Ending::kDeadline);
  EXPECT_THAT(reply.error, HasSubstr("the total deadline of 200 ms passed after "));
  EXPECT_GE(reply.completed - reply.dispatched, 150ms);
}

TEST(HttpMulti, CommentsOfAStreamDoNotExtendTheDeadline) {
  const ScriptedServer server(
      {ReadRequest(), Send(Chunked("")), SendForever("3\r\n:\n\n\r\n", 5ms)});
  HttpRequest request = Get(server.port());
  request.total_timeout = 150ms;
  EXPECT_EQ(HttpMulti::Fetch(request).ending, Ending::kDeadline);
}

TEST(HttpMulti, FirstByteDeadlineCountsBodyBytesNotHeaders) {
  const ScriptedServer server({ReadRequest(), Send(Chunked("")), AwaitClose()});
  HttpRequest request = Get(server.port());
  request.first_byte_timeout = 100ms;
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(reply.ending, Ending::kDeadline);
  EXPECT_EQ(reply.error, "no body byte came within 100 ms");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.first_byte, Clock::time_point{});
}

TEST(HttpMulti, FirstByteDeadlineEndsWithTheFirstByte) {
  const ScriptedServer server(
      {ReadRequest(), Send(Chunked("1\r\na\r\n")), Pause(1300ms), Send("1\r\nb\r\n0\r\n\r\n")});
  HttpRequest request = Get(server.port());
  request.first_byte_timeout = 1000ms;
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(reply.ending, Ending::kDone) << reply.error;
  EXPECT_EQ(reply.body, "ab");
}

TEST(HttpMulti, DeadlineEndsAWaitForAServerThatNeverReads) {
  const ScriptedServer server({Ignore()});
  HttpRequest request = Get(server.port());
  request.method = "POST";
  request.body = std::string(8u << 20, 'x');  // more than the buffers of both sides
  request.total_timeout = 150ms;
  EXPECT_EQ(HttpMulti::Fetch(request).ending, Ending::kDeadline);
}

TEST(HttpMulti, SurvivesAResetWhileItSends) {
  const ScriptedServer server({Pause(20ms), Reset()});
  HttpRequest request = Get(server.port());
  request.method = "POST";
  request.body = std::string(8u << 20, 'x');
  const HttpReply reply = HttpMulti::Fetch(request);
  EXPECT_EQ(reply.ending, Ending::kReset);
  EXPECT_THAT(reply.os_errno, ::testing::AnyOf(ECONNRESET, EPIPE));
}

TEST(HttpMulti, SendsExactlyTheRequestItWasGiven) {
  const ScriptedServer server(Answer(HttpReplyBytes(200, "text/plain", "ok")));
  HttpRequest request = Get(server.port());
  request.method = "POST";
  request.path = "/v1/chat/completions?a=1";
  request.headers = {{"Content-Type", "application/json"}, {"Authorization", "Bearer k"}};
  request.body = R"({"prompt":"é"})" + std::string("\0tail", 5) + std::string(2'000'000, 'x');
  ASSERT_EQ(HttpMulti::Fetch(request).ending, Ending::kDone);
  ASSERT_THAT(server.requests(), SizeIs(1));
  const std::string sent = server.requests()[0];
  const std::string head = sent.substr(0, sent.find("\r\n\r\n"));
  EXPECT_TRUE(sent.substr(head.size() + 4) == request.body);
  EXPECT_THAT(head, ::testing::StartsWith("POST /v1/chat/completions?a=1 HTTP/1.1\r\n"));
  EXPECT_THAT(head, AllOf(HasSubstr("Host: 127.0.0.1:" + std::to_string(server.port())),
                          HasSubstr("\r\nContent-Type: application/json"),
                          HasSubstr("\r\nAuthorization: Bearer k"),
                          HasSubstr("\r\nContent-Length: " + std::to_string(request.body.size()))));
  EXPECT_THAT(head, AllOf(Not(HasSubstr("Expect")), Not(HasSubstr("Accept-Encoding")),
                          Not(HasSubstr("Proxy"))));
}

TEST(HttpMulti, IgnoresProxyVariables) {
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) {
    ::setenv(name, "http://127.0.0.1:9", 1);
  }
  const ScriptedServer server(Answer(HttpReplyBytes(200, "text/plain", "direct")));
  const HttpReply reply = HttpMulti::Fetch(Get(server.port()));
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  EXPECT_EQ(reply.body, "direct") << reply.error;
}

TEST(HttpMulti, FollowsNoRedirectToAnotherPort) {
  const ScriptedServer other(Answer(HttpReplyBytes(200, "text/plain", "elsewhere")));
  const ScriptedServer server(
      Answer("HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:" + std::to_string(other.port()) +
             "/\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_EQ(HttpMulti::Fetch(Get(server.port())).status, 307);
  EXPECT_EQ(other.connections(), 0u);
}

TEST(HttpMulti, HasAllRequestsInServiceAtOnce) {
  constexpr std::size_t kWidth = 32;
  // No reply is sent before all requests are there: one shared connection would never finish.
  const ScriptedServer server({ReadRequest(), AwaitOthers(kWidth),
                               Send(HttpReplyBytes(200, "text/plain", "ok")), AwaitClose()});
  HttpMulti multi;
  std::size_t done = 0;
  for (std::size_t i = 0; i < kWidth; ++i) {
    multi.Start(Get(server.port()), nullptr, [&](HttpReply&& reply) {
      EXPECT_EQ(reply.ending, Ending::kDone) << reply.error;
      ++done;
    });
  }
  EXPECT_EQ(multi.in_flight(), kWidth);
  RunUntil(multi, [&] { return done == kWidth; });
  EXPECT_EQ(server.connections(), kWidth);
  EXPECT_EQ(multi.in_flight(), 0u);
}

TEST(HttpMulti, UsesAFreshConnectionForEachRequest) {
  ScriptedServer server(
      {ReadRequest(), Send(HttpReplyBytes(200, "text/plain", "ok")), AwaitClose()});
  HttpMulti multi;
  for (int i = 0; i < 3; ++i) {
    bool done = false;
    multi.Start(Get(server.port()), nullptr, [&](HttpReply&&) { done = true; });
    RunUntil(multi, [&] { return done; });
  }
  EXPECT_EQ(server.connections(), 3u);
  EXPECT_TRUE(server.WaitForClosedByClient(3, kPatience));
}

TEST(HttpMulti, CancelClosesTheSocketAtOnce) {
  ScriptedServer server({ReadRequest(), Send(Chunked("1\r\na\r\n")), AwaitClose()});
  HttpMulti multi;
  bool saw_byte = false;
  HttpReply reply;
  int calls = 0;
  const HttpMulti::Id id = multi.Start(
      Get(server.port()), [&](std::string_view, Clock::time_point) { return saw_byte = true; },
      [&](HttpReply&& result) {
        reply = std::move(result);
        ++calls;
      });
  const auto limit = Clock::now() + kPatience;
  while (!saw_byte && Clock::now() < limit) multi.Run(Clock::now() + 5ms);
  ASSERT_TRUE(saw_byte);
  multi.Cancel(id);
  EXPECT_TRUE(server.WaitForClosedByClient(1, kPatience));  // before any further Run()
  EXPECT_EQ(calls, 0);
  multi.Run(Clock::now() + kPatience);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(reply.ending, Ending::kCancelled);
  multi.Cancel(id);  // ended long ago
  multi.Run(Clock::now());
  EXPECT_EQ(calls, 1);
}

TEST(HttpMulti, CancelAllEndsEveryTransfer) {
  const ScriptedServer server({ReadRequest(), AwaitClose()});
  HttpMulti multi;
  int cancelled = 0;
  for (int i = 0; i < 5; ++i) {
    multi.Start(Get(server.port()), nullptr, [&](HttpReply&& reply) {
      cancelled += reply.ending == Ending::kCancelled ? 1 : 0;
    });
  }
  multi.Run(Clock::now() + 10ms);
  multi.CancelAll();
  EXPECT_EQ(multi.in_flight(), 0u);
  multi.Run(Clock::now() + kPatience);
  EXPECT_EQ(cancelled, 5);
}

TEST(HttpMulti, ABodySinkThatSaysStopEndsTheTransfer) {
  ScriptedServer server({ReadRequest(), Send(Chunked("1\r\na\r\n")), AwaitClose()});
  HttpMulti multi;
  HttpReply reply;
  bool done = false;
  multi.Start(
      Get(server.port()), [](std::string_view, Clock::time_point) { return false; },
      [&](HttpReply&& result) {
        reply = std::move(result);
        done = true;
      });
  RunUntil(multi, [&] { return done; });
  EXPECT_EQ(reply.ending, Ending::kCancelled);
  EXPECT_EQ(reply.error, "the reader of the body stopped the transfer after 1 bytes");
  EXPECT_TRUE(server.WaitForClosedByClient(1, kPatience));
}

TEST(HttpMulti, ABodySinkMayStartAndCancelTransfers) {
  const ScriptedServer server({Script{ReadRequest(), AwaitClose()},
                               Answer(HttpReplyBytes(200, "text/plain", "second")),
                               Answer(HttpReplyBytes(200, "text/plain", "third"))});
  HttpMulti multi;
  std::map<std::string, Ending> endings;
  const auto note = [&](const char* name) {
    return [&endings, name](HttpReply&& reply) { endings[name] = reply.ending; };
  };
  const HttpMulti::Id first = multi.Start(Get(server.port()), nullptr, note("first"));
  RunUntil(multi, [&] {
    multi.Run(Clock::now() + 5ms);
    return server.requests().size() == 1;
  });
  multi.Start(
      Get(server.port()),
      [&](std::string_view, Clock::time_point) {
        multi.Cancel(first);
        multi.Start(Get(server.port()), nullptr, note("third"));
        return true;
      },
      note("second"));
  RunUntil(multi, [&] { return endings.size() == 3; });
  EXPECT_EQ(endings["first"], Ending::kCancelled);
  EXPECT_EQ(endings["second"], Ending::kDone);
  EXPECT_EQ(endings["third"], Ending::kDone);
}

TEST(HttpMulti, ADoneSinkMayStartTheNextTransfer) {
  const ScriptedServer server(Answer(HttpReplyBytes(200, "text/plain", "ok")));
  HttpMulti multi;
  int done = 0;
  std::function<void(HttpReply &&)> again = [&](HttpReply&&) {
    if (++done < 4) multi.Start(Get(server.port()), nullptr, again);
  };
  multi.Start(Get(server.port()), nullptr, again);
  RunUntil(multi, [&] { return done == 4; });
}

TEST(HttpMulti, TheSinkGetsTheBodyOfGoodRepliesOnly) {
  const ScriptedServer server({Answer(HttpReplyBytes(200, "text/plain", "good")),
                               Answer(HttpReplyBytes(404, "text/plain", "bad"))});
  HttpMulti multi;
  std::string seen;
  std::vector<HttpReply> replies;
  for (int i = 0; i < 2; ++i) {
    multi.Start(
        Get(server.port()),
        [&](std::string_view bytes, Clock::time_point) {
          seen += bytes;
          return true;
        },
        [&](HttpReply&& reply) { replies.push_back(std::move(reply)); });
    RunUntil(multi, [&] { return replies.size() == static_cast<std::size_t>(i + 1); });
  }
  EXPECT_EQ(seen, "good");
  EXPECT_EQ(replies[0].body, "");
  EXPECT_EQ(replies[0].body_bytes, 4u);
  EXPECT_EQ(replies[0].content_type, "text/plain");
  EXPECT_EQ(replies[1].body, "bad");
}

TEST(HttpMulti, TimestampsAreInOrder) {
  const ScriptedServer server(
      {ReadRequest(), Pause(20ms), Send(Chunked("1\r\na\r\n")), Pause(20ms), Send("0\r\n\r\n")});
  const Clock::time_point before = Clock::now();
  const HttpReply reply = HttpMulti::Fetch(Get(server.port()));
  EXPECT_LE(before, reply.dispatched);
  EXPECT_LT(reply.dispatched, reply.first_byte);
  EXPECT_LT(reply.first_byte, reply.completed);
  EXPECT_LE(reply.completed, Clock::now());
}

TEST(HttpMulti, ReturnsWhenTheWakeDescriptorIsReadable) {
  const ScriptedServer server({ReadRequest(), AwaitClose()});
  HttpMulti multi;
  multi.Start(Get(server.port()), nullptr, [](HttpReply&&) { FAIL(); });
  const int wake = ::eventfd(1, EFD_CLOEXEC);
  const Clock::time_point until = Clock::now() + kPatience;
  multi.Run(until, wake);
  EXPECT_LT(Clock::now(), until);
  ::close(wake);
}

TEST(HttpMulti, ReturnsAtTheGivenInstantWithoutAnyTransfer) {
  HttpMulti multi;
  const Clock::time_point until = Clock::now() + 20ms;
  multi.Run(until);
  EXPECT_GE(Clock::now(), until);
}

TEST(HttpMulti, DestructionDropsRunningTransfersSilently) {
  ScriptedServer server({ReadRequest(), AwaitClose()});
  {
    HttpMulti multi;
    multi.Start(Get(server.port()), nullptr, [](HttpReply&&) { FAIL(); });
    const auto limit = Clock::now() + kPatience;
    while (server.requests().empty() && Clock::now() < limit) multi.Run(Clock::now() + 5ms);
  }
  EXPECT_TRUE(server.WaitForClosedByClient(1, kPatience));
}

TEST(HttpMulti, NeverConnectsToARefusedPort) {
  const ScriptedServer server(Answer(HttpReplyBytes(200, "text/plain", "ok")));
  HttpMulti multi;
  multi.RefusePorts({80, server.port()});
  HttpReply reply;
  bool done = false;
  multi.Start(Get(server.port()), nullptr, [&](HttpReply&& result) {
    reply = std::move(result);
    done = true;
  });
  RunUntil(multi, [&] { return done; });
  EXPECT_EQ(reply.ending, Ending::kConnectFailed);
  EXPECT_EQ(reply.error, "port " + std::to_string(server.port()) + " is reserved");
  EXPECT_EQ(server.connections(), 0u);
}

struct BadRequestCase {
  const char* name;
  std::function<void(HttpRequest&)> spoil;
  const char* error;
};

TEST(HttpMulti, RefusesRequestsThatWouldBreakTheProtocol) {
  const BadRequestCase cases[] = {
      {"header with line break",
       [](HttpRequest& r) {
         r.headers = {{"X-Key", "a\r\nEvil: 1"}};
       },
       "the header \"X-Key\" holds a line break or a zero byte"},
      {"path with line break", [](HttpRequest& r) { r.path = "/a\r\nEvil: 1"; },
       "the path \"/a\\x0d\\x0aEvil: 1\" is not usable"},
      {"path with space", [](HttpRequest& r) { r.path = "/a b"; },
       "the path \"/a b\" is not usable"},
      {"path that is a host", [](HttpRequest& r) { r.path = "@10.0.0.1/"; },
       "the path \"@10.0.0.1/\" is not usable"},
      {"port 0", [](HttpRequest& r) { r.port = 0; }, "port 0 is no port to connect to"},
  };
  const ScriptedServer server(Answer(HttpReplyBytes(200, "text/plain", "ok")));
  for (const BadRequestCase& c : cases) {
    SCOPED_TRACE(c.name);
    HttpRequest request = Get(server.port());
    c.spoil(request);
    const HttpReply reply = HttpMulti::Fetch(request);
    EXPECT_EQ(reply.ending, Ending::kConnectFailed);
    EXPECT_EQ(reply.error, c.error);
  }
  EXPECT_EQ(server.connections(), 0u);
}

}  // namespace
}  // namespace bi_test::http
