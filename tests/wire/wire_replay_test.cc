// Wire-level public reports, replayed byte by byte through HttpMulti into ChatReplyReader.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "http/chat_reply_reader.h"
#include "http/http_multi.h"
#include "support/scripted_server.h"

namespace bi_test::http {
namespace {

using namespace std::chrono_literals;
using namespace test_support;  // NOLINT
using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kPatience = 20s;

/// What a run sees of one chat request.
struct Answered {
  HttpReply http;
  std::variant<ChatReply, ReplyFault> reply;
  std::size_t bytes = 0;

  [[nodiscard]] std::string content() const {
    const auto* good = std::get_if<ChatReply>(&reply);
    return good == nullptr ? "<" + std::get<ReplyFault>(reply).text + ">" : good->content;
  }
  [[nodiscard]] std::string fault() const {
    const auto* bad = std::get_if<ReplyFault>(&reply);
    return bad == nullptr ? "<none>" : bad->text;
  }
};

Answered Ask(std::uint16_t port, std::chrono::milliseconds total = kPatience) {
  HttpRequest request;
  request.method = "POST";
  request.path = "/v1/chat/completions";
  request.port = port;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = R"({"messages":[{"role":"user","content":"ask"}],"stream":true})";
  request.total_timeout = total;
  HttpMulti multi;
  ChatReplyReader reader;
  Answered out;
  bool done = false;
  multi.Start(
      std::move(request),
      [&](std::string_view bytes, Clock::time_point) {
        out.bytes += bytes.size();
        return reader.Feed(bytes);
      },
      [&](HttpReply&& reply) {
        out.http = std::move(reply);
        done = true;
      });
  while (!done) multi.Run(Clock::now() + kPatience);
  out.reply = reader.Finish();
  return out;
}

const std::string kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

std::string Event(const std::string& delta, const std::string& more = "") {
  return R"(data: {"choices":[{"index":0,"delta":)" + delta + more + "}]}\n\n";
}
std::string E(const std::string& text) {
  return Event(R"({"content":")" + text + "\"}", R"(,"finish_reason":"stop")") + "data: [DONE]\n\n";
}
std::string PlainBody(const std::string& message, const std::string& more = "") {
  return R"({"id":"c","choices":[{"index":0,"message":)" + message + R"(,"finish_reason":"stop")" +
         more + R"(}],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}})";
}

struct ContentCase {
  const char* name;
  Script script;
  std::string content;
};

TEST(WireReplay, GoodAnswersInOddFrames) {
  const std::string role_first = Event(R"({"role":"assistant","content":null})") +
                                 Event(R"({"content":""})") + Event("{}") + E("ok-0");
  const ContentCase cases[] = {
      {"R064 no space after data",
       Answer(kStreamHead + "data:{\"choices\":[{\"index\":0,\"delta\":"
                            "{\"content\":\"ok-0\"},\"finish_reason\":\"stop\"}]}\n\n"
                            "data:[DONE]\n\n"),
       "ok-0"},
      {"R067 one byte per segment",
       {ReadRequest(), Send(kStreamHead), SendInPieces(E("n\xC3\xA9\xF0\x9F\x99\x82"), 1, 0ms)},
       "\x6E\xC3\xA9\xF0\x9F\x99\x82"},
      {"R069 pings before, between and after",
       Answer(kStreamHead + ":\n\n" + Event(R"({"content":"ok-"})") + ": keep-alive\n\n" + E("0") +
              ": keep-alive\n\n"),
       "ok-0"},
      {"R071 usage-only last event",
       Answer(kStreamHead + Event(R"({"content":"ok-0"})", R"(,"finish_reason":"stop")") +
              "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":3,"
              "\"total_tokens\":8}}\n\ndata: [DONE]\n\n"),
       "ok-0"},
      {"R075 role-only deltas in pieces of seven",
       {ReadRequest(), Send(kStreamHead), SendInPieces(role_first, 7, 0ms)},
       "ok-0"},
      {"R079 nulls for missing keys",
       Answer(HttpReplyBytes(
           200, "application/json",
           PlainBody(R"({"content":"ok-0","tool_calls":null,"reasoning_content":null})",
                     R"(,"logprobs":null)"))),
       "ok-0"},
      {"R088 integers beyond 64 bits",
       Answer(HttpReplyBytes(
           200, "application/json",
           R"({"created":18446744073709551617,"choices":[{"message":{"content":"ok-0"}}]})")),
       "ok-0"},
      {"R090 lone surrogate",
       Answer(HttpReplyBytes(200, "application/json", PlainBody(R"({"content":"ok-0 \udc00"})"))),
       "ok-0 \xED\xB0\x80"},
      {"chunks that cut lines and characters",
       Answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\n1a\r\n"
              "{\"choices\":[{\"delta\":{\"con\r\n8\r\ntent\":\"\xC3\r\n3\r\n\xA9\"}\r\n1c\r\n"
              ",\"finish_reason\":\"stop\"}]}\n\n\r\n0\r\n\r\n"),
       "\xC3\xA9"},
      {"a stream that says it is JSON", Answer(HttpReplyBytes(200, "application/json", E("ok-0"))),
       "ok-0"},
  };
  for (const ContentCase& c : cases) {
    SCOPED_TRACE(c.name);
    const ScriptedServer server(c.script);
    const Answered answered = Ask(server.port());
    EXPECT_EQ(answered.http.ending, Ending::kDone) << answered.http.error;
    EXPECT_EQ(answered.content(), c.content);
  }
}

