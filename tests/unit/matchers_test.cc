#include "bi_test/matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unit/sample_runs.h"

namespace bi_test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::DescribeMatcher;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;
using testing::Optional;
using testing::Pointee;
using testing::SizeIs;
using testing_support::AmberRun;
using testing_support::BrokenRun;
using testing_support::GreenRun;
using testing_support::RedRun;
using testing_support::UnverifiedRun;

template <typename T, typename M>
std::string Explanation(const M& matcher, const T& value) {
  testing::StringMatchResultListener listener;
  testing::ExplainMatchResult(matcher, value, &listener);
  return listener.str();
}

CellRun Changed(const std::function<void(Judgement&)>& change, CellRun run = GreenRun()) {
  change(run.judgement);
  return run;
}

struct MatcherCase {
  std::string name;
  CellMatcher matcher;
  CellRun accepted;
  CellRun rejected;
  std::string description;
  std::string negation;
  std::string why_accepted;
  std::string why_rejected;
};

void PrintTo(const MatcherCase& test, std::ostream* out) { *out << test.name; }

std::vector<MatcherCase> MatcherCases() {
  const std::string difference =
      "first id t03 in c3, field extracted_answer, token index 17, byte 15: "
      "\"the answer is 42 apples\" against \"the answer is 41 apples\"";
  return {
      {"IsBatchInvariantOnRed", IsBatchInvariant(), GreenRun(), RedRun(), "is batch invariant",
       "isn't batch invariant",
       "whose verdict is GREEN (CLEAN): 0 divergent, 48 ids compared, 8 of 8 passes effective",
       "whose verdict is RED (AC_DIVERGED; class co_batching): 3 divergent, 48 ids compared, 8 of "
       "8 "
       "passes effective; " +
           difference},
      {"IsBatchInvariantOnBrokenRun", IsBatchInvariant(), GreenRun(), BrokenRun(),
       "is batch invariant", "isn't batch invariant",
       "whose verdict is GREEN (CLEAN): 0 divergent, 48 ids compared, 8 of 8 passes effective",
       "whose run broke off without a verdict: arm A: the server ended with status 1 before it was "
       "ready; its last line: failed to load model: 0 divergent, 0 ids compared, 0 of 0 passes "
       "effective"},
      {"IsTokenIdenticalOnTokenDrift", IsTokenIdentical(), GreenRun(), AmberRun(),
       "gives the same tokens in all arms and passes",
       "gives other tokens in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids",
       "which gave another output for 2 ids (pair AC, 48 ids compared); first id t05 in c1, "
       "field content, byte 3: \"yes.\" against \"yes!\""},
      {"IsTokenIdenticalWithUncertifiedIds", IsTokenIdentical(), GreenRun(),
       Changed([](Judgement& j) {
         j.uncertified_ids = {{"t09", "http_timeout"}};
       }),
       "gives the same tokens in all arms and passes",
       "gives other tokens in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids", "which could not compare 1 id"},
      {"IsTokenIdenticalWithOtherRequests", IsTokenIdentical(), GreenRun(),
       Changed([](Judgement& j) {
         j.request_mismatch_ids = {"t09", "t10"};
       }),
       "gives the same tokens in all arms and passes",
       "gives other tokens in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids", "which sent other request bodies for 2 ids"},
      {"IsTokenIdenticalWithNothingCompared", IsTokenIdentical(),
       // A scorer that wavers over one and the same output is not a token difference.
       Changed(
           [](Judgement& j) {
             for (FieldDifference& entry : j.ac.per_id) entry.token_identical = true;
           },
           RedRun()),
       Changed([](Judgement& j) { j.ac.n_compared = 0; }),
       "gives the same tokens in all arms and passes",
       "gives other tokens in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids", "which compared no id"},
      {"IsTokenIdenticalOnDriftInControlArm", IsTokenIdentical(), GreenRun(),
       Changed([](Judgement& j) { j.bc.token_divergence_ids = {"t01"}; }),
       "gives the same tokens in all arms and passes",
       "gives other tokens in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids",
       "which gave another output for 1 id (pair BC, 48 ids compared)"},
      {"IsLogprobIdenticalOnOneBit", IsLogprobIdentical(),
       Changed([](Judgement& j) { j.ac.logit_drift.n_sentinels = 4; }),
       Changed([](Judgement& j) { j.ac.logit_drift.n_ids_logprob_differ = 1; }),
       "gives the same tokens and log-probabilities in all arms and passes",
       "gives other tokens or log-probabilities in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids, and the same log-probabilities, 4 sentinels "
       "left out",
       "which gave the same output for all of 48 ids, and other log-probabilities for 1 of 48 ids "
       "(pair AC)"},
      {"IsLogprobIdenticalWithoutLogprobs", IsLogprobIdentical(), GreenRun(),
       Changed([](Judgement& j) { j.ac.logit_drift.n_ids_with_logprobs = 0; }),
       "gives the same tokens and log-probabilities in all arms and passes",
       "gives other tokens or log-probabilities in some arm or pass, or could not be compared",
       "which gave the same output for all of 48 ids, and the same log-probabilities",
       "which gave the same output for all of 48 ids, and has log-probabilities in both arms for 0 "
       "of "
       "48 ids"},
      {"IsRepeatableOnDrift", IsRepeatable(), GreenRun(), Changed([](Judgement& j) {
         j.aa2.token_divergence_ids = {"t01", "t02"};
       }),
       "gives the same when served one at a time again",
       "gives something else when served one at a time again, or was not repeated",
       "whose arm A gave the same for 48 ids when repeated",
       "whose arm A gave another result for 2 ids when repeated (48 ids compared)"},
      {"IsRepeatableAfterRestart", IsRepeatable(), GreenRun(), Changed([](Judgement& j) {
         j.aa3.emplace();
         j.aa3->n_compared = 6;
         j.aa3->n_divergent = 1;
       }),
       "gives the same when served one at a time again",
       "gives something else when served one at a time again, or was not repeated",
       "whose arm A gave the same for 48 ids when repeated",
       "whose arm A gave another result for 1 id after a restart (6 ids compared)"},
      {"IsRepeatableWithoutRepeat", IsRepeatable(), GreenRun(),
       Changed([](Judgement& j) { j.aa2 = {}; }), "gives the same when served one at a time again",
       "gives something else when served one at a time again, or was not repeated",
       "whose arm A gave the same for 48 ids when repeated",
       "which has no repeat of arm A to compare"},
      {"MeetsCompletionFloor", MeetsCompletionFloor(), GreenRun(), Changed([](Judgement& j) {
         j.floor.n_ok_c = 38;
         j.floor.completion_floor_ok = false;
       }),
       "meets the completion floor", "doesn't meet the completion floor",
       "which has 48 ok in arm A and 48 in arm C, 39 needed in each",
       "which has 48 ok in arm A and 38 in arm C, 39 needed in each"},
      {"HasVerdict", HasVerdict(AnyOf(Verdict::kGreen, Verdict::kAmber)), AmberRun(), RedRun(),
       "has a verdict that (is equal to GREEN) or (is equal to AMBER)",
       "has a verdict that (isn't equal to GREEN) and (isn't equal to AMBER)",
       "whose verdict is AMBER (0 divergent, 48 ids compared, 8 of 8 passes effective; first id "
       "t05 in "
       "c1, field content, byte 3: \"yes.\" against \"yes!\")",
       "whose verdict is RED (3 divergent, 48 ids compared, 8 of 8 passes effective; " +
           difference + ")"},
      {"HasOverlapDepth", HasOverlapDepth(Ge(8)), GreenRun(), UnverifiedRun(),
       "has an overlap depth that is >= 8", "has an overlap depth that isn't >= 8",
       "whose overlap depth is 8 (client 8, server 8)",
       "whose overlap depth is 6 (client 8, server 6)"},
      {"HasOverlapDepthSeenByTheClientAlone", HasOverlapDepth(Ge(2)), GreenRun(),
       Changed([](Judgement& j) { j.server_peak_busy_slots = 1; }),
       "has an overlap depth that is >= 2", "has an overlap depth that isn't >= 2",
       "whose overlap depth is 8 (client 8, server 8)",
       "whose overlap depth is 1 (client 8, server 1)"},
      {"HasMeanWidth", HasMeanWidth(Ge(6.0)), GreenRun(), UnverifiedRun(),
       "has a mean width that is >= 6", "has no mean width, or one that isn't >= 6",
       "whose mean width is 7.25 (worst of 8 passes)",
       "whose mean width is 5.5 (worst of 8 passes)"},
      {"HasMeanWidthUnmeasured", HasMeanWidth(Le(100.0)), GreenRun(),
       Changed([](Judgement& j) { j.min_mean_width.reset(); }), "has a mean width that is <= 100",
       "has no mean width, or one that isn't <= 100",
       "whose mean width is 7.25 (worst of 8 passes)", "whose mean width was not measured"},
      {"HasCoBatchCoverage", HasCoBatchCoverage(Ge(0.9)), GreenRun(), UnverifiedRun(),
       "has a co-batch coverage that is >= 0.9",
       "has no co-batch coverage, or one that isn't >= 0.9",
       "whose co-batch coverage is 0.9375 (worst of 8 passes)",
       "whose co-batch coverage is 0.625 (worst of 8 passes)"},
      {"HasDivergenceClass", HasDivergenceClass(AnyOf("co_batching", "leak")), RedRun(), GreenRun(),
       "has a divergence class that (is equal to \"co_batching\") or (is equal to \"leak\")",
       "has no divergence class, or one that (isn't equal to \"co_batching\") and (isn't equal to "
       "\"leak\")",
       "whose divergence class is \"co_batching\" (" + difference + ")",
       "whose divergence class is absent"},
      {"HasDivergentIds", HasDivergentIds(IsEmpty()), GreenRun(), RedRun(),
       "has a list of divergent ids that is empty",
       "has no list of divergent ids, or one that isn't empty", "whose list of divergent ids is {}",
       "whose list of divergent ids is { t03, t11, t40 }, whose size is 3 (" + difference + ")"},
      {"HasDivergentIdsWithNothingCompared", HasDivergentIds(IsEmpty()), GreenRun(), BrokenRun(),
       "has a list of divergent ids that is empty",
       "has no list of divergent ids, or one that isn't empty", "whose list of divergent ids is {}",
       "whose list of divergent ids is unknown: no id was compared; the run broke off: arm A: the "
       "server ended with status 1 before it was ready; its last line: failed to load model"},
      {"HasRateUpperBound", HasRateUpperBound(Le(0.1)), GreenRun(),
       Changed([](Judgement& j) { j.statistics.rule_of_three = 0.3; }),
       "has an upper bound of the divergence rate that is <= 0.1",
       "has no upper bound of the divergence rate, or one that isn't <= 0.1",
       "whose upper bound of the divergence rate is 0.0625",
       "whose upper bound of the divergence rate is 0.3"},
  };
}

