#include "base/seeded_random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace bi_test {
namespace {

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

}  // namespace
}  // namespace bi_test
