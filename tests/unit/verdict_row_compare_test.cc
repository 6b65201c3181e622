// Two rows of one id: edge cases, framing (R077), finish reason (R081), nulls (R079).
#include "verdict/row_compare.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/records.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

using ::testing::ElementsAreArray;

/// The row that the edge cases start from.
[[nodiscard]] Trial Default() {
  Trial trial;
  trial.score = 1.0;
  trial.passed = true;
  trial.extracted_answer = "A";
  trial.expected_answer = "A";
  trial.prompt_tokens_measured = 10;
  trial.failure_mode = "ok";
  trial.content = "c";
  return trial;
}

[[nodiscard]] std::vector<std::string> DifferingFields(const Trial& x, const Trial& y,
                                                       const Policy& policy = {}) {
  const RowComparer comparer(policy);
  const RowComparison comparison = comparer.Compare(x, y);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < comparer.field_names().size(); ++i) {
    if ((comparison.fields & (1U << i)) != 0) out.push_back(comparer.field_names()[i]);
  }
  return out;
}

struct FieldCase {
  const char* name;
  std::function<void(Trial&)> a;
  std::function<void(Trial&)> c;
  std::vector<std::string> fields;
};

[[nodiscard]] std::function<void(Trial&)> Set(Json Trial::*member, Json value) {
  return [member, value](Trial& trial) { trial.*member = value; };
}

TEST(RowCompareTest, FieldsDifferAsTheContractSays) {
  const auto score = &Trial::score;
  const auto passed = &Trial::passed;
  const auto tokens = &Trial::prompt_tokens_measured;
  const auto expected = &Trial::expected_answer;
  const Json nan = std::nan("");
  const Json infinity = std::numeric_limits<double>::infinity();
  const auto nothing = [](Trial&) {};
  const FieldCase cases[] = {
      {"1", Set(score, 1), Set(score, 1.0), {}},
      {"2", Set(score, 1.0), Set(score, true), {"score"}},
      {"3", Set(passed, true), Set(passed, 1), {"passed"}},
      {"4", Set(passed, false), Set(passed, 0), {"passed"}},
      {"5", Set(passed, false), Set(passed, Json()), {"passed"}},
      {"6", Set(score, -0.0), Set(score, 0.0), {}},
      {"7", Set(score, nan), Set(score, nan), {"score"}},
      {"8", Set(score, infinity), Set(score, infinity), {}},
      {"9", Set(score, "1.0"), Set(score, 1.0), {"score"}},
      {"10", Set(score, 0.30000000000000004), Set(score, 0.3), {"score"}},
      {"11", Set(tokens, Json()), Set(tokens, nullptr), {}},
      {"12", Set(tokens, 10), Set(tokens, Json()), {"prompt_tokens_measured"}},
      {"13", Set(tokens, 10), Set(tokens, 10.0), {}},
      {"14",
       Set(tokens, 9007199254740993),
       Set(tokens, 9007199254740992.0),
       {"prompt_tokens_measured"}},
      {"15",
       Set(expected, Json::Object{{"a", 1}, {"b", 2}}),
       Set(expected, Json::Object{{"b", 2}, {"a", 1}}),
       {}},
      {"16",
       Set(expected, Json::Object{{"a", 1}}),
       Set(expected, Json::Object{{"a", true}}),
       {"expected_answer"}},
      {"17",
       Set(expected, Json::Array{1, 2}),
       Set(expected, Json::Array{2, 1}),
       {"expected_answer"}},
      {"18", Set(expected, Json::Array{nan}), Set(expected, Json::Array{nan}), {"expected_answer"}},
      {"19", Set(expected, ""), Set(expected, Json()), {"expected_answer"}},
      {"20", nothing, Set(&Trial::failure_mode, "ok "), {"failure_mode"}},
      {"21", nothing, Set(&Trial::failure_mode, "OK"), {"failure_mode"}},
      {"22", Set(expected, "\u00e9"), Set(expected, "e\u0301"), {"expected_answer"}},
      {"23",
       Set(&Trial::extracted_answer, "x"),
       Set(&Trial::extracted_answer, "y"),
       {"extracted_answer"}},
      {"24", Set(&Trial::extracted_answer, Json()), Set(&Trial::extracted_answer, Json()), {}},
      {"25",
       [](Trial& t) {
         t.score = 0.0;
         t.failure_mode = "empty";
       },
       nothing,
       {"score", "failure_mode"}},
      {"26",
       nothing,
       [](Trial& t) {
         t.reason = "slow";
         t.retry_attempts = 3;
         t.phase = "body";
       },
       {}},
      {"27",
       Set(expected, Json::Object{{"a", Json()}}),
       Set(expected, Json::Object{}),
       {"expected_answer"}},
  };
  for (const FieldCase& one : cases) {
    Trial a = Default();
    Trial c = Default();
    one.a(a);
    one.c(c);
    EXPECT_THAT(DifferingFields(a, c), ElementsAreArray(one.fields)) << "case " << one.name;
  }
}

