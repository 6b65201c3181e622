#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/scorer.h"
#include "bi_test/sweep.h"

namespace bi_test::config {

/// One question of a cell: a row in one repetition. The same in every arm and for every N.
struct Item {
  std::size_t row = 0;  ///< Into Workset::rows.
  int rep = 0;
  double position = 0.0;  ///< RowPosition of the row.
  std::string test_id;
  std::uint64_t seed = 0;  ///< Whole item seed; a request carries its 31 lowest bits.
  std::string family;
  double fill_ratio = 0.0;
  Json expected_answer;
  std::string prompt;
  std::optional<std::string> system;

  [[nodiscard]] ScorerItem ForScorer() const;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Most items of one cell.
inline constexpr std::size_t kMostItems = 1'000'000;

/// The items of a work-set, row by row, inside a row rep 0..reps-1. Refuses reps < 1, more than
/// kMostItems items, and two items with one test_id.
[[nodiscard]] Result<std::vector<Item>> ExpandItems(const Workset& workset, std::string_view model,
                                                    int ctx, int reps);

}  // namespace bi_test::config
