// Log-probability drift: cases 131 to 140; token by token; R042, R084.
#include "verdict/drift.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

[[nodiscard]] DriftReport Drift(const Policy& policy, const Trial& x, const Trial& y,
                                bool gate = true) {
  DriftCollector collector(policy, gate);
  collector.Add("t0", x, y);
  return collector.Take();
}

[[nodiscard]] Policy Eps(double eps) {
  Policy policy;
  policy.logprobs = LogprobPolicy::kEps;
  policy.logit_drift_eps = eps;
  return policy;
}

struct ScalarCase {
  const char* name;
  std::function<void(Trial&)> x;
  std::function<void(Trial&)> y;
  std::map<std::string, double> deltas;
};

TEST(DriftTest, UsesTheFirstScalarBothSidesHold) {
  const ScalarCase cases[] = {
      {"136",
       [](Trial& t) {
         t.logit_sum = 1.0;
         t.mean_logprob = 5;
       },
       [](Trial& t) {
         t.logit_sum = 1.25;
         t.mean_logprob = 5;
       },
       {{"t0", 0.25}}},
      {"137", [](Trial& t) { t.logit_sum = 1.0; }, [](Trial& t) { t.mean_logprob = 5.0; }, {}},
      {"138",
       [](Trial& t) {
         t.logit_sum = std::nan("");
         t.logprob_sum = 2.0;
       },
       [](Trial& t) {
         t.logit_sum = std::nan("");
         t.logprob_sum = 2.0;
       },
       {{"t0", 0.0}}},
      {"139", [](Trial& t) { t.logit_sum = true; }, [](Trial& t) { t.logit_sum = 1.0; }, {}},
      {"140", [](Trial& t) { t.logit_sum = "2.5"; }, [](Trial& t) { t.logit_sum = 2.5; }, {}},
      {"integers are numbers",
       [](Trial& t) { t.logit_sum = -3; },
       [](Trial& t) { t.logit_sum = UINT64_MAX; },
       {{"t0", 18446744073709551618.0}}},
      {"the last of the four",
       [](Trial& t) { t.logit_mean = 1.0; },
       [](Trial& t) {
         t.logit_sum = 7.0;
         t.logit_mean = 1.5;
       },
       {{"t0", 0.5}}},
  };
  for (const ScalarCase& one : cases) {
    Trial x;
    Trial y;
    one.x(x);
    one.y(y);
    EXPECT_EQ(Drift(Eps(0.1), x, y).per_id_delta, one.deltas) << "case " << one.name;
  }
}

TEST(DriftTest, EpsIsAStrictBound) {
  Trial x;
  Trial y;
  x.logprob_sum = 1.0;
  y.logprob_sum = 1.5;
  EXPECT_THAT(Drift(Eps(0.1), x, y).logit_drift_ids, ElementsAre("t0")) << "case 131";
  EXPECT_THAT(Drift(Eps(0.5), x, y).logit_drift_ids, IsEmpty()) << "case 133";
  const DriftReport unarmed = Drift(Eps(0.0), x, y);
  EXPECT_FALSE(unarmed.armed) << "case 134";
  EXPECT_THAT(unarmed.per_id_delta, ElementsAre(Pair("t0", 0.5))) << "case 134";
  EXPECT_EQ(unarmed.max_logit_delta, 0.5);
}

TEST(DriftTest, OnlyTheGatePairIsArmed) {
  Trial x;
  Trial y;
  x.logprob_sum = 1.0;
  y.logprob_sum = 1.5;
  const DriftReport control = Drift(Eps(0.1), x, y, false);
  EXPECT_FALSE(control.armed);
  EXPECT_THAT(control.logit_drift_ids, IsEmpty());
  EXPECT_EQ(control.max_logit_delta, 0.5);
}

TEST(DriftTest, NothingToCompareArmsNothing) {
  EXPECT_FALSE(Drift(Eps(0.1), Trial{}, Trial{}).armed) << "R042";
}

[[nodiscard]] Trial WithLogprobs(std::vector<std::int64_t> tokens, std::vector<double> logprobs) {
  Trial trial;
  trial.token_ids = std::move(tokens);
  trial.logprobs = std::move(logprobs);
  return trial;
}

