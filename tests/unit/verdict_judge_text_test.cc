// The texts of a judgement: mismatch and decision reasons.
#include <gmock/gmock.h>

#include <functional>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using testing::RemoveArm;
using testing::RemoveTrials;

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

}  // namespace
}  // namespace bi_test
