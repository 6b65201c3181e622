#pragma once

#include "base/json_writer.h"
#include "bi_test/json.h"
#include "trace/trace_string.h"

namespace bi_test::trace {

inline constexpr JsonSpelling kTraceSpelling{AppendTraceString, /*bare_non_finite=*/true};

/// Writes one JSON text of a trace, on one line. Include from .cc files only.
class TraceJsonWriter : public JsonWriter<rapidjson::Writer<StringStream>> {
 public:
  explicit TraceJsonWriter(std::string& out) : JsonWriter(out, kTraceSpelling) {}

  void Member(std::string_view key, const Json& value) {
    Key(key);
    Value(value);
  }
};

/// Appends a value as it stands in a trace: numbers read back exactly, non-finite ones as NaN,
/// Infinity and -Infinity.
void AppendTraceJson(std::string& out, const Json& value);

}  // namespace bi_test::trace
