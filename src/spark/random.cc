#include "spark/random.h"

#include <string_view>

namespace bi_test::spark {

std::uint64_t Random::Next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

std::uint64_t Random::Below(std::uint64_t bound) {
  // The last (2^64 mod bound) values would make small results likelier; draw again.
  const std::uint64_t uneven = (0 - bound) % bound;
  std::uint64_t value = Next();
  while (value > ~uneven) value = Next();
  return value % bound;
}

int Random::Between(int first, int last) {
  return first + static_cast<int>(Below(static_cast<std::uint64_t>(last - first) + 1));
}

double Random::Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

std::string Random::Code() {
  constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string code;
  for (int i = 0; i < 8; ++i) code += Pick(kCharacters);
  return code;
}

std::vector<std::size_t> Random::Sample(std::size_t n, std::size_t count) {
  std::vector<std::size_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) indices[i] = i;
  Shuffle(indices);
  indices.resize(count);
  return indices;
}

}  // namespace bi_test::spark
