#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bi_test::driver {

/// How the requests of one concurrent pass meet the server. Each kind makes other batch compositions.
enum class Arrival : std::uint8_t {
  kTogether,   ///< The first N are released at once, in a seeded order.
  kStaggered,  ///< The first N come one after another: prefill of one beside decode of the others.
  kMixed,      ///< Released at once; long and short prompts alternate.
};

/// The pattern of pass `pass`: together, staggered, mixed, and so on in turn.
[[nodiscard]] Arrival ArrivalOfPass(int pass);

/// `together`, `staggered`, `mixed`.
[[nodiscard]] const char* ArrivalName(Arrival arrival);

/// Earliest dispatch of each of the first `width` requests. Empty for the patterns that release at
/// once. `latency` is the mean time of one request served alone.
[[nodiscard]] std::vector<std::chrono::microseconds> ReleaseTimes(Arrival arrival, std::size_t width,
                                                                  std::chrono::microseconds latency);

/// `order` with prompts above and below the median length in turn, each half in its given order.
/// `lengths` is indexed by item.
[[nodiscard]] std::vector<std::size_t> MixLengths(const std::vector<std::size_t>& order,
                                                  const std::vector<std::size_t>& lengths);

}  // namespace bi_test::driver