class MatcherTest : public testing::TestWithParam<MatcherCase> {};

TEST_P(MatcherTest, Accepts) { EXPECT_THAT(GetParam().accepted, GetParam().matcher); }

TEST_P(MatcherTest, Rejects) { EXPECT_THAT(GetParam().rejected, Not(GetParam().matcher)); }

TEST_P(MatcherTest, DescribesItself) {
  EXPECT_EQ(DescribeMatcher<CellRun>(GetParam().matcher), GetParam().description);
}

TEST_P(MatcherTest, DescribesItsNegation) {
  EXPECT_EQ(DescribeMatcher<CellRun>(GetParam().matcher, true), GetParam().negation);
}

TEST_P(MatcherTest, ExplainsInBothDirections) {
  EXPECT_EQ(Explanation(GetParam().matcher, GetParam().accepted), GetParam().why_accepted);
  EXPECT_EQ(Explanation(GetParam().matcher, GetParam().rejected), GetParam().why_rejected);
}

TEST_P(MatcherTest, FailsAnExpectationWithThatText) {
  const MatcherCase& test = GetParam();
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(test.rejected, test.matcher),
                          "Expected: " + test.description);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(test.rejected, test.matcher), test.why_rejected);
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(test.accepted, Not(test.matcher)), test.why_accepted);
}

