#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/record.h"

namespace bi_test {

/// One row of an arm: the rank of its id in `RecordIndex::ids`, and the trial. The trial is never
/// null.
struct Row {
  std::uint32_t id = 0;
  const Trial* trial = nullptr;
};

/// The rows of one arm and pass, by id, one row per id.
using RowMap = std::vector<Row>;

/// Passes of arm C beyond this number are refused: memory and time stay bounded whatever a trace
/// says.
inline constexpr int kMaxPasses = 4096;

/// A record sorted once: ids by code point, rows by id. Points into the record, which must outlive
/// it.
struct RecordIndex {
  std::vector<std::string_view> ids;
  RowMap a, a2, a3, b, b2;
  /// Arm C by pass; a pass without rows is empty.
  std::vector<RowMap> passes;
  /// Trials that belong to no known arm and pass, and ids that occur twice in one: the record is
  /// not what a run writes. At most a few lines, the first ones by id.
  std::vector<std::string> problems;
};

/// Sorts the trials of a record. Linear but for the sort of the distinct ids.
[[nodiscard]] RecordIndex BuildIndex(const Record& record);

/// The row of an id, or null.
[[nodiscard]] const Trial* FindRow(const RowMap& rows, std::uint32_t id);

}  // namespace bi_test
