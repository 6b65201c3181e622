#include "base/seeded_random.h"

#include <bit>

namespace bi_test {
namespace {

std::uint64_t SplitMix(std::uint64_t& counter) {
  std::uint64_t z = counter += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

}  // namespace

SeededRandom::SeededRandom(std::uint64_t seed, std::uint64_t stream) {
  // The seed is scrambled before the stream is added, so that (seed, stream + 1) and (seed + 1,
  // stream) have nothing in common.
  std::uint64_t counter = seed;
  counter = SplitMix(counter) + stream;
  for (std::uint64_t& word : state_) word = SplitMix(counter);
}

std::uint64_t SeededRandom::Next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t SeededRandom::Below(std::uint64_t bound) {
  // 2^64 mod bound values at the low end would make small results likelier; draw again.
  const std::uint64_t uneven = (0 - bound) % bound;
  std::uint64_t value = Next();
  while (value < uneven) value = Next();
  return value % bound;
}

}  // namespace bi_test