[[nodiscard]] Policy Exact() {
  Policy policy;
  policy.logprobs = LogprobPolicy::kExact;
  return policy;
}

TEST(DriftTest, ExactnessSeesTheLastBit) {
  const double next = std::nextafter(-0.5, 0.0);
  const Trial x = WithLogprobs({1, 2}, {-0.25, -0.5});
  EXPECT_THAT(Drift(Exact(), x, x).logit_drift_ids, IsEmpty());
  const DriftReport report = Drift(Exact(), x, WithLogprobs({1, 2}, {-0.25, next}));
  EXPECT_TRUE(report.armed);
  EXPECT_THAT(report.logit_drift_ids, ElementsAre("t0"));
  EXPECT_EQ(report.n_ids_logprob_differ, 1);
  EXPECT_EQ(report.n_tokens_compared, 2);
  EXPECT_EQ(report.max_token_delta, next + 0.5);
}

TEST(DriftTest, RecordingOnlyCounts) {
  const DriftReport report = Drift(Policy{}, WithLogprobs({1}, {-0.5}), WithLogprobs({1}, {-0.75}));
  EXPECT_FALSE(report.armed);
  EXPECT_THAT(report.logit_drift_ids, IsEmpty());
  EXPECT_EQ(report.n_ids_logprob_differ, 1);
}

TEST(DriftTest, NumbersBehindTheFirstOtherTokenAreNotCompared) {
  const DriftReport report =
      Drift(Exact(), WithLogprobs({1, 2, 3}, {-1, -2, -3}), WithLogprobs({1, 9, 3}, {-1, -7, -8}));
  EXPECT_EQ(report.n_tokens_compared, 1);
  EXPECT_EQ(report.n_ids_logprob_differ, 0);
}

TEST(DriftTest, SentinelsAreLeftOutAndCounted) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DriftReport report = Drift(Exact(), WithLogprobs({1, 2, 3}, {-9999.0, -infinity, -1.0}),
                                   WithLogprobs({1, 2, 3}, {-9999.0, -9999.5, -1.0}));
  EXPECT_EQ(report.n_sentinels, 2) << "R084";
  EXPECT_EQ(report.n_tokens_compared, 1);
  EXPECT_THAT(report.logit_drift_ids, IsEmpty());
  EXPECT_THAT(
      Drift(Exact(), WithLogprobs({1}, {-9999.0}), WithLogprobs({1}, {-1.0})).logit_drift_ids,
      ElementsAre("t0"));
}

TEST(DriftTest, WhatOneSideLacksIsNearNothing) {
  for (const Policy& policy : {Exact(), Eps(0.1)}) {
    const DriftReport report = Drift(policy, WithLogprobs({1}, {-1.0}), Trial{});
    EXPECT_TRUE(report.armed);
    EXPECT_EQ(report.n_ids_missing, 1);
    EXPECT_THAT(report.logit_drift_ids, ElementsAre("t0"));
    EXPECT_THAT(
        Drift(policy, WithLogprobs({1}, {-9999.0}), WithLogprobs({1}, {-1.0})).logit_drift_ids,
        ElementsAre("t0"));
  }
  EXPECT_THAT(Drift(Policy{}, WithLogprobs({1}, {-1.0}), Trial{}).logit_drift_ids, IsEmpty());
}

TEST(DriftTest, ExactnessHoldsForScalarsAndASingleSentinel) {
  Trial x;
  Trial y;
  x.logprob_sum = y.logprob_sum = 1.0;
  EXPECT_THAT(Drift(Exact(), x, y).logit_drift_ids, IsEmpty());
  y.logprob_sum = 1.5;
  EXPECT_THAT(Drift(Exact(), x, y).logit_drift_ids, ElementsAre("t0"));
  // A sentinel behind a difference does not undo it, on whichever side it stands.
  const Trial numbers = WithLogprobs({1, 2}, {-1.0, -2.0});
  const DriftReport report = Drift(Exact(), numbers, WithLogprobs({1, 2}, {-1.5, -9999.0}));
  EXPECT_EQ(report.n_sentinels, 1);
  EXPECT_EQ(report.n_ids_logprob_differ, 1);
  EXPECT_EQ(report.max_token_delta, 0.5);
}

