#include "bi_test/mock_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "bi_test/version.h"
#include "http/chat_reply_reader.h"
#include "mock/connection.h"
#include "unit/mock_client.h"

namespace bi_test::mock_test {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::chrono::seconds kPatience{30};

MockKnobs Fast() {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(2);
  return knobs;
}

struct PageCase {
  const char* name;
  const char* method;
  const char* path;
  const char* body;
  int status;
  std::string expected;  ///< The whole body.
};

TEST(MockServerTest, EveryEndpointHasItsShape) {
  MockKnobs knobs = Fast();
  knobs.slots = 2;
  const auto mock = StartMock(knobs);
  const std::string build = std::string("mock-") + BI_TEST_VERSION;
  const PageCase cases[] = {
      {"health", "GET", "/health", "", 200, R"({"status":"ok"})"},
      {"models", "GET", "/v1/models", "", 200,
       R"({"data":[{"id":"local","object":"model"}],"object":"list"})"},
      {"props", "GET", "/props", "", 200,
       R"({"build_info":")" + build +
           R"(","default_generation_settings":{"model":"local","n_ctx":4096,"n_predict":-1,)"
           R"("n_swa":0},"model_alias":"local","model_path":"local","total_slots":2})"},
      {"slots", "GET", "/slots", "", 200,
       R"([{"id":0,"id_slot":0,"id_task":-1,"is_processing":false,"n_ctx":4096},)"
       R"({"id":1,"id_slot":1,"id_task":-1,"is_processing":false,"n_ctx":4096}])"},
      {"debug", "GET", "/slots-debug", "", 200,
       R"({"in_flight":0,"max_observed_concurrency":0,"max_slots":2,"served":0})"},
      {"query is ignored", "GET", "/health?x=1", "", 200, R"({"status":"ok"})"},
      {"exact path", "GET", "/v1/modelsXYZ", "", 404, R"({"error":"no route /v1/modelsXYZ"})"},
      {"unknown", "POST", "/nope", "{}", 404, R"({"error":"no route /nope"})"},
      {"wrong method", "GET", "/tokenize", "", 405,
       R"({"error":{"code":405,"message":"/tokenize: expected POST, not GET",)"
       R"("type":"invalid_request_error"}})"},
      {"wrong method for a page", "POST", "/health", "{}", 405,
       R"({"error":{"code":405,"message":"/health: expected GET, not POST",)"
       R"("type":"invalid_request_error"}})"},
      {"tokenize", "POST", "/tokenize", R"({"content":" one two\tthree\n"})", 200,
       R"({"tokens":[0,1,2]})"},
      {"tokenize nothing", "POST", "/tokenize", R"({"content":""})", 200, R"({"tokens":[]})"},
      {"tokenize a number", "POST", "/tokenize", R"({"content":5})", 400,
       R"({"error":{"code":400,"message":"'content': expected a string",)"
       R"("type":"invalid_request_error"}})"},
  };
  for (const PageCase& c : cases) {
    const RawReply reply =
        std::string_view(c.method) == "GET" ? Get(*mock, c.path) : Post(*mock, c.path, c.body);
    EXPECT_EQ(reply.status, c.status) << c.name;
    EXPECT_EQ(reply.body, c.expected) << c.name;
    EXPECT_THAT(reply.head, HasSubstr("application/json")) << c.name;
  }
}

TEST(MockServerTest, MetricsArePrometheusText) {
  const auto mock = StartMock(Fast());
  const RawReply page = Get(*mock, "/metrics");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.head, HasSubstr("text/plain"));
  for (const char* name : {"n_decode_total", "n_busy_slots_per_decode", "tokens_predicted_total",
                           "requests_processing", "requests_deferred", "prompt_tokens_total"}) {
    EXPECT_EQ(Metric(page, name), 0) << name;
    EXPECT_THAT(page.body, HasSubstr(std::string("# TYPE llamacpp:") + name)) << name;
  }
}

