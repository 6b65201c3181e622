// Any record that can be read gets a verdict, and its cert is strict JSON that says what the record
// says however the lines are ordered.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "trace/trace.h"

namespace {

using namespace bi_test;  // NOLINT

void Check(bool holds) {
  if (!holds) std::abort();
}

Cert CertOf(const Record& record, const Policy& policy) {
  return BuildCert(record, Judge(record, policy), policy, {"2026-01-02T03:04:05Z", "00"});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<Record> read = trace::ParseTrace(text);
  if (!read.ok()) return 0;
  Record record = std::move(read).value();
  Policy policy;
  if (const Json* recorded = record.header.Find("policy")) {
    const Result<Policy> parsed = ParsePolicyJson(*recorded);
    if (!parsed.ok()) return 0;
    policy = *parsed;
  }

  const Cert cert = CertOf(record, policy);
  const Result<Json> strict = ParseJson(CertText(cert));
  Check(strict.ok() && *strict == cert.document);
  Check(CheckCertAgainst(cert, cert).empty());
  Check(ExplainCert(cert).ends_with('\n'));

  std::reverse(record.trials.begin(), record.trials.end());
  std::reverse(record.evidence.begin(), record.evidence.end());
  Check(CheckCertAgainst(cert, CertOf(record, policy)).empty());
  return 0;
}
