#include "run/verify_cert.h"

#include <system_error>

#include "base/try.h"
#include "bi_test/driver.h"

namespace bi_test::run {

Result<std::vector<std::string>> DifferencesFromTrace(const Cert& cert,
                                                      const std::filesystem::path& trace) {
  // The time of writing is the one thing that only the stored cert can tell.
  std::string ts_utc;
  const Json* stored = cert.document.Find("ts_utc");
  if (stored != nullptr && stored->if_string() != nullptr) ts_utc = *stored->if_string();
  BI_TRY_SET(const CellRun judged, JudgeTrace(trace, std::nullopt, ts_utc));
  return CheckCertAgainst(cert, judged.cert);
}

bool HasNoTrace(const Cert& cert, const std::filesystem::path& trace) {
  std::error_code code;
  return cert.document.Find("schema_version") == nullptr &&
         !std::filesystem::exists(std::filesystem::symlink_status(trace, code));
}

}  // namespace bi_test::run
