#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "bi_test/scorer.h"
#include "scorers/answer_json.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;

/// A JSON text of a test.
Json Parse(std::string_view text) {
  std::optional<Json> value = ReadWholeJson(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Json());
}

struct ScorerCase {
  const char* name;
  const char* scorer;
  const char* options;  ///< JSON; empty: none.
  std::string text;
  Json expected;
  double score;
  /// The answer; nothing: none could be told apart, so that the whole completion is compared.
  std::optional<std::string> answer;
};
void PrintTo(const ScorerCase& test, std::ostream* out) { *out << test.name; }

class ScorerTable : public ::testing::TestWithParam<ScorerCase> {};

TEST_P(ScorerTable, GivesScoreAndAnswer) {
  const ScorerCase& test = GetParam();
  const Json options = *test.options == '\0' ? Json() : Parse(test.options);
  const auto scorer = MakeScorer(test.scorer, options);
  ASSERT_TRUE(scorer.ok()) << scorer.error().Text();
  EXPECT_EQ((*scorer)->ExtractAnswer(test.text, {}), test.answer);
  const ScoredReply reply = ScoreReply(**scorer, test.text, std::nullopt, test.expected, {});
  EXPECT_EQ(reply.score, test.score);
  EXPECT_EQ(reply.failure_mode, "ok");
  EXPECT_EQ(reply.extracted_answer, test.answer.value_or(test.text));
  EXPECT_EQ(reply.reason, "");
}

constexpr std::nullopt_t kNone = std::nullopt;

// The answer of these is the whole completion.
ScorerCase Whole(const char* name, const char* scorer, const char* options, std::string text,
                 Json expected, double score) {
  return {name, scorer, options, text, std::move(expected), score, text};
}

const ScorerCase kContains[] = {
    Whole("InTheMiddle", "contains", "", "It is Lima, I think", "Lima", 1.0),
    Whole("NotThere", "contains", "", "It is Lima", "Cusco", 0.0),
    Whole("CaseCounts", "contains", "", "It is LIMA", "Lima", 0.0),
    Whole("CaseDoesNotCount", "contains", R"({"ignore_case":true})", "It is LIMA", "Lima", 1.0),
    Whole("TrimmedGold", "contains", "", "It is Lima", " Lima\n", 1.0),
    Whole("AllOfThem", "contains", "", "Lima and Cusco", Json::Array{"Lima", "Cusco"}, 1.0),
    Whole("NotAllOfThem", "contains", "", "Lima and Quito", Json::Array{"Lima", "Cusco"}, 0.0),
    Whole("AnyOfThem", "contains", R"({"match":"any"})", "in Cusco", Json::Array{"Lima", "Cusco"},
          1.0),
    Whole("NoneOfThem", "contains", R"({"match":"any"})", "in Quito", Json::Array{"Lima", "Cusco"},
          0.0),
    Whole("AnEmptyGoldIsNowhere", "contains", "", "x", "", 0.0),
    Whole("AnEmptyListIsNowhere", "contains", "", "x", Json::Array{}, 0.0),
    Whole("AnEmptyListOfAnyIsNowhere", "contains", R"({"match":"any"})", "x", Json::Array{}, 0.0),
    Whole("ANumberAsGold", "contains", "", "about 42 km", 42, 1.0),
};

