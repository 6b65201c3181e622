#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>

#include "report/markdown.h"
#include "unit/approved.h"
#include "unit/sample_pages.h"
#include "unit/sample_sweep.h"
#include "unit/xml_check.h"

namespace bi_test::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::CharacterFault;
using testing_support::HostileText;
using testing_support::ManyCells;
using testing_support::PagesFullOf;
using testing_support::SamplePages;

TEST(MarkdownSummaryTest, IsAsApproved) {
  testing_support::ExpectApproved("summary.md", MarkdownSummary(SamplePages(), "/out"));
}

TEST(MarkdownSummaryTest, AnEmptySweepIsSaidToBeEmpty) {
  EXPECT_THAT(MarkdownSummary({}, "/out"),
              HasSubstr("There is no cell to show: no cert and no refusal was found."));
}

TEST(MarkdownSummaryTest, ARunThatGoesOnIsSaidToGoOn) {
  SweepResult sweep;
  sweep.start_utc = "2026-03-01T08:00:00Z";
  EXPECT_THAT(MarkdownSummary(sweep, "/out"), HasSubstr("The run is not finished."));
  sweep.end_utc = sweep.start_utc;
  EXPECT_THAT(MarkdownSummary(sweep, "/out"), testing::Not(HasSubstr("The run is not finished.")));
}

TEST(MarkdownSummaryTest, TwentyFilesThatCouldNotBeReadAreNamed) {
  SweepResult sweep;
  sweep.problems.assign(23, "x.json");
  EXPECT_THAT(MarkdownSummary(sweep, "/out"),
              HasSubstr("* could not be read: x.json\n* and 3 more files\n"));
}

TEST(MarkdownSummaryTest, RedComesFirstAndAGreenThatFailedIsNoGreen) {
  SweepResult sweep;
  for (const auto& [n, verdict] : {std::pair{2, Verdict::kGreen}, {4, Verdict::kRed}}) {
    CellResult cell;
    cell.cell = {.model = "m", .ctx = 512, .dispatch_n = n, .kv_label = "f16"};
    cell.state = CellState::kRan;
    cell.verdict = verdict;
    sweep.cells.push_back(std::move(cell));
  }
  EXPECT_THAT(MarkdownSummary(sweep, "/out"),
              HasSubstr("### What did not pass\n\n"
                        "* **RED** <code>m</code> ctx=512 N=4\n"
                        "* **GREEN** (but failed) <code>m</code> ctx=512 N=2\n"));
}

TEST(MarkdownSummaryTest, FitsAStepSummaryAndSaysWhatItLeavesOut) {
  const std::string text = MarkdownSummary(ManyCells(5000), "/out");
  EXPECT_LT(text.size(), kMaxMarkdownBytes);
  EXPECT_THAT(text, HasSubstr("rows more left out here."));
  EXPECT_THAT(text, HasSubstr("cells more left out here."));
}

struct TextCase {
  std::string name;
  std::string text, want;
};

void PrintTo(const TextCase& test, std::ostream* out) { *out << test.name; }

class MarkdownTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(MarkdownTextTest, StaysText) {
  EXPECT_EQ(MarkdownText(GetParam().text, 200), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, MarkdownTextTest,
    testing::Values(TextCase{"Plain", "qwen2.5-0.5b, 3 of 8 (5 %)", "qwen2.5-0.5b, 3 of 8 (5 %)"},
                    TextCase{"TableCell", "a|b", "a&#124;b"},
                    TextCase{"Code", "``x``", "&#96;&#96;x&#96;&#96;"},
                    TextCase{"Mention", "@team", "&#64;team"},
                    TextCase{"Link", "[a](b)", "&#91;a&#93;(b)"},
                    TextCase{"Url", "http://x.y", "http&#58;//x.y"},
                    TextCase{"BareUrl", "www.x.y", "www&#46;x.y"},
                    TextCase{"Issue", "#12", "&#35;12"},
                    TextCase{"Html", "<b>&amp;", "&#60;b&#62;&#38;amp&#59;"},
                    TextCase{"Emphasis", "*a* _b_ ~c~", "&#42;a&#42; &#95;b&#95; &#126;c&#126;"},
                    TextCase{"Newline", "a\nb", "a&#92;nb"}),
    [](const testing::TestParamInfo<TextCase>& test) { return test.param.name; });

struct HostileCase {
  std::string name;
  std::string text;
};

void PrintTo(const HostileCase& test, std::ostream* out) { *out << test.name; }

class HostileSummaryTest : public testing::TestWithParam<HostileCase> {};

TEST_P(HostileSummaryTest, KeepsItsTablesAndHoldsNoMarkupButItsOwn) {
  const std::string text = MarkdownSummary(PagesFullOf(GetParam().text), "/out");
  EXPECT_THAT(CharacterFault(text), IsEmpty());
  EXPECT_LT(text.size(), kMaxMarkdownBytes);
  std::istringstream lines(text);
  std::ptrdiff_t bars = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      bars = 0;
      continue;
    }
    const auto n = std::count(line.begin(), line.end(), '|');
    if (bars != 0) {
      EXPECT_EQ(n, bars) << line.substr(0, 200);
    }
    bars = n;
  }
  const std::string rest = std::regex_replace(
      text, std::regex("</?code>|&#[0-9]+;|`index\\.html`|`bi-test show CERT`"), "");
  EXPECT_EQ(rest.find_first_of("<>`[]@_~"), std::string::npos) << rest.substr(0, 400);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileSummaryTest,
    testing::Values(HostileCase{"AllKinds", HostileText()},
                    HostileCase{"Markup", "</code>|`` @x [a](b) <img src=x> ![i](http://x) #1 $x$"},
                    HostileCase{"OneMegabyteOfText", std::string(1U << 20U, 'x')},
                    HostileCase{"OneMegabyteOfBars", std::string(1U << 20U, '|')},
                    HostileCase{"OneMegabyteOfBadBytes", std::string(1U << 20U, '\xff')}),
    [](const testing::TestParamInfo<HostileCase>& test) { return test.param.name; });

}  // namespace
}  // namespace bi_test::report