TEST_P(MatcherTest, SeesAJudgementAsItSeesItsRun) {
  const CellRun& accepted = GetParam().accepted;
  EXPECT_THAT(accepted.judgement, GetParam().matcher);
  EXPECT_EQ(Explanation(GetParam().matcher, accepted.judgement),
            Explanation(GetParam().matcher, accepted));
  EXPECT_THAT(GetParam().rejected.judgement, Not(GetParam().matcher));
}

INSTANTIATE_TEST_SUITE_P(All, MatcherTest, testing::ValuesIn(MatcherCases()),
                         [](const testing::TestParamInfo<MatcherCase>& test) {
                           return test.param.name;
                         });

TEST(MatcherCompositionTest, WorksWithAllOfAndNot) {
  EXPECT_THAT(GreenRun(),
              AllOf(IsBatchInvariant(), HasOverlapDepth(Ge(2)), Not(HasDivergenceClass("leak"))));
}

TEST(MatcherCompositionTest, WorksInContainersPointersAndOptionals) {
  const std::vector<CellRun> runs = {GreenRun(), GreenRun()};
  const CellRun run = GreenRun();
  EXPECT_THAT(runs, Each(IsBatchInvariant()));
  EXPECT_THAT(&run, Pointee(HasVerdict(Verdict::kGreen)));
  EXPECT_THAT(std::optional<CellRun>(run), Optional(MeetsCompletionFloor()));
}