const ScorerCase kNormalized[] = {
    {"CaseSpaceAndMarks", "normalized", "", "  The  CAT,\n sat! ", "the cat sat", 1.0,
     "the cat sat"},
    {"OtherWords", "normalized", "", "the dog sat", "the cat sat", 0.0, "the dog sat"},
    {"WordsThatGrowTogetherAreOthers", "normalized", "", "thecat", "the cat", 0.0, "thecat"},
    {"MarksInsideAWordGo", "normalized", "", "it's", "its", 1.0, "its"},
    {"MarksCount", "normalized", R"({"ignore_punctuation":false})", "a.", "a", 0.0, "a."},
    {"CaseCounts", "normalized", R"({"ignore_case":false})", "Cat", "cat", 0.0, "Cat"},
    {"Articles", "normalized", R"({"ignore_articles":true})", "The cat and AN owl", "a cat and owl",
     1.0, "cat and owl"},
    {"ArticlesInsideWordsStay", "normalized", R"({"ignore_articles":true})", "theme", "me", 0.0,
     "theme"},
    {"UnicodeSpaceParts", "normalized", "", "caf\u00e9\u00a0\u3000NOIR", "caf\u00e9 noir", 1.0,
     "caf\u00e9 noir"},
    {"OnlyAsciiCase", "normalized", "", "\u00c9", "\u00e9", 0.0, "\u00c9"},
    {"OnlyMarks", "normalized", "", "?!", "", 0.0, kNone},
    {"BytesThatAreNotUtf8Stay", "normalized", "",
     "A\xff"
     "B",
     "a\xff"
     "b",
     1.0,
     "a\xff"
     "b"},
};

const ScorerCase kNumber[] = {
    {"Plain", "number", "", "42", 42, 1.0, "42"},
    {"LastOne", "number", "", "6 times 7 is 42.", "42", 1.0, "42"},
    {"FirstOne", "number", R"({"which":"first"})", "42, as 6 times 7", 42, 1.0, "42"},
    {"Wrong", "number", "", "It is 43", 42, 0.0, "43"},
    {"NoNumber", "number", "", "I do not know", 42, 0.0, kNone},
    {"NoNumberWanted", "number", "", "42", "none", 0.0, "42"},
    {"Decimals", "number", "", "3.50", 3.5, 1.0, "3.50"},
    {"WithoutWholePart", "number", "", "it is .5", 0.5, 1.0, "0.5"},
    {"Negative", "number", "", "it is -7", -7, 1.0, "-7"},
    {"ARangeIsNoMinus", "number", "", "10-20", 20, 1.0, "20"},
    {"NegativeInBrackets", "number", "", "(-7)", -7, 1.0, "-7"},
    {"NegativeWithoutWholePart", "number", "", "-.5", -0.5, 1.0, "-0.5"},
    {"GroupsOfThree", "number", "", "1,234,567.5 in all", 1234567.5, 1.0, "1234567.5"},
    {"NoGroupsOfThree", "number", "", "1,23", 23, 1.0, "23"},
    {"AListOfNumbers", "number", "", "1, 234", 234, 1.0, "234"},
    {"FourDigitsAreNoGroup", "number", "", "1,2345", 2345, 1.0, "2345"},
    {"FourDigitsBeforeAGroup", "number", "", "1234,567", 567, 1.0, "567"},
    {"Exponent", "number", "", "1.5e3", 1500, 1.0, "1.5e3"},
    {"NegativeExponent", "number", "", "2E-2", 0.02, 1.0, "2e-2"},
    {"AnExponentWithoutDigits", "number", "", "3e", 3, 1.0, "3"},
    {"AnExponentInAWord", "number", "", "3e4m", 3, 1.0, "3"},
    {"DigitsInAWord", "number", "", "7 by utf8", 7, 1.0, "7"},
    {"DigitsBehindAnUnderscore", "number", "", "7 by x_8", 7, 1.0, "7"},
    {"APointAfterAWord", "number", "", "7 by v.5", 7, 1.0, "7"},
    {"AFullStop", "number", "", "It is 42.", 42, 1.0, "42"},
    {"Percent", "number", "", "12%", 12, 1.0, "12"},
    {"Within", "number", R"({"tolerance":0.01})", "3.14", 3.1416, 1.0, "3.14"},
    {"NotWithin", "number", R"({"tolerance":0.001})", "3.14", 3.1416, 0.0, "3.14"},
    {"ExactlyAtTheLimit", "number", R"({"tolerance":0.5})", "3", 2.5, 1.0, "3"},
    {"WithinRelative", "number", R"({"relative_tolerance":0.01})", "-990", -1000, 1.0, "-990"},
    {"NotWithinRelative", "number", R"({"relative_tolerance":0.01})", "989", 1000, 0.0, "989"},
    {"TheLargerToleranceCounts", "number", R"({"tolerance":20,"relative_tolerance":0.01})", "985",
     1000, 1.0, "985"},
    {"DigitsBeyondADouble", "number", "", "12345678901234567890123", "12345678901234567890123", 1.0,
     "12345678901234567890123"},
    {"BeyondEveryDouble", "number", "", "1e999", "1e998", 0.0, "1e999"},
    {"TextAroundTheGold", "number", "", "42", "42 apples", 1.0, "42"},
};

