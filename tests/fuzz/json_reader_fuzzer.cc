// Any bytes give a value or an error, and what is accepted reads back to itself. What is found in
// them as in an answer is found again in its own text.

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "scorers/answer_json.h"
#include "trace/trace_json_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bi_test;  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const FoundJson found = FindFirstJson(text, "{[");
      found.state == LeadingJson::State::kFound) {
    const std::optional<Json> again = ReadWholeJson(found.inside);
    if (!again || !(*again == found.value)) std::abort();
  }
  (void)FindJson(text);
  const Result<Json> strict = ParseJson(text);
  JsonLimits limits;
  limits.tolerate_broken_text = true;
  const Result<Json> tolerant = ParseJson(text, limits);
  if (strict.ok() && (!tolerant.ok() || !(*strict == *tolerant))) std::abort();
  if (!strict.ok()) return 0;
  std::string written;
  trace::AppendTraceJson(written, *strict);
  const Result<Json> again = ParseJson(written);
  // U+FDD0 is doubled by the writer of traces and only undone by their reader.
  if (written.find("\\ufdd0") == std::string::npos && (!again.ok() || !(*again == *strict))) {
    std::abort();
  }
  return 0;
}
