// Sentences of a judgement that whole records seldom reach.
#include "verdict/reasons.h"

#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;
using ::testing::StartsWith;

TEST(ReasonsTest, ValuesAreCutAtTwoHundredBytes) {
  EXPECT_EQ(RenderValue(Json(std::string(198, 'x'))).size(), 200U);
  const std::string cut = RenderValue(Json(std::string(199, 'x')));
  EXPECT_EQ(cut, '"' + std::string(199, 'x') + "...");
  EXPECT_EQ(RenderValue(Json(Json::Object{{"b", 1}, {"a", true}})), R"({"a":true,"b":1})");
}

TEST(ReasonsTest, EveryCodeHasASentence) {
  Judgement judgement;
  judgement.reason_codes = {"REQUEST_MISMATCH",
                            "SELF_IDENTITY",
                            "RESTART_UNSTABLE",
                            "ARM_MISSING",
                            "AC_DIVERGED",
                            "AC_AB_DIVERGED",
                            "INFRASTRUCTURE",
                            "LEAK",
                            "PROMPT_TRUNCATED",
                            "INVALID_INPUT",
                            "A2_MISSING",
                            "TRACE_INCOMPLETE",
                            "CACHED_PROMPT",
                            "CONTROL_FAULT",
                            "NO_OVERLAP",
                            "FLOOR",
                            "COVERAGE",
                            "WIDTH",
                            "POSITIVE_CONTROL",
                            "B_DISAGREES",
                            "B2_DISAGREES",
                            "TOKEN_AND_LOGIT",
                            "FRAMING",
                            "FINISH_REASON",
                            "TOKEN_ONLY",
                            "LOGIT_ONLY",
                            "CONTROL_TOKEN",
                            "SERIAL_TOKEN",
                            "UNCERTIFIED_IDS",
                            "FEW_PROMPTS",
                            "CLEAN"};
  const std::vector<std::string> lines =
      DecisionReasons(judgement, {"m", 4096, 4, "f16"}, {}, Policy{});
  for (const std::string& code : judgement.reason_codes) {
    EXPECT_THAT(lines, Contains(StartsWith(code + ": "))) << code;
  }
  EXPECT_THAT(lines, Contains("FEW_PROMPTS: compared 0 distinct prompts, at least 5 are needed"));
  judgement.reason_codes = {"A_CODE_OF_LATER_TIMES"};
  EXPECT_THAT(DecisionReasons(judgement, {"m", 4096, 4, "f16"}, {}, Policy{}),
              Contains("A_CODE_OF_LATER_TIMES"));
}

TEST(ReasonsTest, PassesThatDoNotCountAreNamedUpToSixteen) {
  Record record = CleanRecord({8, 4, 20});
  for (std::size_t pass = 1; pass < 20; ++pass) record.evidence[pass].counter_reset = true;
  const std::vector<std::string> lines = Judge(record).decision_reasons;
  EXPECT_THAT(lines, Contains("pass 1 does not count: counter reset: the server was restarted "
                              "within the pass"));
  EXPECT_THAT(lines, Contains(StartsWith("pass 16 does not count")));
  EXPECT_THAT(lines, Not(Contains(StartsWith("pass 17 does not count"))));
  EXPECT_THAT(lines, Contains("3 more passes do not count"));
}

TEST(ReasonsTest, IdsAreNamedUpToFive) {
  Record record = CleanRecord();
  for (const char* id : {"w00", "w01", "w02", "w03", "w04", "w05", "w06"}) {
    At(record, Arm::kB, 0, id).cached_tokens = 3;
    At(record, Arm::kC, 0, id).request_sha256 = "other";
    At(record, Arm::kC, 1, id).prompt_tokens = 1;
  }
  const std::vector<std::string> lines = Judge(record).decision_reasons;
  const std::string ids = "w00, w01, w02, w03, w04 and 2 more";
  EXPECT_THAT(lines, Contains("cached prompt tokens for: " + ids));
  EXPECT_THAT(lines, Contains("request bodies differ for: " + ids));
  EXPECT_THAT(lines, Contains("prompt token counts differ for: " + ids));
}

TEST(ReasonsTest, ProblemsOfTheRecordAreNamed) {
  Record record = CleanRecord();
  record.header["plan"]["passes"] = "8";
  EXPECT_THAT(Judge(record).decision_reasons,
              Contains("invalid: planned passes: found \"8\", allowed: a whole number from 1 to "
                       "4096"));
}

TEST(ReasonsTest, MismatchTextsOfLostIdsAndRestarts) {
  Record record = CleanRecord();
  testing::RemoveTrials(
      record, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 0 && t.test_id > "w01"; });
  EXPECT_THAT(Judge(record).mismatch,
              Optional(std::string("AC id-set differs; 6 divergent id(s); "
                                   R"(only=["w02","w03","w04","w05","w06"])")));

  record = CleanRecord();
  Trial restarted = At(record, Arm::kA, 0, "w02");
  restarted.pass = 2;
  restarted.score = 0.0;
  record.trials.push_back(restarted);
  EXPECT_THAT(Judge(record).mismatch,
              Optional(std::string("A differs from a fresh launch of its server on 1 id(s); e.g. "
                                   R"(test_id="w02" field="score" A=1.0 A3=0.0)")));
}

TEST(ReasonsTest, DriftIdsAreNamed) {
  Policy policy;
  policy.logprobs = LogprobPolicy::kExact;
  Record record = CleanRecord();
  (*At(record, Arm::kC, 0, "w01").logprobs)[1] = -0.75;
  (*At(record, Arm::kC, 0, "w03").logprobs)[1] = -0.5;
  EXPECT_THAT(Judge(record, policy).decision_reasons,
              Contains("log-probabilities: eps 0.0, largest difference 0.5, drift ids: w01, w03"));
}

TEST(ReasonsTest, AnArmThatReturnedNothingNamesItsFirstCause) {
  Record record = CleanRecord();
  testing::RemoveTrials(record, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 1; });
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kC) trial.failure_mode = "server_died";
  }
  EXPECT_THAT(Judge(record).mismatch,
              Optional(std::string("arm C returned no rows; first cause: arm C pass 0 test_id "
                                   "\"w00\": server_died")));
}

}  // namespace
}  // namespace bi_test
