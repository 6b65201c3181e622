#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/record_index.h"
#include "verdict/row_compare.h"

namespace bi_test {

/// How one comparison of arm A with one pass of arm C came out, when it did not come out equal.
enum class DifferenceKind : std::uint8_t {
  kField,    ///< A compared field differs.
  kFault,    ///< A compared field differs because a request failed.
  kMissing,  ///< One side has no row.
  kOutput,   ///< Scored fields agree, the output does not.
};

/// One such comparison.
struct PassDifference {
  std::uint32_t id = 0;
  int pass = 0;
  DifferenceKind kind = DifferenceKind::kField;
};

/// Arm C folded into one map, with what its passes showed one by one.
struct PassUnion {
  RowMap rows;
  std::vector<std::int64_t> divergent;   ///< per_pass_ac_divergent
  std::vector<std::int64_t> token_only;  ///< per_pass_ac_token_only
  std::vector<std::int64_t> missing;     ///< Ids of A without a row in the pass.
  /// By id, then pass.
  std::vector<PassDifference> differences;
  /// Ids with more than one distinct output over A and all passes.
  std::map<std::string, int> distinct_outputs;
};

/// Folds the passes. A pass without rows is one in which every id is missing. An id of A that is
/// missing in any pass is left out, an id that A does not have is kept: both end up as differences.
[[nodiscard]] PassUnion BuildUnion(const RecordIndex& index, const RowComparer& comparer);

}  // namespace bi_test
