#include "make_model/quantize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "make_model/random.h"

namespace bi_test::make_model {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

struct HalfCase {
  const char* name;
  float value;
  std::uint16_t half;
};

TEST(HalfTest, RoundsToNearestEven) {
  const float infinity = std::numeric_limits<float>::infinity();
  const HalfCase cases[] = {
      {"zero", 0.0F, 0x0000},
      {"minus zero", -0.0F, 0x8000},
      {"one", 1.0F, 0x3C00},
      {"minus two", -2.0F, 0xC000},
      {"a third", 1.0F / 3.0F, 0x3555},
      {"largest", 65504.0F, 0x7BFF},
      {"rounds down to largest", 65519.996F, 0x7BFF},
      {"tie to infinity", 65520.0F, 0x7C00},
      {"huge", 1e30F, 0x7C00},
      {"infinity", infinity, 0x7C00},
      {"minus infinity", -infinity, 0xFC00},
      {"smallest normal", 0x1p-14F, 0x0400},
      {"largest subnormal", 0x1.ff8p-15F, 0x03FF},
      {"rounds up to normal", 0x1.fffp-15F, 0x0400},
      {"smallest subnormal", 0x1p-24F, 0x0001},
      {"tie to zero", 0x1p-25F, 0x0000},
      {"above tie", 0x1.000002p-25F, 0x0001},
      {"tie to even subnormal", 0x1.8p-24F, 0x0002},
      {"tiny", 1e-30F, 0x0000},
      {"float subnormal", -1e-44F, 0x8000},
      {"tie to even, down", 1.0F + 0x1p-11F, 0x3C00},
      {"tie to even, up", 1.0F + 0x3p-11F, 0x3C02},
      {"just above tie", 1.0F + 0x1p-11F + 0x1p-23F, 0x3C01},
      {"carry into exponent", 1.9999F, 0x4000},
  };
  for (const HalfCase& c : cases) EXPECT_EQ(ToHalf(c.value), c.half) << c.name;
  const std::uint16_t nan = ToHalf(std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE((nan & 0x7C00) == 0x7C00 && (nan & 0x3FF) != 0);
}

TEST(HalfTest, EveryHalfReadsBackEqual) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = FromHalf(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(ToHalf(value), half);
  }
}

TEST(HalfTest, NoHalfIsNearerThanTheOneChosen) {
  Random random(5, "half");
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next()));
    if (!(std::fabs(value) < 65504.0F)) continue;
    const std::uint16_t half = ToHalf(value);
    const double error = std::fabs(static_cast<double>(FromHalf(half)) - value);
    for (const int step : {-1, 1}) {
      const int magnitude = (half & 0x7FFF) + step;
      if (magnitude < 0 || magnitude > 0x7BFF) continue;
      const float neighbour = FromHalf(static_cast<std::uint16_t>((half & 0x8000) | magnitude));
      ASSERT_LE(error, std::fabs(static_cast<double>(neighbour) - value)) << value;
    }
  }
}

std::vector<float> Block(std::initializer_list<float> start) {
  std::vector<float> block(start);
  block.resize(kQuantBlock);
  return block;
}

std::string Encoded(TensorType type, const std::vector<float>& row) {
  std::string bytes;
  AppendRow(type, row, bytes);
  return bytes;
}

TEST(QuantizeTest, Q8BlocksAreAScaleAndBytes) {
  const std::string bytes =
      Encoded(TensorType::kQ8_0, Block({127, -127, 1, -1, 0.5F, -0.5F, 0.49F, 2.5F}));
  ASSERT_THAT(bytes, SizeIs(34));
  EXPECT_EQ(bytes.substr(0, 12),
            std::string("\x00\x3C\x7F\x81\x01\xFF\x01\xFF\x00\x03\x00\x00", 12));
}

TEST(QuantizeTest, Q4BlocksHoldTwoHalvesInNibbles) {
  std::vector<float> block(kQuantBlock);
  for (std::size_t i = 0; i < 16; ++i) {
    block[i] = static_cast<float>(i) - 8;       // low nibbles 0 to 15
    block[i + 16] = 7 - static_cast<float>(i);  // high nibbles 15 to 0
  }
  // The first value of the largest magnitude is -8, so that the scale is 1.
  EXPECT_EQ(
      Encoded(TensorType::kQ4_0, block),
      std::string("\x00\x3C\xF0\xE1\xD2\xC3\xB4\xA5\x96\x87\x78\x69\x5A\x4B\x3C\x2D\x1E\x0F", 18));
}

TEST(QuantizeTest, ZeroBlocksAreZero) {
  EXPECT_EQ(Encoded(TensorType::kQ8_0, Block({})), std::string(34, '\0'));
  // Zero is level 8 of q4_0; -0 / -8 makes the scale of nothing +0 or -0, both of which are
  // nothing.
  EXPECT_EQ(Encoded(TensorType::kQ4_0, Block({})).substr(2), std::string(16, '\x88'));
}

TEST(QuantizeTest, PlainTypesAreLittleEndian) {
  EXPECT_EQ(Encoded(TensorType::kF32, {1.0F, -2.0F}), std::string("\0\0\x80\x3F\0\0\0\xC0", 8));
  EXPECT_EQ(Encoded(TensorType::kF16, {1.0F, -2.0F}), std::string("\0\x3C\0\xC0", 4));
}

TEST(QuantizeTest, RowBytesIsWhatAppendRowAppends) {
  const std::vector<float> row(96, 0.25F);
  for (const TensorType type :
       {TensorType::kF32, TensorType::kF16, TensorType::kQ8_0, TensorType::kQ4_0}) {
    EXPECT_THAT(Encoded(type, row), SizeIs(RowBytes(type, row.size()))) << Name(type);
  }
}

TEST(RandomTest, IsPinned) {
  Random random(1, "name", 2);
  const std::vector<std::uint64_t> found = {random.Next(), random.Next(), random.Next()};
  EXPECT_THAT(found,
              ElementsAre(15833251338561203079U, 6066609696885422317U, 14306947636914137040U));
}

TEST(RandomTest, DependsOnSeedNameAndIndex) {
  std::set<std::uint64_t> firsts;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const char* name : {"", "a", "b", "ab", "ba"}) {
      for (const std::uint64_t index : {0U, 1U, 2U})
        firsts.insert(Random(seed, name, index).Next());
    }
  }
  EXPECT_THAT(firsts, SizeIs(3 * 5 * 3));
}

TEST(RandomTest, NormalsLookNormal) {
  Random random(7, "normal");
  constexpr int kCount = 200'000;
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  int beyond_two = 0;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.Normal();
    sum += value;
    squares += value * value;
    fourths += value * value * value * value;
    beyond_two += std::fabs(value) > 2 ? 1 : 0;
    ASSERT_LE(std::fabs(value), 6);
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(fourths / kCount, 2.9, 0.1);  // 3 - 1.2 / 12
  EXPECT_NEAR(beyond_two / static_cast<double>(kCount), 0.0455, 0.003);
}

TEST(RandomTest, BelowStaysBelowAndReachesAll) {
  Random random(3, "below");
  std::array<int, 7> seen{};
  for (int i = 0; i < 7000; ++i) ++seen.at(static_cast<std::size_t>(random.Below(7)));
  EXPECT_THAT(seen, Each(AllOf(Ge(850), Le(1150))));
  EXPECT_EQ(random.Below(1), 0);
}

}  // namespace
}  // namespace bi_test::make_model
