#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bi_test/policy.h"
#include "bi_test/trial.h"

namespace bi_test {

/// How two rows of one id compare.
struct RowComparison {
  /// Bit i is set when field i of `RowComparer::field_names()` differs.
  std::uint32_t fields = 0;
  /// One of the rows is no object; `fields` is then meaningless and the id diverges.
  bool malformed = false;
  /// Nothing of the whole output differs: content, reasoning, tool calls, finish reason, completion
  /// tokens, and token ids where both sides have them.
  bool token_identical = true;
  /// The same text, but the reasoning stands inside the content on one side and beside it on the
  /// other.
  bool framing_only = false;
  /// `finish_reason` differs and nothing else does.
  bool finish_reason_only = false;
  /// Both sides lack `content`, so the truncated display form was compared.
  bool truncated_content = false;

  [[nodiscard]] bool divergent() const { return malformed || fields != 0; }
};

/// Compares rows field by field: the six invariants, then the extra fields of a policy.
class RowComparer {
 public:
  explicit RowComparer(const Policy& policy);

  [[nodiscard]] RowComparison Compare(const Trial& x, const Trial& y) const;

  /// Compared fields in the order of reports.
  [[nodiscard]] const std::vector<std::string>& field_names() const { return names_; }
  /// The value of field `i` of a row.
  [[nodiscard]] Json FieldValue(const Trial& trial, std::size_t i) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace bi_test
