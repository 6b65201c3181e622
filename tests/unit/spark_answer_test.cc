// What is read out of free text: integers, codes, dates, JSON objects. All of it is hostile.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "spark/answer_text.h"

namespace bi_test::spark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct IntegerCase {
  const char* name;
  std::string text;
  std::vector<std::int64_t> values;
};

void PrintTo(const IntegerCase& test, std::ostream* out) { *out << test.name; }

class SparkIntegers : public ::testing::TestWithParam<IntegerCase> {};

TEST_P(SparkIntegers, AreFound) {
  std::vector<std::int64_t> values;
  for (const FoundInteger& found : FindIntegers(GetParam().text)) values.push_back(found.value);
  EXPECT_EQ(values, GetParam().values);
}

const IntegerCase kIntegers[] = {
    {"None", "no number", {}},
    {"Plain", "45", {45}},
    {"ZerosInFront", "045", {45}},
    {"Negative", "it is -6", {-6}},
    {"AMinusBetweenNumbersSubtracts", "10-5", {10, 5}},
    {"AMinusAfterABracketSubtracts", "(a)-5 [b]-6 {c}-7", {5, 6, 7}},
    {"Grouped", "1,234 and 12,345,678", {1234, 12345678}},
    {"NoGroups", "1,2345", {1, 2345}},
    {"AList", "1,2,3", {1, 2, 3}},
    {"GroupsThatGoOn", "1,234,5", {1, 234, 5}},
    {"WholeFraction", "45.0 and 7.000", {45, 7}},
    {"Fraction", "3.14", {}},
    {"FractionWithoutFront", ".5", {}},
    {"EndOfASentence", "It is 45.", {45}},
    {"Version", "v1.2.3 and 1.2.3", {}},
    {"AfterALetterOrUnderscore", "x1 y_2 Z3", {}},
    {"BeforeALetter", "45kg on the 4th", {45, 4}},
    {"Exponent", "1e5 2E-3", {}},
    {"EighteenDigits", "999999999999999999", {999999999999999999}},
    {"NineteenDigits", "1000000000000000000", {}},
    {"DigitsOfOtherScripts", "\u0664\u0665", {}},
    {"AfterALetterOfAnotherScript", "\u00e97 \u03b28", {}},
    {"AfterASign", "6 \u00d77 \u201c8\u201d", {6, 7, 8}},
    {"Money", "$45", {45}},
};

INSTANTIATE_TEST_SUITE_P(All, SparkIntegers, ::testing::ValuesIn(kIntegers),
                         [](const auto& test) { return std::string(test.param.name); });

struct AnswerCase {
  const char* name;
  std::string text;
  std::optional<std::int64_t> value;
};

TEST(SparkAnswerInteger, PrefersWhatIsCalledTheAnswer) {
  const AnswerCase kAnswers[] = {
      {"Nothing", "none", std::nullopt},
      {"TheOnlyOne", "I get 45", 45},
      {"TheLast", "first 3, then 45", 45},
      {"AfterEquals", "X4 = 45, computed in 4 steps", 45},
      {"AfterIs", "The value is 45 after 4 steps", 45},
      {"AfterAnswer", "Answer: 45 (4 steps)", 45},
      {"InBold", "The answer is **45**. It took 4 steps", 45},
      {"TheLastMarked", "X1 = 17, X4 = 45, that makes 4", 45},
      {"NegativeAfterEquals", "X4 = -6 in 4 steps", -6},
      {"AWordThatEndsLikeIt", "this 45 or 4", 4},
      {"NotAcrossWords", "is it 45 or 4", 4},
  };
  for (const AnswerCase& test : kAnswers) {
    EXPECT_EQ(AnswerInteger(test.text), test.value) << test.name;
  }
}

TEST(SparkCodes, AreWordsOfEightCapitalsAndDigits) {
  EXPECT_THAT(FindCodes("AB12CD34, `XXXXXXXX`.AB12CD34"),
              ElementsAre("AB12CD34", "XXXXXXXX", "AB12CD34"));
  EXPECT_THAT(FindCodes("ab12cd34 AB12CD3 AB12CD345 AB12_D34 xAB12CD34"), IsEmpty());
}

TEST(SparkDates, InTheirUsualSpellings) {
  const std::pair<const char*, std::vector<CalendarDay>> kDates[] = {
      {"March 5, 2025", {{2025, 3, 5}}},
      {"the 5th of March", {}},
      {"5 March 2025", {{2025, 3, 5}}},
      {"5th march 2025", {{2025, 3, 5}}},
      {"Mar 5th, 2025", {{2025, 3, 5}}},
      {"2025-03-05", {{2025, 3, 5}}},
      {"2025-3-5 to 2025-12-28", {{2025, 3, 5}, {2025, 12, 28}}},
      {"May 1, 2026 and June 2, 2026", {{2026, 5, 1}, {2026, 6, 2}}},
      {"March 55, 2025", {}},
      {"2025-13-05", {}},
      {"Marchy 5, 2025", {}},
      {"99999999999 March 5 2025", {{2025, 3, 5}}},
  };
  for (const auto& [text, dates] : kDates) EXPECT_EQ(FindDates(text), dates) << text;
}

TEST(SparkNormalised, DropsTheMarksAround) {
  EXPECT_EQ(Normalised("  \"`Inspector Vale`.\" \n"), "inspector vale");
  EXPECT_EQ(Normalised("<{[()]}>"), "");
  EXPECT_EQ(Normalised("a.b"), "a.b");
}

TEST(SparkFirstLine, SkipsBlankOnes) {
  EXPECT_EQ(FirstLine("\n  \n one \r\ntwo"), "one");
  EXPECT_EQ(FirstLine(" \n"), "");
}

