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
using testing::CleanRecord;
using testing::DriftTokens;
using testing::kEight;
using testing::kFive;
using testing::SetLabel;
using testing::Together;

/// Counters of a server whose slots are never seen busy together, and what they say of arm B.
void OnlyCountersShowWidth(Record& record, double serial_mean) {
  for (PassEvidence& evidence : record.evidence) {
    evidence.server_peak_busy_slots = 1;
    evidence.mean_busy_slots = 4.0;
  }
  PassEvidence serial;
  serial.arm = Arm::kB;
  serial.mean_busy_slots = serial_mean;
  serial.decode_calls = 32;
  record.evidence.push_back(serial);
}

// A server may count slots, or tokens of drafts, where the requests in service are asked for: then
// it shows company in the serial arm too.
TEST(JudgeTest, CountersThatSeeCompanyInASerialArmProveNoWidth) {
  Record honest = CleanRecord(kEight);
  OnlyCountersShowWidth(honest, 1.0);
  EXPECT_EQ(Judge(honest, {}).verdict, Verdict::kGreen);

  Record record = CleanRecord(kEight);
  OnlyCountersShowWidth(record, 4.0);
  const Judgement judgement = Judge(record, {});
  EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
  EXPECT_THAT(judgement.reason_codes, ::testing::Contains("NO_OVERLAP"));
  EXPECT_THAT(judgement.passes.at(0).why_not,
              ::testing::HasSubstr("the counters are not believed: mean width 4.00 in arm B, where "
                                   "requests are sent one at a time"));

  // What the listing of the slots shows still counts.
  for (PassEvidence& evidence : record.evidence) evidence.server_peak_busy_slots = 4;
  testing::Together(record);
  EXPECT_EQ(Judge(record, {}).verdict, Verdict::kGreen);
}

