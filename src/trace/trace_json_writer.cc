#include "trace/trace_json_writer.h"

namespace bi_test::trace {

void AppendTraceJson(std::string& out, const Json& value) { TraceJsonWriter(out).Value(value); }

}  // namespace bi_test::trace