struct JsonCase {
  const char* name;
  std::string text;
  LeadingJson::State state;
  std::string object;  // Compact; of kFound.
};

void PrintTo(const JsonCase& test, std::ostream* out) { *out << test.name; }

class SparkJsonObject : public ::testing::TestWithParam<JsonCase> {};

TEST_P(SparkJsonObject, IsTheFirstOne) {
  const JsonCase& test = GetParam();
  const FoundJson found = FindObject(test.text);
  EXPECT_EQ(found.state, test.state);
  if (found.state == LeadingJson::State::kFound) {
    EXPECT_EQ(CompactText(found.value), test.object);
  }
}

using State = LeadingJson::State;
std::string Nested(int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += "{\"a\":";
  text += "1";
  return text + std::string(static_cast<std::size_t>(levels), '}');
}

const JsonCase kObjects[] = {
    {"Nothing", "", State::kNone, ""},
    {"Prose", "no object here", State::kNone, ""},
    {"Empty", "{}", State::kFound, "{}"},
    {"InAFence", "```json\n{\"a\": 1}\n```", State::kFound, "{\"a\":1}"},
    {"AfterABrokenOne", "{bad} {\"a\":1}", State::kFound, "{\"a\":1}"},
    {"WithinABrokenOne", "{\"x\":{\"a\":1}", State::kFound, "{\"a\":1}"},
    {"TheFirstCounts", "{\"o\":{}} {\"a\":1}", State::kFound, "{\"o\":{}}"},
    {"BracesInText", "{\"a\":\"}{\"}", State::kFound, "{\"a\":\"}{\"}"},
    {"Escapes", "{\"a\":\"\\u0041\\n\\\"\\ud83d\\ude00\"}", State::kFound,
     "{\"a\":\"A\\n\\\"\\ud83d\\ude00\"}"},
    {"AllTypes", "{\"a\":[true,false,null,-1,0,2.5,1e2,\"\"]}", State::kFound,
     "{\"a\":[true,false,null,-1,0,2.5,100.0,\"\"]}"},
    {"WhiteSpace", " {\r\n\t\"a\" : 1 , \"b\" : [ ] } ", State::kFound, "{\"a\":1,\"b\":[]}"},
    {"DuplicateKey", "{\"a\":1,\"a\":2}", State::kDuplicate, ""},
    {"DuplicateKeyInside", "{\"o\":{\"a\":1,\"a\":1}}", State::kDuplicate, ""},
    {"DuplicateByEscape", "{\"a\":1,\"\\u0061\":2}", State::kDuplicate, ""},
    {"BareNan", "{\"a\":NaN}", State::kNone, ""},
    {"Infinity", "{\"a\":1e999}", State::kNone, ""},
    {"SingleQuotes", "{'a':1}", State::kNone, ""},
    {"TrailingComma", "{\"a\":1,}", State::kNone, ""},
    {"LeadingZero", "{\"a\":01}", State::kNone, ""},
    {"PlusSign", "{\"a\":+1}", State::kNone, ""},
    {"PointWithoutDigits", "{\"a\":1.}", State::kNone, ""},
    {"RawNewlineInText", "{\"a\":\"\n\"}", State::kNone, ""},
    {"LoneSurrogate", "{\"a\":\"\\ud800\"}", State::kNone, ""},
    {"UnknownEscape", "{\"a\":\"\\x\"}", State::kNone, ""},
    {"NotEnded", "{\"a\":1", State::kNone, ""},
    {"SixtyFourLevels", Nested(64), State::kFound, Nested(64)},
    {"SixtyFiveLevels", Nested(65), State::kTooDeep, ""},
    {"LargeInteger", "{\"a\":9223372036854775807}", State::kFound, "{\"a\":9223372036854775807}"},
    {"LargerInteger", "{\"a\":9223372036854775808}", State::kFound,
     "{\"a\":9.223372036854776e+18}"},
};

INSTANTIATE_TEST_SUITE_P(All, SparkJsonObject, ::testing::ValuesIn(kObjects),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SparkJsonObject, OnlyTheFirstPartOfALongTextCounts) {
  const std::string object = "{\"a\":1}";
  const std::size_t limit = std::size_t{256} << 10;
  EXPECT_EQ(FindObject(std::string(limit - object.size(), ' ') + object).state, State::kFound);
  EXPECT_EQ(FindObject(std::string(limit - object.size() + 1, ' ') + object).state, State::kNone);
}

std::string Repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

// Each of these took quadratic time, or the stack, in some reader; in quadratic time the program
// would not end within the limit ctest has for it.
TEST(SparkHostileText, Ends) {
  const std::size_t bytes = std::size_t{256} << 10;
  for (const std::string_view part :
       {"{",          "[",      "{\"a\":",   "{\"a\":[", "\"{", "{\"", "\\",
        "{\"a\":{},", "1,234,", "1,",        "-",        "=",   "is ", "March 5, ",
        "1.",         "<",      "AB12CD34 ", "9",        "9e",  "\xff"}) {
    const std::string text = Repeated(part, bytes);
    (void)FindObject(text);
    (void)FindIntegers(text);
    (void)AnswerInteger(text);
    (void)FindDates(text);
    (void)FindCodes(text);
  }
  // And nothing is left out on the way.
  EXPECT_EQ(FindCodes(Repeated("AB12CD34 ", bytes)).size(), 29'128U);
  EXPECT_EQ(FindIntegers(Repeated("1,", bytes)).size(), 131'072U);
  EXPECT_EQ(FindIntegers(Repeated("9", bytes)).size(), 0U) << "one number, and too long";
  EXPECT_EQ(FindDates(Repeated("March 5, 2026. ", bytes)).size(), 17'477U);
}

}  // namespace
}  // namespace bi_test::spark
