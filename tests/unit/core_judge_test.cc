// Judge on whole records: the cases of contract section 15 that end in a verdict, and the text of
// it.
#include "bi_test/judge.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Optional;
using testing::RecordShape;
using testing::RemoveTrials;
using ::testing::SizeIs;

using Text = std::optional<std::string>;

struct Scenario {
  const char* name;
  RecordShape shape;
  std::function<void(Record&, Policy&)> change;
  Verdict verdict;
  Text divergence_class, anomaly;
  std::vector<std::string> codes;
};

void CheckAll(const std::vector<Scenario>& scenarios) {
  for (const Scenario& one : scenarios) {
    Record record = CleanRecord(one.shape);
    Policy policy;
    one.change(record, policy);
    const Judgement judgement = Judge(record, policy);
    EXPECT_EQ(judgement.verdict, one.verdict) << one.name << "\n" << judgement;
    EXPECT_EQ(judgement.divergence_class, one.divergence_class) << one.name;
    EXPECT_EQ(judgement.anomaly, one.anomaly) << one.name;
    EXPECT_THAT(judgement.reason_codes, ElementsAreArray(one.codes)) << one.name;
    EXPECT_EQ(judgement.mismatch.has_value(), one.verdict == Verdict::kRed) << one.name;
  }
}

/// Lets all requests of a pass run side by side.
void Together(Record& record) {
  for (Trial& trial : record.trials) {
    if (trial.arm != Arm::kC) continue;
    trial.dispatch_ts = 1000.0 + trial.pass;
    trial.complete_ts = 1000.5 + trial.pass;
  }
}

void SetLabel(Record& record, std::string_view id, const char* label) {
  for (Trial& trial : record.trials) {
    if (trial.test_id != id) continue;
    trial.failure_mode = label;
    trial.score = 0.0;
    trial.passed = false;
  }
}

/// Another output with the same scored fields.
void DriftTokens(Trial& trial) {
  trial.content = "the same answer in other words";
  trial.token_ids = {{7, 8, 9}};
}

void RemoveArm(Record& record, Arm arm) {
  RemoveTrials(record, [arm](const Trial& t) { return t.arm == arm; });
}

constexpr RecordShape kEight{8, 4, 2};
constexpr RecordShape kFive{5, 4, 2};

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
      {"restart differs",
       kEight,
       [=](Record& r, Policy&) { add(r, Arm::kA, 2, other_score); },
       Verdict::kRed,
       "harness_nondeterminism",
       "restart_unstable",
       {"RESTART_UNSTABLE"}},
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

TEST(JudgeTest, MismatchTextsAreExact) {
  struct Case {
    const char* name;
    std::function<void(Record&)> change;
    const char* text;
  };
  const Case cases[] = {
      {"158", [](Record& r) { At(r, Arm::kC, 0, "w01").score = 0.0; },
       R"(AC divergent on 1 id(s); e.g. test_id="w01" field="score" A=1.0 C=0.0)"},
      {"159",
       [](Record& r) {
         RemoveTrials(r, [](const Trial& t) {
           return t.arm == Arm::kC && t.pass == 0 && t.test_id == "w03";
         });
       },
       R"(AC id-set differs; 1 divergent id(s); only=["w03"])"},
      {"160", [](Record& r) { At(r, Arm::kA, 1, "w01").passed = false; },
       R"(A differs from its own repeat on 1 id(s); e.g. test_id="w01" field="passed" A=true A2=false)"},
      {"arm missing", [](Record& r) { RemoveArm(r, Arm::kC); }, "arm C returned no rows"},
      {"arm A missing", [](Record& r) { RemoveArm(r, Arm::kA); }, "arm A returned no rows"},
      {"request mismatch", [](Record& r) { At(r, Arm::kB, 0, "w01").request_sha256 = "x"; },
       R"(request bodies differ between arms on 1 id(s); e.g. test_id="w01")"},
      {"transport",
       [](Record& r) {
         Trial& t = At(r, Arm::kC, 1, "w03");
         t.failure_mode = "bad_reply";
         t.phase = "body";
         t.reason = "truncated body";
       },
       R"(AC divergent on 1 id(s); e.g. test_id="w03" field="failure_mode" A="ok" C="bad_reply"; )"
       R"(first cause: arm C pass 1 test_id "w03": bad_reply (body): truncated body)"},
  };
  for (const Case& one : cases) {
    Record record = CleanRecord();
    one.change(record);
    EXPECT_THAT(Judge(record).mismatch, Optional(std::string(one.text))) << one.name;
  }
}