const ScorerCase kChoice[] = {
    {"OnlyTheLetter", "choice", "", "B", "B", 1.0, "B"},
    {"SmallLetter", "choice", "", "b", "B", 1.0, "B"},
    {"Another", "choice", "", "C", "B", 0.0, "C"},
    {"InMarks", "choice", "", " **(B).** ", "B", 1.0, "B"},
    {"AnswerIs", "choice", "", "A looks right, but the answer is (C).", "C", 1.0, "C"},
    {"AnswerColon", "choice", "", "Answer: d", "D", 1.0, "D"},
    {"AnswerBold", "choice", "", "**Answer:** **D** since", "D", 1.0, "D"},
    {"TheLastAnnouncementCounts", "choice", "", "answer A? No: the answer is B", "B", 1.0, "B"},
    {"AnAnnouncementWithoutLabel", "choice", "", "B) it is the answer to all", "B", 1.0, "B"},
    {"AnswersIsAnotherWord", "choice", "", "answersB", "B", 0.0, kNone},
    {"AnnouncedWordThatBeginsLikeALabel", "choice", "", "The answer is bad", "B", 0.0, kNone},
    {"AtTheBeginning", "choice", "", "B) because A is wrong", "B", 1.0, "B"},
    {"AtTheBeginningInBrackets", "choice", "", "(C) because A is wrong", "C", 1.0, "C"},
    {"TheOnlyOne", "choice", "", "I would take C here", "C", 1.0, "C"},
    {"TheOnlyOneTwice", "choice", "", "I would take C, yes C", "C", 1.0, "C"},
    {"TwoOfThem", "choice", "", "Either B or C", "B", 0.0, kNone},
    {"AnArticleIsNoLabel", "choice", "", "A dog, so D", "D", 1.0, "D"},
    {"AnArticleAloneIsNoAnswer", "choice", "", "A dog", "A", 0.0, kNone},
    {"ALabelInAWord", "choice", "", "ABC", "A", 0.0, kNone},
    {"ALabelBesideALetterOfAnotherScript", "choice", "",
     "\u00e9"
     "B x",
     "B", 0.0, kNone},
    {"None", "choice", "", "I do not know", "B", 0.0, kNone},
    {"OtherLabels", "choice", R"({"choices":["yes","no"]})", "No.", "no", 1.0, "no"},
    {"LabelsOfSeveralWords", "choice", R"({"choices":["not sure","sure"]})",
     "The answer is not sure", "not sure", 1.0, "not sure"},
    {"TheLongerLabelCounts", "choice", R"({"choices":["1","10"]})", "It is 10", "10", 1.0, "10"},
    {"GoldInBrackets", "choice", "", "B", "(B)", 1.0, "B"},
    {"GoldThatIsNoLabel", "choice", "", "B", "E", 0.0, "B"},
    {"Pronoun", "choice", R"({"choices":["I","II"]})", "I think it is II", "II", 1.0, "II"},
};