struct OutputCase {
  const char* name;
  std::function<void(Trial&)> a;
  std::function<void(Trial&)> c;
  bool identical;
};

TEST(RowCompareTest, OutputsAreComparedWhole) {
  const auto content = &Trial::content;
  const auto nothing = [](Trial&) {};
  const OutputCase cases[] = {
      {"62", Set(content, Json()), Set(content, ""), true},
      {"63",
       [](Trial& t) {
         t.content = "";
         t.response_first_200 = "zzz";
       },
       Set(content, ""), true},
      {"64",
       [](Trial& t) {
         t.content = Json();
         t.response_first_200 = "c";
       },
       nothing, false},
      {"65", Set(content, "a"), Set(content, "a "), false},
      {"66", Set(content, "a\n"), Set(content, "a\r\n"), false},
      {"68", Set(content, 5), Set(content, "5"), false},
      {"69", Set(content, "\xED\xA0\x80"), Set(content, "\xED\xA0\x80"), true},
      {"70", nothing, Set(&Trial::reasoning_content, "hm"), false},
      {"71 finish reason", Set(&Trial::finish_reason, "stop"), Set(&Trial::finish_reason, "length"),
       false},
      {"71 tokens", Set(&Trial::completion_tokens, 3), Set(&Trial::completion_tokens, 4), false},
      {"72", Set(&Trial::tool_calls, Json::Array{"x"}), Set(&Trial::tool_calls, Json::Array{"y"}),
       false},
      {"72 order of keys", Set(&Trial::tool_calls, Json::Object{{"a", 1}, {"b", 2}}),
       Set(&Trial::tool_calls, Json::Object{{"b", 2}, {"a", 1}}), true},
      {"R079 nulls are absent", nothing,
       [](Trial& t) {
         t.tool_calls = nullptr;
         t.reasoning_content = nullptr;
       },
       true},
      {"same text from other tokens",
       [](Trial& t) {
         t.token_ids = {{1, 2}};
       },
       [](Trial& t) { t.token_ids = {{12}}; }, false},
      {"token ids on one side were not compared, hence not equal",
       [](Trial& t) {
         t.token_ids = {{1, 2}};
       },
       nothing, false},
  };
  for (const OutputCase& one : cases) {
    Trial a = Default();
    Trial c = Default();
    one.a(a);
    one.c(c);
    const RowComparison comparison = RowComparer(Policy{}).Compare(a, c);
    EXPECT_EQ(comparison.token_identical, one.identical) << "case " << one.name;
    EXPECT_EQ(comparison.fields, 0U) << "case " << one.name;
  }
}

TEST(RowCompareTest, TheDisplayFormIsUsedOnlyWhenBothSidesLackContent) {
  Trial a = Default();
  Trial c = Default();
  a.content = c.content = Json();
  a.response_first_200 = "same";
  c.response_first_200 = "same";
  RowComparison comparison = RowComparer(Policy{}).Compare(a, c);
  EXPECT_TRUE(comparison.token_identical);
  EXPECT_TRUE(comparison.truncated_content);
  c.response_first_200 = "other";
  EXPECT_FALSE(RowComparer(Policy{}).Compare(a, c).token_identical);
}

TEST(RowCompareTest, OnlyTheFinishReasonIsToldApart) {
  Trial a = Default();
  Trial c = Default();
  a.finish_reason = "stop";
  c.finish_reason = "length";
  EXPECT_TRUE(RowComparer(Policy{}).Compare(a, c).finish_reason_only);
  c.completion_tokens = 7;
  EXPECT_FALSE(RowComparer(Policy{}).Compare(a, c).finish_reason_only);
}

struct FramingCase {
  const char* name;
  Json a_content, a_reasoning;
  Json c_content, c_reasoning;
  bool framing;
};