struct FaultCase {
  const char* name;
  Script script;
  Ending ending;
  const char* fault;
};

TEST(WireReplay, FaultsAreNeverTakenForAnswers) {
  const FaultCase cases[] = {
      {"R058 chunk cut in the middle",
       Answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
              "chunked\r\n\r\n1a\r\n{\"id\":\"c\",\"choices\":[{\"ind"),
       Ending::kTruncated, "invalid JSON at byte 26: a string without its end"},
      {"R073 error event, then the end mark",
       Answer(kStreamHead +
              "data: {\"error\":{\"message\":\"quota exceeded\"}}\n\ndata: [DONE]\n\n"),
       Ending::kCancelled, "the server sent an error: quota exceeded"},
      {"R073 error as a text", Answer(kStreamHead + "data: {\"error\":\"STREAM_EXPLODED\"}\n\n"),
       Ending::kCancelled, "the server sent an error: STREAM_EXPLODED"},
      {"R084 bare NaN",
       Answer(HttpReplyBytes(
           200, "application/json",
           R"({"choices":[{"message":{"content":"x"},"logprobs":{"content":[{"logprob":NaN}]}}]})")),
       Ending::kDone, "invalid JSON at byte 73: no JSON value"},
      {"stream closed after one event", Answer(kStreamHead + Event(R"({"content":"ok"})")),
       Ending::kDone, "the stream ends after 58 bytes without finish_reason and without [DONE]"},
  };
  for (const FaultCase& c : cases) {
    SCOPED_TRACE(c.name);
    const ScriptedServer server(c.script);
    const Answered answered = Ask(server.port());
    EXPECT_EQ(static_cast<int>(answered.http.ending), static_cast<int>(c.ending))
        << answered.http.error;
    EXPECT_EQ(answered.fault(), c.fault);
  }
}

TEST(WireReplay, AnEndlessStreamEndsAtTheDeadline) {  // R054
  const ScriptedServer server(
      {ReadRequest(), Send(kStreamHead), SendForever(Event(R"({"content":"a"})"), 10ms)});
  const Answered answered = Ask(server.port(), 150ms);
  EXPECT_EQ(answered.http.ending, Ending::kDeadline);
  EXPECT_EQ(answered.http.status, 200);
}

TEST(WireReplay, PingsAloneDoNotExtendTheDeadline) {  // R069
  const ScriptedServer server({ReadRequest(), Send(kStreamHead), SendForever(":\n\n", 10ms)});
  EXPECT_EQ(Ask(server.port(), 150ms).http.ending, Ending::kDeadline);
}

