#include "base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace bi_test::http {
namespace {

TEST(Text, QuotesHostileTextHarmlessly) {
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
      {"UTF-8", "\xC3\xA9", 80, "\"\xC3\xA9\""},
      {"not UTF-8", "\xC3", 80, "\"\\xc3\""},
      {"cut", "abcdef", 3, "\"abc...\""},
      {"not cut inside a character", "ab\xC3\xA9", 3, "\"ab...\""},
      {"exactly as long as allowed", "abc", 3, "\"abc\""},
  };
  for (const Case& c : cases) EXPECT_EQ(Quoted(c.text, c.max), c.quoted) << c.name;
}

TEST(Text, FindsTheFirstByteThatIsNotUtf8) {
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

TEST(Text, ReplacesOnlyLoneSurrogateEscapes) {
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud83d\ude42 \u00e9 \\ud800 \uD800x)"),
            "\\ud83d\\ude42 \\u00e9 \\\\ud800 \xED\xA0\x80x");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud800\ud83d\ude42)"), "\xED\xA0\x80\\ud83d\\ude42");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes(R"(\ud8)"), R"(\ud8)");
  EXPECT_EQ(ReplaceLoneSurrogateEscapes("\\"), "\\");
}

TEST(Text, MapsOffsetsBackToTheOriginal) {
  const std::string json = R"(ab\ud800cd\udc00e)";  // becomes ab...cd...e
  EXPECT_EQ(OffsetBeforeReplacement(json, 0), 0u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 2), 2u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 4), 2u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 5), 8u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 10), 16u);
  EXPECT_EQ(OffsetBeforeReplacement(json, 99), json.size());
}

TEST(Text, JoinsSurrogatesThatStandSideBySide) {
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

}  // namespace
}  // namespace bi_test::http
