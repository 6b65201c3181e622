#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/leak.h"
#include "verdict/pass_union.h"
#include "verdict/record_index.h"
#include "verdict/service_view.h"

namespace bi_test {

/// Finds, describes and orders the places where outputs part. Use: one `AddPass` per pass of arm C,
/// with the view of that pass, then `AddControl` for the serial arms, then `Store`.
class SpotCollector {
 public:
  SpotCollector(const RecordIndex& index, const PassUnion& passes, const RowComparer& comparer);

  void AddPass(int pass, const ServiceView& view);

  /// The differences of arm A (`x`) with a control arm, named by its report.
  void AddControl(Arm arm, int pass, const RowMap& x, const RowMap& y, const PairReport& report);

  /// Moves the result into a judgement: divergences, their number, leaks, widths.
  void Store(Judgement& judgement);

 private:
  struct Spot {
    int rank = 0;  ///< Scored fields, missing rows, faults, outputs.
    std::uint32_t id = 0;
    Divergence divergence;
  };

  void AddDifference(const PassDifference& difference, bool describe, const ServiceView& view);
  [[nodiscard]] std::vector<std::uint32_t> Neighbours(const PassDifference& difference,
                                                      const Trial& row,
                                                      const ServiceView& view) const;

  const RecordIndex& index_;
  const PassUnion& passes_;
  const RowComparer& comparer_;
  /// Positions in `passes_.differences`, by pass, and whether each is among the ones to describe.
  std::vector<std::vector<std::uint32_t>> by_pass_;
  std::vector<bool> describe_;
  std::vector<Spot> spots_;
  std::int64_t n_all_ = 0;
  std::int64_t n_leaks_ = 0;
  std::int64_t n_searches_ = 0;
  LeakDetector leaks_;
  std::map<int, std::int64_t> by_width_;
};

}  // namespace bi_test
