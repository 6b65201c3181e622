#include "base/try.h"
#include "bi_test/driver.h"
#include "bi_test/judge.h"
#include "run/provenance.h"
#include "trace/trace.h"

namespace bi_test {

Result<CellRun> JudgeTrace(const std::filesystem::path& trace, const std::optional<Policy>& policy,
                           const std::string& ts_utc) {
  BI_TRY_SET(trace::DigestedRecord digested, trace::ReadTraceAndDigest(trace));
  Record& record = digested.record;

  Policy used;
  if (policy) {
    used = *policy;
  } else if (const Json* recorded = record.header.Find("policy"); recorded != nullptr) {
    Result<Policy> parsed = ParsePolicyJson(*recorded);
    if (!parsed.ok()) return Error{ErrorCode::kInvalidFile, parsed.error().Text(), trace.string()};
    used = std::move(*parsed);
  }

  CellRun run;
  run.cell = record.cell;
  run.record = std::move(record);
  run.judgement = Judge(run.record, used);
  CertStamp stamp;
  stamp.ts_utc = ts_utc.empty() ? run::NowUtc() : ts_utc;
  stamp.trace_sha256 = std::move(digested.sha256);
  run.cert = BuildCert(run.record, run.judgement, used, stamp);
  run.trace_path = trace.string();
  return run;
}

}  // namespace bi_test
