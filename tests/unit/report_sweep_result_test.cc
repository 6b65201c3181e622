#include <gmock/gmock.h>

#include <ostream>
#include <set>
#include <string>

#include "report/attachments.h"
#include "report/cell_properties.h"
#include "report/sweep_result.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"

namespace bi_test::report {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_support::BrokenRun;
using testing_support::GreenRun;
using testing_support::InfrastructureRun;
using testing_support::RedRun;
using testing_support::ResultOf;
using testing_support::SampleSweep;

TEST(FillFromRunTest, TakesOverWhatTheRunTells) {
  const CellResult result = ResultOf(GreenRun(), "m", 8);
  EXPECT_EQ(result.state, CellState::kRan);
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.verdict, Verdict::kGreen);
  EXPECT_EQ(result.figures.n_compared, 48);
  EXPECT_EQ(result.figures.effective_n, 8);
  EXPECT_EQ(result.requests_sent, 528);
  EXPECT_THAT(result.message, StartsWith("GREEN: "));
}

TEST(FillFromRunTest, LeavesNameLocationAndLabelsAlone) {
  const CellResult result = ResultOf(GreenRun(), "m", 8);
  EXPECT_EQ(result.test_name, "cell_ctx4096_n8");
  EXPECT_EQ(result.file, "cells.yaml");
  EXPECT_EQ(result.line, 8);
  EXPECT_THAT(result.labels, ElementsAre("gpu", "nightly"));
}

TEST(FillFromRunTest, ARunThatBrokeOffHasNoVerdictWhateverItsJudgementHolds) {
  CellRun run = GreenRun();
  run.error = Error{.code = ErrorCode::kServer, .message = "gone", .where = ""};
  const CellResult result = ResultOf(run, "m", 8);
  EXPECT_EQ(result.state, CellState::kError);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.verdict, Verdict::kUnverified);
}

TEST(FillFromRunTest, AnEarlierErrorIsForgotten) {
  CellResult result = ResultOf(BrokenRun(), "m", 8);
  FillFromRun(GreenRun(), result);
  EXPECT_EQ(result.error_code, std::nullopt);
  EXPECT_THAT(result.refusal_path, IsEmpty());
}

struct OutcomeCase {
  std::string name;
  CellState state;
  Verdict verdict;
  bool passed;
  bool transport_only;
  Outcome want;
};

void PrintTo(const OutcomeCase& test, std::ostream* out) { *out << test.name; }

class OutcomeTest : public testing::TestWithParam<OutcomeCase> {};

