// Judge on what the evidence of a run bears: completions, overlap, width, coverage, log
// probabilities.
#include <gmock/gmock.h>

#include <cmath>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CheckAll;
using testing::DriftTokens;
using testing::kEight;
using testing::kFive;
using testing::SetLabel;
using testing::Together;

TEST(JudgeTest, FloorAndIdsThatFailAlike) {
  CheckAll({
      {"74",
       kFive,
       [](Record& r, Policy&) {
         Together(r);
         SetLabel(r, "w00", "empty");
       },
       Verdict::kAmber,
       {},
       "uncertified_ids",
       {"UNCERTIFIED_IDS"}},
      {"75",
       kFive,
       [](Record& r, Policy&) {
         Together(r);
         SetLabel(r, "w00", "empty");
         SetLabel(r, "w01", "empty");
       },
       Verdict::kUnverified,
       {},
       {},
       {"FLOOR", "COVERAGE"}},
      {"76",
       kFive,
       [](Record& r, Policy&) {
         for (int i = 0; i < 5; ++i)
           SetLabel(r, testing::MakeTrial(Arm::kA, 0, i, 0, 1).test_id, "empty");
       },
       Verdict::kUnverified,
       {},
       {},
       {"FLOOR", "COVERAGE"}},
      {"79",
       kFive,
       [](Record& r, Policy&) {
         Together(r);
         SetLabel(r, "w00", "http_timeout");
         for (Trial& t : r.trials) {
           if (t.arm == Arm::kC && t.test_id == "w00") {
             t.dispatch_ts = 5000.0 + t.pass;
             t.complete_ts = 5000.5 + t.pass;
           }
         }
       },
       Verdict::kAmber,
       {},
       "uncertified_ids",
       {"UNCERTIFIED_IDS"}},
      {"a stricter floor",
       {10, 4, 2},
       [](Record& r, Policy& p) {
         Together(r);
         SetLabel(r, "w00", "empty");
         p.min_ok_fraction = 1.0;
       },
       Verdict::kUnverified,
       {},
       {},
       {"FLOOR"}},
  });
}

TEST(JudgeTest, OverlapWidthAndCoverage) {
  CheckAll({
      {"118 busy 1",
       kEight,
       [](Record& r, Policy&) {
         for (PassEvidence& e : r.evidence) {
           e.server_peak_busy_slots = 1;
           e.mean_busy_slots = 1.0;
         }
       },
       Verdict::kUnverified,
       {},
       {},
       {"NO_OVERLAP", "COVERAGE", "WIDTH"}},
      {"118 depth 1",
       kEight,
       [](Record& r, Policy&) {
         double clock = 1000.0;
         for (Trial& t : r.trials) {
           if (t.arm != Arm::kC) continue;
           t.dispatch_ts = clock;
           t.complete_ts = clock += 1.0;
         }
       },
       Verdict::kUnverified,
       {},
       {},
       {"NO_OVERLAP", "COVERAGE", "WIDTH"}},
      {"119", {6, 2, 2}, [](Record&, Policy&) {}, Verdict::kGreen, {}, {}, {"CLEAN"}},
      {"120 to 123: numbers that are none",
       kEight,
       [](Record& r, Policy&) { r.evidence[0].mean_busy_slots = std::nan(""); },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"125: a negative count",
       kEight,
       [](Record& r, Policy&) { r.evidence[0].server_peak_busy_slots = -1; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"128",
       kEight,
       [](Record& r, Policy&) {
         r.evidence.clear();
         At(r, Arm::kC, 0, "w01").score = 0.0;
       },
       Verdict::kRed,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"one pass without evidence",
       kEight,
       [](Record& r, Policy&) { r.evidence.pop_back(); },
       Verdict::kUnverified,
       {},
       {},
       {"COVERAGE", "WIDTH"}},
      {"fewer ids than N",
       {3, 4, 2},
       [](Record&, Policy&) {},
       Verdict::kUnverified,
       {},
       {},
       {"NO_OVERLAP"}},
      {"the server has other slots",
       kEight,
       [](Record& r, Policy&) { r.header["server"]["total_slots"] = 2; },
       Verdict::kUnverified,
       {},
       {},
       {"NO_OVERLAP"}},
      {"a serial pass beside a full one",
       kEight,
       [](Record& r, Policy&) {
         double clock = 5000.0;
         for (Trial& t : r.trials) {
           if (t.arm != Arm::kC || t.pass != 1) continue;
           t.dispatch_ts = clock;
           t.complete_ts = clock += 1.0;
         }
       },
       Verdict::kUnverified,
       {},
       {},
       {"COVERAGE", "WIDTH"}},
      {"116",
       kFive,
       [](Record& r, Policy&) {
         Together(r);
         DriftTokens(At(r, Arm::kC, 0, "w00"));
         DriftTokens(At(r, Arm::kC, 1, "w01"));
       },
       Verdict::kAmber,
       {},
       {},
       {"TOKEN_ONLY", "CONTROL_TOKEN"}},
      {"one timestamp missing",
       kEight,
       [](Record& r, Policy&) { At(r, Arm::kC, 0, "w01").complete_ts.reset(); },
       Verdict::kUnverified,
       {},
       {},
       {"COVERAGE"}},
  });
}

TEST(JudgeTest, LogProbabilities) {
  const auto drift = [](Record& r) { (*At(r, Arm::kC, 0, "w01").logprobs)[1] = -0.75; };
  const auto eps = [](Policy& p, double value) {
    p.logprobs = LogprobPolicy::kEps;
    p.logit_drift_eps = value;
  };
  CheckAll({
      {"recorded only",
       kEight,
       [=](Record& r, Policy&) { drift(r); },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"131",
       kEight,
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         drift(r);
       },
       Verdict::kAmber,
       {},
       "logit_drift_only",
       {"LOGIT_ONLY"}},
      {"132",
       kEight,
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         At(r, Arm::kA, 0, "w01").logprob_sum = 1.0;
         Trial& t = At(r, Arm::kC, 0, "w01");
         t.logprob_sum = 1.5;
         t.content = "other";
       },
       Verdict::kAmber,
       {},
       "token_and_logit_drift",
       {"TOKEN_AND_LOGIT", "CONTROL_TOKEN"}},
      {"133",
       kEight,
       [=](Record& r, Policy& p) {
         eps(p, 0.5);
         At(r, Arm::kA, 0, "w01").logprob_sum = 1.0;
         Trial& t = At(r, Arm::kC, 0, "w01");
         t.logprob_sum = 1.5;
         t.content = "other";
       },
       Verdict::kAmber,
       {},
       {},
       {"TOKEN_ONLY", "CONTROL_TOKEN"}},
      {"exact",
       kEight,
       [=](Record& r, Policy& p) {
         p.logprobs = LogprobPolicy::kExact;
         (*At(r, Arm::kC, 0, "w01").logprobs)[1] = std::nextafter(-0.25, 0.0);
       },
       Verdict::kAmber,
       {},
       "logit_drift_only",
       {"LOGIT_ONLY"}},
      {"not available on this server (R042)",
       kEight,
       [=](Record& r, Policy& p) {
         p.logprobs = LogprobPolicy::kExact;
         for (Trial& t : r.trials) t.logprobs.reset();
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
  });
}

}  // namespace
}  // namespace bi_test
