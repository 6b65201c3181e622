#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "bi_test/mock_server.h"
#include "http/chat_reply.h"
#include "mock/knob_answer.h"
#include "mock/token_pieces.h"
#include "unit/mock_client.h"

namespace bi_test::mock_test {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

MockKnobs Fast() {
  MockKnobs knobs;
  knobs.serve_time = milliseconds(2);
  return knobs;
}

Json Choice(const RawReply& reply) {
  Json json = JsonOf(reply);
  Json* choices = &json["choices"];
  return choices->if_array() == nullptr ? Json() : (*choices->if_array())[0];
}

struct ContentCase {
  const char* name;
  void (*set)(MockKnobs*);
  const char* alone;
  const char* together;
};

// Each request is `ask` with max_tokens 2; the lone one is the first that the mock serves.
const ContentCase kContentCases[] = {
    {"honest", [](MockKnobs*) {}, "x x ", "x x "},
    {"batch_divergence", [](MockKnobs* k) { k->batch_divergence = true; }, "x x ", "BATCHED x x "},
    {"stochastic certain", [](MockKnobs* k) { k->stochastic_divergence_p = 1.0; }, "x x ",
     "BATCHED x x "},
    {"score_divergence", [](MockKnobs* k) { k->score_divergence = true; }, "x x ", "ask"},
    {"empty_completions", [](MockKnobs* k) { k->empty_completions = true; }, "", ""},
    {"control_score_flip, one slot",
     [](MockKnobs* k) {
       k->control_score_flip = true;
       k->slots = 0;
     },
     "x x ", "x x "},
    {"control_score_flip, many slots",
     [](MockKnobs* k) {
       k->control_score_flip = true;
       k->slots = 4;
     },
     "ask", "ask"},
    {"drift_after", [](MockKnobs* k) { k->drift_after = 1; }, "x x ", "x x drifted "},
    {"gold",
     [](MockKnobs* k) {
       k->gold = {{"ask", "the answer"}};
     },
     "the answer", "the answer"},
    {"score before batch", [](MockKnobs* k) { k->score_divergence = k->batch_divergence = true; },
     "x x ", "ask"},
    {"empty before score", [](MockKnobs* k) { k->score_divergence = k->empty_completions = true; },
     "", ""},
    {"window, too many words",
     [](MockKnobs* k) {
       k->swa_empty_beyond_window = true;
       k->n_swa = 8;
       k->empty_completions = true;
     },
     "", ""},
};

TEST(MockKnobsTest, ContentKnobsActOnlyWhereTheyShould) {
  for (const ContentCase& c : kContentCases) {
    MockKnobs knobs;
    PrepareOverlap(&knobs);
    c.set(&knobs);
    const auto mock = StartMock(knobs);
    const auto together = ChatTogether(mock.get(), {ChatBody("ask", 2), ChatBody("ask", 2)});
    // The first one admitted counts as co-batched as well as the one that joined it.
    for (const RawReply& reply : together) EXPECT_EQ(ContentOf(reply), c.together) << c.name;

    MockKnobs lone = Fast();
    c.set(&lone);
    EXPECT_EQ(ContentOf(Chat(*StartMock(lone), ChatBody("ask", 2))), c.alone) << c.name;
  }
}

TEST(MockKnobsTest, DemonstrationOfTheContrast) {
  for (const bool divergent : {false, true}) {
    MockKnobs knobs;
    PrepareOverlap(&knobs);
    knobs.slots = 4;
    knobs.batch_divergence = divergent;
    const auto mock = StartMock(knobs);
    const auto replies = ChatTogether(mock.get(), std::vector<std::string>(4, ChatBody("same")));
    const std::string alone = ContentOf(Chat(*mock, ChatBody("same")));
    for (const RawReply& reply : replies) EXPECT_EQ(ContentOf(reply) != alone, divergent);
  }
}

TEST(MockKnobsTest, StochasticDrawHasTheDocumentedVector) {
  EXPECT_EQ(mock::StochasticDraw("p0", 5), 0.8748411433771253);
}

TEST(MockKnobsTest, StochasticDivergenceFollowsTheDraw) {
  MockKnobs knobs;
  mock::CompletionRequest request;
  request.all_text = "p0";
  request.max_tokens = 1;
  const mock::ServiceView view{2, 5, true, false};
  knobs.stochastic_divergence_p = 0.9;
  EXPECT_EQ(mock::AnswerByKnobs(knobs, request, view).content, "BATCHED x ");
  knobs.stochastic_divergence_p = 0.85;
  EXPECT_EQ(mock::AnswerByKnobs(knobs, request, view).content, "x ");
}

TEST(MockKnobsTest, EmptyCompletionsStillCountTokensAndTheWindowDoesNot) {
  MockKnobs knobs = Fast();
  knobs.empty_completions = true;
  Json json = JsonOf(Chat(*StartMock(knobs), ChatBody("ask", 4)));
  EXPECT_EQ(json["usage"]["completion_tokens"], Json(4));

  knobs = Fast();
  knobs.swa_empty_beyond_window = true;
  knobs.n_swa = 2;
  const auto mock = StartMock(knobs);
  EXPECT_THAT(Get(*mock, "/props").body, HasSubstr(R"("n_swa":2)"));
  RawReply reply = Chat(*mock, ChatBody("one two three", 4));
  EXPECT_EQ(ContentOf(reply), "");
  json = JsonOf(reply);
  EXPECT_EQ(json["usage"]["completion_tokens"], Json(0));
  EXPECT_EQ(*Choice(reply).Find("finish_reason"), Json("stop"));
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("one two", 1))), "x ");
  EXPECT_EQ(ContentOf(Chat(*mock, ChatBody("one", 1, R"(,"prompt_token_proxy":3)"))), "");
}

