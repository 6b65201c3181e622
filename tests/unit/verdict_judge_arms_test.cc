// Judge on records in which arms, controls or ids are missing or differ.
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CheckAll;
using testing::DriftTokens;
using testing::kEight;
using testing::RemoveArm;
using testing::RemoveTrials;

TEST(JudgeTest, ArmsAndIdsThatAreMissing) {
  CheckAll({
      {"clean", kEight, [](Record&, Policy&) {}, Verdict::kGreen, {}, {}, {"CLEAN"}},
      {"37",
       kEight,
       [](Record& r, Policy&) { RemoveArm(r, Arm::kC); },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"39, 124",
       kEight,
       [](Record& r, Policy&) { r.trials.clear(); },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT", "NO_OVERLAP", "FLOOR", "COVERAGE", "WIDTH", "POSITIVE_CONTROL"}},
      {"40",
       kEight,
       [](Record& r, Policy&) { RemoveArm(r, Arm::kB); },
       Verdict::kAmber,
       {},
       "AC_agree_B_disagrees",
       {"B_DISAGREES"}},
      {"41",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kB && t.test_id == "w03"; });
       },
       Verdict::kAmber,
       {},
       "AC_agree_B_disagrees",
       {"B_DISAGREES"}},
      {"42",
       kEight,
       [](Record& r, Policy&) { RemoveArm(r, Arm::kA); },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"143",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 1; });
       },
       Verdict::kRed,
       {},
       "arm_missing",
       {"ARM_MISSING"}},
      {"144",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kC && t.pass == 1 && t.test_id == "w05";
         });
       },
       Verdict::kRed,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"145",
       kEight,
       [](Record& r, Policy&) {
         Trial extra = At(r, Arm::kC, 1, "w05");
         extra.test_id = "z";
         r.trials.push_back(extra);
       },
       Verdict::kRed,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"no repeat of arm A",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kA && t.pass == 1; });
       },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT", "A2_MISSING"}},
      {"a repeat that lost an id",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kA && t.pass == 1 && t.test_id == "w05";
         });
       },
       Verdict::kRed,
       "harness_nondeterminism",
       "self_identity_failed",
       {"SELF_IDENTITY"}},
      {"a repeat that is the announced sample of a stored baseline",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kA && t.pass == 1 && t.test_id > "w02";
         });
         r.header["plan"]["a2_sample"] = 3;
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"a sample of none is no sample",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kA && t.pass == 1; });
         r.header["plan"]["a2_sample"] = 0;
       },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT", "A2_MISSING"}},
      {"a sample whose rows all failed",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kA && t.pass == 1 && t.test_id > "w00";
         });
         At(r, Arm::kA, 1, "w00").failure_mode = "http_timeout";
         r.header["plan"]["a2_sample"] = 1;
       },
       Verdict::kRed,
       "infrastructure",
       "self_identity_failed",
       {"SELF_IDENTITY", "INFRASTRUCTURE"}},
      {"a sample smaller than announced",
       kEight,
       [](Record& r, Policy&) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kA && t.pass == 1 && t.test_id > "w02";
         });
         r.header["plan"]["a2_sample"] = 4;
       },
       Verdict::kRed,
       "harness_nondeterminism",
       "self_identity_failed",
       {"SELF_IDENTITY"}},
      {"hand-made trace without any header",
       kEight,
       [](Record& r, Policy&) {
         r.header = Json();
         r.complete.reset();
         for (Trial& trial : r.trials) {
           trial.prompt_sha256 = nullptr;
           trial.request_sha256 = nullptr;
           trial.token_ids.reset();
           trial.logprobs.reset();
           trial.finish_reason = Json();
         }
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
  });
}