const ScorerCase kJson[] = {
    {"TheSame", "json_equal", "", R"({"b":2,"a":1})", Parse(R"({"a":1,"b":2})"), 1.0,
     R"({"a":1,"b":2})"},
    {"NumbersByValue", "json_equal", "", "[1.0]", Parse("[1]"), 1.0, "[1.0]"},
    {"OneMore", "json_equal", "", R"({"a":1,"b":2})", Parse(R"({"a":1})"), 0.0, R"({"a":1,"b":2})"},
    {"InProse", "json_equal", "", R"(Here: {"a":1}. Done.)", Parse(R"({"a":1})"), 1.0,
     R"({"a":1})"},
    {"InAFence", "json_equal", "", "So:\n```json\n{\"a\": 1}\n```\n", Parse(R"({"a":1})"), 1.0,
     R"({"a":1})"},
    {"NotWhole", "json_equal", R"({"from":"whole"})", R"(Here: {"a":1})", Parse(R"({"a":1})"), 0.0,
     kNone},
    {"Whole", "json_equal", R"({"from":"whole"})", " [1]\n", Parse("[1]"), 1.0, "[1]"},
    {"NoJson", "json_equal", "", "no braces", Parse("{}"), 0.0, kNone},
    {"GoldInAText", "json_equal", "", "[1,2]", "[1, 2]", 1.0, "[1,2]"},
    {"GoldThatIsText", "json_equal", "", "\"Lima\"", "Lima", 1.0, "\"Lima\""},
    {"Subset", "json_subset", "", R"({"a":{"x":1,"y":2},"b":3})", Parse(R"({"a":{"x":1}})"), 1.0,
     R"({"a":{"x":1,"y":2},"b":3})"},
    {"SubsetMissing", "json_subset", "", R"({"a":1})", Parse(R"({"b":1})"), 0.0, R"({"a":1})"},
    {"SubsetOfAnotherKind", "json_subset", "", "[1]", Parse(R"({"a":1})"), 0.0, "[1]"},
    {"SubsetOfElements", "json_subset", "", R"([{"a":1,"b":2},3])", Parse(R"([{"a":1},3])"), 1.0,
     R"([{"a":1,"b":2},3])"},
    {"ListsHaveOneLength", "json_subset", "", "[1,2]", Parse("[1]"), 0.0, "[1,2]"},
    {"AListIsNoObject", "json_subset", "", R"({"a":1})", Parse("[1]"), 0.0, R"({"a":1})"},
    {"EverythingHoldsTheEmptyObject", "json_subset", "", R"({"a":1})", Parse("{}"), 1.0,
     R"({"a":1})"},
};

const ScorerCase kCode[] = {
    {"Fenced", "code_block", "", "Sure:\n```python\nx = 1\n```\nBye", "x = 1", 1.0, "x = 1"},
    {"NoFence", "code_block", "", "x = 1", "x = 1", 0.0, kNone},
    {"AnotherText", "code_block", "", "```\nx = 2\n```", "x = 1", 0.0, "x = 2"},
    {"BlanksAtLineEndsDoNotCount", "code_block", "", "```\n\nx = 1  \r\ny\n\n```", "x = 1\ny\n",
     1.0, "\nx = 1  \r\ny\n"},
    {"BlankLinesInsideCount", "code_block", "", "```\na\n\nb\n```", "a\nb", 0.0, "a\n\nb"},
    {"IndentationCounts", "code_block", "", "```\n  a\n```", "a", 0.0, "  a"},
    {"FirstOfTwo", "code_block", "", "```\na\n```\n```\nb\n```", "a", 1.0, "a"},
    {"LastOfTwo", "code_block", R"({"which":"last"})", "```\na\n```\n```\nb\n```", "b", 1.0, "b"},
    {"OfOneLanguage", "code_block", R"({"language":"C"})", "```py\na\n```\n```c\nb\n```", "b", 1.0,
     "b"},
    {"NoneOfThatLanguage", "code_block", R"({"language":"go"})", "```py\na\n```", "a", 0.0, kNone},
    {"CutOff", "code_block", "", "```\na\nb", "a\nb", 1.0, "a\nb"},
    {"Tildes", "code_block", "", "~~~\nx\n```\n~~~", "x\n```", 1.0, "x\n```"},
    {"ALongerFence", "code_block", "", "````\nx\n```\n````", "x\n```", 1.0, "x\n```"},
    {"GoldInAFence", "code_block", "", "```\na\n```", "```\na\n```", 1.0, "a"},
    {"InlineCodeIsNoBlock", "code_block", "", "```a``` b", "a", 0.0, kNone},
    {"AnEmptyBlockIsNeverRight", "code_block", "", "```\n```", "", 0.0, ""},
};

