#include <gmock/gmock.h>

#include <string>

#include "report/console.h"
#include "unit/approved.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"

namespace bi_test::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::ResultOf;
using testing_support::SampleSweep;

TEST(ConsoleSummaryTest, IsAsApproved) {
  testing_support::ExpectApproved("console_summary.txt", Summary(SampleSweep(), Palette(false)));
}

TEST(ConsoleSummaryTest, ColourChangesNothingButColour) {
  std::string colored = Summary(SampleSweep(), Palette(true));
  EXPECT_THAT(colored, HasSubstr("\x1b[31mRED\x1b[0m"));
  for (std::size_t at = colored.find('\x1b'); at != std::string::npos; at = colored.find('\x1b')) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, Summary(SampleSweep(), Palette(false)));
}

TEST(ConsoleSummaryTest, NoCellsGiveTheTotalsOnly) {
  EXPECT_EQ(
      Summary({}, Palette(false)),
      "0 cells: 0 passed, 0 failed, 0 errors, 0 skipped; 0 GREEN, 0 RED, 0 AMBER, 0 UNVERIFIED; "
      "0.0 s\n");
}

TEST(ConsoleSummaryTest, CellsOfOneNameShareAField) {
  SweepResult sweep;
  sweep.cells = {ResultOf(testing_support::GreenRun(), "m", 2),
                 ResultOf(testing_support::RedRun(), "m", 2)};
  EXPECT_THAT(Summary(sweep, Palette(false)), HasSubstr("m ctx=4096  GREEN/RED\n"));
}

TEST(ConsoleSummaryTest, MarksAGreenCellWhoseTestAskedForMore) {
  SweepResult sweep;
  sweep.cells = {ResultOf(testing_support::GreenRun(), "m", 2)};
  sweep.cells.front().passed = false;
  const std::string text = Summary(sweep, Palette(false));
  EXPECT_THAT(text, HasSubstr("GREEN!\n"));
  EXPECT_THAT(text, HasSubstr("! GREEN, but the test asked for more\n"));
}

TEST(ConsoleCellLineTest, EveryCellIsAsApproved) {
  std::string lines;
  for (const CellResult& cell : SampleSweep().cells) lines += CellLine(cell, Palette(false));
  testing_support::ExpectApproved("console_cells.txt", lines);
}

TEST(ConsoleCellLineTest, IsOneLine) {
  CellResult cell = ResultOf(testing_support::RedRun(), "m\nodel", 2);
  cell.message = "a\nb";
  cell.accepted = "c\nd";
  cell.cert_path = "/e\nf";
  const std::string line = CellLine(cell, Palette(false));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(ConsoleProgressTest, ArmLineNamesTheArm) {
  EXPECT_EQ(
      ArmLine({.cell = "m_ctx4096_n8", .arm = "c1", .done = 12, .total = 48, .elapsed_s = 3.25}),
      "m_ctx4096_n8: arm c1 12/48 after 3.2 s\n");
  EXPECT_EQ(ArmLine({.cell = "m", .arm = "c1", .done = 0, .total = 1, .elapsed_s = 3.25}),
            "m: arm c1 0/1 after 3.2 s\n")
      << "a pass of one item is a pass, no step";
}

TEST(ConsoleProgressTest, AStepIsNoArmAndCountsNothing) {
  const ArmProgress progress = {
      .cell = "m_ctx4096_n8", .arm = "launch A", .done = 0, .total = 1, .elapsed_s = 3.25};
  EXPECT_EQ(ArmLine(progress), "m_ctx4096_n8: launch A at 3.2 s\n");
  EXPECT_EQ(LiveLine(progress, 80), "\rm_ctx4096_n8  launch A  3 s\x1b[K");
}

TEST(ConsoleProgressTest, LiveLineStaysWithinTheTerminal) {
  const ArmProgress progress = {
      .cell = std::string(200, 'm'), .arm = "c1", .done = 1, .total = 2, .elapsed_s = 3};
  const std::string line = LiveLine(progress, 40);
  EXPECT_THAT(line, StartsWith("\rmmm"));
  EXPECT_THAT(line, EndsWith("m\x1b[K"));
  EXPECT_EQ(line.size(), 1U + 39U + 3U);
  EXPECT_EQ(LiveLine(progress, 0), "\r\x1b[K");
}

TEST(ConsoleProgressTest, LiveLineShowsHowFarItCame) {
  EXPECT_EQ(LiveLine({.cell = "m", .arm = "B", .done = 1, .total = 2, .elapsed_s = 3}, 80),
            "\rm  B  1/2  3 s\x1b[K");
}

TEST(ConsoleProgressTest, LiveLineCutsBetweenCharacters) {
  const ArmProgress progress = {
      .cell = "\xc3\xa4\xc3\xb6\xc3\xbc", .arm = "B", .done = 1, .total = 2, .elapsed_s = 3};
  EXPECT_EQ(LiveLine(progress, 3), "\r\xc3\xa4\xc3\xb6\x1b[K");
}

TEST(ConsoleSafetyTest, NoGtestMarkerIsEverPrinted) {
  SweepResult sweep = SampleSweep();
  for (CellResult& cell : sweep.cells) {
    cell.cell.model = "[  SKIPPED ]";
    cell.message = "[  FAILED  ]";
    cell.accepted = "[  PASSED  ]";
  }
  std::string text = Summary(sweep, Palette(false));
  for (const CellResult& cell : sweep.cells) text += CellLine(cell, Palette(false));
  EXPECT_THAT(text, Not(HasSubstr("[  ")));
}

}  // namespace
}  // namespace bi_test::report
