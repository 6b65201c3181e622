// Each ready work-set finds the divergence of a model with random weights on a real llama-server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "bi_test/matchers.h"
#include "e2e/real_world.h"

namespace bi_test::e2e {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Ge;
using ::testing::SizeIs;

const Json& At(const Cert& cert, const char* section, const char* key) {
  static const Json kNone;
  const Json* found = cert.document.Find(section);
  if (found != nullptr) found = found->Find(key);
  return found == nullptr ? kNone : *found;
}

TEST(ReadyWorksets, CanaryIsRedOnRandomWeights) {
  const CellRun run = RunExperiment(
      {.name = "canary", .flash_attention = "on", .passes = 2, .workset = "{builtin: canary}"});
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
}

TEST(ReadyWorksets, LengthsIsRedOnRandomWeightsAndHitsEveryLength) {
  const CellRun run = RunExperiment(
      {.name = "lengths", .flash_attention = "on", .passes = 2, .workset = "{builtin: lengths}"});
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
  std::set<std::int64_t> lengths;
  for (const Trial& trial : run.record.trials) {
    const std::int64_t* tokens = trial.prompt_tokens_measured.if_int64();
    ASSERT_NE(tokens, nullptr);
    EXPECT_EQ(trial.family, Json("tokens_" + std::to_string(*tokens)));
    lengths.insert(*tokens);
  }
  EXPECT_THAT(lengths, SizeIs(Ge(20U)));
  for (const std::int64_t edge : {31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513}) {
    EXPECT_THAT(lengths, Contains(edge));
  }
}

TEST(ReadyWorksets, FragileKeepsTheThinnestMarginsAndIsRedOnRandomWeights) {
  const Experiment experiment{.name = "fragile",
                              .flash_attention = "on",
                              .passes = 2,
                              .workset = "{builtin: fragile, size: 30}"};
  const CellRun run = RunExperiment(experiment);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, AllOf(HasVerdict(Verdict::kRed), HasDivergenceClass("co_batching")));
  EXPECT_EQ(At(run.cert, "workset", "pool"), Json("built-in pool"));
  EXPECT_EQ(At(run.cert, "workset", "n_items"), Json(30));
  const double* widest = At(run.cert, "workset", "widest_margin").if_double();
  ASSERT_NE(widest, nullptr);
  for (const Trial& trial : run.record.trials) {
    if (trial.arm != Arm::kA || trial.pass != 0) continue;
    ASSERT_TRUE(trial.margins.has_value());
    EXPECT_LE(*std::ranges::min_element(*trial.margins), *widest) << trial.test_id;
  }
  // The same rows again: what is chosen depends on nothing but the serial answers.
  const CellRun again = RunExperiment(experiment);
  EXPECT_EQ(At(again.cert, "workset", "sha256"), At(run.cert, "workset", "sha256"));
}

}  // namespace
}  // namespace bi_test::e2e