TEST(MockKnobsTest, BlankWhenBatchedOnceIsBlankOncePerPrompt) {
  MockKnobs knobs;
  PrepareOverlap(&knobs);
  knobs.blank_when_batched_once = true;
  const auto mock = StartMock(knobs);
  const auto replies = ChatTogether(
      mock.get(), {ChatBody("a", 1), ChatBody("a", 1), ChatBody("b", 1), ChatBody("c", 1)});
  int blank = 0;
  for (const RawReply& reply : replies) blank += ContentOf(reply).empty() ? 1 : 0;
  EXPECT_EQ(blank, 3);
  EXPECT_EQ(ContentOf(replies[0]).empty(), !ContentOf(replies[1]).empty());
}

TEST(MockKnobsTest, ReplyDependsOnAKeyOnlyWhenItsKnobIsOn) {
  const std::string with = R"(,"cache_prompt":false,"top_k":1)";
  MockKnobs knobs = Fast();
  EXPECT_EQ(ContentOf(Chat(*StartMock(knobs), ChatBody("p", 1, with))), "x ");
  knobs.react_to_top_k = true;
  EXPECT_EQ(ContentOf(Chat(*StartMock(knobs), ChatBody("p", 1, with))), "x top_k ");
  EXPECT_EQ(ContentOf(Chat(*StartMock(knobs), ChatBody("p", 1))), "x ");
  knobs = Fast();
  knobs.react_to_cache_prompt = true;
  EXPECT_EQ(ContentOf(Chat(*StartMock(knobs), ChatBody("p", 1, with))), "x cache_prompt ");
}

