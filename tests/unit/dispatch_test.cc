#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "config/worksets/item_identity.h"
#include "run/dispatch.h"

namespace bi_test {
namespace {

using run::DispatchOrder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct SeedCase {
  const char* model;
  int ctx;
  const char* family;
  double position;
  int rep;
  std::uint64_t seed;
};

TEST(ItemIdentityTest, SeedsAgreeWithTheirTable) {
  const SeedCase cases[] = {
      {"m", 2048, "fam", 0.5, 0, 8731805782338150470u},
      {"m", 2048, "fam", 0.5, 1, 4456608858434774896u},
      {"model", 8192, "A2", 0.02439, 0, 816286992559015869u},
      {"tiny-a", 8192, "E4", 0.823529, 2, 477393286737349150u},
      {"", 0, "", 0.0, 0, 6970481139491338110u},
  };
  for (const SeedCase& test : cases) {
    EXPECT_EQ(ItemSeed(test.model, test.ctx, test.family, test.position, test.rep), test.seed)
        << test.model;
  }
}

TEST(ItemIdentityTest, TestIdsRoundLikePrintf) {
  EXPECT_EQ(TestId("m", 2048, "fam", 0.5, 0, 0.1), "m|2048|fam|0.500000|0|fill0.10");
  EXPECT_EQ(TestId("m", 2048, "fam", 0.5, 0, 0.125), "m|2048|fam|0.500000|0|fill0.12");
  EXPECT_EQ(TestId("m", 2048, "fam", 0.5, 0, 0.375), "m|2048|fam|0.500000|0|fill0.38");
  EXPECT_EQ(TestId("m", 2048, "fam", 0.0000005, 12, 1.0), "m|2048|fam|0.000000|12|fill1.00");
  EXPECT_EQ(TestId("m", 2048, "fam", 0.5, 0, -0.0), "m|2048|fam|0.500000|0|fill0.00");
}

TEST(ItemIdentityTest, PositionsAreALadder) {
  EXPECT_EQ(RowPosition(0, 1), 0.5);
  EXPECT_EQ(RowPosition(0, 3), 0.25);
  EXPECT_EQ(RowPosition(2, 3), 0.75);
  EXPECT_EQ(RowPosition(0, 40), 0.02439);
  EXPECT_EQ(RowPosition(13, 16), 0.823529);
  EXPECT_NE(RowPosition(99'998, 100'000), RowPosition(99'999, 100'000));
}

TEST(DispatchOrderTest, OrdersAreTheSameOnEveryMachine) {
  EXPECT_THAT(DispatchOrder(4, 2, 1234, 0), ElementsAre(2, 6, 0, 4, 3, 7, 1, 5));
  EXPECT_THAT(DispatchOrder(4, 2, 1234, 1), ElementsAre(7, 2, 0, 6, 3, 4, 5, 1));
}

TEST(DispatchOrderTest, EveryPassSendsEveryItemOnce) {
  for (const int pass : {0, 1, 2, 7, 1000}) {
    std::vector<std::size_t> order = DispatchOrder(13, 3, 99, pass);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), 39u);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i) << pass;
  }
}

TEST(DispatchOrderTest, PassesAndSeedsDiffer) {
  std::set<std::vector<std::size_t>> orders;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    for (int pass = 0; pass < 10; ++pass) orders.insert(DispatchOrder(20, 1, seed, pass));
  }
  EXPECT_EQ(orders.size(), 30u);
}

TEST(DispatchOrderTest, RepetitionsAreAsFarApartAsPossibleInPassZero) {
  constexpr std::size_t kRows = 7;
  constexpr std::size_t kReps = 4;
  const std::vector<std::size_t> order = DispatchOrder(kRows, kReps, 5, 0);
  for (std::size_t i = 0; i + kRows < order.size(); ++i) {
    EXPECT_EQ(order[i] / kReps, order[i + kRows] / kReps);
    EXPECT_EQ(order[i] % kReps + 1, order[i + kRows] % kReps);
  }
  EXPECT_FALSE(std::is_sorted(order.begin(), order.begin() + kRows)) << "file order is no schedule";
}

TEST(DispatchOrderTest, AnyTwoItemsMeetWithinAFewPasses) {
  // A long prompt that never stands beside a short one would hide what only their meeting shows.
  int meetings = 0;
  for (int pass = 0; pass < 8; ++pass) {
    const std::vector<std::size_t> order = DispatchOrder(8, 1, 1234, pass);
    const auto first = std::find(order.begin(), order.end(), 0u) - order.begin();
    const auto last = std::find(order.begin(), order.end(), 7u) - order.begin();
    if (first / 4 == last / 4) ++meetings;
  }
  EXPECT_GE(meetings, 2);
}

TEST(DispatchOrderTest, NothingToSendIsAnEmptyOrder) {
  EXPECT_THAT(DispatchOrder(0, 3, 1, 0), IsEmpty());
  EXPECT_THAT(DispatchOrder(3, 0, 1, 1), IsEmpty());
}

}  // namespace
}  // namespace bi_test
