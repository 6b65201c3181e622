#pragma once

#include <string>
#include <vector>

#include "bi_test/sweep.h"

namespace bi_test::session {

/// Which cells of a sweep are wanted. An empty list asks for nothing in particular.
struct CellFilter {
  std::vector<std::string> models;  ///< Patterns with `*` and `?`.
  std::vector<int> ctx;
  std::vector<int> parallel;
};

/// The cells that a filter leaves, in sweep order.
struct CellSelection {
  std::vector<SweepCell> cells;
  /// Set when part of the selection is void: one line each. A value that matches nothing is an
  /// error even when others match, because leaving out a cell in silence would read as a pass.
  std::vector<std::string> errors;
};

/// Applies the three parts of a filter. A cell must match each part that was given, by any of its
/// values. `flag_prefix` (`--`, `--bi_test_`) is how errors name the flags `model`, `ctx` and
/// `parallel`.
[[nodiscard]] CellSelection SelectCells(const Sweep& sweep, const CellFilter& filter,
                                        const std::string& flag_prefix);

/// Advice for a `--gtest_filter` that selects none of `names` (`Suite.Test`): the nearest name and
/// the first few of the list. One or more lines without a final newline.
[[nodiscard]] std::string NoTestSelected(const std::string& filter,
                                         const std::vector<std::string>& names);

}  // namespace bi_test::session
