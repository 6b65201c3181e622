#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/trial.h"

namespace bi_test {

/// A compared field of a trial.
struct InvariantField {
  std::string_view name;
  const Json Trial::*member;
};

/// The six invariants in the order in which differences are reported.
[[nodiscard]] std::span<const InvariantField> Invariants();

/// True for a field that a policy may compare in addition.
[[nodiscard]] bool IsExtraInvariant(std::string_view name);

/// Those fields in words, for messages.
[[nodiscard]] std::string ExtraInvariantList();

/// The value of an extra field; null when it was not measured or the name is no extra field.
[[nodiscard]] Json ExtraInvariantValue(const Trial& trial, std::string_view name);

/// The answer counts: `failure_mode` is exactly the text `ok`, or the scorer scored it under
/// another label (`scored` is true), and the row is a row. A request that failed, or gave nothing,
/// never counts.
[[nodiscard]] bool IsOk(const Trial& trial);

/// The label is one of the transport, deadline and server faults: the request failed, the model is
/// not to blame.
[[nodiscard]] bool IsFault(const Trial& trial);

/// The text of a row: `content`, else `response_first_200`, else empty. Text of a value that is no
/// string is its compact JSON.
[[nodiscard]] std::string OutputText(const Trial& trial);

/// 12 hex digits over the text of the row.
[[nodiscard]] std::string ContentSha(const Trial& trial);

/// 12 hex digits over content, reasoning text, tool calls, finish reason and completion tokens.
[[nodiscard]] std::string OutputSha(const Trial& trial);

/// The row as the JSON object of its compared fields, or the raw value of a malformed row.
[[nodiscard]] Json RowJson(const Trial& trial);

}  // namespace bi_test
