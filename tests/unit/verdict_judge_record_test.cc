// Judge on records that are broken off, contradict themselves, or come with an unusable policy.
#include <gmock/gmock.h>

#include <cmath>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CheckAll;
using testing::CleanRecord;
using testing::kEight;
using testing::RemoveTrials;
using ::testing::SizeIs;

TEST(JudgeTest, TheRecordItself) {
  CheckAll({
      {"broken off",
       kEight,
       [](Record& r, Policy&) { r.complete = false; },
       Verdict::kUnverified,
       {},
       {},
       {"TRACE_INCOMPLETE"}},
      {"broken off in the last pass",
       kEight,
       [](Record& r, Policy&) {
         r.complete = false;
         RemoveTrials(r, [](const Trial& t) {
           return t.pass == 1 && t.test_id == "w07" && t.arm == Arm::kC;
         });
       },
       Verdict::kRed,
       "infrastructure",
       {},
       {"AC_DIVERGED", "INFRASTRUCTURE"}},
      {"156",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["passes"] = 0; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"one request digest is missing",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kC, 1, "w03").request_sha256 = nullptr; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"one prompt digest is missing",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kA, 0, "w03").prompt_sha256 = nullptr; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"the plan announces a control that is not there",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["a3_sample"] = 8; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"more passes than anyone runs",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["passes"] = 4097; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"passes of an older header",
       kEight,
       [](Record& r, Policy&) {
         r.header["plan"]["passes"] = Json();
         r.header["n_passes"] = 3;
       },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"passes of nobody",
       kEight,
       [](Record& r, Policy&) {
         r.header["plan"] = Json();
         r.header["n_passes"] = Json();
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"a header of another kind",
       kEight,
       [](Record& r, Policy&) {
         r.header["plan"] = "two passes";
         r.header["server"] = Json::Array{4};
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"told to stop early by no bool",
       kEight,
       [](Record& r, Policy&) {
         r.header["plan"]["fail_fast"] = "true";
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 1; });
         At(r, Arm::kC, 0, "w00").score = 0.0;
       },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"told to stop early, and nothing of C at all",
       kEight,
       [](Record& r, Policy&) {
         r.header["plan"]["fail_fast"] = true;
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kC; });
       },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"nothing of C, and nothing planned",
       kEight,
       [](Record& r, Policy&) {
         r.header = Json();
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kC; });
       },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"planned passes of another type",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["passes"] = "8"; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"no cell",
       kEight,
       [](Record& r, Policy&) { r.cell.model.clear(); },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"two rows of one id",
       kEight,
       [](Record& r, Policy&) { r.trials.push_back(At(r, Arm::kC, 0, "w01")); },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"a laxer policy",
       kEight,
       [](Record&, Policy& p) { p.min_ok_fraction = 0.1; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"an unusable policy hides no divergence",
       kEight,
       [](Record& r, Policy& p) {
         p.min_ok_fraction = std::nan("");
         At(r, Arm::kC, 0, "w01").score = 0.0;
       },
       Verdict::kRed,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"cached prompt",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kB, 0, "w01").cached_tokens = 12; },
       Verdict::kUnverified,
       {},
       {},
       {"CACHED_PROMPT"}},
      {"four prompts",
       {4, 4, 2},
       [](Record&, Policy&) {},
       Verdict::kUnverified,
       {},
       {},
       {"FEW_PROMPTS"}},
      {"a stricter sample",
       kEight,
       [](Record&, Policy& p) { p.min_effective_prompts = 9; },
       Verdict::kUnverified,
       {},
       {},
       {"FEW_PROMPTS"}},
  });
}

TEST(JudgeTest, AnUnusablePolicyIsReplacedByTheDefaults) {
  Policy lax;
  lax.min_ok_fraction = 0.1;
  lax.min_coverage_fraction = 0.1;
  const Judgement judgement = Judge(CleanRecord(), lax);
  EXPECT_EQ(judgement.floor.min_ok_fraction, 0.8);
  EXPECT_EQ(judgement.coverage.min_coverage_fraction, 0.8);
}

TEST(JudgeTest, AStopAtTheFirstDifferenceDoesNotLoseTheOtherPasses) {
  Record record = CleanRecord({8, 4, 3});
  record.header["plan"]["fail_fast"] = true;
  RemoveTrials(record, [](const Trial& t) { return t.arm == Arm::kC && t.pass > 0; });
  At(record, Arm::kC, 0, "w01").score = 0.0;
  const Judgement stopped = Judge(record);
  EXPECT_EQ(stopped.verdict, Verdict::kRed);
  EXPECT_EQ(stopped.ac.n_divergent, 1);
  EXPECT_EQ(stopped.n_passes, 3);
  EXPECT_THAT(stopped.passes, SizeIs(1));

  At(record, Arm::kC, 0, "w01").score = 1.0;
  const Judgement clean = Judge(record);
  EXPECT_EQ(clean.verdict, Verdict::kRed) << "without a difference there was no reason to stop";
  EXPECT_THAT(clean.passes, SizeIs(3));
}

}  // namespace
}  // namespace bi_test
