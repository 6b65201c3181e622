#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bi_test/driver.h"

namespace bi_test::run {

/// The order in which the items of one concurrent pass are sent, as indices into the item list,
/// which holds rep 0..reps-1 of row 0, then of row 1, and so on. Chosen by (seed, pass) alone, so
/// that a cert that names both reproduces it on any machine.
///
/// The first pass (c1) goes through all rows once per repetition, rows in one shuffled order: two
/// repetitions of a row are `rows` places apart, the most that is possible. Every other pass is a
/// plain shuffle. Empty when rows or reps is 0.
[[nodiscard]] std::vector<std::size_t> DispatchOrder(std::size_t rows, std::size_t reps,
                                                     std::uint64_t seed, int pass);

/// Positions of `count` items spread evenly over `n`, ascending; all of them when count >= n.
[[nodiscard]] std::vector<std::size_t> SpreadSample(std::size_t n, std::size_t count);

/// How the requests of one concurrent pass meet the server. Each kind makes other batch
/// compositions.
enum class Arrival : std::uint8_t {
  kTogether,   ///< The first N are released at once; each further one as soon as a slot is free.
  kStaggered,  ///< Requests come with seeded gaps: the prefill of one runs beside the decode of
               ///< others.
  kMixed,      ///< Staggered, and long and short prompts alternate.
};

/// The pattern of pass `pass`; by the default plan together, staggered, mixed, and so on in turn.
[[nodiscard]] Arrival ArrivalOfPass(int pass, PassPlan plan = PassPlan::kDefault);

/// `together`, `staggered`, `mixed`.
[[nodiscard]] const char* ArrivalName(Arrival arrival);

/// How long each of `count` requests waits after the slot it takes became free; the first `width`
/// count from the start of the pass. Without gaps, requests of equal length end and begin in
/// lockstep, and no prefill ever meets a decode. All zero for kTogether. `latency` is the mean time
/// of one request served alone. Chosen by (seed, pass) alone.
[[nodiscard]] std::vector<std::chrono::microseconds> ArrivalGaps(Arrival arrival, std::size_t count,
                                                                 std::size_t width,
                                                                 std::chrono::microseconds latency,
                                                                 std::uint64_t seed, int pass);

/// `order` with prompts above and below the median length in turn, each half in its given order.
/// `lengths` is indexed by item.
[[nodiscard]] std::vector<std::size_t> MixLengths(const std::vector<std::size_t>& order,
                                                  const std::vector<std::size_t>& lengths);

}  // namespace bi_test::run