TEST(MockKnobsTest, FieldKnobsChangeOneFieldOnly) {
  const struct {
    const char* name;
    void (*set)(MockKnobs*);
    const char* alone;
    const char* together;
  } cases[] = {
      {"reasoning", [](MockKnobs* k) { k->reasoning_divergence = true; },
       R"("reasoning_content":"thought")", R"("reasoning_content":"thought otherwise")"},
      {"finish", [](MockKnobs* k) { k->finish_divergence = true; }, R"("finish_reason":"length")",
       R"("finish_reason":"stop")"},
      {"usage", [](MockKnobs* k) { k->usage_divergence = true; }, R"("completion_tokens":2)",
       R"("completion_tokens":3)"},
      {"tool_call", [](MockKnobs* k) { k->tool_call_divergence = true; },
       R"("arguments":"{\"key\":1}")", R"("arguments":"{\"key\":2}")"},
      {"logprob", [](MockKnobs* k) { k->logprob_drift = 0.125; }, R"("logprob":0.0)",
       R"("logprob":0.125)"},
  };
  for (const auto& c : cases) {
    MockKnobs knobs;
    PrepareOverlap(&knobs);
    c.set(&knobs);
    for (const char* stream : {"", R"(,"stream":true,"stream_options":{"include_usage":true})"}) {
      const auto mock = StartMock(knobs);
      const std::string body =
          ChatBody("ask", 2, std::string(R"(,"logprobs":true,"top_logprobs":1)") + stream);
      const auto together = ChatTogether(mock.get(), {body, body});
      for (const RawReply& reply : together)
        EXPECT_THAT(reply.body, HasSubstr(c.together)) << c.name;
      EXPECT_THAT(Chat(*mock, body).body, HasSubstr(c.alone)) << c.name;
      if (std::string_view(stream).empty()) {
        EXPECT_EQ(ContentOf(together[0]), "x x ") << c.name;
      }
    }
  }
}

TEST(MockKnobsTest, LogprobsFollowTheRequest) {
  const auto mock = StartMock(Fast());
  const struct {
    const char* more;
    std::size_t alternatives;  ///< 0: no log-probabilities.
  } cases[] = {{"", 0},
               {R"(,"logprobs":false)", 0},
               {R"(,"logprobs":true)", 20},
               {R"(,"logprobs":true,"top_logprobs":3)", 3},
               {R"(,"logprobs":true,"top_logprobs":0)", 0},
               {R"(,"n_probs":2)", 2}};
  for (const auto& c : cases) {
    const Json choice = Choice(Chat(*mock, ChatBody("p", 1, c.more)));
    const Json* logprobs = choice.Find("logprobs");
    if (c.alternatives == 0) {
      EXPECT_EQ(logprobs, nullptr) << c.more;
      continue;
    }
    ASSERT_NE(logprobs, nullptr) << c.more;
    const Json& entry = (*logprobs->Find("content")->if_array())[0];
    EXPECT_EQ(entry.Find("top_logprobs")->if_array()->size(), c.alternatives) << c.more;
    EXPECT_EQ(*entry.Find("id"), Json(mock::TokenId("x ")));
  }
  MockKnobs knobs = Fast();
  knobs.logprobs_null = true;
  EXPECT_THAT(Chat(*StartMock(knobs), ChatBody("p", 1, R"(,"logprobs":true)")).body,
              HasSubstr(R"("logprobs":null)"));
}

TEST(MockKnobsTest, FiguresCanBeChanged) {
  MockKnobs knobs = Fast();
  knobs.slots = 1;
  knobs.n_ctx = 512;
  knobs.slots_n_ctx = 64;
  knobs.cached_tokens = 3;
  const auto mock = StartMock(knobs);
  EXPECT_THAT(Get(*mock, "/props").body, HasSubstr(R"("n_ctx":512)"));
  EXPECT_THAT(Get(*mock, "/slots").body, HasSubstr(R"("n_ctx":64)"));
  EXPECT_THAT(Chat(*mock, ChatBody("p")).body,
              AllOf(HasSubstr(R"("cached_tokens":3)"), HasSubstr(R"("cache_n":3)")));
  knobs.timings = false;
  EXPECT_THAT(Chat(*StartMock(knobs), ChatBody("p")).body, Not(HasSubstr("timings")));
}

TEST(MockKnobsTest, MonitorPagesCanLie) {
  const struct {
    const char* name;
    void (*set)(MockKnobs*);
    const char* path;
    int status;
    const char* body;
  } cases[] = {
      {"state int", [](MockKnobs* k) { k->slots_schema = MockSlotsSchema::kStateInt; }, "/slots",
       200, R"([{"id":0,"state":0}])"},
      {"state text", [](MockKnobs* k) { k->slots_schema = MockSlotsSchema::kStateText; }, "/slots",
       200, R"([{"id":0,"state":"idle"}])"},
      {"slots off", [](MockKnobs* k) { k->slots_schema = MockSlotsSchema::kDisabled; }, "/slots",
       501,
       R"({"error":{"code":501,"message":"This server does not support slots endpoint.",)"
       R"("type":"not_supported_error"}})"},
      {"slots garbage", [](MockKnobs* k) { k->slots_schema = MockSlotsSchema::kGarbage; }, "/slots",
       200, R"([{"id":0,)"},
      {"slots verbatim", [](MockKnobs* k) { k->slots_view_override = "verbatim"; }, "/slots", 200,
       "verbatim"},
      {"metrics verbatim", [](MockKnobs* k) { k->metrics_override = "m 1\n"; }, "/metrics", 200,
       "m 1\n"},
      {"metrics off", [](MockKnobs* k) { k->metrics_disabled = true; }, "/metrics", 501,
       R"({"error":{"code":501,"message":"This server does not support metrics endpoint.",)"
       R"("type":"not_supported_error"}})"},
      {"models list", [](MockKnobs* k) { k->ready_shape = MockReadyShape::kList; }, "/v1/models",
       200, R"([{"id":"local","object":"model"}])"},
      {"models number", [](MockKnobs* k) { k->ready_shape = MockReadyShape::kNumber; },
       "/v1/models", 200, "5"},
      {"models text", [](MockKnobs* k) { k->ready_shape = MockReadyShape::kDataText; },
       "/v1/models", 200, R"({"data":"local","object":"list"})"},
      {"models empty", [](MockKnobs* k) { k->ready_shape = MockReadyShape::kEmptyData; },
       "/v1/models", 200, R"({"data":[],"object":"list"})"},
      {"models phrase", [](MockKnobs* k) { k->ready_shape = MockReadyShape::kPhraseInId; },
       "/v1/models", 200, R"({"data":[{"id":"Loading model","object":"model"}],"object":"list"})"},
  };
  for (const auto& c : cases) {
    MockKnobs knobs = Fast();
    c.set(&knobs);
    const RawReply reply = Get(*StartMock(knobs), c.path);
    EXPECT_EQ(reply.status, c.status) << c.name;
    EXPECT_EQ(reply.body, c.body) << c.name;
  }
}

TEST(MockKnobsTest, BusySlotsShowInEverySchemaAndPromptsWhenAsked) {
  const struct {
    MockSlotsSchema schema;
    const char* text;
  } cases[] = {{MockSlotsSchema::kModern, R"("is_processing":true)"},
               {MockSlotsSchema::kModern, R"("prompt":"SECRET")"},
               {MockSlotsSchema::kStateInt, R"("state":1)"},
               {MockSlotsSchema::kStateText, R"("state":"processing")"}};
  for (const auto& c : cases) {
    MockKnobs knobs;
    knobs.serve_time = std::chrono::hours(1);
    knobs.slots_schema = c.schema;
    knobs.slots_show_prompts = true;
    const auto mock = StartMock(knobs);
    RawClient client(mock->port());
    client.Send(PostText("/v1/chat/completions", ChatBody("SECRET")));
    EXPECT_TRUE(mock->WaitFor([](const MockCounts& k) { return k.in_service == 1; },
                              std::chrono::seconds(30)));
    EXPECT_THAT(Get(*mock, "/slots").body, HasSubstr(c.text));
  }
}

TEST(MockKnobsTest, MonitorDelayEndsWithTheServer) {
  MockKnobs knobs;
  knobs.serve_time = std::chrono::hours(1);
  knobs.monitor_delay = std::chrono::hours(1);
  const auto mock = StartMock(knobs);
  EXPECT_EQ(Get(*mock, "/metrics").status, 200) << "not while idle";
  RawClient busy(mock->port());
  busy.Send(PostText("/v1/chat/completions", ChatBody("p")));
  EXPECT_TRUE(mock->WaitFor([](const MockCounts& k) { return k.in_service == 1; },
                            std::chrono::seconds(30)));
  RawClient late(mock->port());
  late.Send("GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_EQ(Get(*mock, "/health").status, 200);
  mock->Stop();
  EXPECT_EQ(ContentOf(busy.Read()), "x x x x ");
}

TEST(MockKnobsTest, TokenizeShapes) {
  const struct {
    MockTokenizeShape shape;
    int status;
    const char* body;
  } cases[] = {
      {MockTokenizeShape::kTokens, 200, R"({"tokens":[0,1]})"},
      {MockTokenizeShape::kCount, 200, R"({"count":2})"},
      {MockTokenizeShape::kNTokens, 200, R"({"n_tokens":2})"},
      {MockTokenizeShape::kNumTokens, 200, R"({"num_tokens":2})"},
      {MockTokenizeShape::kFloat, 200, R"({"count":2.0})"},
      {MockTokenizeShape::kBool, 200, R"({"count":true})"},
      {MockTokenizeShape::kGarbage, 200, "tokens: many"},
      {MockTokenizeShape::kError, 500,
       R"({"error":{"code":500,"message":"mock tokenizer error","type":"server_error"}})"}};
  for (const auto& c : cases) {
    MockKnobs knobs;
    knobs.tokenize_shape = c.shape;
    const RawReply reply = Post(*StartMock(knobs), "/tokenize", R"({"content":"a b"})");
    EXPECT_EQ(reply.status, c.status);
    EXPECT_EQ(reply.body, c.body);
  }
  MockKnobs knobs;
  knobs.tokenize_min_one = true;
  EXPECT_EQ(Post(*StartMock(knobs), "/tokenize", R"({"content":""})").body, R"({"tokens":[0]})");
  knobs = {};
  knobs.tokenize_changes_with_slots = true;
  for (const int slots : {1, 2}) {
    knobs.slots = slots;
    EXPECT_EQ(Post(*StartMock(knobs), "/tokenize", R"({"content":"a"})").body,
              slots == 1 ? R"({"tokens":[0]})" : R"({"tokens":[0,1]})");
  }
}

TEST(MockKnobsTest, TokenPiecesJoinToTheTextAndAreBounded) {
  const std::string hostile[] = {"",
                                 " ",
                                 "a",
                                 "x x ",
                                 "  lead",
                                 "n\xc3\xa9\xf0\x9f\x99\x82 z",
                                 std::string(100, 'w'),
                                 std::string(1'000'000, ' '),
                                 std::string(1'000'000, 'y'),
                                 std::string(5'000, '\x80')};
  for (const std::string& text : hostile) {
    std::string joined;
    const auto pieces = mock::TokenPieces(text);
    for (const std::string& piece : pieces) joined += piece;
    EXPECT_EQ(joined, text);
    EXPECT_LE(pieces.size(), 4096u);
  }
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "ab ";
  EXPECT_LE(mock::TokenPieces(many).size(), 4096u);
  EXPECT_EQ(mock::TokenPieces("one two\n three").size(), 3u);
}

}  // namespace
}  // namespace bi_test::mock_test
