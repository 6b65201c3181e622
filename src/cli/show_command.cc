#include <iostream>

#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "run/cert_file.h"
#include "run/provenance.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxPath = 4000;

/// The cell a cert says it is about; whatever is missing or of a wrong type stays unset.
Cell CellOf(const Cert& cert) {
  Cell cell;
  cell.kv_label.clear();
  const auto text = [&](const char* key, std::string& out) {
    const Json* value = cert.document.Find(key);
    if (value != nullptr && value->if_string() != nullptr) out = *value->if_string();
  };
  const auto number = [&](const char* key, int& out) {
    const Json* value = cert.document.Find(key);
    if (value != nullptr && value->if_int64() != nullptr && *value->if_int64() > 0 &&
        *value->if_int64() <= INT32_MAX) {
      out = static_cast<int>(*value->if_int64());
    }
  };
  text("model", cell.model);
  text("kv_label", cell.kv_label);
  number("ctx", cell.ctx);
  number("dispatch_n", cell.dispatch_n);
  return cell;
}

}  // namespace

int ShowCommand(const std::filesystem::path& path, bool json) {
  const Result<Cert> cert = run::LoadCert(path);
  if (!cert.ok()) return Fail("show", cert.error(), json, kError);
  const std::vector<std::string> unmet =
      UnmetPromotionPoints(*cert, CellOf(*cert), {}, run::NowUtc());
  if (json) {
    Json out;
    out["cert"] = cert->document;
    out["path"] = path.string();
    out["promotable"] = unmet.empty();
    out["unmet"] = Json(Json::Array(unmet.begin(), unmet.end()));
    PrintJson(out);
  } else {
    std::cout << SanitizeText(path.string(), kMaxPath) << '\n' << ExplainCert(*cert);
  }
  return unmet.empty() ? kOk : kNotPromotable;
}

}  // namespace bi_test::cli