const ScorerCase kRegex[] = {
    {"Found", "regex", R"({"pattern":"[0-9]+"})", "about 42 km", "42", 1.0, "42"},
    {"FirstGroup", "regex", R"j({"pattern":"answer: (\\w+)"})j", "answer: Lima.", "Lima", 1.0,
     "Lima"},
    {"AnotherAnswer", "regex", R"j({"pattern":"answer: (\\w+)"})j", "answer: Cusco.", "Lima", 0.0,
     "Cusco"},
    {"NotFound", "regex", R"({"pattern":"^x"})", "yx", "", 0.0, kNone},
    {"FoundIsEnough", "regex", R"({"pattern":"y"})", "xy", "", 1.0, "y"},
    {"CaseCounts", "regex", R"({"pattern":"lima"})", "LIMA", "", 0.0, kNone},
    {"CaseDoesNotCount", "regex", R"({"pattern":"lima","ignore_case":true})", "LIMA", "", 1.0,
     "LIMA"},
    {"AGroupThatTookNoPart", "regex", R"j({"pattern":"a|(b)"})j", "a", "a", 1.0, "a"},
};

std::string NameOf(const ::testing::TestParamInfo<ScorerCase>& test) { return test.param.name; }
INSTANTIATE_TEST_SUITE_P(Contains, ScorerTable, ::testing::ValuesIn(kContains), NameOf);
INSTANTIATE_TEST_SUITE_P(Normalized, ScorerTable, ::testing::ValuesIn(kNormalized), NameOf);
INSTANTIATE_TEST_SUITE_P(Number, ScorerTable, ::testing::ValuesIn(kNumber), NameOf);
INSTANTIATE_TEST_SUITE_P(Choice, ScorerTable, ::testing::ValuesIn(kChoice), NameOf);
INSTANTIATE_TEST_SUITE_P(Json, ScorerTable, ::testing::ValuesIn(kJson), NameOf);
INSTANTIATE_TEST_SUITE_P(CodeBlock, ScorerTable, ::testing::ValuesIn(kCode), NameOf);
INSTANTIATE_TEST_SUITE_P(Regex, ScorerTable, ::testing::ValuesIn(kRegex), NameOf);

struct CallCase {
  const char* name;
  const char* arguments;  ///< Of the option.
  const char* calls;      ///< As the server told them; empty: none.
  const char* expected;
  double score;
  const char* answer;  ///< Empty: none.
};
void PrintTo(const CallCase& test, std::ostream* out) { *out << test.name; }

class ToolCallTable : public ::testing::TestWithParam<CallCase> {};

TEST_P(ToolCallTable, GivesScoreAndAnswer) {
  const CallCase& test = GetParam();
  Json options;
  options["arguments"] = test.arguments;
  const auto scorer = MakeScorer("tool_call", options);
  ASSERT_TRUE(scorer.ok()) << scorer.error().Text();
  ScorerItem item;
  if (*test.calls != '\0') item.tool_calls = Parse(test.calls);
  const ScoredReply reply = ScoreReply(**scorer, "", 5, Parse(test.expected), item);
  EXPECT_EQ(reply.score, test.score);
  EXPECT_EQ(reply.failure_mode, *test.answer == '\0' ? "empty" : "ok");
  EXPECT_EQ(reply.extracted_answer, test.answer);
}

#define ONE_CALL \
  R"([{"type":"function","function":{"name":"f","arguments":"{\"x\": 1, \"y\": 2}"}}])"
#define ONE_ANSWER R"([{"arguments":{"x":1,"y":2},"name":"f"}])"

