#include "run/cert_file.h"

#include <string>
#include <system_error>

#include "base/json_reader.h"
#include "base/try.h"
#include "bi_test/driver.h"
#include "files/atomic_file.h"

namespace bi_test::run {

Result<Cert> LoadCert(const std::filesystem::path& file) {
  constexpr std::size_t kMaxCert = 16u << 20;
  BI_TRY_SET(const std::string text, files::ReadFile(file, kMaxCert));
  JsonLimits limits;
  limits.max_bytes = kMaxCert;
  Result<Json> document = ParseJson(text, limits);
  if (!document.ok()) {
    return Error{ErrorCode::kInvalidFile, "no cert: " + document.error().Text(), file.string()};
  }
  if (!document->is_object()) {
    return Error{
        ErrorCode::kInvalidFile,
        "no cert: found " + CompactText(*document).substr(0, 40) + ", expected a JSON object",
        file.string()};
  }
  return Cert{std::move(*document)};
}

std::filesystem::path CertPath(const std::filesystem::path& dir, const Cell& cell) {
  const std::string stem = FileStem(cell);
  return stem.empty() ? std::filesystem::path() : dir / (stem + ".json");
}

std::filesystem::path TraceOfCert(const std::filesystem::path& cert) {
  std::filesystem::path trace = cert;
  trace.replace_extension(".trace.jsonl");
  return trace;
}

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