TEST(JudgeTest, ControlsOfArmsAAndB) {
  const auto add = [](Record& r, Arm arm, int pass, const std::function<void(Trial&)>& change) {
    Trial trial = At(r, arm, 0, "w02");
    trial.pass = pass;
    change(trial);
    r.trials.push_back(trial);
  };
  const auto same = [](Trial&) {};
  const auto other_score = [](Trial& t) { t.score = 0.0; };
  CheckAll({
      {"160",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kA, 1, "w02").score = 0.0; },
       Verdict::kRed,
       "harness_nondeterminism",
       "self_identity_failed",
       {"SELF_IDENTITY"}},
      {"repeat timed out",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kA, 1, "w02").failure_mode = "http_timeout"; },
       Verdict::kRed,
       "infrastructure",
       "self_identity_failed",
       {"SELF_IDENTITY", "INFRASTRUCTURE"}},
      {"serial token drift",
       kEight,
       [](Record& r, Policy&) { DriftTokens(At(r, Arm::kA, 1, "w02")); },
       Verdict::kAmber,
       {},
       "serial_token_drift",
       {"SERIAL_TOKEN"}},
      {"restart agrees",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kA, 2, same); },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"restart announced for more ids than it has",
       kEight,
       [=](Record& r, Policy&) {
         add(r, Arm::kA, 2, same);
         r.header["plan"]["a3_sample"] = 2;
       },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"restart announced and not there",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["a3_sample"] = 2; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"restart and B2 as announced",
       kEight,
       [=](Record& r, Policy&) {
         add(r, Arm::kA, 2, same);
         add(r, Arm::kB, 1, same);
         r.header["plan"]["a3_sample"] = 1;
         r.header["plan"]["b2_sample"] = 1;
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"B2 announced and not there",
       kEight,
       [](Record& r, Policy&) { r.header["plan"]["b2_sample"] = 1; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"restart differs",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kA, 2, other_score); },
       Verdict::kRed,
       "harness_nondeterminism",
       "restart_unstable",
       {"RESTART_UNSTABLE"}},
      {"restart failed",
       kEight,
       [=](Record& r, Policy&) {
         add(r, Arm::kA, 2, [](Trial& t) { t.failure_mode = "server_died"; });
       },
       Verdict::kRed,
       "infrastructure",
       "restart_unstable",
       {"RESTART_UNSTABLE", "INFRASTRUCTURE"}},
      {"repeat failed on one id and differs on another",
       kEight,
       [](Record& r, Policy&) {
         At(r, Arm::kA, 1, "w02").failure_mode = "http_timeout";
         At(r, Arm::kA, 1, "w03").score = 0.0;
       },
       Verdict::kRed,
       "harness_nondeterminism",
       "self_identity_failed",
       {"SELF_IDENTITY"}},
      {"restart drifts",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kA, 2, DriftTokens); },
       Verdict::kAmber,
       {},
       "serial_token_drift",
       {"SERIAL_TOKEN"}},
      {"B2 agrees",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kB, 1, same); },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"B2 differs",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kB, 1, other_score); },
       Verdict::kAmber,
       {},
       "state_left_behind",
       {"B2_DISAGREES"}},
      {"B2 drifts",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kB, 1, DriftTokens); },
       Verdict::kAmber,
       {},
       "control_token_drift",
       {"CONTROL_TOKEN"}},
      {"arm B timed out",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kB, 0, "w02").failure_mode = "http_timeout"; },
       Verdict::kUnverified,
       "infrastructure",
       "control_arm_failed",
       {"CONTROL_FAULT"}},
      {"B2 timed out",
       kEight,
       [=](Record& r, Policy&) {
         add(r, Arm::kB, 1, [](Trial& t) { t.failure_mode = "http_timeout"; });
       },
       Verdict::kUnverified,
       "infrastructure",
       "control_arm_failed",
       {"CONTROL_FAULT"}},
      {"129",
       kEight,
       [](Record& r, Policy&) {
         At(r, Arm::kB, 0, "w01").score = 0.0;
         DriftTokens(At(r, Arm::kC, 0, "w02"));
       },
       Verdict::kAmber,
       {},
       "AC_agree_B_disagrees",
       {"B_DISAGREES", "TOKEN_ONLY", "CONTROL_TOKEN"}},
      {"130",
       kEight,
       [](Record& r, Policy&) { DriftTokens(At(r, Arm::kB, 0, "w02")); },
       Verdict::kAmber,
       {},
       "control_token_drift",
       {"CONTROL_TOKEN"}},
      {"slots alone change answers",
       kEight,
       [](Record& r, Policy&) {
         for (Trial& t : r.trials) {
           if (t.arm != Arm::kA && t.test_id == "w02") t.score = 0.0;
         }
       },
       Verdict::kRed,
       "slot_allocation(+co_batching)",
       {},
       {"AC_AB_DIVERGED"}},
      {"bodies differ",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kC, 1, "w02").request_sha256 = "other"; },
       Verdict::kRed,
       "request_mismatch",
       "request_mismatch",
       {"REQUEST_MISMATCH"}},
  });
}

}  // namespace
}  // namespace bi_test
