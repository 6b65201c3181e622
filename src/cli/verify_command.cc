#include <iostream>

#include "bi_test/json.h"
#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "run/cert_file.h"

namespace bi_test::cli {

int VerifyCommand(const std::filesystem::path& cert_path, std::filesystem::path trace, bool json) {
  const Result<Cert> cert = run::LoadCert(cert_path);
  if (!cert.ok()) return Fail("verify", cert.error(), json, kExitError);
  if (trace.empty()) {
    trace = run::TraceOfCert(cert_path);
    if (run::HasNoTrace(*cert, trace)) {
      return Fail("verify",
                  Error{ErrorCode::kNotFound,
                        "a cert of an older kind (no schema_version): there is no trace to "
                        "recompute it from; run the cell again",
                        cert_path.string()},
                  json, kExitError);
    }
  }
  const Result<std::vector<std::string>> differences = run::DifferencesFromTrace(*cert, trace);
  if (!differences.ok()) {
    Error error = differences.error();
    error.message = "cannot judge the trace of this cert: " + error.message +
                    "; name the right one with --trace";
    return Fail("verify", error, json, kExitError);
  }
  if (json) {
    Json out;
    out["cert"] = cert_path.string();
    out["trace"] = trace.string();
    out["verified"] = differences->empty();
    out["differences"] = Json(Json::Array(differences->begin(), differences->end()));
    PrintJson(out);
  } else if (differences->empty()) {
    std::cout << SanitizeText(
                     "verified: " + cert_path.string() + " says what " + trace.string() + " says",
                     8000)
              << '\n';
  } else {
    for (const std::string& line : *differences) std::cout << SanitizeText(line, 2000) << '\n';
  }
  return differences->empty() ? kExitOk : kExitNo;
}

}  // namespace bi_test::cli
