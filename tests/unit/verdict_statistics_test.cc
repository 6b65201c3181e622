// Exact bounds against Boost.Math and against closed forms.
#include "bi_test/statistics.h"

#include <gmock/gmock.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace bi_test {
namespace {

using ::testing::DoubleNear;
using ::testing::Eq;
using ::testing::Optional;

/// Twelve digits, relative.
MATCHER_P(AgreesTo12Digits, expected, "") {
  return std::fabs(arg - expected) <= 1e-12 * std::fabs(expected);
}

TEST(StatisticsTest, IntervalsAgreeWithBoostToTwelveDigits) {
  using Binomial = boost::math::binomial_distribution<long double>;
  const std::pair<std::int64_t, std::int64_t> cases[] = {{0, 1},
                                                         {1, 1},
                                                         {0, 2},
                                                         {2, 2},
                                                         {0, 30},
                                                         {0, 10'000'000},
                                                         {10'000'000, 10'000'000},
                                                         {1, 2},
                                                         {1, 30},
                                                         {2, 12},
                                                         {6, 12},
                                                         {29, 30},
                                                         {3, 384},
                                                         {100, 1000},
                                                         {999, 1000},
                                                         {1, 10'000},
                                                         {5'000, 10'000},
                                                         {1, 10'000'000},
                                                         {17, 10'000'000},
                                                         {5'000'000, 10'000'000},
                                                         {9'999'999, 10'000'000}};
  for (const auto& [k, n] : cases) {
    const auto interval = ClopperPearsonInterval(k, n);
    ASSERT_TRUE(interval) << k << " of " << n;
    const long double lower = Binomial::find_lower_bound_on_p(n, k, 0.025L);
    const long double upper = Binomial::find_upper_bound_on_p(n, k, 0.025L);
    EXPECT_THAT(interval->lower, AgreesTo12Digits(static_cast<double>(lower))) << k << " of " << n;
    EXPECT_THAT(interval->upper, AgreesTo12Digits(static_cast<double>(upper))) << k << " of " << n;
    const auto bound = ClopperPearsonUpper(k, n);
    ASSERT_TRUE(bound);
    const long double one_sided = Binomial::find_upper_bound_on_p(n, k, 0.05L);
    EXPECT_THAT(*bound, AgreesTo12Digits(static_cast<double>(one_sided))) << k << " of " << n;
  }
}

TEST(StatisticsTest, PowerAgreesWithBoostToTwelveDigits) {
  using Binomial = boost::math::binomial_distribution<long double>;
  for (const std::int64_t n : {1LL, 2LL, 16LL, 299LL, 10'000LL, 10'000'000LL}) {
    for (const double rate : {1e-9, 1e-4, 0.01, 0.5, 0.999}) {
      const Binomial flips(static_cast<long double>(n), static_cast<long double>(rate));
      const auto expected = static_cast<double>(cdf(complement(flips, 0.0L)));
      EXPECT_THAT(*PlannedPower(rate, n), AgreesTo12Digits(expected)) << n << " at " << rate;
    }
  }
}

TEST(StatisticsTest, WilsonAgreesWithItsDefinitionToTwelveDigits) {
  const long double z = quantile(boost::math::normal_distribution<long double>(), 0.975L);
  const std::pair<std::int64_t, std::int64_t> cases[] = {{0, 1},
                                                         {1, 1},
                                                         {1, 2},
                                                         {2, 2},
                                                         {1, 30},
                                                         {15, 30},
                                                         {0, 10'000'000},
                                                         {1, 10'000'000},
                                                         {5'000'000, 10'000'000},
                                                         {10'000'000, 10'000'000}};
  for (const auto& [k, n] : cases) {
    const auto interval = WilsonInterval(k, n);
    ASSERT_TRUE(interval);
    // The bounds are the rates p with |k - n p| = z sqrt(n p (1 - p)).
    const auto size = static_cast<long double>(n);
    const auto hits = static_cast<long double>(k);
    const auto distance = [&](long double p) {
      return std::fabs(hits - size * p) - z * std::sqrt(size * p * (1.0L - p));
    };
    const long double upper = interval->upper;
    const long double lower = interval->lower;
    const long double scale = z * std::sqrt(size) + 1.0L;
    EXPECT_LE(std::fabs(distance(upper)) / scale, 1e-9L) << k << " of " << n;
    EXPECT_LE(std::fabs(distance(lower)) / scale, 1e-9L) << k << " of " << n;
    const long double root =
        z * std::sqrt(static_cast<long double>(k) * (size - static_cast<long double>(k)) / size +
                      z * z / 4.0L);
    const long double center = static_cast<long double>(k) + z * z / 2.0L;
    const auto expected_upper = static_cast<double>((center + root) / (size + z * z));
    EXPECT_THAT(interval->upper, AgreesTo12Digits(expected_upper)) << k << " of " << n;
    if (k == 0) continue;
    // The smaller root by the product of both, which loses no digits.
    const auto expected_lower = static_cast<double>(
        static_cast<long double>(k) * static_cast<long double>(k) / size / (center + root));
    EXPECT_THAT(interval->lower, AgreesTo12Digits(expected_lower)) << k << " of " << n;
  }
}

TEST(StatisticsTest, NoHitsHaveAClosedForm) {
  for (const std::int64_t n :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{30}, std::int64_t{10'000'000}}) {
    const auto bound = ClopperPearsonUpper(0, n);
    ASSERT_TRUE(bound);
    EXPECT_THAT(*bound, AgreesTo12Digits(-std::expm1(std::log(0.05) / static_cast<double>(n))));
    EXPECT_THAT(ClopperPearsonInterval(0, n)->lower, Eq(0.0));
  }
}

TEST(StatisticsTest, OnlyHitsReachOne) {
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{10'000'000}}) {
    EXPECT_THAT(ClopperPearsonUpper(n, n), Optional(1.0));
    EXPECT_THAT(ClopperPearsonInterval(n, n)->upper, Eq(1.0));
    EXPECT_THAT(ClopperPearsonInterval(n, n)->lower,
                AgreesTo12Digits(std::exp(std::log(0.025) / static_cast<double>(n))));
    EXPECT_THAT(WilsonInterval(n, n)->upper, Eq(1.0));
  }
}

