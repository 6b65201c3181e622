#pragma once

#include <string>
#include <string_view>

#include "bi_test/json.h"

namespace bi_test::trace {

/// Appends `text` as a JSON string of a trace: any bytes, injective, valid UTF-8 (trace.h).
void AppendTraceString(std::string& out, std::string_view text);

/// Undoes the byte escapes of AppendTraceString in a string that JSON has already been taken off.
/// Gives a view of `text` when there are none, else of `buffer`.
[[nodiscard]] std::string_view UnescapeTraceBytes(std::string_view text, std::string& buffer);

/// Appends a value as it stands in a trace: numbers read back exactly, non-finite ones as NaN,
/// Infinity and -Infinity.
void AppendTraceJson(std::string& out, const Json& value);

}  // namespace bi_test::trace
