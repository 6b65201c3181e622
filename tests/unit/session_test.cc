// The host of a sweep, with cells that only pretend to run.
#include "session/sweep_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "process/interrupt.h"
#include "session/exit_status.h"
#include "support/recorded_run.h"
#include "support/temp_dir.h"
#include "unit/sample_runs.h"

namespace bi_test::session {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::ReadText;

class SweepSessionTest : public testing::Test {
 protected:
  /// Runs one cell per function.
  Status RunAll(const std::vector<CellRun (*)()>& runs) {
    auto sweep = std::make_shared<Sweep>(sweep_);
    sweep->file = "cells.yaml";
    sweep->output.dir = out_dir_;
    SessionOptions options;
    options.color = false;
    options.run_cell = [&](const Sweep&, const SweepCell& cell, const RunOptions&) {
      if (before_) before_(n_run_);
      CellRun run = runs[n_run_++]();
      run.cell = cell.cell;
      return run;
    };
    session_ = std::make_unique<SweepSession>(std::move(options), text_);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      SweepCell cell;
      cell.cell = {"m", 4096, static_cast<int>(i) + 2};
      cell.test_name = "m" + std::to_string(i);
      session_->Add(sweep, cell, cell.test_name);
    }
    return session_->RunAll();
  }
  std::string OutFile(const std::string& name) const { return ReadText(out_dir_ / name); }

  test_support::TempDir scratch_;
  std::filesystem::path out_dir_ = scratch_.path() / "out";
  Sweep sweep_;
  std::function<void(std::size_t)> before_;
  std::ostringstream text_;
  std::unique_ptr<SweepSession> session_;
  std::size_t n_run_ = 0;
};

using testing_support::AmberRun;
using testing_support::BrokenRun;
using testing_support::GreenRun;
using testing_support::InfrastructureRun;
using testing_support::RedRun;
using testing_support::UnverifiedRun;

TEST_F(SweepSessionTest, AllThatIsToldIsOfTheSameRows) {
  ASSERT_TRUE(RunAll({GreenRun, RedRun, BrokenRun}).ok());
  EXPECT_EQ(session_->rows().size(), 3u);
  EXPECT_THAT(OutFile("junit.xml"), AllOf(HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\"")));
  EXPECT_THAT(OutFile("index.html"), HasSubstr("1 of 3 cells passed"));
  EXPECT_THAT(OutFile("summary.md"), HasSubstr("1 of 3 cells passed"));
  const std::string text = text_.str();
  EXPECT_THAT(text, AllOf(HasSubstr("GREEN"), HasSubstr("RED"),
                          HasSubstr("junit  " + (out_dir_ / "junit.xml").string() + "\n"),
                          HasSubstr("page   " + (out_dir_ / "index.html").string() + "\n")));
  EXPECT_THAT(text, HasSubstr(session_->rows()[1].explanation + "\n"));
  EXPECT_THAT(text, Not(HasSubstr(session_->rows()[0].explanation)));
}

struct StatusCase {
  const char* name;
  std::vector<CellRun (*)()> runs;
  ExitCode code;
};

class SweepStatusTest : public SweepSessionTest, public testing::WithParamInterface<StatusCase> {};

