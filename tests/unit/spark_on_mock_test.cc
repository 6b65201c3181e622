// The spark profile through a run, against the in-process mock: what a real server cannot be
// made to say of itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "bi_test/matchers.h"
#include "bi_test/mock_run.h"
#include "bi_test/spark.h"
#include "run/estimate.h"
#include "support/cert_schema.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::SizeIs;

fs::path OutDir() {
  return fs::temp_directory_path() / ("bi_test_spark_" + std::to_string(getpid())) /
         ::testing::UnitTest::GetInstance()->current_test_info()->name();
}

Sweep SparkSweep(const SparkConfig& config = {}) {
  Sweep sweep;
  sweep.file = "spark.yaml";
  sweep.models.resize(1);
  sweep.models[0].id = "m";
  sweep.workset_maker = SparkWorkset(config);
  sweep.workset.name = "spark balanced";
  sweep.scorer = "spark";
  sweep.run.passes = 2;
  sweep.run.max_tokens = 16;
  sweep.run.request_timeout = milliseconds{20'000};
  SweepCell cell;
  cell.cell = Cell{"m", 4096, 4, "f16"};
  cell.test_name = "m__ctx4096__n4";
  sweep.cells.push_back(cell);
  return sweep;
}

MockKnobs Mock() {
  MockKnobs knobs;
  knobs.serve_time = milliseconds{15};
  knobs.answer = [](const MockRequest&) {
    MockAnswer answer;
    answer.content = "nothing to say";
    return answer;
  };
  return knobs;
}

class SparkOnMock : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(RegisterSpark().ok()); }
  static void TearDownTestSuite() {
    fs::remove_all(fs::temp_directory_path() / ("bi_test_spark_" + std::to_string(getpid())));
  }

  /// Again, with longer answers, when a pass did not reach its width on a busy machine.
  static CellRun RunOnMock(const Sweep& sweep, MockKnobs knobs) {
    RunOptions options;
    options.out_dir = OutDir();
    CellRun run;
    for (int attempt = 0; attempt < 4; ++attempt) {
      fs::remove_all(options.out_dir);
      run = RunCellOnMock(sweep, sweep.cells.at(0), knobs, options);
      const auto& codes = run.judgement.reason_codes;
      if (codes.empty() || (codes[0] != "COVERAGE" && codes[0] != "WIDTH")) break;
      knobs.serve_time *= 2;
    }
    return run;
  }
};

const Json& Workset(const CellRun& run) { return *run.cert.document.Find("workset"); }

TEST_F(SparkOnMock, AModelThatWritesNoJsonCanStillBeGreen) {
  Sweep sweep = SparkSweep();
  sweep.run.reps = 2;
  const CellRun run = RunOnMock(sweep, Mock());
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, IsBatchInvariant());
  EXPECT_THAT(run, MeetsCompletionFloor());
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  // E2 and E3 at four fills, twice, in seven serial or concurrent passes and samples: a third of it
  // all.
  EXPECT_GE(run.judgement.status_counts.at("no_valid_json"), 16 * 5);
  EXPECT_TRUE(run.judgement.uncertified_ids.empty());

  EXPECT_EQ(*Workset(run).Find("calibration"), Json("measured"));
  EXPECT_EQ(*Workset(run).Find("n_items"), Json(80));
  EXPECT_EQ(*run.cert.document.Find("reps"), Json(2));
  EXPECT_EQ(run.judgement.statistics.n_distinct_prompts, 80);
  for (const Trial& trial : run.record.trials) {
    const bool json = trial.family == Json("E2") || trial.family == Json("E3");
    EXPECT_EQ(trial.failure_mode, Json(json ? "no_valid_json" : "ok")) << trial;
  }
}

TEST_F(SparkOnMock, TheWindowIsAskedOfTheServer) {
  SparkConfig config;
  config.corner = "long";
  config.families = {"A2", "E5"};
  config.needle = NeedleStrategy::kAdaptive;
  Sweep sweep = SparkSweep(config);
  MockKnobs knobs = Mock();
  knobs.n_swa = 700;
  const CellRun run = RunOnMock(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  const Json& needle = *Workset(run).Find("needle");
  EXPECT_EQ(*needle.Find("strategy"), Json("adaptive"));
  EXPECT_EQ(*needle.Find("window"), Json(700));
  EXPECT_EQ(*needle.Find("window_source"), Json("probe"));
  for (const Json& row : *Workset(run).Find("rows")->if_array()) {
    EXPECT_GT(*row.Find("position")->if_string(), "0.8") << row;
  }

  config.window = 0;
  sweep = SparkSweep(config);
  const CellRun dense = RunOnMock(sweep, knobs);
  ASSERT_FALSE(dense.error.has_value()) << dense.error->Text();
  EXPECT_EQ(*Workset(dense).Find("needle")->Find("window_source"), Json("option"));
  EXPECT_EQ(*Workset(dense).Find("rows")->if_array()->at(0).Find("position"), Json("0.500000"));
}

TEST_F(SparkOnMock, WithoutATokenizerLengthsAreEstimatedAndSaidSo) {
  SparkConfig config;
  config.families = {"A2", "A4"};
  const Sweep sweep = SparkSweep(config);
  MockKnobs knobs = Mock();
  knobs.tokenize_shape = MockTokenizeShape::kError;
  const CellRun run = RunOnMock(sweep, knobs);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_EQ(*Workset(run).Find("calibration"), Json("estimate"));
  EXPECT_TRUE(Workset(run).Find("fills")->if_array()->at(0).Find("smallest")->is_null());
}

TEST_F(SparkOnMock, ARefusalNamesTheSweepFile) {
  Sweep sweep = SparkSweep();
  sweep.run.max_tokens = 4096;
  RunOptions options;
  options.out_dir = OutDir();
  const CellRun run = RunCellOnMock(sweep, sweep.cells.at(0), Mock(), options);
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(run.error->Text(),
              ::testing::StartsWith("spark.yaml: workset: max_tokens 4096 and "));
  EXPECT_TRUE(fs::exists(run.refusal_path));
}

TEST_F(SparkOnMock, APlanEstimatesAndStartsNothing) {
  Sweep sweep = SparkSweep();
  sweep.run.reps = 3;
  const Result<run::CellEstimate> plan = run::EstimateCell(sweep, sweep.cells.at(0), RunOptions{});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  EXPECT_EQ(plan->n_items, 120);
  EXPECT_EQ(plan->n_distinct_prompts, 120);
  EXPECT_EQ(plan->n_comparisons, 240);
}

}  // namespace
}  // namespace bi_test
