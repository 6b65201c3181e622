#include <iostream>

#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "cert/read_cert.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "run/cert_file.h"
#include "run/provenance.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxPath = 4000;

}  // namespace

int ShowCommand(const std::filesystem::path& path, bool json) {
  const Result<Cert> cert = run::LoadCert(path);
  if (!cert.ok()) return Fail("show", cert.error(), json, kExitError);
  const std::vector<std::string> unmet =
      UnmetPromotionPoints(*cert, ReadCert(cert->document).cell, {}, run::NowUtc());
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
  return unmet.empty() ? kExitOk : kExitNo;
}

}  // namespace bi_test::cli
