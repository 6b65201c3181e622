#include <iostream>

#include "bi_test/json.h"
#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "driver/cert_file.h"
#include "driver/verify_cert.h"

namespace bi_test::cli {

int VerifyCommand(const std::filesystem::path& cert_path, std::filesystem::path trace, bool json) {
  const Result<Cert> cert = driver::LoadCert(cert_path);
  if (!cert.ok()) {
    std::cerr << "bi-test verify: " << cert.error().Text() << '\n';
    return kError;
  }
  if (trace.empty()) trace = driver::TraceOfCert(cert_path);
  const Result<std::vector<std::string>> differences = driver::DifferencesFromTrace(*cert, trace);
  if (!differences.ok()) {
    std::cerr << "bi-test verify: cannot judge the trace of this cert: "
              << differences.error().Text() << "; name the right one with --trace\n";
    return kError;
  }
  if (json) {
    Json out;
    out["cert"] = cert_path.string();
    out["trace"] = trace.string();
    out["verified"] = differences->empty();
    out["differences"] = Json(Json::Array(differences->begin(), differences->end()));
    std::cout << PrettyText(out) << '\n';
  } else if (differences->empty()) {
    std::cout << "verified: " << cert_path.string() << " says what " << trace.string()
              << " says\n";
  } else {
    for (const std::string& line : *differences) std::cout << SanitizeText(line, 2000) << '\n';
  }
  return differences->empty() ? kOk : kNotPromotable;
}

}  // namespace bi_test::cli
