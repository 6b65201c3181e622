// Text of unknown quality: UTF-8 steps, sanitiser, digests, buckets, model names.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/sha256.h"
#include "base/utf8.h"
#include "bi_test/sanitize.h"
#include "cert/model_name.h"
#include "verdict/buckets.h"
#include "verdict/trial_fields.h"

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

TEST(SanitizeTest, HasNoQuadraticCostOnLongText) {
  const std::string cut = SanitizeText(std::string(8U << 20U, '\x01'), 4096);
  EXPECT_LE(cut.size(), 4096U);
}

TEST(ContentHashTest, MatchesTheVectorsOfTheContract) {
  const std::pair<const char*, const char*> cases[] = {{"", "e3b0c44298fc"},
                                                       {"abc", "ba7816bf8f01"},
                                                       {"\u00e9", "4a99557e4033"},
                                                       {"x x x x ", "9144176b1330"},
                                                       {"\xED\xA0\x80", "91a681b99855"}};
  for (const auto& [text, sha] : cases) {
    Trial trial;
    trial.content = text;
    EXPECT_EQ(ContentSha(trial), sha) << text;
  }
  EXPECT_EQ(ContentSha(Trial{}), "e3b0c44298fc");
}

TEST(ContentHashTest, ContentWinsOverTheDisplayFormAndOtherTypesCountAsTheirText) {
  Trial trial;
  trial.response_first_200 = "zzz";
  EXPECT_EQ(OutputText(trial), "zzz");
  trial.content = "";
  EXPECT_EQ(OutputText(trial), "");
  trial.content = 5;
  EXPECT_EQ(OutputText(trial), "5");
}

TEST(ContentHashTest, OutputHashSeesAllFiveParts) {
  Trial base;
  base.content = "c";
  for (const auto member : {&Trial::content, &Trial::reasoning_content, &Trial::tool_calls,
                            &Trial::finish_reason, &Trial::completion_tokens}) {
    Trial other = base;
    other.*member = "changed";
    EXPECT_NE(OutputSha(base), OutputSha(other));
  }
}

struct BucketCase {
  const char* name;
  Json value;
  const char* text;
};

TEST(BucketTest, FillRatiosHaveTwoDecimals) {
  const double infinity = std::numeric_limits<double>::infinity();
  const BucketCase cases[] = {
      {"43a", 0.1, "0.10"},
      {"43b", 0.05, "0.05"},
      {"44", 0.125, "0.12"},
      {"45", 0.375, "0.38"},
      {"46", 0.005, "0.01"},
      {"47", 0.015, "0.01"},
      {"48", 0.995, "0.99"},
      {"49", 1, "1.00"},
      {"50 null", Json(), "unknown"},
      {"50 list", Json(Json::Array{}), "unknown"},
      {"50 text", "abc", "unknown"},
      {"51", "0.3", "unknown"},
      {"52", true, "unknown"},
      {"53 nan", std::nan(""), "unknown"},
      {"53 inf", infinity, "unknown"},
      {"53 -inf", -infinity, "unknown"},
      {"54", -0.001, "-0.00"},
      {"55", 1e20, "100000000000000000000.00"},
      {"56", 0.124, "0.12"},
  };
  for (const BucketCase& one : cases) EXPECT_EQ(FillText(one.value), one.text) << one.name;
}

TEST(BucketTest, FamiliesAreTheirTextOrCompactJson) {
  const BucketCase cases[] = {
      {"59", Json(), "unknown"}, {"60", "", ""},
      {"61 integer", 1, "1"},    {"61 double", 1.0, "1.0"},
      {"61 bool", true, "true"}, {"list", Json(Json::Array{"a"}), R"(["a"])"}};
  for (const BucketCase& one : cases) EXPECT_EQ(FamilyText(one.value), one.text) << one.name;
}

TEST(ModelNameTest, MatchesWholePartsOnly) {
  for (const char* moe : {"qwen3-30b-a3b", "Mixtral-8x7B", "moe", "x-MoE-y", "olmoe/MOE", "a22b"}) {
    EXPECT_TRUE(LooksLikeMixtureOfExperts(moe)) << moe;
  }
  for (const char* dense : {"qwen-180b", "phi-4", "x-a3", "a3c", "abc", "a3bx", "7x7", "7x7c",
                            "ax7b", "7yx7b", "x[a]", "smoe-x", "alpha3b", "4x", "x7b", "ab", ""}) {
    EXPECT_FALSE(LooksLikeMixtureOfExperts(dense)) << dense;
  }
}

}  // namespace
}  // namespace bi_test