TEST_P(OutcomeTest, Counts) {
  CellResult cell;
  cell.state = GetParam().state;
  cell.verdict = GetParam().verdict;
  cell.passed = GetParam().passed;
  cell.figures.transport_only = GetParam().transport_only;
  EXPECT_EQ(OutcomeOf(cell), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, OutcomeTest,
    testing::Values(
        OutcomeCase{"GreenPasses", CellState::kRan, Verdict::kGreen, true, false, Outcome::kPass},
        OutcomeCase{"GreenWithAFailedExpectationFails", CellState::kRan, Verdict::kGreen, false,
                    false, Outcome::kFail},
        OutcomeCase{"RedFails", CellState::kRan, Verdict::kRed, false, false, Outcome::kFail},
        OutcomeCase{"RedOfTransportFaultsIsAnError", CellState::kRan, Verdict::kRed, false, true,
                    Outcome::kError},
        OutcomeCase{"UnverifiedFails", CellState::kRan, Verdict::kUnverified, false, false,
                    Outcome::kFail},
        OutcomeCase{"AmberFails", CellState::kRan, Verdict::kAmber, false, false, Outcome::kFail},
        OutcomeCase{"AcceptedAmberPasses", CellState::kRan, Verdict::kAmber, true, false,
                    Outcome::kPass},
        OutcomeCase{"NotRunIsAnError", CellState::kNotRun, Verdict::kGreen, true, false,
                    Outcome::kError},
        OutcomeCase{"BrokenIsAnErrorEvenIfMarkedPassed", CellState::kError, Verdict::kGreen, true,
                    false, Outcome::kError},
        OutcomeCase{"SkippedIsNeverPassed", CellState::kSkipped, Verdict::kGreen, true, false,
                    Outcome::kSkip}),
    [](const testing::TestParamInfo<OutcomeCase>& test) { return test.param.name; });

TEST(TotalsTest, AddUp) {
  const Totals totals = CountCells(SampleSweep().cells);
  EXPECT_EQ(totals.tests, 10);
  EXPECT_EQ(totals.passed + totals.failures + totals.errors + totals.skipped, totals.tests);
  EXPECT_EQ(totals.passed, 4);
  EXPECT_EQ(totals.failures, 2);
  EXPECT_EQ(totals.errors, 3);
  EXPECT_EQ(totals.skipped, 1);
  EXPECT_EQ(totals.not_run, 1);
  EXPECT_EQ(totals.green + totals.red + totals.amber + totals.unverified, 7);
}

TEST(ThroughputTest, ComparesOneAtATimeWithAllPassesOfC) {
  Record record = GreenRun().record;  // A: 400 tokens in 10 s; c1: 400 in 4 s.
  Trial second = record.trials.back();
  second.pass = 1;
  second.dispatch_ts = 30.0;
  second.complete_ts = 46.0;
  record.trials.push_back(second);
  const Throughput rate = MeasureThroughput(record);
  EXPECT_EQ(rate.serial, 40.0);
  EXPECT_EQ(rate.concurrent, 40.0);
  EXPECT_EQ(rate.Gain(), 1.0);
}

TEST(ThroughputTest, IsAbsentWithoutTokensTimesOrTrials) {
  EXPECT_EQ(MeasureThroughput({}), Throughput{});
  EXPECT_EQ(Throughput{}.Gain(), std::nullopt);
  Record record = GreenRun().record;
  for (Trial& trial : record.trials) trial.complete_ts.reset();
  EXPECT_EQ(MeasureThroughput(record).serial, std::nullopt);
  EXPECT_EQ(MeasureThroughput(record).concurrent, std::nullopt);
  record = GreenRun().record;
  for (Trial& trial : record.trials) trial.completion_tokens = "many";
  EXPECT_EQ(MeasureThroughput(record).serial, std::nullopt);
  EXPECT_EQ(MeasureThroughput(record).concurrent, std::nullopt);
}

TEST(ThroughputTest, EveryPassOfEveryArmIsTold) {
  Record record = GreenRun().record;
  Trial repeat = record.trials.front();
  repeat.pass = 1;
  repeat.complete_ts = *repeat.dispatch_ts + 5.0;
  repeat.completion_tokens = 30;
  record.trials.push_back(repeat);
  Trial broken;
  broken.arm = Arm::kB;
  broken.malformed_row = Json(5);
  record.trials.push_back(broken);
  const Throughput rate = MeasureThroughput(record);
  ASSERT_EQ(rate.passes.size(), 4u);
  EXPECT_EQ(rate.passes[0], (PassThroughput{Arm::kA, 0, 1, 400, 10.0}));
  EXPECT_EQ(rate.passes[1], (PassThroughput{Arm::kA, 1, 1, 30, 5.0}));
  EXPECT_EQ(rate.passes[2], (PassThroughput{Arm::kB, 0, 0, 0, 0.0}));
  EXPECT_EQ(rate.passes[3].completion_tokens, 400);
}

testing::Matcher<const CellProperty&> Is(const std::string& name, const std::string& value) {
  return AllOf(Field(&CellProperty::name, name), Field(&CellProperty::value, value));
}

TEST(CellPropertiesTest, HoldTheTrueModelAndWhatWasProven) {
  const auto properties = CellProperties(ResultOf(RedRun(), "Qwen2.5-7B:Q4_K_M/x y", 8));
  EXPECT_THAT(properties, Contains(Is("bi_status", "failed")));
  EXPECT_THAT(properties, Contains(Is("bi_verdict", "RED")));
  EXPECT_THAT(properties, Contains(Is("bi_model", "Qwen2.5-7B:Q4_K_M/x y")));
  EXPECT_THAT(properties, Contains(Is("bi_width", "8")));
  EXPECT_THAT(properties, Contains(Is("bi_divergence_class", "co_batching")));
  EXPECT_THAT(properties, Contains(Is("bi_divergent", "3")));
}

TEST(CellPropertiesTest, SayHowThePositiveControlWent) {
  CellRun run = RedRun();
  for (const bool ok : {true, false}) {
    run.judgement.positive_control_ok = ok;
    EXPECT_THAT(CellProperties(ResultOf(run, "m", 8)),
                Contains(Is("bi_positive_control", ok ? "ok" : "failed")));
  }
}

TEST(CellPropertiesTest, LeaveOutWhatWasNotMeasured) {
  CellRun run = RedRun();
  run.judgement.min_mean_width.reset();
  for (const CellProperty& property : CellProperties(ResultOf(run, "m", 8))) {
    EXPECT_NE(property.name, "bi_mean_width");
    EXPECT_NE(property.name, "bi_rate_upper_bound");
  }
}

TEST(CellPropertiesTest, NamesArePrefixedAndUnique) {
  for (const CellResult& cell : SampleSweep().cells) {
    std::set<std::string> names;
    for (const CellProperty& property : CellProperties(cell)) {
      EXPECT_THAT(property.name, StartsWith("bi_"));
      EXPECT_TRUE(names.insert(property.name).second) << property.name;
      EXPECT_THAT(property.value, Not(IsEmpty())) << property.name;
    }
  }
}

TEST(CellPropertiesTest, ACellWithoutVerdictClaimsNone) {
  for (const CellProperty& property : CellProperties(ResultOf(BrokenRun(), "m", 8))) {
    EXPECT_NE(property.name, "bi_verdict");
    EXPECT_NE(property.name, "bi_width");
  }
}

TEST(AttachmentsTest, OnlyPlainAbsolutePathsAreLinked) {
  CellResult cell;
  cell.cert_path = "/out/a b.json";
  cell.refusal_path = "relative.json";
  cell.trace_path = "/out/x]]\n[[ATTACHMENT|/etc/passwd";
  cell.server_logs = {"/out/\xff.log", ""};
  const std::vector<Attachment> files = AttachmentsOf(cell);
  EXPECT_THAT(files, ElementsAre(Attachment{"cert", "/out/a b.json", true},
                                 Attachment{"refusal", "relative.json", false},
                                 Attachment{"trace", cell.trace_path, false},
                                 Attachment{"server_log_1", "/out/\xff.log", false}));
}

TEST(AttachmentsTest, WhatALinkCannotHoldIsNotLinked) {
  for (const char* path :
       {"/out/a[b", "/out/a]b", "/out/a|b", "/out/a<b", "/out/a>b", "/out/a&b"}) {
    CellResult cell;
    cell.cert_path = path;
    EXPECT_THAT(AttachmentsOf(cell), ElementsAre(Attachment{"cert", path, false}));
  }
}

TEST(AttachmentsTest, AreBounded) {
  CellResult cell;
  cell.server_logs.assign(1000, "/log");
  EXPECT_EQ(AttachmentsOf(cell).size(), 16U);
}

TEST(ErrorCodeNameTest, EveryCodeHasItsOwn) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInterrupted); ++code) {
    EXPECT_TRUE(names.insert(ErrorCodeName(static_cast<ErrorCode>(code))).second) << code;
  }
}

}  // namespace
}  // namespace bi_test::report
