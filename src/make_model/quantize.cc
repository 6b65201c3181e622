#include "make_model/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bi_test::make_model {
namespace {

void AppendU16(std::uint16_t value, std::string& out) {
  out.push_back(static_cast<char>(value & 0xFF));
  out.push_back(static_cast<char>(value >> 8));
}

void AppendU32(std::uint32_t value, std::string& out) {
  AppendU16(static_cast<std::uint16_t>(value & 0xFFFF), out);
  AppendU16(static_cast<std::uint16_t>(value >> 16), out);
}

// Of several values with the largest magnitude, the first.
float LargestMagnitude(std::span<const float> block) {
  float largest = 0;
  for (const float value : block) {
    if (std::fabs(value) > std::fabs(largest)) largest = value;
  }
  return largest;
}

// std::lround is exact, unlike adding 0.5 and truncating.
int Round(float value) { return static_cast<int>(std::lround(value)); }

void AppendQ8Block(std::span<const float> block, std::string& out) {
  const float scale = std::fabs(LargestMagnitude(block)) / 127.0F;
  const float inverse = scale == 0.0F ? 0.0F : 1.0F / scale;
  AppendU16(ToHalf(scale), out);
  for (const float value : block) {
    out.push_back(static_cast<char>(std::clamp(Round(value * inverse), -127, 127)));
  }
}

void AppendQ4Block(std::span<const float> block, std::string& out) {
  const float scale = LargestMagnitude(block) / -8.0F;
  const float inverse = scale == 0.0F ? 0.0F : 1.0F / scale;
  const auto level = [&](float value) {
    return static_cast<unsigned>(std::clamp(Round(value * inverse) + 8, 0, 15));
  };
  AppendU16(ToHalf(scale), out);
  const std::size_t half = block.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    out.push_back(static_cast<char>(level(block[i]) | level(block[i + half]) << 4));
  }
}

}  // namespace

std::uint16_t ToHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const int exponent = static_cast<int>(bits >> 23 & 0xFF);
  const std::uint32_t mantissa = bits & 0x7FFFFF;
  if (exponent == 0xFF) {  // infinity, or a NaN that keeps its leading bits and stays quiet
    const std::uint32_t payload = mantissa == 0 ? 0 : 0x200 | mantissa >> 13;
    return static_cast<std::uint16_t>(sign | 0x7C00 | payload);
  }
  const int half_exponent = exponent - 127 + 15;
  if (half_exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (half_exponent < -10) return sign;  // below half of the smallest subnormal
  // The result before rounding is `whole >> shift`; a carry out of the mantissa moves into the
  // exponent, which is just what rounding up to the next power of two (or to infinity) needs.
  std::uint32_t whole = mantissa;
  int shift = 13;
  if (half_exponent <= 0) {
    whole |= 0x800000;
    shift = 14 - half_exponent;
  } else {
    whole |= static_cast<std::uint32_t>(half_exponent) << 23;
  }
  const std::uint32_t floor = whole >> shift;
  const std::uint32_t rest = whole & ((std::uint32_t{1} << shift) - 1);
  const std::uint32_t tie = std::uint32_t{1} << (shift - 1);
  const std::uint32_t up = rest > tie || (rest == tie && (floor & 1) != 0) ? 1 : 0;
  return static_cast<std::uint16_t>(sign | (floor + up));
}

float FromHalf(std::uint16_t half) {
  const auto sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const auto exponent = static_cast<std::uint32_t>(half >> 10 & 0x1F);
  const auto mantissa = static_cast<std::uint32_t>(half & 0x3FF);
  if (exponent == 0) {  // zero or subnormal: a multiple of 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t widened = exponent == 31 ? 0xFF : exponent - 15 + 127;
  return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

std::size_t RowBytes(TensorType type, std::size_t count) {
  switch (type) {
    case TensorType::kF32:
      return count * 4;
    case TensorType::kF16:
      return count * 2;
    case TensorType::kQ8_0:
      return count / kQuantBlock * (2 + kQuantBlock);
    case TensorType::kQ4_0:
      return count / kQuantBlock * (2 + kQuantBlock / 2);
  }
  return 0;
}

void AppendRow(TensorType type, std::span<const float> row, std::string& out) {
  switch (type) {
    case TensorType::kF32:
      for (const float value : row) AppendU32(std::bit_cast<std::uint32_t>(value), out);
      return;
    case TensorType::kF16:
      for (const float value : row) AppendU16(ToHalf(value), out);
      return;
    case TensorType::kQ8_0:
      for (; !row.empty(); row = row.subspan(kQuantBlock))
        AppendQ8Block(row.first(kQuantBlock), out);
      return;
    case TensorType::kQ4_0:
      for (; !row.empty(); row = row.subspan(kQuantBlock))
        AppendQ4Block(row.first(kQuantBlock), out);
      return;
  }
}

}  // namespace bi_test::make_model