TEST(WireReplay, ErrorRepliesKeepStatusAndText) {  // R030, R046, R048, R056
  const std::pair<int, std::string> replies[] = {
      {500, R"({"error":{"code":500,"message":"Invalid input batch.","type":"server_error"}})"},
      {503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})"},
      {502, "<html><body>Bad Gateway</body></html>"},
      {503, R"({"error":"server busy, please try again.  maximum pending requests exceeded"})"},
  };
  for (const auto& [status, body] : replies) {
    const ScriptedServer server(Answer(HttpReplyBytes(status, "application/json", body)));
    const Answered answered = Ask(server.port());
    EXPECT_EQ(answered.http.ending, Ending::kDone);
    EXPECT_EQ(answered.http.status, status);
    EXPECT_EQ(answered.http.body, body);
    EXPECT_EQ(answered.bytes, 0u);
  }
}

TEST(WireReplay, ResetsOfSomeConnectionsAreNamedOthersAnswered) {  // R032
  std::vector<Script> scripts(6, Answer(kStreamHead + E("ok")));
  scripts.insert(scripts.end(), 2, Script{ReadRequest(), Reset()});
  const ScriptedServer server(std::move(scripts));
  HttpMulti multi;
  int good = 0;
  int reset = 0;
  for (int i = 0; i < 8; ++i) {
    HttpRequest request;
    request.port = server.port();
    multi.Start(std::move(request), nullptr, [&](HttpReply&& reply) {
      good += reply.ending == Ending::kDone ? 1 : 0;
      reset += reply.ending == Ending::kReset && reply.os_errno == ECONNRESET ? 1 : 0;
    });
  }
  const auto limit = Clock::now() + kPatience;
  while (multi.in_flight() > 0 && Clock::now() < limit) multi.Run(limit);
  EXPECT_EQ(good, 6);
  EXPECT_EQ(reset, 2);
}

TEST(WireReplay, SixMebibytesOfAlternativesAreReadExactly) {  // R086
  std::string entry =
      R"({"id":7,"token":"tok","bytes":[116,111,107],"logprob":-0.125,"top_logprobs":[)";
  for (int i = 0; i < 20; ++i) {
    if (i > 0) entry += ',';
    entry += R"({"id":)" + std::to_string(100 + i) + R"(,"token":"alternative )" +
             std::to_string(i) +
             R"(","bytes":[97,108,116,101,114,110,97,116,105,118,101],"logprob":-)" +
             std::to_string(i) + ".12345678901234567,\"padding\":\"0123456789\"}";
  }
  entry += "]}";
  std::string entries;
  for (int i = 0; i < 2048; ++i) entries += (i > 0 ? "," : "") + entry;
  const std::string body =
      PlainBody(R"({"content":"x"})", R"(,"logprobs":{"content":[)" + entries + "]}");
  ASSERT_GT(body.size(), 5u << 20);
  const ScriptedServer server(Answer(HttpReplyBytes(200, "application/json", body)));
  const Answered answered = Ask(server.port());
  const auto* reply = std::get_if<ChatReply>(&answered.reply);
  ASSERT_NE(reply, nullptr) << answered.fault();
  EXPECT_EQ(reply->logprobs, std::vector<double>(2048, -0.125));
  EXPECT_EQ(reply->margins->size(), 2048u);
  EXPECT_EQ(reply->token_ids, std::vector<std::int64_t>(2048, 7));
}

TEST(WireReplay, AnErrorInTheStreamEndsTheTransferAtOnce) {
  ScriptedServer server(
      {ReadRequest(), Send(kStreamHead + "data: {\"error\":\"m\"}\n\n"), AwaitClose()});
  EXPECT_EQ(Ask(server.port()).fault(), "the server sent an error: m");
  EXPECT_TRUE(server.WaitForClosedByClient(1, kPatience));
}

}  // namespace
}  // namespace bi_test::http
