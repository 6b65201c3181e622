#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "scorers/regex.h"

namespace bi_test {
namespace {

struct MatchCase {
  const char* name;
  const char* pattern;
  std::string text;
  const char* whole;  ///< Nothing: no match.
  const char* group = nullptr;
};
void PrintTo(const MatchCase& test, std::ostream* out) { *out << test.name; }

class RegexMatch : public ::testing::TestWithParam<MatchCase> {};

TEST_P(RegexMatch, FindsWhatPerlWould) {
  const MatchCase& test = GetParam();
  const Result<Regex> regex = Regex::Compile(test.pattern, false);
  ASSERT_TRUE(regex.ok()) << regex.error().Text();
  const auto match = regex->Find(test.text);
  ASSERT_TRUE(match.ok());
  ASSERT_EQ(match->has_value(), test.whole != nullptr);
  if (test.whole == nullptr) return;
  EXPECT_EQ((*match)->whole, test.whole);
  ASSERT_EQ((*match)->group.has_value(), test.group != nullptr);
  if (test.group != nullptr) {
    EXPECT_EQ(*(*match)->group, test.group);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RegexMatch,
    ::testing::Values(
        MatchCase{"Letters", "lim", "Lima lima", "lim"}, MatchCase{"Nothing", "x", "abc", nullptr},
        MatchCase{"EmptyPattern", "", "abc", ""}, MatchCase{"EmptyText", "a*", "", ""},
        MatchCase{"Leftmost", "a|ab", "xabab", "a"},
        MatchCase{"FirstAlternativeNotTheLongest", "a|ab|abc", "abc", "a"},
        MatchCase{"LaterAlternative", "abd|abc", "abc", "abc"},
        MatchCase{"EmptyAlternative", "(a|)b", "b", "b", ""},
        MatchCase{"ThreeAlternatives", "(x|y|z)+", "zyx", "zyx", "x"},
        MatchCase{"Star", "ab*", "abbb", "abbb"}, MatchCase{"LazyStar", "ab*?", "abbb", "a"},
        MatchCase{"Plus", "b+", "abb", "bb"}, MatchCase{"LazyPlus", "b+?", "abb", "b"},
        MatchCase{"Optional", "ab?", "ab", "ab"}, MatchCase{"LazyOptional", "ab??", "ab", "a"},
        MatchCase{"Exactly", "a{2}", "aaa", "aa"}, MatchCase{"AtLeast", "a{2,}", "aaaa", "aaaa"},
        MatchCase{"Between", "a{1,2}", "aaa", "aa"},
        MatchCase{"LazyBetween", "a{1,2}?", "aaa", "a"}, MatchCase{"NoTime", "xa{0}y", "xy", "xy"},
        MatchCase{"TooFew", "a{3}", "aa", nullptr}, MatchCase{"Dot", "a.c", "a\nc abc", "abc"},
        MatchCase{"DotWithFlag", "(?s)a.c", "a\nc", "a\nc"},
        MatchCase{"Class", "[b-d]+", "abcde", "bcd"},
        MatchCase{"Negated", "[^a-c]+", "abcdef", "def"},
        MatchCase{"NegatedTakesLineEnds", "[^a]", "a\n", "\n"},
        MatchCase{"BracketFirst", "[]x]+", "a]x]", "]x]"},
        MatchCase{"DashLast", "[a-]+", "b-a-", "-a-"},
        MatchCase{"EscapesInAClass", "[\\d\\-\\]]+", "a1-]b", "1-]"},
        MatchCase{"NegatedEscapeInAClass", "[\\D]+", "12ab3", "ab"},
        MatchCase{"Digits", "\\d+", "a12b", "12"}, MatchCase{"NoDigits", "\\D+", "12ab3", "ab"},
        MatchCase{"Words", "\\w+", "-a_1-", "a_1"}, MatchCase{"NoWords", "\\W+", "a -+b", " -+"},
        MatchCase{"Space", "a\\sb", "a b", "a b"}, MatchCase{"NoSpace", "\\S+", " ab ", "ab"},
        MatchCase{"ControlEscapes", "\\t\\n\\r\\f\\v", "\t\n\r\f\v", "\t\n\r\f\v"},
        MatchCase{"Hex", "\\x41\\x{1F600}", "A\U0001F600", "A\U0001F600"},
        MatchCase{"Punctuation", "\\.\\*\\(\\{\\}\\\\", ".*({}\\", ".*({}\\"},
        MatchCase{"ClosingSignsAreCharacters", "a}]", "a}]", "a}]"},
        MatchCase{"TextStart", "^b", "ab", nullptr}, MatchCase{"TextEnd", "a$", "ab", nullptr},
        MatchCase{"WholeText", "^ab$", "ab", "ab"},
        MatchCase{"ALineEndIsNoTextEnd", "b$", "b\n", nullptr},
        MatchCase{"LineStart", "(?m)^b", "a\nb", "b"}, MatchCase{"LineEnd", "(?m)a$", "a\nb", "a"},
        MatchCase{"WordEdge", "\\bcat\\b", "concat cat", "cat"},
        MatchCase{"WordEdgeAtTheEnds", "\\bcat\\b", "cat", "cat"},
        MatchCase{"NoWordEdge", "\\Bcat", "cat concat", "cat"},
        MatchCase{"Case", "(?i)LiMa [a-c]", "lima B", "lima B"},
        MatchCase{"NegatedWithCase", "(?i)[^a]", "Ab", "b"},
        MatchCase{"SeveralFlags", "(?im)^B$", "a\nb\nc", "b"},
        MatchCase{"Group", "a(b+)c", "abbc", "abbc", "bb"},
        MatchCase{"FirstGroupOnly", "(a)(b)", "ab", "ab", "a"},
        MatchCase{"OuterGroupIsTheFirst", "((a)b)", "ab", "ab", "ab"},
        MatchCase{"GroupWithoutText", "(?:a)(b)", "ab", "ab", "b"},
        MatchCase{"GroupThatTookNoPart", "(a)|b", "b", "b"},
        MatchCase{"LastRoundOfAGroup", "(a|b)*", "abb", "abb", "b"},
        MatchCase{"EmptyRounds", "(a*)*b", "aab", "aab", "aa"},
        MatchCase{"GreedyAroundAGroup", ".*(\\d+)", "a12", "a12", "2"},
        MatchCase{"LazyAroundAGroup", ".*?(\\d+)", "a12", "a12", "12"},
        MatchCase{"CodePoints", "^.$", "\u00e9", "\u00e9"},
        MatchCase{"ClassOfCodePoints", "[\u00e0-\u00ff]+", "x\u00e9\u00e8", "\u00e9\u00e8"},
        MatchCase{"FlagInside", "a(?i)b(?-i)c", "ABC aBc", "aBc"},
        MatchCase{"NamedGroup", "(?P<city>L\\w+)", "in Lima", "Lima", "Lima"},
        MatchCase{"PosixClass", "[[:alpha:]]+", "1ab2", "ab"},
        MatchCase{"UnicodeClass", "\\p{Greek}+", "a\u03bb\u03bc", "\u03bb\u03bc"},
        MatchCase{"ClassesAreAscii", "\\w+", "\u00e9a", "a"},
        MatchCase{"CaseBeyondAscii", "(?i)\u00c9", "\u00e9", "\u00e9"},
        MatchCase{"BraceOfJson", "{\"a\": (\\d+)}", "{\"a\": 12}", "{\"a\": 12}", "12"},
        MatchCase{"WithoutAGroupNone", "(?:a)", "a", "a"},
        MatchCase{"AByteIsNotTheCodePointOfItsNumber", "\u00e9", "\xe9", nullptr}),
    [](const auto& test) { return std::string(test.param.name); });

struct PatternMistake {
  const char* name;
  std::string pattern;
  const char* text;
};
void PrintTo(const PatternMistake& test, std::ostream* out) { *out << test.name; }

class RegexMistake : public ::testing::TestWithParam<PatternMistake> {};

TEST_P(RegexMistake, SaysWhatRe2Found) {
  ::testing::internal::CaptureStderr();
  const Result<Regex> regex = Regex::Compile(GetParam().pattern, false);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(regex.ok());
  EXPECT_EQ(regex.error().Text(), GetParam().text);
}

// RE2's own words have been these from 2022 to 2026 at least.
INSTANTIATE_TEST_SUITE_P(
    All, RegexMistake,
    ::testing::Values(
        PatternMistake{"OpenGroup", "a(b", R"x(found "a(b", which RE2 refuses: missing ))x"},
        PatternMistake{"ClosedGroup", "ab)", R"x(found "ab)", which RE2 refuses: unexpected ))x"},
        PatternMistake{"OpenClass", "a[b", R"x(found "a[b", which RE2 refuses: missing ]: [b)x"},
        PatternMistake{"BackReference", "(a)\\1",
                       R"x(found "(a)\1", which RE2 refuses: invalid escape sequence: \1)x"},
        PatternMistake{"LookAhead", "a(?=b)",
                       R"x(found "a(?=b)", which RE2 refuses: invalid perl operator: (?=)x"},
        PatternMistake{
            "NothingToRepeat", "*a",
            R"x(found "*a", which RE2 refuses: no argument for repetition operator: *)x"},
        PatternMistake{"MoreThan1000Times", "a{1001}",
                       R"x(found "a{1001}", which RE2 refuses: invalid repetition size: {1001})x"},
        PatternMistake{
            "MoreThan1000TimesInAll", "(a{40}){40}",
            R"x(found "(a{40}){40}", which RE2 refuses: invalid repetition size: {40})x"},
        PatternMistake{
            "MoreThanItsMemory", "\\pL{500}",
            R"x(found "\pL{500}", which RE2 refuses: pattern too large - compile failed)x"},
        PatternMistake{"NotUtf8", "a\xff", R"x(found "a\xff", which RE2 refuses: invalid UTF-8)x"},
        PatternMistake{"ControlCharacters", std::string("\0\x1b(", 3),
                       R"x(found "\x00\x1b(", which RE2 refuses: missing ))x"},
        PatternMistake{"TooLong", std::string(1001, 'a'),
                       "found a pattern of more than 1000 bytes"}),
    [](const auto& test) { return std::string(test.param.name); });

std::optional<Regex::Match> Find(std::string_view pattern, std::string_view text) {
  const Result<Regex> regex = Regex::Compile(pattern, false);
  EXPECT_TRUE(regex.ok()) << pattern << ": " << regex.error().Text();
  const auto match = regex->Find(text);
  EXPECT_TRUE(match.ok()) << pattern << ": " << match.error().Text();
  return *match;
}

TEST(RegexTest, BytesThatAreNotUtf8AreCharactersAndHideNothing) {
  // A lone byte, a sequence that is cut off, a surrogate, NUL.
  const std::string text("\xff is \xe2\x82, \xed\xa0\x80 and \0; answer: \xfe\u00e9.", 32);
  EXPECT_EQ(Find("answer: (.*)\\.$", text)->group, "\xfe\u00e9");
  EXPECT_EQ(Find("^.*answer: (.*)\\.$", text)->group, "\xfe\u00e9");
  EXPECT_EQ(Find("^.*answer", text)->whole.data(), text.data());
  EXPECT_EQ(Find("^(.) is (..), (.) and", text)->group, "\xff");
  EXPECT_EQ(Find("is (..), . and", text)->group, "\xe2\x82");
  EXPECT_EQ(Find(", (.) and", text)->group, "\xed\xa0\x80");
  EXPECT_EQ(Find("\\x00; (answer)", text)->group, "answer");
  EXPECT_EQ(Find("\\x{FFFD}", text)->whole, "\xff");
  EXPECT_EQ(Find("\u00ff", text), std::nullopt);
}

TEST(RegexTest, AMatchIsOfWholeCharacters) { EXPECT_EQ(Find("a\\C", "a\u20ac")->whole, "a\u20ac"); }

TEST(RegexTest, AnEmptyTextMayHaveNoData) {
  const auto match = Find("(a*)", std::string_view());
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->whole, "");
  EXPECT_EQ(match->group, "");
}

TEST(RegexTest, AMegabyteOfAnyBytesIsSearched) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (const std::string& unit :
       {bytes, std::string("\xff"), std::string(1, '\0'), std::string("a")}) {
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    text += "\nanswer: 7";
    for (const char* pattern : {"answer: (.)", "(?s)^.*answer: (.)$", "(?m)^answer: (\\d)$"}) {
      EXPECT_EQ(Find(pattern, text)->group, "7") << pattern;
    }
  }
}

TEST(RegexTest, PatternsThatStopOthersTakeNoTime) {
  const std::string text(50'000, 'a');
  for (const char* pattern : {"(a+)+$b", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)b", "(a?){50}b"}) {
    EXPECT_EQ(Find(pattern, text), std::nullopt) << pattern;
  }
}

TEST(RegexTest, TextTimesPatternIsBounded) {
  const Result<Regex> regex = Regex::Compile("(?:a?){1000}b", false);
  ASSERT_TRUE(regex.ok());
  EXPECT_TRUE(regex->Find(std::string(10'000, 'a')).ok());
  const auto match = regex->Find(std::string(1'000'000, 'a'));
  ASSERT_FALSE(match.ok());
  EXPECT_THAT(
      match.error().Text(),
      ::testing::MatchesRegex("found a text of 1000000 bytes, allowed with this pattern: [0-9]+"));
}

TEST(RegexTest, CaseIsIgnoredWhenAsked) {
  EXPECT_TRUE((*Regex::Compile("lima", true)->Find("LIMA")).has_value());
  EXPECT_FALSE((*Regex::Compile("lima", false)->Find("LIMA")).has_value());
}

TEST(RegexTest, CountsItsGroups) {
  EXPECT_EQ(Regex::Compile("a(b)(?:c)((d))", false)->groups(), 3);
  EXPECT_EQ(Regex::Compile("a", false)->groups(), 0);
}

}  // namespace
}  // namespace bi_test
