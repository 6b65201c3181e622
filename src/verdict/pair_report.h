#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/record_index.h"
#include "verdict/row_compare.h"

namespace bi_test {

/// What a pair of arms is compared as.
struct PairKind {
  std::string label;
  /// Log-probabilities of this pair may decide (A against C).
  bool drift_gate = false;
  /// Y is a sample of X: ids that X alone has are not looked at.
  bool y_is_sample = false;
};

/// Compares two maps id by id. `ids` names the ids of both.
[[nodiscard]] PairReport BuildPairReport(const RowMap& x, const RowMap& y,
                                         const std::vector<std::string_view>& ids,
                                         const RowComparer& comparer, const Policy& policy,
                                         const PairKind& kind);

/// True when every difference of the pair is a fault: on each differing shared id at least one side
/// failed in transport, by deadline or in the server. False when nothing differs or an id is
/// missing.
[[nodiscard]] bool OnlyFaultsDiffer(const RowMap& x, const RowMap& y, const RowComparer& comparer,
                                    bool y_is_sample);

}  // namespace bi_test
