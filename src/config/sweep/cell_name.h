#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/sweep.h"

namespace bi_test::config {

/// Test names of models, in the order given: letters, digits and `_`, at most 100 bytes, a letter
/// first, never `DISABLED_...` (GoogleTest would not run it). Every other character becomes `_`.
///
/// The name of a model depends on the set of ids alone, never on their order. Ids that would get
/// one name
/// (`a-b` and `a_b`) all get a suffix made from the id, so that a name that was written down before
/// the second one came selects nothing rather than the wrong model. REQUIRES: ids are different.
[[nodiscard]] std::vector<std::string> ModelTestNames(const std::vector<std::string>& ids);

/// `{model}__ctx{ctx}__n{N}`.
[[nodiscard]] std::string CellTestName(std::string_view model_test_name, int ctx, int dispatch_n);

/// The cell that a person names by its test name or as `model/ctx/N`, or null.
[[nodiscard]] const SweepCell* FindCell(const std::vector<SweepCell>& cells, std::string_view name);

/// Names of cells that may have been meant, best first, at most `most`.
[[nodiscard]] std::vector<std::string> NearCells(const std::vector<SweepCell>& cells,
                                                 std::string_view name, std::size_t most);

}  // namespace bi_test::config
