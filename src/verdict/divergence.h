#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/judgement.h"
#include "verdict/row_compare.h"

namespace bi_test {

/// A flip at a larger margin between the two best tokens is not explained by rounding, nats.
inline constexpr double kRoundingMargin = 0.25;
/// Characters shown on each side of the first difference.
inline constexpr int kAroundCharacters = 80;

/// Where two texts part.
struct TextDifference {
  std::size_t byte_offset = 0;
  std::int64_t code_point_offset = 0;
  std::string x_around, y_around;  ///< Up to 80 characters before and after, on both sides.
};

/// Null when the texts are the same bytes.
[[nodiscard]] std::optional<TextDifference> LocateTextDifference(std::string_view x,
                                                                 std::string_view y);

/// Describes the difference of two rows of one id; `x` is the serial row and may be null, as may
/// `y`, for a row that is missing. Companions, donor and width are not filled in.
[[nodiscard]] Divergence DescribeDivergence(std::string_view id, Arm arm, int pass, const Trial* x,
                                            const Trial* y, const RowComparer& comparer);

/// What went wrong with a failed request, one line: label, phase, status and reason as far as
/// known.
[[nodiscard]] std::string FaultText(const Trial& trial);

}  // namespace bi_test