TEST(MockServerTest, WhileLoadingEverythingIs503) {
  MockKnobs knobs = Fast();
  knobs.loading = std::chrono::hours(1);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Get(*mock, "/health").body, R"({"status":"loading model"})");
  EXPECT_EQ(Get(*mock, "/v1/models").body, R"({"error":"Loading model"})");
  for (const char* path : {"/health", "/v1/models", "/props", "/slots", "/metrics"}) {
    EXPECT_EQ(Get(*mock, path).status, 503) << path;
  }
  for (const char* path : {"/v1/chat/completions", "/completion", "/tokenize"}) {
    const RawReply reply = Post(*mock, path, ChatBody("p"));
    EXPECT_EQ(reply.status, 503) << path;
    EXPECT_THAT(reply.body, HasSubstr("Loading model")) << path;
  }
}

TEST(MockServerTest, LoadingEnds) {
  MockKnobs knobs = Fast();
  knobs.loading = milliseconds(1);
  const auto mock = StartMock(knobs);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (Get(*mock, "/health").status == 503 && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_EQ(Get(*mock, "/health").status, 200);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 200);
}

TEST(MockServerTest, ApiKeyIsAskedOfAllButHealth) {
  MockKnobs knobs = Fast();
  knobs.api_key = "secret";
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Get(*mock, "/health").status, 200);
  EXPECT_EQ(Get(*mock, "/props").status, 401);
  EXPECT_EQ(Chat(*mock, ChatBody("p")).status, 401);
  RawClient client(mock->port());
  client.Send("GET /props HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  client.Send("GET /props HTTP/1.1\r\nX-Api-Key: secret\r\n\r\n");
  EXPECT_EQ(client.Read().status, 200);
  client.Send("GET /props HTTP/1.1\r\nX-Api-Key: wrong\r\n\r\n");
  EXPECT_EQ(client.Read().status, 401);
}