INSTANTIATE_TEST_SUITE_P(
    All, ToolCallTable,
    ::testing::Values(
        CallCase{"Equal", "equal", ONE_CALL, R"({"name":"f","arguments":{"y":2,"x":1.0}})", 1.0,
                 ONE_ANSWER},
        CallCase{"AListOfOne", "equal", ONE_CALL, R"([{"name":"f","arguments":{"y":2,"x":1}}])",
                 1.0, ONE_ANSWER},
        CallCase{"InOpenAiForm", "equal", ONE_CALL, ONE_CALL, 1.0, ONE_ANSWER},
        CallCase{"GoldInAText", "equal", ONE_CALL,
                 R"("{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1,\\\"y\\\":2}\"}")", 1.0,
                 ONE_ANSWER},
        CallCase{"AnotherName", "ignore", ONE_CALL, R"({"name":"g"})", 0.0, ONE_ANSWER},
        CallCase{"OneArgumentMore", "equal", ONE_CALL, R"({"name":"f","arguments":{"x":1}})", 0.0,
                 ONE_ANSWER},
        CallCase{"OneArgumentMoreIsASuperset", "subset", ONE_CALL,
                 R"({"name":"f","arguments":{"x":1}})", 1.0, ONE_ANSWER},
        CallCase{"AnotherArgument", "subset", ONE_CALL, R"({"name":"f","arguments":{"x":2}})", 0.0,
                 ONE_ANSWER},
        CallCase{"OnlyTheName", "ignore", ONE_CALL, R"({"name":"f"})", 1.0, ONE_ANSWER},
        CallCase{"NoCall", "ignore", "", R"({"name":"f"})", 0.0, ""},
        CallCase{"OneCallTooFew", "ignore", ONE_CALL, R"([{"name":"f"},{"name":"f"}])", 0.0,
                 ONE_ANSWER},
        CallCase{"TheOrderCounts", "ignore",
                 R"([{"function":{"name":"a"}},{"function":{"name":"b"}}])",
                 R"([{"name":"b"},{"name":"a"}])", 0.0,
                 R"([{"arguments":{},"name":"a"},{"arguments":{},"name":"b"}])"},
        CallCase{"EmptyArguments", "equal", R"([{"function":{"name":"a","arguments":""}}])",
                 R"({"name":"a"})", 1.0, R"([{"arguments":{},"name":"a"}])"},
        CallCase{"ArgumentsThatAreNoJson", "equal",
                 R"([{"function":{"name":"a","arguments":"{x"}}])",
                 R"({"name":"a","arguments":"{x"})", 1.0, R"([{"arguments":"{x","name":"a"}])"},
        CallCase{
            "ArgumentsAsAnObject", "equal", R"([{"function":{"name":"a","arguments":{"x":1}}}])",
            R"({"name":"a","arguments":{"x":1}})", 1.0, R"([{"arguments":{"x":1},"name":"a"}])"},
        CallCase{"NothingWanted", "ignore", ONE_CALL, R"(5)", 0.0, ONE_ANSWER}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ToolCallScorer, ARefusalInWordsIsComparedAsText) {
  const ScoredReply reply =
      ScoreReply(*FindScorer("tool_call"), "I cannot", 2, Parse(R"({"name":"f"})"), {});
  EXPECT_EQ(reply, (ScoredReply{0.0, false, "ok", "I cannot", "", true}));
}

TEST(RegexScorer, ATextTooLongForItsPatternIsAScorerErrorNotAHang) {
  Json options;
  options["pattern"] = "(a|b|c|d|e|f){100}x";
  const auto scorer = MakeScorer("regex", options);
  ASSERT_TRUE(scorer.ok()) << scorer.error().Text();
  const std::string text(4u << 20, 'a');
  const ScoredReply reply = ScoreReply(**scorer, text, 2, "", {});
  EXPECT_EQ(reply.failure_mode, "scorer_error");
  EXPECT_THAT(reply.reason, ::testing::StartsWith(
                                "scorer \"regex\" threw: found a text of 4194304 bytes, allowed "
                                "with this pattern: "));
}

TEST(BuiltInScorers, SayWhoTheyAreAndWhatTheyNeed) {
  for (const std::string name :
       {"choice", "code_block", "contains", "exact", "json_equal", "json_subset", "needle",
        "normalized", "number", "regex", "tool_call"}) {
    Json options;
    if (name == "regex") options["pattern"] = "x";
    const auto scorer = MakeScorer(name, options);
    ASSERT_TRUE(scorer.ok()) << name;
    EXPECT_EQ((*scorer)->name(), name);
    EXPECT_EQ((*scorer)->version(), "1");
    EXPECT_EQ((*scorer)->needs_expected_answer(), name != "regex") << name;
    EXPECT_EQ(FindScorer(name) == nullptr, name == "regex") << name;
  }
}

TEST(BuiltInScorers, BlankCompletionsAreEmptyForAll) {
  for (const std::string& name : ScorerNames()) {
    const Scorer* scorer = FindScorer(name);
    if (scorer == nullptr || scorer->version() != "1") continue;
    EXPECT_EQ(ScoreReply(*scorer, " \n", 3, "42", {}).failure_mode, "empty") << name;
    EXPECT_EQ(ScoreReply(*scorer, "", 0, "42", {}).failure_mode, "premature_eos") << name;
  }
}

// Any bytes of a model give a score: no crash, no exception, no loop.
TEST(BuiltInScorers, TakeAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const std::string texts[] = {"",
                               bytes,
                               "\xff\xfe\xf0\x9f",
                               std::string(100'000, '['),
                               std::string(100'000, '{') + "\"a",
                               std::string(30'000, '`'),
                               "```\n" + std::string(1000, '\n'),
                               std::string(100'000, '9') + "." + std::string(100'000, '9'),
                               "answer answer " + std::string(10'000, ' ') + "answer",
                               std::string("\0answer is B\0", 13)};
  for (const std::string& name : ScorerNames()) {
    const Scorer* scorer = FindScorer(name);
    if (scorer == nullptr || scorer->version() != "1") continue;
    for (const std::string& text : texts) {
      for (const Json& gold : {Json(), Json(text), Json(1), Json(Json::Array{Json(text)})}) {
        const ScoredReply reply = ScoreReply(*scorer, text, 3, gold, {});
        EXPECT_NE(reply.failure_mode, "scorer_error") << name << ": " << reply.reason;
      }
    }
  }
}

struct OptionCase {
  const char* name;
  const char* scorer;
  const char* options;
  const char* text;
};
void PrintTo(const OptionCase& test, std::ostream* out) { *out << test.name; }

class WrongOptions : public ::testing::TestWithParam<OptionCase> {};

TEST_P(WrongOptions, NameTheOption) {
  const auto scorer = MakeScorer(GetParam().scorer, Parse(GetParam().options));
  ASSERT_FALSE(scorer.ok());
  EXPECT_EQ(scorer.error().Text(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongOptions,
    ::testing::Values(
        OptionCase{"UnknownScorer", "exakt", "{}",
                   "scorer: found the name \"exakt\", allowed: the name of a scorer"},
        OptionCase{"NoObject", "exact", "[1]", "scorer: found [1], allowed: an object of options"},
        OptionCase{"NoOptionsAtAll", "exact", R"({"trim":true})",
                   "trim: found an unknown option, allowed: no options"},
        OptionCase{"UnknownOption", "number", R"({"tol":1})",
                   "tol: found an unknown option, allowed: tolerance, relative_tolerance, which"},
        OptionCase{"Flag", "contains", R"({"ignore_case":1})",
                   "ignore_case: found 1, allowed: true or false"},
        OptionCase{"NegativeNumber", "number", R"({"tolerance":-0.5})",
                   "tolerance: found -0.5, allowed: a number from 0.0 to 1e+300"},
        OptionCase{"NumberAsText", "number", R"({"relative_tolerance":"1"})",
                   "relative_tolerance: found \"1\", allowed: a number from 0.0 to 1.0"},
        OptionCase{"NumberTooLarge", "number", R"({"relative_tolerance":1.5})",
                   "relative_tolerance: found 1.5, allowed: a number from 0.0 to 1.0"},
        OptionCase{"Word", "number", R"({"which":"best"})",
                   "which: found \"best\", allowed: last, first"},
        OptionCase{"MissingPattern", "regex", "{}",
                   "pattern: found nothing, allowed: a text that is not empty"},
        OptionCase{"EmptyPattern", "regex", R"({"pattern":""})",
                   "pattern: found \"\", allowed: a text that is not empty"},
        OptionCase{"PatternThatIsNone", "regex", R"j({"pattern":"a("})j",
                   "pattern: found \"a(\", which RE2 refuses: missing ), allowed: a regular "
                   "expression of RE2 (docs/scorers.md says which)"},
        OptionCase{"NoTexts", "choice", R"({"choices":[]})",
                   "choices: found [], allowed: a list of 1 to 100 texts, none empty, all "
                   "different"},
        OptionCase{"TextTwice", "choice", R"({"choices":["a","a"]})",
                   "choices: found [\"a\",\"a\"], allowed: a list of 1 to 100 texts, none empty, "
                   "all different"},
        OptionCase{
            "EmptyText", "choice", R"({"choices":["a",""]})",
            "choices: found [\"a\",\"\"], allowed: a list of 1 to 100 texts, none empty, all "
            "different"},
        OptionCase{"TextsThatAreOne", "choice", R"({"choices":"ab"})",
                   "choices: found \"ab\", allowed: a list of 1 to 100 texts, none empty, all "
                   "different"},
        OptionCase{"LabelsOfOneSpelling", "choice", R"({"choices":["a","A"]})",
                   "choices: found \"a\" and \"A\", allowed: labels that differ in more than upper "
                   "and lower case"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ScorerOptions, NullAndMissingGetTheDefault) {
  Json options;
  options["tolerance"] = 2;
  options["which"] = nullptr;
  EXPECT_EQ(CompactText(CompleteScorerOptions("number", options)),
            R"({"relative_tolerance":0.0,"tolerance":2,"which":"last"})");
  EXPECT_EQ(CompactText(CompleteScorerOptions("exact", {})), "{}");
  EXPECT_EQ(CompactText(CompleteScorerOptions("nobody", {})), "{}");
  EXPECT_EQ(FindScorerOptions("nobody"), nullptr);
}

/// Gives the number it was made with.
class FixedScorer : public Scorer {
 public:
  explicit FixedScorer(double score) : score_(score) {}
  [[nodiscard]] std::string_view name() const override { return "fixed"; }
  [[nodiscard]] std::string_view version() const override { return "3"; }
  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view,
                                                         const ScorerItem&) const override {
    return "answer";
  }
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view, std::optional<std::int64_t>,
                                                const std::optional<std::string>&,
                                                const ScorerItem&) const override {
    return "ok";
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view, const Json&,
                             const ScorerItem&) const override {
    return score_;
  }

 private:
  const double score_;
};

TEST(ScorerOptions, AUsersScorerMayHaveThem) {
  ScorerOption value;
  value.name = "value";
  value.kind = ScorerOption::Kind::kNumber;
  value.max = 1.0;
  const ScorerFactory make = [](const Json& options) -> Result<std::shared_ptr<const Scorer>> {
    return std::shared_ptr<const Scorer>(
        std::make_shared<FixedScorer>(*options.Find("value")->if_double()));
  };
  ASSERT_TRUE(RegisterScorer("fixed", {value}, make).ok());
  EXPECT_EQ(FindScorer("fixed"), nullptr) << "the value has no default";
  Json options;
  options["value"] = 0.75;
  const auto scorer = MakeScorer("fixed", options);
  ASSERT_TRUE(scorer.ok()) << scorer.error().Text();
  EXPECT_EQ(ScoreReply(**scorer, "x", 1, {}, {}).score, 0.75);
  EXPECT_EQ(RegisterScorer("fixed", {value}, make).error().Text(),
            "RegisterScorer: found a second scorer named \"fixed\", allowed: one of each name");
  EXPECT_EQ(RegisterScorer("other", {value}, nullptr).error().Text(),
            "RegisterScorer: found no factory, allowed: a function that makes the scorer");
  EXPECT_EQ(RegisterScorer("command", {value}, make).error().Text(),
            "RegisterScorer: found the name \"command\", allowed: one or more of a-z, 0-9, \"_\", "
            "\".\", \"-\", but not the word for programs");
}

}  // namespace
}  // namespace bi_test
