#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bi_test/scorer.h"
#include "scorers/scorer_registry.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

ScoredReply ScoreWith(const char* scorer, std::string_view text, const Json& expected,
                      std::optional<std::int64_t> tokens = std::nullopt) {
  return ScoreReply(*FindScorer(scorer), text, tokens, expected, {});
}

struct ScoreCase {
  const char* name;
  const char* scorer;
  std::string text;
  Json expected;
  double score;
  const char* label;
  std::optional<std::int64_t> tokens = std::nullopt;
};

void PrintTo(const ScoreCase& test, std::ostream* out) { *out << test.name; }

class BuiltInScorer : public ::testing::TestWithParam<ScoreCase> {};

TEST_P(BuiltInScorer, GivesScoreLabelAndTheWholeCompletion) {
  const ScoreCase& test = GetParam();
  const ScoredReply reply = ScoreWith(test.scorer, test.text, test.expected, test.tokens);
  EXPECT_EQ(reply.score, test.score);
  EXPECT_EQ(reply.passed, test.score >= 0.5);
  EXPECT_EQ(reply.failure_mode, test.label);
  EXPECT_EQ(reply.extracted_answer, test.text);
  EXPECT_EQ(reply.reason, "");
}

const ScoreCase kScores[] = {
    {"RightAnswer", "exact", "42", "42", 1.0, "ok"},
    {"WrongAnswerIsStillOk", "exact", "43", "42", 0.0, "ok"},
    {"WhiteSpaceAtTheEndsIsTrimmed", "exact", " 42 \n", "42", 1.0, "ok"},
    {"WhiteSpaceOfTheGoldIsTrimmed", "exact", "42", "\t42", 1.0, "ok"},
    {"UnicodeWhiteSpaceIsTrimmed", "exact", "\u3000\u00a042\u2028\v\f\r", "42", 1.0, "ok"},
    {"WhiteSpaceWithinCounts", "exact", "4 2", "42", 0.0, "ok"},
    {"CaseCounts", "exact", "Lima", "lima", 0.0, "ok"},
    {"Blanks", "exact", "   ", "42", 0.0, "empty"},
    {"Nothing", "exact", "", "42", 0.0, "empty"},
    {"NothingNeverPasses", "exact", "", Json(), 0.0, "empty"},
    {"NothingNeverPassesForAnEmptyGold", "exact", " ", "", 0.0, "empty"},
    {"NoTokensAtAll", "exact", "", "42", 0.0, "premature_eos", 0},
    {"BlankTokens", "exact", "\n", "42", 0.0, "empty", 3},
    {"ANumberAsGold", "exact", "42", 42, 1.0, "ok"},
    {"ABooleanAsGold", "exact", "false", false, 1.0, "ok"},
    {"ANullGoldIsEmpty", "exact", "null", Json(), 0.0, "ok"},
    {"AnObjectAsGold", "exact", "{\"a\":1,\"b\":[2]}",
     Json::Object{{"b", Json::Array{2}}, {"a", 1}}, 1.0, "ok"},
    {"NeedleInside", "needle", "I think LIMA, yes", " lima ", 1.0, "ok"},
    {"NeedleMissing", "needle", "Paris", "Lima", 0.0, "ok"},
    {"NeedleIsAsciiCaseInsensitiveOnly", "needle", "É", "é", 0.0, "ok"},
    {"EmptyNeedleIsAlwaysThere", "needle", "x", " ", 1.0, "ok"},
    {"NeedleInNothing", "needle", "", "x", 0.0, "empty"},
    {"NeedleAtTheVeryEnd", "needle", "abc", "BC", 1.0, "ok"},
    {"NeedleLongerThanTheText", "needle", "ab", "abc", 0.0, "ok"},
};

INSTANTIATE_TEST_SUITE_P(All, BuiltInScorer, ::testing::ValuesIn(kScores),
                         [](const auto& test) { return std::string(test.param.name); });

/// Does what its members say.
class ScriptedScorer : public Scorer {
 public:
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view version() const override { return "7"; }
  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view,
                                                         const ScorerItem&) const override {
    return extracted_;
  }
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view,
                                                std::optional<std::int64_t> tokens,
                                                const std::optional<std::string>&,
                                                const ScorerItem&) const override {
    if (tokens == 99) throw 99;
    return label_;
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view,
                             const Json& expected, const ScorerItem&) const override {
    if (expected == Json("throw")) throw std::runtime_error("no such thing");
    return score_;
  }

  std::string name_ = "scripted";
  std::optional<std::string> extracted_ = "answer";
  std::string label_ = "ok";
  double score_ = 0.5;
};

TEST(ScoreReplyTest, AUserScorerDecidesWhatTheAnswerIs) {
  const ScriptedScorer scorer;
  EXPECT_EQ(ScoreReply(scorer, "text", 1, "gold", {}),
            (ScoredReply{0.5, true, "ok", "answer", "", true}));
}

TEST(ScoreReplyTest, WithoutAnExtractedAnswerTheWholeCompletionIsCompared) {
  ScriptedScorer scorer;
  scorer.extracted_ = std::nullopt;
  EXPECT_EQ(ScoreReply(scorer, "text", 1, "gold", {}).extracted_answer, "text");
}

