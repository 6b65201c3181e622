#pragma once

#include <cstdint>

namespace bi_test {

/// Random numbers with the same bits on every machine (nothing of <random>, whose distributions
/// differ between standard libraries): xoshiro256**, its state filled by splitmix64 from (seed,
/// stream). Not for secrets.
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed, std::uint64_t stream = 0);

  /// Sixty-four random bits.
  std::uint64_t Next();
  /// A number below `bound`, each equally likely. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);

 private:
  std::uint64_t state_[4];
};

}  // namespace bi_test
