// Text of unknown quality: UTF-8 steps, what may be shown, surrogates without their partner.
#include <gmock/gmock.h>

#include <optional>
#include <string>

#include "base/safe_text.h"
#include "base/split.h"
#include "base/surrogates.h"
#include "base/trim.h"
#include "base/utf8.h"

namespace bi_test {
namespace {

struct StepCase {
  const char* name;
  std::string text;
  std::size_t length;
  bool valid;
  bool surrogate;
};

TEST(Utf8Test, StepsAreWellFormedSequencesOrSingleBadBytes) {
  const StepCase cases[] = {
      {"ascii", "a", 1, true, false},
      {"two bytes", "\u00e9", 2, true, false},
      {"three bytes", "\u20ac", 3, true, false},
      {"four bytes", "\U0001F642", 4, true, false},
      {"overlong slash", "\xC0\xAF", 1, false, false},
      {"overlong three bytes", "\xE0\x80\xAF", 1, false, false},
      {"continuation alone", "\x80", 1, false, false},
      {"cut short", "\xE2\x82", 1, false, false},
      {"beyond unicode", "\xF4\x90\x80\x80", 1, false, false},
      {"five byte form", "\xF8\x88\x80\x80\x80", 1, false, false},
      {"lone surrogate", "\xED\xB0\x80", 3, false, true},
      {"first surrogate", "\xED\xA0\x80", 3, false, true},
      {"last surrogate", "\xED\xBF\xBF", 3, false, true},
      {"before the surrogates", "\uD7FF", 3, true, false},
      {"behind the surrogates", "\uE000", 3, true, false},
      {"overlong two bytes", "\xC1\xBF", 1, false, false},
      {"overlong four bytes", "\xF0\x8F\xBF\xBF", 1, false, false},
  };
  for (const StepCase& one : cases) {
    const Utf8Step step = NextUtf8(one.text, 0);
    EXPECT_EQ(step.length, one.length) << one.name;
    EXPECT_EQ(step.valid, one.valid) << one.name;
    EXPECT_EQ(step.surrogate, one.surrogate) << one.name;
  }
}

TEST(Utf8Test, FindsTheStartOfTheSequenceAroundAByte) {
  const std::string text = "a\u20acz";
  EXPECT_EQ(SequenceStart(text, 0), 0U);
  for (const std::size_t inside : {1U, 2U, 3U}) EXPECT_EQ(SequenceStart(text, inside), 1U);
  EXPECT_EQ(SequenceStart(text, 4), 4U);
  EXPECT_EQ(SequenceStart("\x80\x80", 1), 1U);
}

TEST(Utf8Test, WritesEveryLengthAtItsLimits) {
  const std::pair<std::uint32_t, const char*> cases[] = {
      {0x41, "A"},       {0x7F, "\x7F"},     {0x80, "\u0080"},        {0x7FF, "\u07FF"},
      {0x800, "\u0800"}, {0xFFFD, "\uFFFD"}, {0x10000, "\U00010000"}, {0x10FFFF, "\U0010FFFF"}};
  for (const auto& [code_point, text] : cases) {
    std::string out = "<";
    AppendUtf8(out, code_point);
    EXPECT_EQ(out, std::string("<").append(text)) << code_point;
    const Utf8Step step = NextUtf8(text, 0);
    EXPECT_TRUE(step.valid);
    EXPECT_EQ(step.code_point, code_point);
  }
}

TEST(Utf8Test, IllFormedBytesBecomeReplacementCharacters) {
  EXPECT_EQ(ReplaceIllFormed("a\xFFz\xED\xA0\x80"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(CountCodePoints("n\u00e9\U0001F642\xFF"), 4);
}

struct SanitizeCase {
  const char* name;
  std::string text;
  std::string clean;
};

TEST(SanitizeTest, SpellsOutWhatTerminalsAndXmlMustNotSee) {
  const SanitizeCase cases[] = {
      {"plain", "ok-0 <b>&amp;", "ok-0 <b>&amp;"},
      {"newline and tab stay", "a\n\tb", "a\n\tb"},
      {"ansi and nul (R109)", std::string("ok\x1b[31m-0\0\b", 11), "ok\\x1b[31m-0\\x00\\x08"},
      {"carriage return", "a\rb", "a\\x0db"},
      {"delete", "\x7f", "\\x7f"},
      {"C1 control", "\u009b31m", "\\x9b31m"},
      {"not UTF-8", "a\xFFz", "a\\xffz"},
      {"lone surrogate", "\xED\xB0\x80", "\\udc00"},
      {"non-character", "\uFFFE\uFFFF", "\\ufffe\\uffff"},
      {"non-character beyond the basic plane", "\U0001FFFE", "\\ud83f\\udffe"},
      {"right-to-left override", "a\u202Eb", "a\\u202eb"},
      {"line separator", "\u2028", "\\u2028"},
      {"left-to-right mark", "\u200D\u200E\u200F\u2010", "\u200D\\u200e\\u200f\u2010"},
      {"embedding ends", "\u2027\u202F", "\u2027\u202F"},
      {"isolates", "\u2065\u2066\u2069\u206A", "\u2065\\u2066\\u2069\u206A"},
      {"Arabic letter mark", "\u061B\u061C", "\u061B\\u061c"},
      {"byte order mark", "\uFEFFx", "\\ufeffx"},
      {"non-characters of Arabic forms", "\uFDCF\uFDD0\uFDEF\uFDF0", "\uFDCF\\ufdd0\\ufdef\uFDF0"},
      {"other scripts stay", "n\u00e9\U0001F642\u4e2d", "n\u00e9\U0001F642\u4e2d"},
  };
  for (const SanitizeCase& one : cases) {
    EXPECT_EQ(SanitizeText(one.text, 1000), one.clean) << one.name;
  }
}

TEST(SanitizeTest, CutsBetweenCharactersAndSaysHowMuchIsMissing) {
  const std::string text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\U0001F642\U0001F642\U0001F642\U0001F642";
  const std::string cut = SanitizeText(text, 40);
  EXPECT_EQ(cut, "xxxxxxxxxxxxxxxxxxxxxxxxxx...(+20 bytes)");
  EXPECT_LE(cut.size(), 40U);
}

TEST(SanitizeTest, LeavesATextThatJustFits) {
  EXPECT_EQ(SanitizeText(std::string(40, 'x'), 40), std::string(40, 'x'));
  EXPECT_EQ(SanitizeText("abc", 0), "...(+3 bytes)");
  EXPECT_EQ(SanitizeText("", 0), "");
}

TEST(Utf8Test, ClipsBetweenCharacters) {
  EXPECT_EQ(ClipUtf8("a\u20acz", 5), "a\u20acz");
  EXPECT_EQ(ClipUtf8("a\u20acz", 4), "a\u20ac");
  EXPECT_EQ(ClipUtf8("a\u20acz", 3), "a");
  EXPECT_EQ(ClipUtf8("a\u20acz", 0), "");
}

TEST(Utf8Test, AByteOrderMarkCountsAtTheStartOnly) {
  EXPECT_EQ(WithoutByteOrderMark("\uFEFFa\uFEFF"), "a\uFEFF");
  EXPECT_EQ(WithoutByteOrderMark("\xEF\xBB"), "\xEF\xBB");
}

TEST(ControlCharacterTest, IsFoundInAsciiAndBehindIt) {
  for (const char* text : {"a\n", "\x7f", "\u0080", "\u009f"}) {
    EXPECT_TRUE(HasControlCharacter(text)) << text;
  }
  for (const char* text : {"", "a \u00a0", "\u20ac", "\x85\xC2"}) {
    EXPECT_FALSE(HasControlCharacter(text)) << text;
  }
}

TEST(SanitizeTest, HasNoQuadraticCostOnLongText) {
  const std::string cut = SanitizeText(std::string(8U << 20U, '\x01'), 4096);
  EXPECT_LE(cut.size(), 4096U);
}

TEST(OneLineTest, LineBreaksAndTabsAreSpelledOut) {
  EXPECT_EQ(OneLine("a\nb\tc", 40), R"(a\nb\tc)");
  EXPECT_EQ(OneLine("a\x1b"
                    "b",
                    40),
            SanitizeText("a\x1b"
                         "b",
                         40));
}

TEST(QuotedTest, QuotesHostileTextHarmlessly) {
  struct Case {
    const char* name;
    std::string text;
    std::size_t max;
    std::string quoted;
  };
  const Case cases[] = {
      {"plain", "abc", 80, "\"abc\""},
      {"quote", "a\"b", 80, "\"a\\\"b\""},
      {"terminal control", "\x1b[31m", 80, "\"\\x1b[31m\""},
      {"zero, newline, delete", std::string("\0\n\x7F", 3), 80, "\"\\x00\\x0a\\x7f\""},
      {"C1 control", "\xC2\x9B", 80, "\"\\xc2\\x9b\""},
      {"right-to-left override", "a\u202Eb", 80, "\"a\\u202eb\""},
      {"UTF-8", "\xC3\xA9", 80, "\"\xC3\xA9\""},
      {"not UTF-8", "\xC3", 80, "\"\\xc3\""},
      {"cut", "abcdef", 3, "\"abc...\""},
      {"not cut inside a character", "ab\xC3\xA9", 3, "\"ab...\""},
      {"exactly as long as allowed", "abc", 3, "\"abc\""},
  };
  for (const Case& c : cases) EXPECT_EQ(Quoted(c.text, c.max), c.quoted) << c.name;
}

TEST(Utf8Test, FindsTheFirstByteThatIsNotUtf8) {
  struct Case {
    const char* name;
    std::string text;
    std::optional<std::size_t> at;
  };
  const Case cases[] = {
      {"ASCII", "abc", std::nullopt},
      {"two, three, four bytes", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82", std::nullopt},
      {"lone continuation", "a\x80", 1u},
      {"cut at the end", "a\xF0\x9F\x99", 1u},
      {"overlong", "\xC0\x80", 0u},
      {"overlong of three bytes", "\xE0\x80\x80", 0u},
      {"surrogate", "ab\xED\xA0\x80", 2u},
      {"above U+10FFFF", "\xF4\x90\x80\x80", 0u},
      {"largest code point", "\xF4\x8F\xBF\xBF", std::nullopt},
  };
  for (const Case& c : cases) EXPECT_EQ(FindInvalidUtf8(c.text), c.at) << c.name;
}

TEST(SurrogatesTest, ReplacesOnlyLoneSurrogateEscapes) {
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud83d\ude42 \u00e9 \\ud800 \uD800x)"),
            "\\ud83d\\ude42 \\u00e9 \\\\ud800 \xED\xA0\x80x");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud800\ud83d\ude42)"), "\xED\xA0\x80\\ud83d\\ude42");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud8)"), R"(\ud8)");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes("\\"), "\\");
}

