// Any bytes give a record or an error; a record reads back to the same text.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace {

std::string WriteAll(const bi_test::Record& record) {
  std::string text = bi_test::trace::HeaderLine(record);
  for (const auto& trial : record.trials) text += bi_test::trace::TrialLine(trial);
  for (const auto& evidence : record.evidence) text += bi_test::trace::EvidenceLine(evidence);
  if (record.complete == true) text += bi_test::trace::EndLine(record);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto record = bi_test::trace::ParseTrace(text);
  if (!record.ok()) return record.error().Text().empty() ? (std::abort(), 0) : 0;
  // Compared as text: NaN is unequal to itself, as it should be.
  const std::string written = WriteAll(*record);
  const auto again = bi_test::trace::ParseTrace(written);
  if (!again.ok() || WriteAll(*again) != written) std::abort();
  return 0;
}
