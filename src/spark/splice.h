#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "spark/filler.h"

namespace bi_test::spark {

inline constexpr int kOne = 1'000'000;  ///< Position behind all filler, in millionths.

/// A position as millionths. An error unless it is a finite number from 0 to 1.
[[nodiscard]] Result<int> PositionMillionths(double position);

/// Where the parts of a needle stand when it is asked to stand at `position`: one part there;
/// several spread evenly around it, over as much of the filler as lies on both sides. None before
/// `not_before`. Ascending.
[[nodiscard]] std::vector<int> SpreadPositions(int position, std::size_t parts, int not_before);

/// Filler with needles in it.
struct Haystack {
  std::string text;
  std::size_t needle_begin = 0;  ///< Byte at which the first needle begins.
};

/// Puts each needle between two units of the filler, where the text before it comes nearest to its
/// share of the whole (the first such place of several); 0 is before everything, kOne after
/// everything; no other position is before the first unit. A lone sentence is cut where the needle
/// belongs. REQUIRES: positions ascend, one for each needle.
[[nodiscard]] Haystack Splice(const Filler& filler, const std::vector<std::string>& needles,
                              const std::vector<int>& positions);

}  // namespace bi_test::spark
