#include <gmock/gmock.h>

#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "report/clean_text.h"
#include "report/difference.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "unit/sample_sweep.h"
#include "unit/xml_check.h"

namespace bi_test::report {
namespace {

using std::string_literals::operator""s;

struct TextCase {
  std::string name;
  std::string input;
  std::string clean;
  std::string xml_text;
  std::string xml_attribute;
};

void PrintTo(const TextCase& test, std::ostream* out) { *out << test.name; }

std::vector<TextCase> TextCases() {
  return {
      {"PlainTextStays", "a 1 \xc3\xa9 \xf0\x9f\x98\x80", "a 1 \xc3\xa9 \xf0\x9f\x98\x80",
       "a 1 \xc3\xa9 \xf0\x9f\x98\x80", "a 1 \xc3\xa9 \xf0\x9f\x98\x80"},
      {"MarkupBecomesEntities", "<a b=\"c\">&'", "<a b=\"c\">&'", "&lt;a b=\"c\"&gt;&amp;'",
       "&lt;a b=&quot;c&quot;&gt;&amp;'"},
      {"EndOfCdata", "]]>", "]]>", "]]&gt;", "]]&gt;"},
      {"NewlineAndTab", "a\n\tb", "a\n\tb", "a\n\tb", "a&#10;&#9;b"},
      {"CarriageReturn", "a\r\nb", "a\\x0d\nb", "a\\x0d\nb", "a\\x0d&#10;b"},
      {"AnsiColour", "\x1b[31mx", "\\x1b[31mx", "\\x1b[31mx", "\\x1b[31mx"},
      {"Nul", "a\0b"s, "a\\x00b", "a\\x00b", "a\\x00b"},
      {"VerticalTabAndFormFeed", "\x0b\x0c", "\\x0b\\x0c", "\\x0b\\x0c", "\\x0b\\x0c"},
      {"BadUtf8", "\xe9\xc0\xaf", "\\xe9\\xc0\\xaf", "\\xe9\\xc0\\xaf", "\\xe9\\xc0\\xaf"},
      {"NonCharacters", "\xef\xbf\xbe\xef\xbf\xbf", "\\ufffe\\uffff", "\\ufffe\\uffff",
       "\\ufffe\\uffff"},
      {"GtestMarker", "x [  SKIPPED ] y", "x (  SKIPPED ] y", "x (  SKIPPED ] y",
       "x (  SKIPPED ] y"},
      {"EveryGtestMarker",
       "[  FAILED  ][       OK ][  PASSED  ][ RUN      ][ DISABLED ][==========]"
       "[----------]",
       "(  FAILED  ](       OK ](  PASSED  ]( RUN      ]( DISABLED ](==========](----------]",
       "(  FAILED  ](       OK ](  PASSED  ]( RUN      ]( DISABLED ](==========](----------]",
       "(  FAILED  ](       OK ](  PASSED  ]( RUN      ]( DISABLED ](==========](----------]"},
      {"CTestTags", "<CTestLabel>a</CTestLabel><DartMeasurement>",
       "< CTestLabel>a< /CTestLabel>< DartMeasurement>",
       "&lt; CTestLabel&gt;a&lt; /CTestLabel&gt;&lt; DartMeasurement&gt;",
       "&lt; CTestLabel&gt;a&lt; /CTestLabel&gt;&lt; DartMeasurement&gt;"},
      {"AttachmentLine", "[[ATTACHMENT|/a]] [[PROPERTY|b=c]]",
       "[ [ATTACHMENT|/a]] [ [PROPERTY|b=c]]", "[ [ATTACHMENT|/a]] [ [PROPERTY|b=c]]",
       "[ [ATTACHMENT|/a]] [ [PROPERTY|b=c]]"},
      {"WorkflowCommands", "::a\n \t::b\nc::d\n##[e]##vso[f]##teamcity[g]",
       ": :a\n \t: :b\nc::d\n## [e]## vso[f]## teamcity[g]",
       ": :a\n \t: :b\nc::d\n## [e]## vso[f]## teamcity[g]",
       ": :a&#10; &#9;: :b&#10;c::d&#10;## [e]## vso[f]## teamcity[g]"},
      {"EmptyText", "", "", "", ""},
  };
}

class CleanTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(CleanTextTest, IsCleaned) { EXPECT_EQ(CleanText(GetParam().input, 1000), GetParam().clean); }

TEST_P(CleanTextTest, IsEscapedAsXmlText) {
  EXPECT_EQ(XmlText(GetParam().input, 1000), GetParam().xml_text);
}

TEST_P(CleanTextTest, IsEscapedAsXmlAttribute) {
  EXPECT_EQ(XmlAttribute(GetParam().input, 1000), GetParam().xml_attribute);
}

TEST_P(CleanTextTest, CleanTextStaysAsItIs) {
  EXPECT_EQ(CleanText(GetParam().clean, 1000), GetParam().clean);
}

INSTANTIATE_TEST_SUITE_P(All, CleanTextTest, testing::ValuesIn(TextCases()),
                         [](const testing::TestParamInfo<TextCase>& test) {
                           return test.param.name;
                         });

TEST(CleanTextLimitTest, NeverExceedsTheLimitWhereverItCuts) {
  const std::string hostile =
      testing_support::HostileText() + "\n" + testing_support::HostileText();
  for (std::size_t limit = 40; limit < 2000; ++limit) {
    const std::string clean = CleanText(hostile, limit);
    EXPECT_LE(clean.size(), limit);
    EXPECT_EQ(testing_support::CharacterFault(clean), "");
  }
}

TEST(CleanTextLimitTest, AMegabyteOfCommandsIsCutToTheLimit) {
  std::string text;
  while (text.size() < (1U << 20U)) text += "##[";
  const std::string clean = CleanText(text, 4096);
  EXPECT_LE(clean.size(), 4096U);
  EXPECT_GT(clean.size(), 3000U);
}

TEST(CleanLineTest, ShowsNewlineAndTabAsText) { EXPECT_EQ(CleanLine("a\n\tb", 100), "a\\n\\tb"); }

struct NumberCase {
  std::string name;
  std::string got;
  std::string want;
};

void PrintTo(const NumberCase& test, std::ostream* out) { *out << test.name; }

class NumberTest : public testing::TestWithParam<NumberCase> {};

TEST_P(NumberTest, IsFormatted) { EXPECT_EQ(GetParam().got, GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, NumberTest,
    testing::Values(
        NumberCase{"FixedRoundsToDecimals", Fixed(1.2345, 3), "1.234"},
        NumberCase{"FixedPads", Fixed(2.0, 3), "2.000"},
        NumberCase{"FixedOfNothing", Fixed(0.0, 1), "0.0"},
        NumberCase{"FixedNan", Fixed(std::numeric_limits<double>::quiet_NaN(), 1), "nan"},
        NumberCase{"FixedInfinity", Fixed(std::numeric_limits<double>::infinity(), 1), "inf"},
        NumberCase{"FixedMinusInfinity", Fixed(-std::numeric_limits<double>::infinity(), 1),
                   "-inf"},
        NumberCase{"FixedLargest", Fixed(std::numeric_limits<double>::max(), 0).substr(0, 6),
                   "179769"},
        NumberCase{"FigureLarge", Figure(1234.5), "1234"},
        NumberCase{"FigureTens", Figure(41.23), "41.2"},
        NumberCase{"FigureOnes", Figure(7.416), "7.42"},
        NumberCase{"FigureSmall", Figure(0.06178), "0.0618"},
        NumberCase{"FigureNan", Figure(std::numeric_limits<double>::quiet_NaN()), "nan"},
        NumberCase{"CountOne", Count(1, "id"), "1 id"},
        NumberCase{"CountMany", Count(3, "id"), "3 ids"}),
    [](const testing::TestParamInfo<NumberCase>& test) { return test.param.name; });

struct DifferenceCase {
  std::string name;
  std::string x;
  std::string y;
  MarkedPair want;
};

void PrintTo(const DifferenceCase& test, std::ostream* out) { *out << test.name; }

class DifferenceTest : public testing::TestWithParam<DifferenceCase> {};

TEST_P(DifferenceTest, MarksTheFirstDifference) {
  const MarkedPair got = MarkFirstDifference(GetParam().x, GetParam().y, 4);
  EXPECT_EQ(got.x, GetParam().want.x);
  EXPECT_EQ(got.y, GetParam().want.y);
}

INSTANTIATE_TEST_SUITE_P(
    All, DifferenceTest,
    testing::Values(
        DifferenceCase{"InTheMiddle", "abcdef", "abXdef", {"ab>>>c<<<def", "ab>>>X<<<def"}},
        DifferenceCase{"AtTheStart", "a", "b", {">>>a<<<", ">>>b<<<"}},
        DifferenceCase{"OneTextEnds", "abc", "ab", {"ab>>>c<<<", "ab>>><<<"}},
        DifferenceCase{"OneTextIsEmpty", "", "ab", {">>><<<", ">>>a<<<b"}},
        DifferenceCase{"EqualTexts", "abc", "abc", {"abc", "abc"}},
        DifferenceCase{"BothEmpty", "", "", {"", ""}},
        DifferenceCase{"CutOnBothSides",
                       "0123456789abcdef",
                       "0123456789Xbcdef",
                       {"...6789>>>a<<<bcde...", "...6789>>>X<<<bcde..."}},
        DifferenceCase{
            "CutByOneCharacter", "01234a", "01234b", {"...1234>>>a<<<", "...1234>>>b<<<"}},
        DifferenceCase{"WholeCharactersAreMarked",
                       "\xc3\xa4\xc3\xa9z",
                       "\xc3\xa4\xc3\xaaz",
                       {"\xc3\xa4>>>\xc3\xa9<<<z", "\xc3\xa4>>>\xc3\xaa<<<z"}},
        DifferenceCase{"NewlinesAreSpelledOut", "a\nb", "a\tb", {"a>>>\\n<<<b", "a>>>\\t<<<b"}},
        DifferenceCase{"BadBytesAreSpelledOut", "a\xff", "a\xfe", {"a>>>\\xff<<<", "a>>>\\xfe<<<"}},
        DifferenceCase{"WindowCountsCharacters",
                       "\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80x",
                       "\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80y",
                       {"...\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80>>>x<<<",
                        "...\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80\xe4\xb8\x80>>>y<<<"}}),
    [](const testing::TestParamInfo<DifferenceCase>& test) { return test.param.name; });

}  // namespace
}  // namespace bi_test::report