TEST(DriftTest, ListsOfUnequalLengthAreComparedAsFarAsBothGo) {
  const DriftReport report =
      Drift(Exact(), WithLogprobs({1, 2, 3}, {-1, -2}), WithLogprobs({1, 2}, {-1, -2, -3}));
  EXPECT_EQ(report.n_tokens_compared, 2);
  EXPECT_EQ(report.n_ids_logprob_differ, 0);
}

TEST(DriftTest, NumbersThatOneSideLacksForTheSameTokensAreADifference) {
  const Trial whole = WithLogprobs({1, 2, 3}, {-1, -2, -3});
  const Trial fewer = WithLogprobs({1, 2, 3}, {-1, -2});
  for (const Policy& policy : {Exact(), Eps(0.1)}) {
    EXPECT_THAT(Drift(policy, whole, fewer).logit_drift_ids, ElementsAre("t0"));
    EXPECT_THAT(Drift(policy, fewer, whole).logit_drift_ids, ElementsAre("t0"));
  }
  EXPECT_EQ(Drift(Policy{}, whole, fewer).n_ids_logprob_differ, 1);
  EXPECT_GT(DriftBetween(whole, fewer), 1e300);
}

TEST(DriftTest, FewerIdsThanNumbersHideNone) {
  for (const std::vector<std::int64_t>& ids : {std::vector<std::int64_t>{}, {1}}) {
    const DriftReport report =
        Drift(Exact(), WithLogprobs(ids, {-1, -2}), WithLogprobs(ids, {-1, -2.5}));
    EXPECT_EQ(report.n_tokens_compared, 2);
    EXPECT_THAT(report.logit_drift_ids, ElementsAre("t0"));
  }
}

// A float has no room beside 1: the logarithm of a certain token stays 0 while its rivals drift.
TEST(DriftTest, TheNextBestTokenShowsWhatACertainOneCannot) {
  Trial x = WithLogprobs({1, 2}, {0.0, 0.0});
  Trial y = x;
  x.margins = {{17.0, 18.0}};
  y.margins = {{17.0, 18.25}};
  const DriftReport report = Drift(Exact(), x, y);
  EXPECT_THAT(report.logit_drift_ids, ElementsAre("t0"));
  EXPECT_EQ(report.max_token_delta, 0.25);
  EXPECT_EQ(DriftBetween(x, y), 0.25);
  EXPECT_THAT(Drift(Eps(0.5), x, y).logit_drift_ids, IsEmpty());
  y.token_ids = {{1, 3}};
  EXPECT_THAT(Drift(Exact(), x, y).logit_drift_ids, IsEmpty()) << "of another token";
  y = WithLogprobs({1, 2}, {-0.1, 0.0});
  y.margins = {{16.85, 18.0}};
  EXPECT_NEAR(DriftBetween(x, y), 0.1, 1e-12) << "no more for a lead that grew from both sides";
  y = x;
  y.margins.reset();
  EXPECT_THAT(Drift(Exact(), x, y).logit_drift_ids, IsEmpty());
}

TEST(DriftTest, AboveEpsByTokensAlone) {
  const Trial x = WithLogprobs({1}, {-0.5});
  EXPECT_THAT(Drift(Eps(0.1), x, WithLogprobs({1}, {-0.75})).logit_drift_ids, ElementsAre("t0"));
  EXPECT_TRUE(Drift(Eps(0.1), x, x).armed);
}

TEST(DriftTest, WithoutTokenIdsEqualTextIsTheSamePrefix) {
  Trial x = WithLogprobs({}, {-1.0, -2.0});
  x.token_ids.reset();
  x.content = "c";
  Trial y = x;
  y.logprobs = {{-1.0, -2.5}};
  EXPECT_EQ(Drift(Exact(), x, y).n_ids_logprob_differ, 1);
  y.content = "d";
  EXPECT_EQ(Drift(Exact(), x, y).n_tokens_compared, 0);
}

}  // namespace
}  // namespace bi_test
