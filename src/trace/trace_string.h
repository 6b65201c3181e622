#pragma once

#include <string>
#include <string_view>

namespace bi_test::trace {

/// Appends `text` as a JSON string of a trace: any bytes, injective, valid UTF-8 (trace.h).
void AppendTraceString(std::string& out, std::string_view text);

/// Undoes the byte escapes of AppendTraceString in a string that JSON has already been taken off.
/// Gives a view of `text` when there are none, else of `buffer`.
[[nodiscard]] std::string_view UnescapeTraceBytes(std::string_view text, std::string& buffer);

}  // namespace bi_test::trace
