#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bi_test::run {

/// The order in which the items of one concurrent pass are sent, as indices into the item list,
/// which holds rep 0..reps-1 of row 0, then of row 1, and so on. Chosen by (seed, pass) alone, so
/// that a cert that names both reproduces it on any machine.
///
/// Pass 0 goes through all rows once per repetition, rows in one shuffled order: two repetitions of
/// a row are `rows` places apart, the most that is possible. Every other pass is a plain shuffle.
/// Empty when rows or reps is 0.
[[nodiscard]] std::vector<std::size_t> DispatchOrder(std::size_t rows, std::size_t reps,
                                                     std::uint64_t seed, int pass);

/// Positions of `count` items spread evenly over `n`, ascending; all of them when count >= n.
[[nodiscard]] std::vector<std::size_t> SpreadSample(std::size_t n, std::size_t count);

}  // namespace bi_test::run