TEST(SurrogatesTest, AreFoundAmongCharactersThatBeginAsTheyDo) {
  EXPECT_TRUE(HasSurrogateBytes("a\xED\x9F\xBF\xED\xA0\xBD"));
  EXPECT_FALSE(HasSurrogateBytes("a\xED\x9F\xBF\xED"));
  EXPECT_FALSE(HasSurrogateBytes("plain"));
}

TEST(SurrogatesTest, MapsOffsetsBackToTheOriginal) {
  const std::string json = R"(ab\ud800cd\udc00e)";  // becomes ab...cd...e
  EXPECT_EQ(OffsetBeforeReplacement(json, 0), 0u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 2), 2u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 4), 2u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 5), 8u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 10), 16u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 99), json.size());
}

TEST(SurrogatesTest, JoinsSurrogatesThatStandSideBySide) {
  const auto joined = [](std::string text) {
    JoinSurrogatePairs(text);
    return text;
  };
  EXPECT_EQ(joined("a\xED\xA0\xBD\xED\xB9\x82z"), "a\xF0\x9F\x99\x82z");
  EXPECT_EQ(joined("\xED\xA0\xBD"), "\xED\xA0\xBD");
  EXPECT_EQ(joined("\xED\xB9\x82\xED\xA0\xBD"), "\xED\xB9\x82\xED\xA0\xBD");
  EXPECT_EQ(joined("\xED\x9F\xBF\xED"), "\xED\x9F\xBF\xED");
  EXPECT_EQ(joined("plain"), "plain");
}

TEST(TrimTest, OnlyWhiteSpaceAtTheEndsGoes) {
  EXPECT_EQ(Trim(" \t\n\v\f\r\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"), "");
  EXPECT_EQ(Trim("\u3000a b\u3000"), "a b");
  EXPECT_EQ(Trim(""), "");
  EXPECT_EQ(Trim("\u200ba\ufeff"), "\u200ba\ufeff") << "zero-width characters are no white space";
  EXPECT_EQ(Trim("\x80\xA0"), "\x80\xA0") << "parts of characters are no white space";
}

TEST(SplitTest, TextIsCutIntoFieldsAndLines) {
  EXPECT_THAT(SplitFields("  a \t b"), ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(SplitFields("a\n b "), ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(SplitLines("a\r\n\nb"), ::testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(SplitAt(":a::b", ':'), ::testing::ElementsAre("", "a", "", "b"));
  EXPECT_THAT(SplitAt("a:", ':'), ::testing::ElementsAre("a"));
  EXPECT_THAT(SplitLines("a\n"), ::testing::ElementsAre("a"));
  EXPECT_THAT(SplitFields("a\tb "), ::testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace bi_test
