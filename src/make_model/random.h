#pragma once

#include <cstdint>
#include <string_view>

/// Random numbers with the same bits everywhere: 64-bit integer arithmetic only, nothing from
/// <random> (whose distributions differ between standard libraries) and nothing from libm.
namespace bi_test::make_model {

/// A bijection of 64-bit numbers in which each input bit moves about half of the output bits.
[[nodiscard]] constexpr std::uint64_t Scramble(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

/// A sequence chosen by (seed, name, index), so that one row of one tensor can be made without the
/// rows before it, and so that a tensor does not change when others are added. The name is folded
/// in by scrambling byte by byte.
class Random {
 public:
  constexpr Random(std::uint64_t seed, std::string_view name, std::uint64_t index = 0)
      : state_(Scramble(seed + kStep)) {
    for (const char c : name) state_ = Scramble(state_ + kStep + static_cast<unsigned char>(c));
    state_ = Scramble(state_ + kStep * (index + 1));
  }

  /// Sixty-four random bits.
  constexpr std::uint64_t Next() { return Scramble(state_ += kStep); }

  /// A number below `bound`. REQUIRES: 0 < bound < 2^32. (Uneven by less than bound / 2^32.)
  constexpr std::uint64_t Below(std::uint64_t bound) { return (Next() >> 32) * bound >> 32; }

  /// Close to a standard normal: the sum of twelve uniform 16-bit numbers, less its mean, in units
  /// of 2^-16. The sum is an exact integer of fewer than 24 bits, so the result is exact as well;
  /// its variance is 1 - 2^-32 and it never exceeds 6, which suits weights.
  constexpr float Normal() {
    std::int32_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      for (std::uint64_t bits = Next(), part = 0; part < 4; ++part, bits >>= 16) {
        sum += static_cast<std::int32_t>(bits & 0xFFFF);
      }
    }
    return static_cast<float>(sum - 6 * 0xFFFF) * 0x1p-16F;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;
  std::uint64_t state_;
};

}  // namespace bi_test::make_model
