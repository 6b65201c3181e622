// The four verdicts, each on a real llama-server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "bi_test/matchers.h"
#include "e2e/real_world.h"
#include "support/cert_schema.h"

namespace bi_test::e2e {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// What any finished run on a real server shows, whatever its verdict.
void ExpectSoundRun(const CellRun& run, const Experiment& experiment) {
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_EQ(run.record.source, "live");
  EXPECT_TRUE(std::filesystem::exists(run.cert_path)) << run.cert_path;
  EXPECT_TRUE(std::filesystem::exists(run.trace_path)) << run.trace_path;
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  EXPECT_EQ(run.record.complete, true);
  const auto rows = static_cast<std::size_t>(experiment.rows);
  const std::size_t arms = 3 + static_cast<std::size_t>(experiment.passes);
  const std::size_t controls = 2 * std::min<std::size_t>(rows, 8);
  EXPECT_THAT(run.record.trials, SizeIs(arms * rows + controls));
  EXPECT_THAT(run.record.trials, Each(Field("cached_tokens", &Trial::cached_tokens, 0)));
  EXPECT_TRUE(run.judgement.positive_control_ok);
  EXPECT_THAT(run, IsRepeatable());
  EXPECT_TRUE(NoProcessNames(TinyModel(experiment.model).string()));
}

TEST(RealCells, FlashAttentionOnIsRedBecauseOfCoBatching) {
  const Experiment experiment{.name = "red", .flash_attention = "on"};
  const CellRun run = RunExperiment(experiment);
  ExpectSoundRun(run, experiment);
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching"),
                         HasMeanWidth(Ge(0.75 * 8)), Not(IsBatchInvariant())));
  EXPECT_FALSE(run.judgement.transport_only);
  ASSERT_THAT(run.judgement.divergences, Not(IsEmpty()));
  EXPECT_TRUE(run.judgement.divergences.front().token_index.has_value());
}

TEST(RealCells, FlashAttentionOffIsGreenToTheLastBit) {
  const Experiment experiment{.name = "green", .flash_attention = "off"};
  const CellRun run = RunExperiment(experiment);
  ExpectSoundRun(run, experiment);
  EXPECT_THAT(run, AllOf(IsBatchInvariant(), IsTokenIdentical(), IsLogprobIdentical(),
                         MeetsCompletionFloor(), HasMeanWidth(Ge(0.75 * 8)), HasOverlapDepth(Ge(8)),
                         HasCoBatchCoverage(Ge(0.8))));
  EXPECT_EQ(run.judgement.n_passes_effective, experiment.passes);
  EXPECT_THAT(run.cert, IsPromotable());
}

TEST(RealCells, AMixtureOfExpertsShowsBothVerdicts) {
  const Experiment on{.name = "moe_on", .model = "moe", .flash_attention = "on"};
  const CellRun red = RunExperiment(on);
  ExpectSoundRun(red, on);
  EXPECT_THAT(red, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));

  const Experiment off{.name = "moe_off", .model = "moe", .flash_attention = "off"};
  const CellRun green = RunExperiment(off);
  ExpectSoundRun(green, off);
  EXPECT_THAT(green, AllOf(IsBatchInvariant(), IsLogprobIdentical()));
}

TEST(RealCells, WideMarginsAreGreenInTextAndAmberUnderTheExactLogprobPolicy) {
  const Experiment lenient{.name = "wide_record", .model = "wide", .flash_attention = "on"};
  const CellRun green = RunExperiment(lenient);
  ExpectSoundRun(green, lenient);
  EXPECT_THAT(green, AllOf(IsBatchInvariant(), IsTokenIdentical(), Not(IsLogprobIdentical())));

  const Experiment exact{
      .name = "wide_exact", .model = "wide", .flash_attention = "on", .logprobs = "exact"};
  const CellRun amber = RunExperiment(exact);
  ExpectSoundRun(amber, exact);
  EXPECT_THAT(amber, HasVerdict(Verdict::kAmber));
  EXPECT_THAT(amber.judgement.reason_codes, Contains("LOGIT_ONLY"));
}

TEST(RealCells, OneBaselineServesEveryN) {
  const Experiment experiment{.name = "reuse", .flash_attention = "off", .passes = 2};
  Result<Sweep> sweep = LoadSweep(WriteSweep(experiment), ProcessEnvironment());
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  const CellRun first = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
  ExpectSoundRun(first, experiment);
  EXPECT_EQ(*first.cert.document.Find("baseline")->Find("reused"), Json(false));

  SweepCell other_n = sweep->cells.at(0);
  other_n.cell.dispatch_n = 4;
  const CellRun second = RunCell(*sweep, other_n, RunOptions{});
  ExpectSoundRun(second, experiment);
  const Json& baseline = *second.cert.document.Find("baseline");
  EXPECT_EQ(*baseline.Find("reused"), Json(true));
  EXPECT_EQ(*baseline.Find("run_id"), *first.record.header.Find("provenance")->Find("run_id"));
  EXPECT_EQ(first.requests_sent - second.requests_sent, 2 * experiment.rows)
      << "A and A2 are not asked again";
  EXPECT_EQ(first.server_logs.size(), 3u) << "A, A3, N";
  EXPECT_EQ(second.server_logs.size(), 2u) << "A3, N";

  // Another flag is another baseline.
  sweep->server.flags.push_back("--no-warmup");
  const CellRun third = RunCell(*sweep, other_n, RunOptions{});
  EXPECT_EQ(*third.cert.document.Find("baseline")->Find("reused"), Json(false));
}

TEST(RealCells, AWorkSetSmallerThanNIsUnverified) {
  const Experiment experiment{.name = "narrow", .flash_attention = "off", .rows = 6};
  const CellRun run = RunExperiment(experiment);
  ExpectSoundRun(run, experiment);
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kUnverified), Not(IsBatchInvariant())));
  EXPECT_THAT(run.judgement.reason_codes, Contains("NO_OVERLAP"));
}

TEST(RealCells, ATruncatedModelIsRefusedWithTheServersOwnWords) {
  const Experiment experiment{.name = "truncated", .flash_attention = "off"};
  const std::filesystem::path sweep_file = WriteSweep(experiment);
  Result<Sweep> sweep = LoadSweep(sweep_file, ProcessEnvironment());
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  const std::filesystem::path cut = Scratch() / "cut.gguf";
  std::filesystem::copy_file(TinyModel("dense"), cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
  sweep->models[0].path = cut;
  const CellRun run = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(run.judgement.verdict, Verdict::kUnverified);
  EXPECT_TRUE(run.cert_path.empty());
  EXPECT_TRUE(std::filesystem::exists(run.refusal_path));
  EXPECT_THAT(run.error->Text(), ::testing::HasSubstr("corrupted or incomplete"));
  EXPECT_TRUE(NoProcessNames(cut.string()));
}

}  // namespace
}  // namespace bi_test::e2e