TEST(MockServerTest, BadRequestsAreAnsweredAndCloseTheConnection) {
  const auto mock = StartMock(Fast());
  const std::string post = "POST /v1/chat/completions HTTP/1.1\r\n";
  const struct {
    const char* name;
    std::string bytes;
    int status;
  } cases[] = {
      {"request line over 8 KiB", "GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\n\r\n", 414},
      {"endless request line", "GET /" + std::string(20'000, 'a'), 414},
      {"headers over 64 KiB", "GET /health HTTP/1.1\r\nX: " + std::string(70'000, 'a') + "\r\n\r\n",
       431},
      {"no length", post + "\r\n", 411},
      {"chunked request", post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
      {"negative length", post + "Content-Length: -1\r\n\r\n", 400},
      {"length with a plus", post + "Content-Length: +1\r\n\r\n{", 400},
      {"length in words", post + "Content-Length: many\r\n\r\n", 400},
      {"empty length", post + "Content-Length:\r\n\r\n", 400},
      {"two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400},
      {"body over 16 MiB", post + "Content-Length: 16777217\r\n\r\n", 413},
      {"length beyond 64 bit", post + "Content-Length: 99999999999999999999999\r\n\r\n", 413},
      {"not HTTP", "hello\r\n\r\n", 400},
      {"other version", "GET /health HTTP/2.0\r\n\r\n", 400},
      {"no path", "GET health HTTP/1.1\r\n\r\n", 400},
      {"header without colon", "GET /health HTTP/1.1\r\nnonsense\r\n\r\n", 400},
  };
  for (const auto& c : cases) {
    RawClient client(mock->port());
    client.Send(c.bytes);
    const RawReply reply = client.Read();
    EXPECT_EQ(reply.status, c.status) << c.name;
    EXPECT_TRUE(reply.whole) << c.name;
    EXPECT_THAT(reply.head, HasSubstr("Connection: close")) << c.name;
  }
  EXPECT_EQ(mock->Counts().arrived, 0);
}

TEST(MockServerTest, BadBodiesAre400AndNeverServed) {
  const auto mock = StartMock(Fast());
  const struct {
    const char* body;
    const char* reason;
  } cases[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "no object"},
      {"null", "no object"},
      {"{}", "'messages': expected an array"},
      {R"({"messages":[]})", "'messages': expected an array"},
      {R"({"messages":"hi"})", "'messages': expected an array"},
      {R"({"messages":[5]})", "'messages[0]': expected an object"},
      {R"({"messages":[{"content":"x"}]})", "'messages[0].role': expected a string"},
      {R"({"messages":[{"role":"user"}]})", "'messages[0].content': expected a string"},
      {R"({"messages":[{"role":"user","content":5}]})", "'messages[0].content': expected a string"},
      {R"({"messages":[{"role":"user","content":"x"}],"max_tokens":"4"})", "'max_tokens'"},
      {R"({"messages":[{"role":"user","content":"x"}],"max_tokens":4.0})", "'max_tokens'"},
      {R"({"messages":[{"role":"user","content":"x"}],"max_tokens":true})", "'max_tokens'"},
      {R"({"messages":[{"role":"user","content":"x"}],"n_probs":"1"})", "'n_probs'"},
      {R"({"messages":[{"role":"user","content":"x"}],"n_probs":-1})", "'n_probs'"},
      {R"({"messages":[{"role":"user","content":"x"}],"stream":1})", "'stream'"},
      {R"({"messages":[{"role":"user","content":"x"}],"top_logprobs":1})", "'top_logprobs'"},
      {R"({"messages":[{"role":"user","content":"x"}],"stream_options":true})",
       "'stream_options': expected an object"},
  };
  for (const auto& c : cases) {
    const RawReply reply = Chat(*mock, c.body);
    EXPECT_EQ(reply.status, 400) << c.body;
    const Json json = JsonOf(reply);
    const Json* error = json.Find("error");
    ASSERT_NE(error, nullptr) << reply.body;
    EXPECT_THAT(*error->Find("message")->if_string(), HasSubstr(c.reason)) << c.body;
  }
  EXPECT_EQ(Post(*mock, "/completion", R"({"prompt":[1]})").status, 400);
  EXPECT_EQ(mock->Counts().arrived, 0);
}

TEST(MockServerTest, OneConnectionCarriesManyRequestsAlsoPipelined) {
  const auto mock = StartMock(Fast());
  RawClient client(mock->port());
  const std::string chat = PostText("/v1/chat/completions", ChatBody("p", 2));
  client.Send("\r\nGET /health HTTP/1.1\r\n\r\n" + chat + chat);
  EXPECT_EQ(client.Read().body, R"({"status":"ok"})");
  EXPECT_EQ(ContentOf(client.Read()), "x x ");
  EXPECT_EQ(ContentOf(client.Read()), "x x ");
  client.Send("POST /tokenize HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n");
  EXPECT_THAT(client.ReadSome(25), StartsWith("HTTP/1.1 100"));
  client.Send(R"({"content":"a"})");
  EXPECT_EQ(client.Read().body, R"({"tokens":[0]})");
}

TEST(MockServerTest, HonestReplyHasTheDocumentedForm) {
  const auto mock = StartMock(Fast());
  const struct {
    const char* max_tokens;
    int tokens;
    const char* finish;
  } cases[] = {{R"(,"max_tokens":4)", 4, "length"},
               {R"(,"max_tokens":1000)", 64, "length"},
               {R"(,"max_tokens":-1)", 1, "length"},
               {R"(,"max_tokens":0)", 0, "stop"},
               {"", 16, "length"},
               {R"(,"max_tokens":null)", 16, "length"}};
  for (const auto& c : cases) {
    const std::string body = R"({"messages":[{"role":"system","content":"abc"},)"
                             R"({"role":"user","content":"de"}])" +
                             std::string(c.max_tokens) + "}";
    const RawReply reply = Chat(*mock, body);
    std::string expected;
    for (int i = 0; i < c.tokens; ++i) expected += "x ";
    EXPECT_EQ(ContentOf(reply), expected) << body;
    Json json = JsonOf(reply);
    EXPECT_EQ((*json["choices"].if_array())[0]["finish_reason"], Json(c.finish)) << body;
    EXPECT_EQ(json["usage"]["completion_tokens"], Json(c.tokens)) << body;
    EXPECT_EQ(json["usage"]["prompt_tokens"], Json(2)) << body;
    EXPECT_EQ(json["usage"]["total_tokens"], Json(2 + c.tokens)) << body;
    EXPECT_EQ(json["timings"]["predicted_n"], Json(c.tokens)) << body;
    EXPECT_EQ(json["timings"]["cache_n"], Json(0)) << body;
    EXPECT_EQ(json["model"], Json("local")) << body;
  }
}

TEST(MockServerTest, EchoesTheKeysThatTheRequestHad) {
  const auto mock = StartMock(Fast());
  Json json = JsonOf(Chat(*mock, ChatBody("p", 2, R"(,"cache_prompt":false,"n_probs":2)")));
  EXPECT_EQ(json["echo_cache_prompt"], Json(false));
  EXPECT_EQ(json["echo_n_probs"], Json(2));
  const Json* content = (*json["choices"].if_array())[0]["logprobs"].Find("content");
  ASSERT_NE(content, nullptr);
  ASSERT_EQ(content->if_array()->size(), 2u);
  EXPECT_EQ((*content->if_array())[0].Find("top_logprobs")->if_array()->size(), 2u);
  json = JsonOf(Chat(*mock, ChatBody("p", 2)));
  EXPECT_EQ(json.Find("echo_cache_prompt"), nullptr);
  EXPECT_EQ((*json["choices"].if_array())[0].Find("logprobs"), nullptr);
}

TEST(MockServerTest, NativeCompletionHasItsOwnForm) {
  const auto mock = StartMock(Fast());
  Json json = JsonOf(Post(*mock, "/completion", R"({"prompt":"a b","n_predict":3})"));
  EXPECT_EQ(json["content"], Json("x x x "));
  EXPECT_EQ(json["tokens"].if_array()->size(), 3u);
  EXPECT_EQ(json["tokens_predicted"], Json(3));
  EXPECT_EQ(json["stop_type"], Json("limit"));
  EXPECT_EQ(json["id_slot"], Json(0));
  const RawReply stream =
      Post(*mock, "/completion", R"({"prompt":"a b","n_predict":2,"stream":true})");
  EXPECT_THAT(stream.head, HasSubstr("text/event-stream"));
  EXPECT_THAT(stream.body, HasSubstr(R"("id_slot":-1)"));
  EXPECT_THAT(stream.body, HasSubstr(R"("stop":true)"));
  EXPECT_THAT(stream.body, ::testing::Not(HasSubstr("[DONE]")));
}

TEST(MockServerTest, TextCompletionHasItsOwnForm) {
  const auto mock = StartMock(Fast());
  Json json = JsonOf(Post(*mock, "/v1/completions", R"({"prompt":"a b","max_tokens":3})"));
  EXPECT_EQ(json["object"], Json("text_completion"));
  EXPECT_EQ((*json["choices"].if_array())[0]["text"], Json("x x x "));
  EXPECT_EQ((*json["choices"].if_array())[0].Find("message"), nullptr);
  const RawReply stream = Post(*mock, "/v1/completions",
                               R"({"prompt":"a b","max_tokens":2,"stream":true,"n_probs":2})");
  EXPECT_THAT(stream.body, ::testing::Not(HasSubstr("delta")));
  http::ChatReplyReader reader;
  EXPECT_TRUE(reader.Feed(stream.body));
  const auto outcome = reader.Finish();
  ASSERT_TRUE(std::holds_alternative<http::ChatReply>(outcome));
  EXPECT_EQ(std::get<http::ChatReply>(outcome).content, "x x ");
  EXPECT_EQ(std::get<http::ChatReply>(outcome).token_ids->size(), 2u);
  EXPECT_EQ(Post(*mock, "/v1/completions", R"({"messages":[]})").status, 400);
  EXPECT_EQ(Post(*mock, "/v1/completions", R"({"prompt":"a","logprobs":true})").status, 400);
}

constexpr std::string_view kStream =
    R"(,"stream":true,"stream_options":{"include_usage":true},"logprobs":true,"top_logprobs":2)";

TEST(MockServerTest, StreamIsReadByTheProductsOwnReader) {
  MockKnobs knobs = Fast();
  knobs.logprob_value = -0.25;
  knobs.logprob_gap = 0.5;
  const auto mock = StartMock(knobs);
  const RawReply reply = Chat(*mock, ChatBody("hello", 3, kStream));
  EXPECT_TRUE(reply.whole);
  http::ChatReplyReader reader;
  EXPECT_TRUE(reader.Feed(reply.body));
  const auto result = reader.Finish();
  const auto* chat = std::get_if<http::ChatReply>(&result);
  ASSERT_NE(chat, nullptr) << std::get<http::ReplyFault>(result).text;
  EXPECT_EQ(chat->content, "x x x ");
  EXPECT_EQ(chat->finish_reason, "length");
  EXPECT_EQ(chat->prompt_tokens, 2);
  EXPECT_EQ(chat->completion_tokens, 3);
  EXPECT_EQ(chat->cached_tokens, 0);
  ASSERT_TRUE(chat->token_ids.has_value());
  EXPECT_EQ(chat->token_ids->size(), 3u);
  EXPECT_EQ(chat->logprobs, (std::vector<double>{-0.25, -0.25, -0.25}));
  EXPECT_EQ(chat->margins, (std::vector<double>{0.5, 0.5, 0.5}));
  ASSERT_TRUE(chat->prompt_ms && chat->predicted_ms);
  EXPECT_GT(*chat->prompt_ms + *chat->predicted_ms, 0);
}

TEST(MockServerTest, StreamHasRoleTokensFinishUsageAndDone) {
  const auto mock = StartMock(Fast());
  const std::string body = Chat(*mock, ChatBody("hello", 2, kStream)).body;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = body.find("\n\n", at);
    ASSERT_NE(end, std::string::npos);
    events.push_back(body.substr(at, end - at));
    at = end + 2;
  }
  ASSERT_EQ(events.size(), 6u) << body;
  EXPECT_THAT(events[0], HasSubstr(R"("delta":{"content":null,"role":"assistant"})"));
  for (const int i : {1, 2}) {
    EXPECT_THAT(events[static_cast<std::size_t>(i)], HasSubstr(R"("delta":{"content":"x "})"));
    EXPECT_THAT(events[static_cast<std::size_t>(i)], HasSubstr(R"("bytes":[120,32])"));
  }
  EXPECT_THAT(events[3], HasSubstr(R"("finish_reason":"length")"));
  EXPECT_THAT(events[4], HasSubstr(R"("choices":[])"));
  EXPECT_THAT(events[4], HasSubstr(R"("timings":{"cache_n":0)"));
  EXPECT_EQ(events[5], "data: [DONE]");
  const std::string without = Chat(*mock, ChatBody("hello", 2, R"(,"stream":true)")).body;
  EXPECT_THAT(without, ::testing::Not(HasSubstr("usage")));
  EXPECT_THAT(without, HasSubstr(R"("timings":{"cache_n":0)"));
}

TEST(MockServerTest, HonestStreamSendsItsTokensBeforeItsEnd) {
  MockKnobs knobs;
  knobs.serve_time = std::chrono::microseconds(0);
  knobs.step_time = milliseconds(200);
  const auto mock = StartMock(knobs);
  RawClient client(mock->port());
  client.Send(PostText("/v1/chat/completions", ChatBody("p", 64, R"(,"stream":true)")));
  std::string seen;
  while (seen.find(R"({"content":"x "})") == std::string::npos) {
    const std::string more = client.ReadSome(1);
    ASSERT_FALSE(more.empty());
    seen += more;
  }
  EXPECT_EQ(mock->Counts().finished, 0);
}

TEST(MockServerTest, ForbiddenPortIsRefused) {
  MockKnobs knobs;
  knobs.port = 8080;
  const auto mock = MockServer::Start(knobs);
  ASSERT_FALSE(mock.ok());
  EXPECT_EQ(mock.error().code, ErrorCode::kRefused);
  EXPECT_EQ(mock.error().Text(),
            "mock server: port 8080 is forbidden (MockKnobs::forbidden_port); choose another port "
            "or 0 for any free one");
}

TEST(MockServerTest, PortGotByChanceIsNeverTheForbiddenOne) {
  std::vector<std::uint16_t> kernel = {8080, 9090};
  std::size_t asked = 0;
  const auto bind = [&](std::uint16_t port) -> Result<mock::Listener> {
    EXPECT_EQ(port, 0);
    return mock::Listener{mock::Fd(), kernel[asked++]};
  };
  const auto listener = mock::Listen(0, 8080, bind);
  ASSERT_TRUE(listener.ok());
  EXPECT_EQ(listener->port, 9090);
  EXPECT_EQ(asked, 2u);
}

TEST(MockServerTest, SecondBindOfAPortFails) {
  const auto first = StartMock({});
  MockKnobs knobs;
  knobs.port = first->port();
  const auto second = MockServer::Start(knobs);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_EQ(second.error().Text(),
            "mock server: cannot bind 127.0.0.1:" + std::to_string(first->port()) +
                ": Address already in use; choose another port or 0 for any "
                "free one");
}

TEST(MockServerTest, KnobsOutOfRangeAreNamed) {
  const struct {
    void (*set)(MockKnobs*);
    const char* text;
  } cases[] = {
      {[](MockKnobs* k) { k->slots = -1; }, "MockKnobs::slots: out of range, allowed: 0 to 1024"},
      {[](MockKnobs* k) { k->ignore_parallel = 1025; },
       "MockKnobs::ignore_parallel: out of range, allowed: 0 to 1024"},
      {[](MockKnobs* k) { k->step_time = std::chrono::microseconds(0); },
       "MockKnobs::step_time: out of range, allowed: at least 1 microsecond"},
      {[](MockKnobs* k) { k->stochastic_divergence_p = 1.5; },
       "MockKnobs::stochastic_divergence_p: out of range, allowed: 0 to 1"},
      {[](MockKnobs* k) { k->http_every = 0; },
       "MockKnobs::http_every: out of range, allowed: at least 1"},
      {[](MockKnobs* k) { k->http_status = 200; },
       "MockKnobs::http_status: out of range, allowed: 0 or 201 to 599"},
  };
  for (const auto& c : cases) {
    MockKnobs knobs;
    c.set(&knobs);
    const auto mock = MockServer::Start(knobs);
    ASSERT_FALSE(mock.ok()) << c.text;
    EXPECT_EQ(mock.error().code, ErrorCode::kUsage) << c.text;
    EXPECT_EQ(mock.error().Text(), c.text);
  }
}

std::size_t Threads() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    count += entry.exists() ? 1 : 0;
  }
  return count;
}

TEST(MockServerTest, StopLeavesNoThreadAndNoBoundPort) {
  const std::size_t before = Threads();
  std::uint16_t port = 0;
  for (int round = 0; round < 2; ++round) {
    MockKnobs knobs = Fast();
    knobs.port = port;
    knobs.stuck_slot = true;
    const auto mock = StartMock(knobs);
    port = mock->port();
    RawClient idle(port);
    idle.Send("GET /health HTTP/1.1\r\n\r\n");
    EXPECT_EQ(idle.Read().status, 200);
    RawReply hung;
    std::thread thread([&] { hung = Chat(*mock, ChatBody("p", 2)); });
    EXPECT_TRUE(mock->WaitFor([](const MockCounts& c) { return c.hung == 1; }, kPatience));
    mock->Stop();
    thread.join();
    // What hung was released and answered, the idle connection was closed.
    EXPECT_EQ(ContentOf(hung), "x x ");
    EXPECT_TRUE(idle.ClosedByServer());
    // A joined thread may stay listed for the moment that the kernel needs to bury it.
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (Threads() > before && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    EXPECT_EQ(Threads(), before);
    EXPECT_FALSE(RawClient(port).connected());
    mock->Stop();
  }
}

TEST(MockServerTest, KeepsRequestsByteForByteUpToItsLimit) {
  MockKnobs knobs = Fast();
  knobs.keep_requests = 2;
  const auto mock = StartMock(knobs);
  const std::string first = ChatBody("one", 1, R"(,   "top_k" :1)");
  EXPECT_EQ(Chat(*mock, first).status, 200);
  EXPECT_EQ(Post(*mock, "/tokenize", R"({"content":"a"})").status, 200);
  EXPECT_EQ(Chat(*mock, ChatBody("three")).status, 200);
  const std::vector<MockSeenRequest> kept = mock->Requests();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].path, "/v1/chat/completions");
  EXPECT_EQ(kept[0].body, first);
  EXPECT_EQ(kept[0].arrival_number, 1);
  EXPECT_EQ(kept[1].path, "/tokenize");
  EXPECT_EQ(kept[1].arrival_number, 0);
  EXPECT_EQ(mock->requests_left_out(), 1);
}

}  // namespace
}  // namespace bi_test::mock_test
