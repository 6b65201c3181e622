#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/trial.h"

namespace bi_test::trace {

/// One key of a trial line and the member of Trial that it fills; exactly one pointer is set, none
/// for the keys that identify the line.
struct TrialColumn {
  std::string_view name;
  Json Trial::*json = nullptr;
  std::optional<double> Trial::*number = nullptr;
  std::optional<std::int64_t> Trial::*integer = nullptr;
  std::string Trial::*words = nullptr;
  std::optional<std::vector<std::int64_t>> Trial::*integers = nullptr;
  std::optional<std::vector<double>> Trial::*numbers = nullptr;
  /// A value of a wrong type is an error, not "not measured"; of a `json` member: it is a text or
  /// null.
  bool strict = false;
};

/// `arm`, `pass`, `test_id`, `retry_attempts`, `row`: kept apart, they are no plain members.
enum class TrialKey { kArm, kPass, kTestId, kRetries, kRow, kColumn, kUnknown, kOtherLine };

/// All columns in the order in which they are written.
[[nodiscard]] std::span<const TrialColumn> TrialColumns();

/// What a key means; `index` is that of the column. Keys of headers, evidence and closing records
/// are kOtherLine.
struct TrialKeyMeaning {
  TrialKey key = TrialKey::kUnknown;
  std::size_t index = 0;
};
[[nodiscard]] TrialKeyMeaning MeaningOf(std::string_view key);

}  // namespace bi_test::trace