TEST(RowCompareTest, FramingIsAnotherPlaceForTheSameReasoning) {
  const FramingCase cases[] = {
      {"R077", "<think>x</think>ok-0", Json(), "ok-0", "x", true},
      {"blanks beside the tags", "<think>\nx\n</think>\n\nok-0", Json(), "ok-0", "x", true},
      {"open tag left out by the template", "x</think>ok-0", Json(), "ok-0", "x", true},
      {"another answer", "<think>x</think>ok-0", Json(), "ok-1", "x", false},
      {"another thought", "<think>y</think>ok-0", Json(), "ok-0", "x", false},
      {"blank inside the answer", "<think>x</think>o k", Json(), "ok", "x", false},
      {"no reasoning at all", "ok-0", Json(), "ok-0 ", Json(), false},
      {"thought lost", "<think>x</think>ok-0", Json(), "ok-0", Json(), false},
  };
  for (const FramingCase& one : cases) {
    Trial a = Default();
    Trial c = Default();
    a.content = a.extracted_answer = one.a_content;
    a.reasoning_content = one.a_reasoning;
    a.score = 0.0;
    a.passed = false;
    c.content = c.extracted_answer = one.c_content;
    c.reasoning_content = one.c_reasoning;
    const RowComparison comparison = RowComparer(Policy{}).Compare(a, c);
    EXPECT_EQ(comparison.framing_only, one.framing) << one.name;
    EXPECT_EQ(comparison.divergent(), !one.framing) << one.name;
    EXPECT_FALSE(comparison.token_identical) << one.name;
  }
}

TEST(RowCompareTest, FramingExcusesNothingThatIsNotMadeFromTheText) {
  Trial a = Default();
  Trial c = Default();
  a.content = "<think>x</think>c";
  c.reasoning_content = "x";
  c.expected_answer = "B";
  EXPECT_THAT(DifferingFields(a, c), ElementsAreArray({"expected_answer"}));
}

TEST(RowCompareTest, AScoreThatDiffersOnEqualOutputsIsNoFraming) {
  Trial a = Default();
  Trial c = Default();
  a.content = c.content = "<think>x</think>c";
  c.score = 0.0;
  EXPECT_THAT(DifferingFields(a, c), ElementsAreArray({"score"}));
}

TEST(RowCompareTest, MalformedRowsDivergeEvenFromThemselves) {
  Trial bad = Default();
  bad.malformed_row = Json();
  for (const Trial& other : {bad, Default()}) {
    const RowComparison comparison = RowComparer(Policy{}).Compare(bad, other);
    EXPECT_TRUE(comparison.divergent());
    EXPECT_TRUE(comparison.malformed);
  }
  EXPECT_FALSE(RowComparer(Policy{}).Compare(Trial{}, Trial{}).divergent()) << "case 32";
}

TEST(RowCompareTest, EveryExtraFieldIsComparedAndAbsentOnlyEqualsAbsent) {
  const struct {
    const char* field;
    std::function<void(Trial&)> set;
    std::function<void(Trial&)> set_other;
  } cases[] = {
      {"content", Set(&Trial::content, "x"), Set(&Trial::content, "y")},
      {"reasoning_content", Set(&Trial::reasoning_content, "x"), Set(&Trial::reasoning_content, 5)},
      {"tool_calls", Set(&Trial::tool_calls, Json::Array{1}),
       Set(&Trial::tool_calls, Json::Array{})},
      {"finish_reason", Set(&Trial::finish_reason, "stop"), Set(&Trial::finish_reason, "length")},
      {"completion_tokens", Set(&Trial::completion_tokens, 3), Set(&Trial::completion_tokens, 4)},
      {"token_ids",
       [](Trial& t) {
         t.token_ids = {{1, 2}};
       },
       [](Trial& t) { t.token_ids = {{1}}; }},
      {"logprobs", [](Trial& t) { t.logprobs = {{-0.5}}; },
       [](Trial& t) { t.logprobs = {{-0.25}}; }},
      {"prompt_tokens", [](Trial& t) { t.prompt_tokens = 7; },
       [](Trial& t) { t.prompt_tokens = 8; }},
  };
  for (const auto& one : cases) {
    Policy policy;
    policy.extra_invariant_fields = {one.field};
    Trial absent = Default();
    absent.content = Json();
    Trial x = absent;
    Trial y = absent;
    one.set(x);
    one.set_other(y);
    EXPECT_THAT(DifferingFields(x, y, policy), ElementsAreArray({one.field}));
    EXPECT_THAT(DifferingFields(x, absent, policy), ElementsAreArray({one.field}));
    EXPECT_TRUE(DifferingFields(x, x, policy).empty()) << one.field;
    EXPECT_TRUE(DifferingFields(absent, absent, policy).empty()) << one.field;
    EXPECT_TRUE(DifferingFields(x, y).empty()) << one.field << " is compared only when asked for";
  }
}