TEST(JudgeTest, TheLowestMeanWidthIsThatOfTheNarrowestPass) {
  Record record = CleanRecord(kEight);
  ASSERT_GE(record.evidence.size(), 2U);
  for (PassEvidence& evidence : record.evidence) evidence.mean_busy_slots = 4.0;
  EXPECT_EQ(Judge(record, {}).min_mean_width, 4.0);
  record.evidence.at(1).mean_busy_slots = 3.25;
  EXPECT_EQ(Judge(record, {}).min_mean_width, 3.25);
  for (PassEvidence& evidence : record.evidence) evidence.mean_busy_slots.reset();
  EXPECT_EQ(Judge(record, {}).min_mean_width, std::nullopt);
}

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
      {"five busy slots of eight",
       {16, 8, 2},
       [](Record& r, Policy&) {
         for (PassEvidence& e : r.evidence) {
           e.server_peak_busy_slots = 5;
           e.mean_busy_slots = 5.0;
         }
       },
       Verdict::kUnverified,
       {},
       {},
       {"NO_OVERLAP", "COVERAGE", "WIDTH"}},
      {"119", {6, 2, 2}, [](Record&, Policy&) {}, Verdict::kGreen, {}, {}, {"CLEAN"}},
      {"the weaker of two measurements counts",
       kEight,
       [](Record& r, Policy&) {
         PassEvidence weaker = r.evidence[0];
         weaker.mean_busy_slots = 2.0;
         r.evidence.push_back(weaker);
       },
       Verdict::kUnverified,
       {},
       {},
       {"COVERAGE", "WIDTH"}},
      {"a second measurement may be silent",
       kEight,
       [](Record& r, Policy&) {
         PassEvidence silent;
         silent.pass = 1;
         r.evidence.push_back(silent);
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"a counter reset in either of two measurements",
       kEight,
       [](Record& r, Policy&) {
         PassEvidence reset = r.evidence[1];
         reset.counter_reset = true;
         r.evidence.push_back(reset);
       },
       Verdict::kUnverified,
       {},
       {},
       {"COVERAGE", "WIDTH"}},
      {"evidence of other arms and of passes that do not exist says nothing",
       kEight,
       [](Record& r, Policy&) {
         PassEvidence other = r.evidence[0];
         other.server_peak_busy_slots = 0;
         other.mean_busy_slots = 0.5;
         other.arm = Arm::kB;
         r.evidence.push_back(other);
         other.arm = Arm::kC;
         for (const int pass : {-1, 2, 5000}) {
           other.pass = pass;
           r.evidence.push_back(other);
         }
       },
       Verdict::kGreen,
       {},
       {},
       {"CLEAN"}},
      {"120, 121, 122, 123: numbers that are none",
       kEight,
       [](Record& r, Policy&) { r.evidence[0].mean_busy_slots = std::nan(""); },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"a negative mean",
       kEight,
       [](Record& r, Policy&) { r.evidence[1].mean_busy_slots = -0.5; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"125: negative decode calls",
       kEight,
       [](Record& r, Policy&) { r.evidence[0].decode_calls = -1; },
       Verdict::kUnverified,
       {},
       {},
       {"INVALID_INPUT"}},
      {"125: negative tokens",
       kEight,
       [](Record& r, Policy&) { r.evidence[0].tokens_decoded = -1; },
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

TEST(JudgeTest, TheWeakestPassIsTheOneOnTheCert) {
  // Ten ids of which eight share the server in either pass; in one of them two rows have no times.
  for (const int weak : {0, 1}) {
    Record record = testing::CleanRecord({10, 4, 2});
    for (Trial& trial : record.trials) {
      if (trial.arm != Arm::kC || trial.test_id < "w08") continue;
      trial.dispatch_ts = 5000.0 + trial.pass + (trial.test_id == "w09" ? 0.5 : 0.0);
      trial.complete_ts = *trial.dispatch_ts + 0.25;
      if (trial.pass == weak) trial.complete_ts.reset();
    }
    const Judgement judgement = Judge(record);
    EXPECT_EQ(judgement.coverage.coverage_fraction, 0.8);
    EXPECT_FALSE(judgement.coverage.cobatch_coverage_ok) << weak;
    EXPECT_EQ(judgement.coverage.missing_interval_ids, (std::vector<std::string>{"w08", "w09"}));
    EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
  }
  Record record = testing::CleanRecord({10, 4, 3});
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kC && trial.pass == 1 && trial.test_id == "w09") {
      trial.dispatch_ts = 5000.0;
      trial.complete_ts = 5001.0;
    }
  }
  EXPECT_EQ(Judge(record).coverage.n_co_batched, 8) << "w08 is then alone as well";
}

TEST(JudgeTest, IdsWithoutAVerdictHaveTheirReason) {
  Record record = testing::CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id == "w00") trial.failure_mode = "empty";
    if (trial.test_id == "w01" && trial.arm == Arm::kC) trial.failure_mode = "http_timeout";
    if (trial.test_id == "w02" && trial.arm == Arm::kA) trial.failure_mode = "server_died";
  }
  const std::vector<UncertifiedId> expected = {
      {"w00", "failed alike in A and C: empty"},
      {"w01", "A ok, C pass 0 http_timeout"},
      {"w02", "A server_died, C pass 0 ok"},
  };
  const std::vector<UncertifiedId> found = Judge(record).uncertified_ids;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].test_id, expected[i].test_id);
    EXPECT_EQ(found[i].reason, expected[i].reason);
  }
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
      {"a drift on an id that diverges is no news",
       kEight,
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         drift(r);
         At(r, Arm::kC, 0, "w01").score = 0.0;
       },
       Verdict::kRed,
       "co_batching",
       {},
       {"AC_DIVERGED"}},
      {"a drift beside a token-only id",  // row 15 of 9.3
       kEight,
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         drift(r);
         DriftTokens(At(r, Arm::kC, 0, "w02"));
       },
       Verdict::kAmber,
       {},
       {},
       {"TOKEN_ONLY", "LOGIT_ONLY", "CONTROL_TOKEN"}},
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
      {"exact, in the second of two passes",
       {8, 4, 2},
       [=](Record& r, Policy& p) {
         p.logprobs = LogprobPolicy::kExact;
         (*At(r, Arm::kC, 1, "w01").logprobs)[1] = std::nextafter(-0.25, 0.0);
       },
       Verdict::kAmber,
       {},
       "logit_drift_only",
       {"LOGIT_ONLY"}},
      {"above eps, in the second of two passes",
       {8, 4, 2},
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         (*At(r, Arm::kC, 0, "w01").logprobs)[1] -= 0.05;
         (*At(r, Arm::kC, 1, "w01").logprobs)[1] -= 0.2;
       },
       Verdict::kAmber,
       {},
       "logit_drift_only",
       {"LOGIT_ONLY"}},
      {"eps, and one pass gives no log-probabilities of an id",
       {8, 4, 2},
       [=](Record& r, Policy& p) {
         eps(p, 0.1);
         At(r, Arm::kC, 1, "w01").logprobs.reset();
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
