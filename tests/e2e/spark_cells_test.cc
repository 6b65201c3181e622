// The spark profile on a real llama-server: lengths by its own tokenizer, one baseline for every N,
// what shaped the work-set on the cert.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "bi_test/matchers.h"
#include "bi_test/spark.h"
#include "e2e/real_world.h"
#include "support/cert_schema.h"

namespace bi_test::e2e {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;

using ::testing::SizeIs;

// As a program that wants the profile does in its main().
[[maybe_unused]] const bool kRegistered = RegisterSpark().ok();

// Nine prompts make three whole waves of three.
constexpr int kCtx = 1024;
constexpr int kMaxTokens = 16;

Result<Sweep> SparkSweep(const std::string& name, const std::string& workset,
                         const std::string& flash_attention) {
  const std::filesystem::path path = Scratch() / (name + ".yaml");
  std::ofstream(path) << "server:\n  kind: llama.cpp\n  binary: " << RealServer() << "\n"
                      << "  flags: [-t, 1, -ub, 64]\n"
                      << "models:\n  - id: dense\n    path: " << TinyModel("dense").string() << "\n"
                      << "    flags: [-fa, \"" << flash_attention << "\"]\n"
                      << "matrix: {ctx: " << kCtx << ", parallel: [3, 2]}\n"
                      << "workset: " << workset << "\n"
                      << "run: {passes: 2, max_tokens: " << kMaxTokens
                      << ", ignore_eos: true, reps: 1, control_sample: 2}\n"
                      << "output: {dir: " << name << "-out}\n";
  return LoadSweep(path, ProcessEnvironment());
}

const Json& Workset(const CellRun& run) { return *run.cert.document.Find("workset"); }

// Again when the machine was too busy for a pass to reach its width.
CellRun RunCellOf(const Sweep& sweep, std::size_t cell) {
  CellRun run;
  for (int attempt = 0; attempt < 3; ++attempt) {
    run = RunCell(sweep, sweep.cells.at(cell), RunOptions{});
    const auto& codes = run.judgement.reason_codes;
    if (codes.empty() || (codes.front() != "COVERAGE" && codes.front() != "WIDTH")) break;
  }
  return run;
}

void ExpectSoundRun(const CellRun& run, int rows, int passes = 2) {
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_EQ(run.record.source, "live");
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
  EXPECT_EQ(run.record.complete, true);
  EXPECT_THAT(run.record.trials, SizeIs(static_cast<std::size_t>((3 + passes) * rows + 2 * 2)));
  EXPECT_THAT(run.record.trials, Each(Field("cached_tokens", &Trial::cached_tokens, 0)));
  EXPECT_EQ(*run.cert.document.Find("scorer")->Find("name"), Json("spark"));
  EXPECT_TRUE(NoProcessNames(TinyModel("dense").string()));
}

TEST(SparkCells, FillsAreWhatTheServerCountsAndOneBaselineServesEveryN) {
  const Result<Sweep> sweep =
      SparkSweep("spark", "{profile: spark, corner: long, families: [A2, E2, E4]}", "off");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  const CellRun first = RunCellOf(*sweep, 0);
  ExpectSoundRun(first, 9);
  EXPECT_THAT(first, AllOf(IsBatchInvariant(), MeetsCompletionFloor()));

  const Json& workset = Workset(first);
  EXPECT_EQ(*workset.Find("profile"), Json("spark"));
  EXPECT_EQ(*workset.Find("corner"), Json("long"));
  EXPECT_EQ(*workset.Find("calibration"), Json("measured"));
  EXPECT_EQ(*workset.Find("content_version"), Json(1));
  EXPECT_EQ(*workset.Find("n_items"), Json(9));
  EXPECT_EQ(*workset.Find("needle")->Find("window_source"), Json("none"));
  ASSERT_THAT(*workset.Find("rows")->if_array(), SizeIs(9));

  // The trials say the same number of tokens as the stamp, near the nominal fill, and all of them
  // fit.
  std::set<std::string> prompts;
  std::size_t index = 0;
  for (const Trial& trial : first.record.trials) {
    if (trial.arm != Arm::kA || trial.pass != 0) continue;
    const Json& row = workset.Find("rows")->if_array()->at(index++);
    const std::int64_t tokens = *trial.prompt_tokens_measured.if_int64();
    EXPECT_EQ(*row.Find("tokens"), Json(tokens));
    EXPECT_EQ(*row.Find("family"), trial.family);
    const double nominal = *trial.fill_ratio.if_double();
    const double target = std::min(std::round(kCtx * nominal),
                                   static_cast<double>(*workset.Find("cap_tokens")->if_int64()));
    EXPECT_NEAR(static_cast<double>(tokens), target, target * 0.03 + 1);
    // Template included, as the server counted it.
    EXPECT_LE(*trial.prompt_tokens + kMaxTokens, kCtx);
    EXPECT_LE(*trial.prompt_tokens - tokens, *workset.Find("template_tokens")->if_int64());
    prompts.insert(*trial.prompt_sha256.if_string());
  }
  EXPECT_EQ(prompts.size(), 9U);

  // Another N, as if another process: the same bytes, so the stored baseline serves.
  const CellRun second = RunCellOf(*sweep, 1);
  ExpectSoundRun(second, 9);
  EXPECT_EQ(*second.cert.document.Find("baseline")->Find("reused"), Json(true));
  EXPECT_EQ(*Workset(second).Find("sha256"), *workset.Find("sha256"));
  EXPECT_EQ(Workset(second), workset);
  EXPECT_THAT(second, IsBatchInvariant());
  EXPECT_LE(first.server_logs.size(), 3U) << "the server that counted runs arm A: A, A3, N";
}

TEST(SparkCells, FlashAttentionOnIsRed) {
  Result<Sweep> sweep = SparkSweep(
      "spark_red", "{profile: spark, corner: long, families: [A2, A4], needle: jitter}", "on");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  // Of some 12 comparisons one run in 14 has none that differs, of 48 hardly any.
  sweep->run.passes = 8;
  const CellRun run = RunCellOf(*sweep, 0);
  ExpectSoundRun(run, 6, 8);
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
}

TEST(SparkCells, AQuestionLongerThanItsFillIsRefusedBeforeAnyArm) {
  const Result<Sweep> sweep =
      SparkSweep("spark_short", "{profile: spark, corner: short, families: [E1]}", "off");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  const CellRun run = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
  ASSERT_TRUE(run.error.has_value());
  EXPECT_THAT(
      run.error->Text(),
      ::testing::MatchesRegex(
          ".*spark_short.yaml: workset: the question of family E1 alone has [0-9]+ tokens, more "
          "than the 51 of fill 0.05 at ctx 1024: use a larger ctx, another corner, or leave "
          "the family out"));
  EXPECT_TRUE(run.record.trials.empty());
  EXPECT_TRUE(NoProcessNames(TinyModel("dense").string()));
}

TEST(SparkCells, AFileWithAnotherDigestThanTheRegistrySaysIsRefused) {
  Result<Sweep> sweep = SparkSweep("spark_digest", "{profile: spark, families: [A2]}", "off");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  sweep->models[0].sha256 = std::string(64, '0');
  const CellRun run = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
  ASSERT_TRUE(run.error.has_value());
  EXPECT_EQ(run.error->code, ErrorCode::kRefused);
  EXPECT_THAT(run.error->Text(), ::testing::HasSubstr("the registry says 0000"));
  EXPECT_TRUE(run.server_logs.empty()) << "nothing was launched";
}

}  // namespace
}  // namespace bi_test::e2e