TEST(JudgeTest, LongValuesInTheMismatchAreCut) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w01").extracted_answer = std::string(5000, 'x');
  const std::string text = *Judge(record).mismatch;
  EXPECT_LT(text.size(), 400U);
  EXPECT_THAT(text, HasSubstr("xxx..."));
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

TEST(JudgeTest, EveryJudgementPlantsAChangeInEveryPass) {
  const Judgement judgement = Judge(CleanRecord({8, 4, 3}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_EQ(judgement.positive_controls, 3);
}

TEST(JudgeTest, PlantingStaysCheapWithManyPasses) {
  const Judgement judgement = Judge(CleanRecord({5, 4, 50}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_LE(judgement.positive_controls, 16);
}

TEST(JudgeTest, ReasonsFollowTheOrderOfTheContract) {
  Policy policy;
  policy.logprobs = LogprobPolicy::kEps;
  policy.logit_drift_eps = 0.1;
  const Judgement judgement = Judge(CleanRecord(), policy);
  EXPECT_THAT(
      judgement.decision_reasons,
      ElementsAre(
          "n_divergent: AC=0 AB=0 BC=0",
          "overlap: client depth 4 (at least 2), busy slots 4 (at least 3), 2 of 2 passes at "
          "width 4, overlap_ok=true",
          "completion floor: ok in A 8, ok in C 8, required 7 (0.80 of 8), "
          "completion_floor_ok=true",
          "co-batch coverage: 8/8 = 1.000, required 7 (fraction 0.80), client intervals, "
          "attribution_certain=true, missing 0, busy slots 4, cobatch_coverage_ok=true",
          "log-probabilities: eps 0.1, largest difference 0.0, drift ids: none",
          "CLEAN: no difference was seen, and the evidence suffices for this sample"));
}

TEST(JudgeTest, StatisticsCountWhatWasCompared) {
  const SampleStatistics clean = Judge(CleanRecord({30, 4, 2})).statistics;
  EXPECT_EQ(clean.n_hot_trials, 30);
  EXPECT_EQ(clean.n_effective_prompts, 30);
  EXPECT_EQ(clean.n_comparisons, 60);
  EXPECT_EQ(clean.n_planned_comparisons, 60);
  EXPECT_THAT(clean.rule_of_three, Optional(0.1));
  EXPECT_THAT(clean.clopper_pearson_upper_95, Optional(::testing::DoubleNear(0.0950, 5e-5)));
  EXPECT_EQ(clean.comparisons_for_95, 299);

  Record record = CleanRecord({30, 4, 2});
  At(record, Arm::kC, 1, "w01").score = 0.0;
  const SampleStatistics red = Judge(record).statistics;
  EXPECT_EQ(red.rule_of_three, std::nullopt) << "case 153";
  EXPECT_EQ(red.clopper_pearson_upper_95, std::nullopt);
  EXPECT_EQ(red.n_divergent_prompts, 1);
  EXPECT_EQ(red.n_compared_prompts, 30);
  EXPECT_TRUE(red.exact_upper_95);
}

TEST(JudgeTest, FailedRequestsAreNoComparisons) {
  Record record = CleanRecord({8, 4, 2});
  At(record, Arm::kC, 1, "w01").failure_mode = "http_5xx";
  const SampleStatistics statistics = Judge(record).statistics;
  EXPECT_EQ(statistics.n_comparisons, 15);
  EXPECT_EQ(statistics.n_divergent_prompts, 0);
  EXPECT_EQ(statistics.n_compared_prompts, 8);
}

}  // namespace
}  // namespace bi_test