TEST(MatcherCompositionTest, TakesAnyInnerMatcher) {
  EXPECT_THAT(RedRun(), HasDivergentIds(ElementsAre("t03", "t11", "t40")));
  EXPECT_THAT(RedRun(), HasDivergentIds(SizeIs(Le(3))));
  EXPECT_THAT(RedRun(), HasDivergenceClass("co_batching"));
  EXPECT_THAT(RedRun(), HasDivergenceClass(HasSubstr("batch")));
}

TEST(MatcherCompositionTest, ConvertsToTypedMatchers) {
  const testing::Matcher<const Judgement&> judgement = IsBatchInvariant();
  const testing::Matcher<const CellRun&> run = HasOverlapDepth(8);
  EXPECT_TRUE(judgement.Matches(GreenRun().judgement));
  EXPECT_TRUE(run.Matches(GreenRun()));
}

TEST(MatcherSafetyTest, ARunThatBrokeOffIsNeverGreen) {
  CellRun run = GreenRun();
  run.error = Error{.code = ErrorCode::kDeadline, .message = "out of time", .where = ""};
  EXPECT_THAT(run, Not(IsBatchInvariant()));
  EXPECT_THAT(run, HasVerdict(Verdict::kUnverified));
  EXPECT_THAT(Explanation(IsBatchInvariant(), run), HasSubstr("out of time"));
}

TEST(MatcherSafetyTest, HostileModelTextIsSpelledOutAndClipped) {
  CellRun run = RedRun();
  Divergence& divergence = run.judgement.divergences.front();
  divergence.test_id = std::string("t\x1b[31m\0\n", 9);
  divergence.x_around = "ok\xFF\xEF\xBF\xBE" + std::string(1 << 20, 'a');
  divergence.y_around = "ok\tb" + std::string(1 << 20, 'b');
  const std::string why = Explanation(IsBatchInvariant(), run);
  EXPECT_LT(why.size(), 700U);
  EXPECT_THAT(why, HasSubstr("t\\x1b[31m\\x00\\n"));
  EXPECT_THAT(why, HasSubstr("ok\\xff\\ufffe"));
  EXPECT_THAT(why, HasSubstr("ok\\tb"));
  for (const char c : why) EXPECT_GE(static_cast<unsigned char>(c), 0x20U);
}

TEST(MatcherSafetyTest, ADifferenceFarIntoTheTextIsInView) {
  CellRun run = RedRun();
  Divergence& divergence = run.judgement.divergences.front();
  divergence.x_around = std::string(200, '.') + "\xC3\xA4 left";
  divergence.y_around = std::string(200, '.') + "\xC3\xB6 right";
  EXPECT_THAT(
      Explanation(IsBatchInvariant(), run),
      AllOf(HasSubstr(".\xC3\xA4 left\""), HasSubstr(".\xC3\xB6 right\""), HasSubstr("\"....")));
}

TEST(MatcherSafetyTest, FallsBackOnComparedValuesWhereNothingWasLocated) {
  CellRun run = RedRun();
  run.judgement.divergences.clear();
  EXPECT_THAT(
      Explanation(IsBatchInvariant(), run),
      HasSubstr("first id t03, field extracted_answer: \"the answer is 42 apples\" against"));
}

TEST(MatcherSafetyTest, LooksAtItsValueOnly) {
  const CellRun run = RedRun();
  EXPECT_EQ(Explanation(IsBatchInvariant(), run), Explanation(IsBatchInvariant(), run));
  EXPECT_EQ(run.judgement, RedRun().judgement);
}

}  // namespace
}  // namespace bi_test
