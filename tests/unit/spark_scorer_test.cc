// The scorer as a run calls it, family by family.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "bi_test/scorer.h"
#include "spark/answer_rules.h"
#include "spark/spark_scorer.h"

namespace bi_test::spark {
namespace {

ScoredReply Score(const std::string& family, std::string_view text, const Json& gold,
                  std::optional<std::int64_t> tokens = 3) {
  static const std::unique_ptr<const Scorer> scorer = MakeSparkScorer();
  ScorerItem item;
  item.family = family;
  return ScoreReply(*scorer, text, tokens, gold, item);
}

const Json kFacts = Json::Object{
    {"volume", "512"}, {"inspector", "Inspector Calder"}, {"next_audit", "March 5, 2026"}};
const Json kCodes = Json::Array{"AAAA1111", "BBBB2222", "CCCC3333", "DDDD4444"};
const Json kObject5 = Json::Object{{"a", 5}, {"b", "x"}, {"c", true}};
const Json kObject1 = Json::Object{{"a", 1}, {"b", "x"}, {"c", true}};
const Json kCall = Json::Object{
    {"name", "f"}, {"arguments", Json::Object{{"n", 2}, {"t", "x"}}}, {"schema", Json::Object{}}};
const char* const kCode = "def shift(value):\n    return value + 3";

struct ScorerCase {
  const char* name;
  const char* family;
  Json gold;
  std::string text;
  double score;
  const char* label;
  std::string answer;
  std::optional<std::int64_t> tokens = 3;
};

void PrintTo(const ScorerCase& test, std::ostream* out) { *out << test.name; }

class SparkScorer : public ::testing::TestWithParam<ScorerCase> {};

TEST_P(SparkScorer, GivesScoreLabelAndAnswer) {
  const ScorerCase& test = GetParam();
  const ScoredReply reply = Score(test.family, test.text, test.gold, test.tokens);
  EXPECT_EQ(reply.score, test.score);
  EXPECT_EQ(reply.passed, test.score >= 0.5);
  EXPECT_EQ(reply.failure_mode, test.label);
  EXPECT_EQ(reply.extracted_answer, test.answer);
  EXPECT_EQ(reply.reason, "");
}

const ScorerCase kScores[] = {
    // A2: one code in the first line, in its own case.
    {"SecretAlone", "A2", "AB12CD34", "AB12CD34", 1.0, "ok", "AB12CD34"},
    {"SecretInWords", "A2", "AB12CD34", "\nThe code is \"AB12CD34\".\nBye", 1.0, "ok", "AB12CD34"},
    {"SecretInLowerCase", "A2", "AB12CD34", " \"ab12cd34.\" ", 0.0, "ok", " \"ab12cd34.\" "},
    {"SecretAmongOthers", "A2", "AB12CD34", "AB12CD34 or ZZ99ZZ99", 0.0, "ok",
     "AB12CD34, ZZ99ZZ99"},
    {"SecretInTheSecondLine", "A2", "AB12CD34", "Well:\nAB12CD34", 0.0, "ok", "Well:\nAB12CD34"},
    {"OtherSecret", "A2", "AB12CD34", "ZZ99ZZ99", 0.0, "ok", "ZZ99ZZ99"},
    // A4, B1, C1: the integer that is called the answer.
    {"NumberWithZero", "A4", "45", "045", 1.0, "ok", "45"},
    {"NumberWithSteps", "A4", "45", "X4 = 45, computed in 4 steps", 1.0, "ok", "45"},
    {"NegativeNumber", "A4", "-6", "X4 = -6", 1.0, "ok", "-6"},
    {"NoNumber", "B1", "45", "many", 0.0, "ok", "many"},
    {"WrongNumber", "C1", "45", "44", 0.0, "ok", "44"},
    {"GoldAsANumber", "C1", 45, "45", 1.0, "ok", "45"},
    // D1: three facts.
    {"AllFacts", "D1", kFacts, "- 512 cubic metres\n- inspector CALDER\n- 5 March 2026", 1.0, "ok",
     "Inspector Calder, 2026-3-5, 512, 5, 2026"},
    {"TwoFacts", "D1", kFacts, "- 512\n- Inspector Calder", 0.67, "ok", "Inspector Calder, 512"},
    {"OneFact", "D1", kFacts, "2026-03-05", 0.33, "ok", "2026-3-5, 2026, 3, 5"},
    {"NoFact", "D1", kFacts, "nothing", 0.0, "ok", "nothing"},
    {"AFactWithItsUnit", "D1", Json::Object{{"volume", "512 m"}}, "512", 0.0, "ok", "512"},
    {"NullIsNoFact", "D1", Json::Object{{"volume", Json()}}, "null", 0.0, "ok", "null"},
    {"AFactWithinALongerNumber", "D1", kFacts, "1512", 0.0, "ok", "1512"},
    {"GroupedFact", "D1", Json::Object{{"volume", "1234"}}, "1,234", 1.0, "ok", "1234"},
    {"FactWithinALongerWord", "D1", Json::Object{{"inspector", "Inspector Calder"}},
     "Inspector Caldera", 0.0, "ok", "Inspector Caldera"},
    // E1: codes in order.
    {"AllCodes", "E1", kCodes, "AAAA1111, BBBB2222, CCCC3333, DDDD4444", 1.0, "ok",
     "AAAA1111, BBBB2222, CCCC3333, DDDD4444"},
    {"TwoCodes", "E1", kCodes, "AAAA1111 BBBB2222", 0.5, "ok", "AAAA1111, BBBB2222"},
    {"CodesReversed", "E1", kCodes, "DDDD4444 CCCC3333 BBBB2222 AAAA1111", 0.0, "ok",
     "DDDD4444, CCCC3333, BBBB2222, AAAA1111"},
    {"NoCodes", "E1", kCodes, "none", 0.0, "ok", "none"},
    // E2: fields by name, type and value; the format counts.
    {"ObjectOtherType", "E2", kObject5, "{\"a\":5.0,\"b\":\"x\",\"c\":true}", 0.6667, "ok",
     "{\"a\":5.0,\"b\":\"x\",\"c\":true}"},
    {"ObjectTypesSwapped", "E2", kObject1, "{\"a\":true,\"b\":\"x\",\"c\":1}", 0.3333, "ok",
     "{\"a\":true,\"b\":\"x\",\"c\":1}"},
    {"ObjectAlone", "E2", kObject1, " {\"c\":true, \"b\":\"x\", \"a\":1}\n", 1.0, "ok",
     "{\"a\":1,\"b\":\"x\",\"c\":true}"},
    {"ObjectAfterProse", "E2", kObject1, "{bad} {\"a\":1,\"b\":\"x\",\"c\":true}", 0.9, "ok",
     "{\"a\":1,\"b\":\"x\",\"c\":true}"},
    {"ObjectInAFence", "E2", kObject1, "```\n{\"a\":1,\"b\":\"x\",\"c\":true}\n```", 0.9, "ok",
     "{\"a\":1,\"b\":\"x\",\"c\":true}"},
    {"TheFirstObjectCounts", "E2", kObject1, "{\"o\":{}} {\"a\":1,\"b\":\"x\",\"c\":true}", 0.0,
     "ok", "{\"o\":{}}"},
    {"ExtraKey", "E2", kObject1, "{\"a\":1,\"b\":\"x\",\"c\":true,\"d\":0}", 0.75, "ok",
     "{\"a\":1,\"b\":\"x\",\"c\":true,\"d\":0}"},
    {"NoObject", "E2", kObject1, "a is 1", 0.0, "no_valid_json", "a is 1"},
    {"TwiceTheSameKey", "E2", kObject1, "{\"a\":1,\"a\":1}", 0.0, "no_valid_json",
     "{\"a\":1,\"a\":1}"},
    {"DoubleBeyondTheTolerance", "E2", Json::Object{{"a", 0.5}}, "{\"a\":0.5001}", 0.0, "ok",
     "{\"a\":0.5001}"},
    {"DoubleWithinTheTolerance", "E2", Json::Object{{"a", 0.5}}, "{\"a\":0.5000000001}", 1.0, "ok",
     "{\"a\":0.5000000001}"},
    {"DoubleGoldTakesAnInteger", "E2", Json::Object{{"a", 5.0}}, "{\"a\":5}", 1.0, "ok",
     "{\"a\":5}"},
    // E3: name and arguments.
    {"Call", "E3", kCall, "{\"name\":\"f\",\"arguments\":{\"t\":\"x\",\"n\":2},\"id\":1}", 1.0,
     "ok", "{\"arguments\":{\"n\":2,\"t\":\"x\"},\"name\":\"f\"}"},
    {"OtherName", "E3", kCall, "{\"name\":\"g\",\"arguments\":{\"n\":2,\"t\":\"x\"}}", 0.245, "ok",
     "{\"arguments\":{\"n\":2,\"t\":\"x\"},\"name\":\"g\"}"},
    {"OneArgument", "E3", kCall, "{\"name\":\"f\",\"arguments\":{\"n\":2}}", 0.5, "ok",
     "{\"arguments\":{\"n\":2},\"name\":\"f\"}"},
    {"ArgumentsAsText", "E3", kCall, "{\"name\":\"f\",\"arguments\":\"{}\"}", 0.0, "ok",
     "{\"arguments\":\"{}\",\"name\":\"f\"}"},
    {"NoArguments", "E3", kCall, "{\"name\":\"f\"}", 0.0, "ok",
     "{\"arguments\":null,\"name\":\"f\"}"},
    {"NoneWanted", "E3", Json::Object{{"name", "f"}}, "{\"name\":\"f\"}", 1.0, "ok",
     "{\"arguments\":null,\"name\":\"f\"}"},
    {"NoCall", "E3", kCall, "f(2)", 0.0, "no_valid_json", "f(2)"},
    // E4: the program.
    {"Code", "E4", kCode, "```python\ndef shift(value): return value + 3\n```", 1.0, "ok",
     "def shift(value): return value + 3"},
    {"TheBug", "E4", kCode, "def shift(value):\n    return value - 3", 0.3, "ok",
     "def shift(value):\n    return value - 3"},
    {"OnlyTheExpression", "E4", kCode, "value + 3", 0.3, "ok", "value + 3"},
    {"OneWord", "E4", kCode, "shift", 0.1, "ok", "shift"},
    {"Prose", "E4", kCode, "Add three instead.", 0.0, "ok", "Add three instead."},
    // E5: one name of the pool.
    {"Helper", "E5", "read_table", "It is `read_table`.", 1.0, "ok", "read_table"},
    {"HelperTwice", "E5", "read_table", "read_table, yes, read_table", 1.0, "ok", "read_table"},
    {"TwoHelpers", "E5", "read_table", "read_table, not load_rows", 0.0, "ok",
     "load_rows, read_table"},
    {"TwoHelpersInTheOtherOrder", "E5", "load_rows", "read_table, not load_rows", 0.0, "ok",
     "load_rows, read_table"},
    {"HelperWithinALongerName", "E5", "read_table", "read_table_2", 0.0, "ok", "read_table_2"},
    // Any family.
    {"Empty", "E2", kObject1, "", 0.0, "empty", ""},
    {"NoTokens", "A2", "AB12CD34", " ", 0.0, "premature_eos", " ", 0},
    {"Leak", "A2", "AB12CD34", "AB12CD34 </think>", 1.0, "reasoning_leak", "AB12CD34"},
    // Families without a rule are scored as `exact` does.
    {"OtherFamily", "default", "42", " 42\n", 1.0, "ok", " 42\n"},
    {"OtherFamilyWithATag", "default", "42", "<think>", 0.0, "ok", "<think>"},
};

INSTANTIATE_TEST_SUITE_P(All, SparkScorer, ::testing::ValuesIn(kScores),
                         [](const auto& test) { return std::string(test.param.name); });

struct GoldCase {
  const char* name;
  const char* family;
  Json gold;
  const char* text;
};

TEST(SparkScorerParts, AWrongGoldIsAScorerErrorAndFoundAtStartUp) {
  const GoldCase kGolds[] = {
      {"Secret", "A2", "short",
       "the expected answer of family A2 has to be a code, eight characters of A-Z and 0-9"},
      {"Number", "A4", "many",
       "the expected answer of family A4 has to be an integer, or a text that is one"},
      {"Fraction", "C1", 1.5,
       "the expected answer of family C1 has to be an integer, or a text that is one"},
      {"Report", "D1", "a text", "the expected answer of family D1 has to be an object"},
      {"Codes", "E1", Json::Array{"AAAA1111", 3},
       "the expected answer of family E1 has to be a list of codes, each eight characters of A-Z "
       "and "
       "0-9"},
      {"NoCodes", "E1", Json::Array{},
       "the expected answer of family E1 has to be a list of codes, each eight characters of A-Z "
       "and 0-9"},
      {"Object", "E2", Json::Array{}, "the expected answer of family E2 has to be an object"},
      {"Call", "E3", Json::Object{{"arguments", "x"}},
       "the expected answer of family E3 has to be an object with a name, and arguments that are "
       "an "
       "object"},
      {"Code", "E4", " \n", "the expected answer of family E4 has to be the source of a function"},
      {"Helper", "E5", "some_function",
       "the expected answer of family E5 has to be one of the function names of the profile"},
  };
  for (const GoldCase& test : kGolds) {
    const Status status = CheckGold(test.family, test.gold);
    ASSERT_FALSE(status.ok()) << test.name;
    EXPECT_EQ(status.error().Text(), "expected_answer: " + std::string(test.text));
    const ScoredReply reply = Score(test.family, "AAAA1111", test.gold);
    EXPECT_EQ(reply.failure_mode, "scorer_error") << test.name;
    EXPECT_EQ(reply.reason, "scorer \"spark\" threw: " + std::string(test.text));
  }
  EXPECT_TRUE(CheckGold("default", "anything").ok());
}

TEST(SparkScorerParts, SaysWhatWasScored) {
  const std::unique_ptr<const Scorer> scorer = MakeSparkScorer();
  EXPECT_TRUE(scorer->WasScored("no_valid_json"));
  EXPECT_FALSE(scorer->WasScored("error_other"));
}

}  // namespace
}  // namespace bi_test::spark