TEST_P(SweepStatusTest, IsThatOfItsWorstCell) {
  ASSERT_TRUE(RunAll(GetParam().runs).ok());
  EXPECT_EQ(session_->status(), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SweepStatusTest,
    testing::Values(StatusCase{"AllGreen", {GreenRun, GreenRun}, kExitOk},
                    StatusCase{"OneRed", {GreenRun, RedRun, GreenRun}, kExitNo},
                    StatusCase{"Amber", {AmberRun}, kExitNo},
                    StatusCase{"Unverified", {UnverifiedRun}, kExitNo},
                    StatusCase{"RedOfFaults", {InfrastructureRun}, kExitNo},
                    StatusCase{"NoVerdict", {GreenRun, BrokenRun}, kExitError},
                    StatusCase{"NoVerdictBehindARed", {RedRun, BrokenRun}, kExitError},
                    StatusCase{"NoVerdictBeforeARed", {BrokenRun, RedRun}, kExitError}),
    [](const testing::TestParamInfo<StatusCase>& one) { return std::string(one.param.name); });

TEST_F(SweepSessionTest, ASignedOffAmberPassesAndSaysWhy) {
  sweep_.sign_offs.push_back({"m/4096/2", "Ada", "a tie", "9999-01-01"});
  ASSERT_TRUE(RunAll({AmberRun}).ok());
  EXPECT_EQ(session_->status(), kExitOk);
  EXPECT_EQ(session_->rows()[0].accepted, "signed off by Ada until 9999-01-01: a tie");
}

TEST_F(SweepSessionTest, AChangeOfAKnownVerdictFailsAGreen) {
  KnownVerdict known;
  known.cell = {"m", 4096, 2};
  known.verdict = Verdict::kRed;
  known.divergence_class = "leak";
  sweep_.known_verdicts.cells.push_back(known);
  ASSERT_TRUE(RunAll({GreenRun}).ok());
  EXPECT_EQ(session_->status(), kExitNo);
  EXPECT_THAT(session_->rows()[0].message, testing::StartsWith("the verdict has changed"));
}

TEST_F(SweepSessionTest, AFolderThatCannotBeWrittenIsFoundBeforeAnythingRuns) {
  testing_support::WriteText(scratch_.path() / "file", "");
  out_dir_ = scratch_.path() / "file" / "out";
  const Status status = RunAll({GreenRun});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().Text(),
              testing::StartsWith("cannot write the JUnit file " + out_dir_.string()));
  EXPECT_EQ(n_run_, 0u);
  EXPECT_EQ(session_->status(), kExitError);
}

TEST_F(SweepSessionTest, WhileACellRunsTheJunitFileSaysSo) {
  std::string junit;
  before_ = [&](std::size_t i) {
    if (i == 1) junit = OutFile("junit.xml");
  };
  ASSERT_TRUE(RunAll({GreenRun, GreenRun, GreenRun}).ok());
  EXPECT_THAT(junit, AllOf(HasSubstr("tests=\"3\" failures=\"0\" errors=\"2\""),
                           HasSubstr("not finished: the program ended while this cell was "
                                     "running")));
  EXPECT_THAT(OutFile("junit.xml"), Not(HasSubstr("not finished")));
}

TEST_F(SweepSessionTest, ASignalLeavesTheOtherCellsNotRun) {
  before_ = [](std::size_t) { ASSERT_EQ(::raise(SIGTERM), 0); };
  ASSERT_TRUE(RunAll({GreenRun, GreenRun}).ok());
  EXPECT_EQ(n_run_, 1u);
  EXPECT_EQ(session_->rows()[0].state, report::CellState::kRan);
  EXPECT_EQ(session_->rows()[1].state, report::CellState::kNotRun);
  EXPECT_EQ(session_->rows()[1].message, "not run: signal 15 asked to stop");
  EXPECT_EQ(ExitStatus(session_->status()), 128 + SIGTERM);
  const process::InterruptGuard forget;  // for the tests that follow
  EXPECT_EQ(ExitStatus(kExitNo), kExitNo);
  EXPECT_THAT(WhyStopped(), IsEmpty());
}

TEST(WorseTest, OrdersTheCodesAsTheirHeaderSays) {
  const std::vector<ExitCode> falling = {kExitUsage,       kExitError,      kExitNo,
                                         kExitNothingToDo, kExitAllSkipped, kExitOk};
  for (std::size_t i = 0; i < falling.size(); ++i) {
    for (std::size_t j = i; j < falling.size(); ++j) {
      EXPECT_EQ(Worse(falling[i], falling[j]), falling[i]);
      EXPECT_EQ(Worse(falling[j], falling[i]), falling[i]);
    }
  }
}

}  // namespace
}  // namespace bi_test::session