TEST(ScoreReplyTest, NonsenseBecomesAScorerError) {
  struct {
    double score;
    const char* reason;
  } const cases[] = {
      {std::numeric_limits<double>::quiet_NaN(),
       "scorer \"scripted\" gave the score \"NaN\", allowed: a number from 0 to 1"},
      {std::numeric_limits<double>::infinity(),
       "scorer \"scripted\" gave the score \"Infinity\", allowed: a number from 0 to 1"},
      {-0.001, "scorer \"scripted\" gave the score -0.001, allowed: a number from 0 to 1"},
      {1.5, "scorer \"scripted\" gave the score 1.5, allowed: a number from 0 to 1"},
  };
  for (const auto& test : cases) {
    ScriptedScorer scorer;
    scorer.score_ = test.score;
    EXPECT_EQ(ScoreReply(scorer, "text", 1, "gold", {}),
              (ScoredReply{0.0, false, "scorer_error", "text", test.reason}));
  }
  ScriptedScorer scorer;
  scorer.label_ = " ";
  EXPECT_EQ(ScoreReply(scorer, "text", 1, "gold", {}).reason,
            "scorer \"scripted\" gave an empty failure label");
}

TEST(ScoreReplyTest, ExceptionsEndHere) {
  const ScriptedScorer scorer;
  EXPECT_EQ(ScoreReply(scorer, "text", 1, "throw", {}),
            (ScoredReply{0.0, false, "scorer_error", "text",
                         "scorer \"scripted\" threw: no such thing"}));
  EXPECT_EQ(ScoreReply(scorer, "text", 99, "gold", {}).reason,
            "scorer \"scripted\" threw something that is no std::exception");
}

TEST(ScorerRegistryTest, ScorersAreFoundByName) {
  auto scorer = std::make_unique<ScriptedScorer>();
  scorer->name_ = "registry-test.1";
  const Scorer* address = scorer.get();
  EXPECT_EQ(FindScorer("registry-test.1"), nullptr);
  EXPECT_TRUE(RegisterScorer(std::move(scorer)).ok());
  EXPECT_EQ(FindScorer("registry-test.1"), address);
  EXPECT_THAT(ScorerNames(), IsSupersetOf({"exact", "needle", "registry-test.1"}));
}

TEST(ScorerRegistryTest, ACopyKeepsWhatItHad) {
  ScorerRegistry copy = RegisteredScorers();
  auto scorer = std::make_unique<ScriptedScorer>();
  scorer->name_ = "later";
  ASSERT_TRUE(RegisterScorer(std::move(scorer)).ok());
  EXPECT_EQ(copy.Find("later"), nullptr);
  auto other = std::make_unique<ScriptedScorer>();
  other->name_ = "mine-alone";
  ASSERT_TRUE(copy.Add(std::move(other)).ok());
  EXPECT_NE(copy.Find("mine-alone"), nullptr);
  EXPECT_EQ(FindScorer("mine-alone"), nullptr);
}

TEST(ScorerRegistryTest, AFactoryMayAskTheRegistry) {
  ASSERT_TRUE(RegisterScorer("as-exact", {}, [](const Json&) { return MakeScorer("exact"); }).ok());
  ASSERT_NE(FindScorer("as-exact"), nullptr);
  EXPECT_EQ(FindScorer("as-exact")->name(), "exact");
}

TEST(ScorerRegistryTest, ThreadsMayRegisterAndAskAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kEach = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kEach; ++i) {
        auto scorer = std::make_unique<ScriptedScorer>();
        scorer->name_ = "thread-" + std::to_string(t) + "-" + std::to_string(i);
        const std::string name = scorer->name_;
        EXPECT_TRUE(RegisterScorer(std::move(scorer)).ok());
        EXPECT_NE(FindScorer(name), nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int found = 0;
  for (const std::string& name : ScorerNames()) found += name.starts_with("thread-") ? 1 : 0;
  EXPECT_EQ(found, kThreads * kEach);
}

TEST(ScorerRegistryTest, BuiltInScorersSayWhoTheyAre) {
  for (const char* name : {"exact", "needle"}) {
    const Scorer* scorer = FindScorer(name);
    ASSERT_NE(scorer, nullptr) << name;
    EXPECT_EQ(scorer->name(), name);
    EXPECT_EQ(scorer->version(), "1");
  }
}

TEST(ScorerRegistryTest, NamesAreSmallLettersDigitsAndThreeSigns) {
  const auto accepted = [](const std::string& name) {
    auto scorer = std::make_unique<ScriptedScorer>();
    scorer->name_ = name;
    return RegisterScorer(std::move(scorer)).ok();
  };
  EXPECT_TRUE(accepted("names_az09.-"));
  for (const char bad : {'`', '{', '/', ':', '@', ' ', ',', '\0', '\x7f', '\xe9', 'A', '^'}) {
    EXPECT_FALSE(accepted(std::string("names") + bad)) << bad;
  }
}

TEST(ScorerRegistryTest, BadNamesAreRefused) {
  const auto text_for = [](const char* name) {
    auto scorer = std::make_unique<ScriptedScorer>();
    scorer->name_ = name;
    return RegisterScorer(std::move(scorer)).error().Text();
  };
  EXPECT_EQ(text_for("exact"),
            "RegisterScorer: found a second scorer named \"exact\", allowed: one of each name");
  EXPECT_EQ(
      text_for("My Scorer"),
      "RegisterScorer: found the name \"My Scorer\", allowed: one or more of a-z, 0-9, \"_\", "
      "\".\", \"-\"");
  EXPECT_EQ(text_for(""),
            "RegisterScorer: found the name \"\", allowed: one or more of a-z, 0-9, \"_\", \".\", "
            "\"-\"");
  EXPECT_EQ(RegisterScorer(nullptr).error().Text(),
            "RegisterScorer: found no scorer, allowed: an object of a class made from Scorer");
}

}  // namespace
}  // namespace bi_test