TEST(RowCompareTest, AnExtraFieldThatDoesNotExistAddsNothing) {
  Policy policy;
  policy.extra_invariant_fields = {"wall_ms"};
  EXPECT_EQ(RowComparer(policy).field_names().size(), 6U);
}

TEST(RowCompareTest, TruncatedContentIsSaidWhenOnlyTheDisplayFormIsThere) {
  Trial a = Default();
  a.content = Json();
  Trial c = a;
  const RowComparer comparer{Policy{}};
  EXPECT_FALSE(comparer.Compare(a, c).truncated_content);
  a.response_first_200 = "c";
  EXPECT_TRUE(comparer.Compare(a, c).truncated_content);
  EXPECT_FALSE(comparer.Compare(a, c).token_identical);
  c.response_first_200 = "c";
  EXPECT_TRUE(comparer.Compare(a, c).truncated_content);
  EXPECT_TRUE(comparer.Compare(a, c).token_identical);
  c.content = "c";
  EXPECT_FALSE(comparer.Compare(a, c).truncated_content);
  EXPECT_FALSE(comparer.Compare(a, c).token_identical);
}

TEST(RowCompareTest, FramingNeedsTextAndEqualToolCalls) {
  Trial a = Default();
  Trial c = Default();
  a.content = "<think>x</think>c";
  c.reasoning_content = "x";
  const RowComparer comparer{Policy{}};
  ASSERT_TRUE(comparer.Compare(a, c).framing_only);
  c.tool_calls = Json::Array{1};
  EXPECT_FALSE(comparer.Compare(a, c).framing_only);
  c.tool_calls = Json();
  c.content = 5;
  EXPECT_FALSE(comparer.Compare(a, c).framing_only);
  a.content = "";
  a.reasoning_content = "x";
  c.content = Json::Array{};
  EXPECT_TRUE(comparer.Compare(a, c).framing_only) << "the same thought, nothing said";
  a = Default();
  c = Default();
  a.reasoning_content = "";
  c.content = "c ";
  EXPECT_FALSE(comparer.Compare(a, c).framing_only) << "no reasoning on either side";
}

TEST(RowCompareTest, LabelsOfAnotherTypeAreNeitherOkNorFaults) {
  Trial trial = Default();
  EXPECT_TRUE(IsOk(trial));
  EXPECT_FALSE(IsFault(trial));
  trial.failure_mode = 5;
  EXPECT_FALSE(IsOk(trial));
  EXPECT_FALSE(IsFault(trial));
  for (const char* almost : {"OK", "ok ", "", "okay"}) {
    trial.failure_mode = almost;
    EXPECT_FALSE(IsOk(trial)) << "cases 20, 21: " << almost;
  }
  trial.failure_mode = "server_died";
  EXPECT_TRUE(IsFault(trial));
  trial.malformed_row = Json();
  EXPECT_FALSE(IsFault(trial));
  trial.failure_mode = "ok";
  EXPECT_FALSE(IsOk(trial)) << "a row that is no object says nothing";
}

TEST(RowCompareTest, APolicyAddsFieldsAndNeverTakesSixAway) {
  Policy policy;
  policy.extra_invariant_fields = {"finish_reason", "score", "token_ids", "finish_reason"};
  const RowComparer comparer(policy);
  EXPECT_THAT(
      comparer.field_names(),
      ElementsAreArray({"score", "passed", "extracted_answer", "expected_answer",
                        "prompt_tokens_measured", "failure_mode", "finish_reason", "token_ids"}));
  Trial a = Default();
  Trial c = Default();
  c.finish_reason = "length";
  a.token_ids = {{1}};
  EXPECT_THAT(DifferingFields(a, c, policy), ElementsAreArray({"finish_reason", "token_ids"}));
}

}  // namespace
}  // namespace bi_test
