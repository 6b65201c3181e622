#include <iostream>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "driver/cert_file.h"
#include "driver/verify_cert.h"

namespace bi_test::cli {
namespace {

/// Points that the cert's own trace raises: a cert that cannot be recomputed promotes nothing.
std::vector<std::string> TracePoints(const Cert& cert, const std::filesystem::path& trace) {
  if (driver::HasNoTrace(cert, trace)) {
    return {
        "NO_TRACE: a cert of an older kind (no schema_version): there is no trace to recompute "
        "it from; run the cell again"};
  }
  const Result<std::vector<std::string>> differences = driver::DifferencesFromTrace(cert, trace);
  if (!differences.ok()) {
    return {"TRACE_UNREADABLE: the cert cannot be recomputed: " + differences.error().Text()};
  }
  std::vector<std::string> points;
  for (const std::string& difference : *differences) {
    points.push_back("NOT_VERIFIED: " + difference);
  }
  return points;
}

}  // namespace

int PromoteCommand(const std::filesystem::path& cert_dir, const Cell& asked, bool json) {
  const std::filesystem::path path = driver::CertPath(cert_dir, asked);
  if (path.empty()) {
    return Fail("promote",
                Error{ErrorCode::kUsage,
                      "no cell can be called " + Describe(asked) +
                          ": a non-empty model, ctx >= 1 and N >= 2 are needed",
                      {}},
                json, kUsage);
  }
  const Result<Cert> cert = driver::LoadCert(path);
  if (!cert.ok()) return Fail("promote", cert.error(), json, kError);
  Cell cell = asked;
  if (cell.kv_label.empty()) {
    const Json* kv = cert->document.Find("kv_label");
    if (kv != nullptr && kv->if_string() != nullptr) cell.kv_label = *kv->if_string();
  }
  std::vector<std::string> unmet = UnmetPromotionPoints(*cert, cell);
  for (std::string& point : TracePoints(*cert, driver::TraceOfCert(path))) {
    unmet.push_back(std::move(point));
  }
  if (json) {
    Json out;
    out["cert"] = path.string();
    out["promotable"] = unmet.empty();
    out["unmet"] = Json(Json::Array(unmet.begin(), unmet.end()));
    PrintJson(out);
  } else if (unmet.empty()) {
    std::cout << "promotable: " << SanitizeText(Describe(cell), 2000) << '\n';
  } else {
    for (const std::string& point : unmet) std::cout << SanitizeText(point, 2000) << '\n';
  }
  return unmet.empty() ? kOk : kNotPromotable;
}

}  // namespace bi_test::cli
