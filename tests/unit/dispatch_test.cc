#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/blake2b.h"
#include "base/seeded_random.h"
#include "config/worksets/item_identity.h"
#include "run/dispatch.h"

namespace bi_test {
namespace {

using run::DispatchOrder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string HexOf(std::string_view text, std::size_t bytes) {
  std::vector<std::uint8_t> digest(bytes);
  Blake2b(text, digest);
  std::string out;
  for (const std::uint8_t byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

TEST(Blake2bTest, AgreesWithKnownDigests) {
  EXPECT_EQ(HexOf("abc", 64),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  EXPECT_EQ(HexOf("", 64),
            "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
            "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce");
  EXPECT_EQ(HexOf("m|2048|fam|0.500000|0", 8), "f92d9b188ff7a046");
  EXPECT_EQ(HexOf("|0||0.000000|0", 8), "60bc1faa48f0f77e");
}

TEST(Blake2bTest, BlocksMeetWithoutASeam) {
  std::set<std::string> digests;
  for (std::size_t length = 120; length < 264; ++length) {
    digests.insert(HexOf(std::string(length, 'a'), 8));
  }
  EXPECT_EQ(digests.size(), 144u);
  EXPECT_EQ(HexOf(std::string(128, 'a'), 64),
            "fc6c71f688f43ea7d60817478808f3cac753e61571865c95adbc2d9122c943a7"
            "6b92c2cb1047ef3fe7bf6e436ec1d0a99a9e5b216780bf7fed9d7ca91d3a8f3b");
  EXPECT_EQ(HexOf(std::string(129, 'a'), 64),
            "55e6e0eb418149a8af92fd9ddc99254781b2f522a131b4f4d984404b71a00e11"
            "67b8124d5dcddd4c6977b299392335d6edd303da6d344d74bbef2d38101b232b");
  EXPECT_EQ(HexOf(std::string(256, 'a'), 8), "78b03efd0a5ea28b");
}

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

TEST(SeededRandomTest, BitsAreTheSameOnEveryMachine) {
  SeededRandom random(1234);
  EXPECT_EQ(random.Next(), 16163145554155875834u);
  EXPECT_EQ(random.Next(), 7842687877976628387u);
  EXPECT_EQ(random.Below(1'000), 868u);
}

TEST(SeededRandomTest, SeedAndStreamAreNotInterchangeable) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
      firsts.insert(SeededRandom(seed, stream).Next());
    }
  }
  EXPECT_EQ(firsts.size(), 400u);
}

TEST(SeededRandomTest, NumbersBelowABoundAreEven) {
  SeededRandom random(7);
  std::array<int, 5> counts{};
  for (int i = 0; i < 50'000; ++i) ++counts[random.Below(5)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(SeededRandomTest, ABoundThatDividesBadlyIsKept) {
  // Half of all draws have to be thrown away for this bound.
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63U) + 1;
  SeededRandom random(1, 0);
  SeededRandom raw(1, 0);
  for (int i = 0; i < 200; ++i) {
    std::uint64_t expected = raw.Next();
    while (expected < kBound - 2) expected = raw.Next();
    ASSERT_EQ(random.Below(kBound), expected % kBound) << i;
  }
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
