#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bi_test::spark {

/// The generator of the profile: SplitMix64. It is part of the content version, so it stays as it
/// is whatever becomes of the one that orders requests.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Sixty-four random bits.
  std::uint64_t Next();
  /// A number below `bound`, each equally likely. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  /// A number in first..last. REQUIRES: first <= last.
  int Between(int first, int last);
  /// In [0, 1), 53 bits.
  double Unit();
  /// Eight characters of A-Z and 0-9.
  std::string Code();
  /// `count` different indices below `n`, in random order. REQUIRES: count <= n.
  std::vector<std::size_t> Sample(std::size_t n, std::size_t count);

  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }
  template <typename Range>
  const auto& Pick(const Range& items) {
    return items[Below(items.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace bi_test::spark
