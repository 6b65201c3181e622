#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <regex>
#include <string>

#include "core/regex.h"

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
        MatchCase{"AByteThatIsNotUtf8IsOneCharacter", "^.b$",
                  "\xff"
                  "b",
                  "\xff"
                  "b"},
        MatchCase{"AByteIsNotTheCodePointOfItsNumber", "\u00e9", "\xe9", nullptr}),
    [](const auto& test) { return std::string(test.param.name); });

struct PatternMistake {
  const char* name;
  std::string pattern;
  const char* text;
};
void PrintTo(const PatternMistake& test, std::ostream* out) { *out << test.name; }

class RegexMistake : public ::testing::TestWithParam<PatternMistake> {};

TEST_P(RegexMistake, SaysWhatAndWhere) {
  const Result<Regex> regex = Regex::Compile(GetParam().pattern, false);
  ASSERT_FALSE(regex.ok());
  EXPECT_EQ(regex.error().Text(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, RegexMistake,
    ::testing::Values(
        PatternMistake{"OpenGroup", "a(b", "found a ( without its ) at byte 1"},
        PatternMistake{"ClosedGroup", "ab)", "found a ) without its ( at byte 2"},
        PatternMistake{"OpenClass", "a[b", "found a [ without its ] at byte 1"},
        PatternMistake{"EmptyClass", "[]", "found a [ without its ] at byte 0"},
        PatternMistake{"BackwardRange", "[z-a]",
                       "found a range whose end is not behind its start at byte 2"},
        PatternMistake{"RangeToAnEscapedClass", "[a-\\d]",
                       "found a range whose end is not behind its start at byte 2"},
        PatternMistake{"PosixClass", "[[:alpha:]]",
                       "found a [: :] class, which there is not at byte 1"},
        PatternMistake{"NothingToRepeat", "*a", "found a * without anything to repeat at byte 0"},
        PatternMistake{"NothingToRepeatInAGroup", "(+)",
                       "found a + without anything to repeat at byte 1"},
        PatternMistake{"NothingToRepeatAfterABar", "a|?",
                       "found a ? without anything to repeat at byte 2"},
        PatternMistake{"RepetitionTwice", "a**", "found a repetition of a repetition at byte 2"},
        PatternMistake{"RepeatedPlace", "^*", "found a repetition of a place at byte 1"},
        PatternMistake{"BraceAlone", "{",
                       "found a { that begins no repetition (as a character: \\{) at byte 0"},
        PatternMistake{"BraceOfJson", "a{\"",
                       "found a { that begins no repetition (as a character: \\{) at byte 1"},
        PatternMistake{"BraceWithoutEnd", "a{2",
                       "found a { that begins no repetition (as a character: \\{) at byte 1"},
        PatternMistake{"BackwardCounts", "a{3,2}",
                       "found a repetition that is not {m,n} with m up to n up to 1000 at byte 1"},
        PatternMistake{"TooManyTimes", "a{1001}",
                       "found a repetition that is not {m,n} with m up to n up to 1000 at byte 1"},
        PatternMistake{"BackReference", "(a)\\1",
                       "found a back-reference, which there is not at byte 3"},
        PatternMistake{"LookAhead", "a(?=b)",
                       "found a (? that is not (?: or, at the start, (?i) (?m) (?s) at byte 1"},
        PatternMistake{"FlagInside", "a(?i)b",
                       "found a (? that is not (?: or, at the start, (?i) (?m) (?s) at byte 1"},
        PatternMistake{"UnknownFlag", "(?x)b",
                       "found a (? that is not (?: or, at the start, (?i) (?m) (?s) at byte 0"},
        PatternMistake{"UnknownEscape", "\\q", "found an unknown escape at byte 0"},
        PatternMistake{"EscapeAtTheEnd", "a\\", "found a \\ at the end at byte 1"},
        PatternMistake{"EscapeAtTheEndOfAClass", "[\\", "found a \\ at the end at byte 1"},
        PatternMistake{
            "ShortHex", "\\x4",
            "found a \\x without two hexadecimal digits, or one to six in { } at byte 0"},
        PatternMistake{
            "HexBeyondUnicode", "\\x{110000}",
            "found a \\x without two hexadecimal digits, or one to six in { } at byte 0"},
        PatternMistake{"NotUtf8", "a\xff", "found a byte that is not UTF-8 at byte 1"},
        PatternMistake{"TooLong", std::string(1001, 'a'),
                       "found a pattern of more than 1000 bytes at byte 0"},
        PatternMistake{"TooDeep", std::string(60, '(') + std::string(60, ')'),
                       "found more than 50 groups within each other at byte 50"},
        PatternMistake{"TooManySteps", "((a{1000}){1000}){1000}",
                       "found a pattern of more than 4000 steps: repetitions count"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(RegexTest, PatternsThatStopOthersTakeNoTime) {
  const std::string text(50'000, 'a');
  for (const char* pattern : {"(a+)+$b", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)b", "(a?){50}b"}) {
    const Result<Regex> regex = Regex::Compile(pattern, false);
    ASSERT_TRUE(regex.ok()) << pattern << regex.error().Text();
    const auto match = regex->Find(text);
    ASSERT_TRUE(match.ok()) << pattern;
    EXPECT_FALSE(match->has_value()) << pattern;
  }
}

// The library's own engine is the oracle, with small patterns and texts: it has no limit on time.
TEST(RegexTest, AgreesWithAnotherEngineOnRandomPatterns) {
  std::mt19937 random(20);
  const auto pick = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  const std::function<std::string(int)> part = [&](int depth) -> std::string {
    switch (pick(depth > 0 ? 9 : 5)) {
      case 0:
      case 1:
        return "a";
      case 2:
        return "b";
      case 3:
        return "[^a]";
      case 4:
        return ".";
      case 5:
        return "(?:" + part(depth - 1) + "|" + part(depth - 1) + ")";
      case 6:
        return part(depth - 1) + part(depth - 1);
      default: {
        const char* const counts[] = {"*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}", "{0,2}?"};
        // Rounds that may be empty are where engines differ, so what is repeated is one character.
        const char* const atoms[] = {"a", "b", "[ab]", "c"};
        return std::string(atoms[pick(4)]) + counts[pick(9)];
      }
    }
  };
  for (int i = 0; i < 4'000; ++i) {
    const std::string pattern = part(2) + "(" + part(2) + ")" + part(1);
    std::string text;
    for (int length = pick(9); length > 0; --length) text += "abc"[pick(3)];
    const Result<Regex> regex = Regex::Compile(pattern, false);
    ASSERT_TRUE(regex.ok()) << pattern << ": " << regex.error().Text();
    const auto match = regex->Find(text);
    ASSERT_TRUE(match.ok());
    std::smatch expected;
    const bool found = std::regex_search(text, expected, std::regex(pattern));
    ASSERT_EQ(match->has_value(), found) << pattern << " in " << text;
    if (!found) continue;
    EXPECT_EQ((*match)->whole, expected[0].str()) << pattern << " in " << text;
    EXPECT_EQ((*match)->whole.data() - text.data(), expected.position(0))
        << pattern << " in " << text;
    EXPECT_EQ((*match)->group.value_or("none"), expected[1].str()) << pattern << " in " << text;
  }
}

TEST(RegexTest, CountsItsGroups) {
  EXPECT_EQ(Regex::Compile("a(b)(?:c)((d))", false)->groups(), 3);
  EXPECT_EQ(Regex::Compile("a", false)->groups(), 0);
}

}  // namespace
}  // namespace bi_test
