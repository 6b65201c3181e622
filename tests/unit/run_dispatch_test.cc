#include "run/dispatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bi_test::run {
namespace {

using std::chrono::microseconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

TEST(Arrival, PassesTakeThePatternsInTurn) {
  EXPECT_STREQ(ArrivalName(ArrivalOfPass(0)), "together");
  EXPECT_STREQ(ArrivalName(ArrivalOfPass(1)), "staggered");
  EXPECT_STREQ(ArrivalName(ArrivalOfPass(2)), "mixed");
  for (int pass = 0; pass < 3; ++pass) {
    EXPECT_EQ(ArrivalOfPass(pass, PassPlan::kPlain), Arrival::kTogether);
    EXPECT_EQ(ArrivalOfPass(pass, PassPlan::kShuffled), Arrival::kTogether);
    EXPECT_EQ(ArrivalOfPass(pass, PassPlan::kStaggered), Arrival::kStaggered);
    EXPECT_EQ(ArrivalOfPass(pass, PassPlan::kMixed), Arrival::kMixed);
  }
  EXPECT_STREQ(ArrivalName(ArrivalOfPass(3)), "together");
}

TEST(Arrival, TheFirstWaveSpreadsOverAQuarterOfARequest) {
  const auto gaps = ArrivalGaps(Arrival::kStaggered, 6, 4, microseconds{800}, 1, 1);
  ASSERT_EQ(gaps.size(), 6u);
  EXPECT_THAT(std::vector(gaps.begin(), gaps.begin() + 4),
              ElementsAre(microseconds{0}, microseconds{50}, microseconds{100}, microseconds{150}));
}

TEST(Arrival, LaterGapsAreSeededAndAtMostATenthOfARequest) {
  const auto gaps = ArrivalGaps(Arrival::kMixed, 100, 4, microseconds{1'000}, 7, 2);
  for (const microseconds gap : gaps) EXPECT_THAT(gap.count(), AllOf(Ge(0), Le(190)));
  EXPECT_EQ(gaps, ArrivalGaps(Arrival::kMixed, 100, 4, microseconds{1'000}, 7, 2));
  EXPECT_NE(gaps, ArrivalGaps(Arrival::kMixed, 100, 4, microseconds{1'000}, 8, 2));
  EXPECT_NE(gaps, ArrivalGaps(Arrival::kMixed, 100, 4, microseconds{1'000}, 7, 5));
}

TEST(Arrival, TogetherHasNoGaps) {
  EXPECT_THAT(ArrivalGaps(Arrival::kTogether, 9, 4, microseconds{800}, 1, 0),
              AllOf(SizeIs(9), Each(microseconds{0})));
  EXPECT_THAT(ArrivalGaps(Arrival::kStaggered, 3, 0, microseconds{800}, 1, 1),
              Each(microseconds{0}));
}

TEST(Arrival, MixedLengthsAlternateAndKeepEveryItem) {
  // Items 1 and 3 are the long ones; the order within each half is that given.
  EXPECT_THAT(MixLengths({3, 0, 1, 2}, {5, 90, 6, 80}), ElementsAre(3, 0, 1, 2));
  EXPECT_THAT(MixLengths({0, 2, 1, 3}, {5, 90, 6, 80}), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(MixLengths({0, 1, 2}, {1, 1, 1}), ElementsAre(1, 0, 2));
  EXPECT_THAT(MixLengths({}, {}), IsEmpty());
}

TEST(SpreadSampleTest, IsEvenAndAscending) {
  EXPECT_THAT(SpreadSample(10, 4), ElementsAre(0, 2, 5, 7));
  EXPECT_THAT(SpreadSample(3, 8), ElementsAre(0, 1, 2));
  EXPECT_THAT(SpreadSample(5, 5), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(SpreadSample(0, 8), ElementsAre());
  EXPECT_THAT(SpreadSample(1'000'000'000, 2), ElementsAre(0, 500'000'000));
}

}  // namespace
}  // namespace bi_test::run