TEST(StatisticsTest, CountsThatMakeNoSenseGiveNothing) {
  const std::pair<std::int64_t, std::int64_t> cases[] = {{0, 0}, {-1, 5}, {6, 5}, {0, -1}};
  for (const auto& [k, n] : cases) {
    EXPECT_EQ(ClopperPearsonUpper(k, n), std::nullopt) << k << " of " << n;
    EXPECT_EQ(ClopperPearsonInterval(k, n), std::nullopt) << k << " of " << n;
    EXPECT_EQ(WilsonInterval(k, n), std::nullopt) << k << " of " << n;
  }
  EXPECT_EQ(RuleOfThree(0), std::nullopt);
  for (const double level : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_EQ(ClopperPearsonUpper(1, 5, level), std::nullopt);
    EXPECT_EQ(ClopperPearsonInterval(1, 5, level), std::nullopt);
    EXPECT_EQ(ComparisonsForPower(0.01, level), std::nullopt);
    EXPECT_EQ(ComparisonsForPower(level, 0.95), std::nullopt);
  }
  EXPECT_EQ(PlannedPower(0.01, -1), std::nullopt);
  for (const double rate : {1.5, -0.1, std::nan("")}) {
    EXPECT_EQ(PlannedPower(rate, 1), std::nullopt) << rate;
  }
  EXPECT_EQ(ComparisonsForPower(1e-300, 0.95), std::nullopt) << "more than can be counted";
}

TEST(StatisticsTest, RuleOfThreeIsAtMostOne) {
  EXPECT_THAT(RuleOfThree(1), Optional(1.0));
  EXPECT_THAT(RuleOfThree(2), Optional(1.0));
  EXPECT_THAT(RuleOfThree(4), Optional(0.75));
  EXPECT_THAT(RuleOfThree(30), Optional(0.1));
}

TEST(StatisticsTest, WilsonMatchesPublishedExample) {
  // Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662.
  const auto interval = WilsonInterval(81, 263);
  ASSERT_TRUE(interval);
  EXPECT_THAT(interval->lower, DoubleNear(0.2553, 5e-5));
  EXPECT_THAT(interval->upper, DoubleNear(0.3662, 5e-5));
  EXPECT_THAT(WilsonInterval(0, 10)->lower, Eq(0.0));
}

TEST(StatisticsTest, PlannedPowerMatchesTheReports) {
  EXPECT_THAT(*PlannedPower(0.01, 48 * 8), DoubleNear(0.979, 5e-4));  // R003
  EXPECT_THAT(*PlannedPower(0.01, 8 * 2), DoubleNear(0.149, 5e-4));
  EXPECT_THAT(PlannedPower(0.01, 0), Optional(0.0));
  EXPECT_THAT(PlannedPower(1.0, 3), Optional(1.0));
}

TEST(StatisticsTest, SampleSizeIsTheFewestThatReachesThePower) {
  EXPECT_THAT(ComparisonsForPower(0.01, 0.95), Optional(299));
  EXPECT_THAT(ComparisonsForPower(0.5, 0.5), Optional(1));
  EXPECT_THAT(ComparisonsForPower(0.5, 0.75), Optional(2));
  // Asked for exactly the power of n comparisons, the answer is n, on whichever side of the integer
  // the logarithms land.
  for (const double rate : {0.5, 0.3, 0.1, 0.01}) {
    for (std::int64_t n = 1; n <= 40; ++n) {
      EXPECT_THAT(ComparisonsForPower(rate, *PlannedPower(rate, n)), Optional(n)) << rate;
    }
  }
  EXPECT_GE(*PlannedPower(0.01, 299), 0.95);
  EXPECT_LT(*PlannedPower(0.01, 298), 0.95);
}

}  // namespace
}  // namespace bi_test
