// Any bytes give a cert document or an error; whatever the document holds, it can be shown,
// checked, asked for promotion and written, and it reads back to itself.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "base/utf8.h"
#include "bi_test/cert.h"

namespace {

using namespace bi_test;  // NOLINT

constexpr std::size_t kMaxScreen = 64u << 10;

void Check(bool holds) {
  if (!holds) std::abort();
}

/// Fit for a terminal: UTF-8, and no control character but newline and tab.
bool IsSafe(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') return false;
  }
  return !FindInvalidUtf8(text);
}

bool Says(const Cert& cert, const char* key, const Json& value) {
  const Json* found = cert.document.Find(key);
  return found != nullptr && *found == value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<Json> document = ParseJson(text);
  if (!document.ok()) {
    Check(!document.error().Text().empty());
    return 0;
  }
  const Cert cert{std::move(document).value()};

  const std::string screen = ExplainCert(cert);
  Check(screen.size() < kMaxScreen && screen.ends_with('\n') && IsSafe(screen));

  const Cell cell{"m", 4096, 4, "f16"};
  if (UnmetPromotionPoints(cert, cell).empty()) {
    Check(Says(cert, "status", "green") && Says(cert, "source", "live") &&
          Says(cert, "model", "m") && Says(cert, "cert_digest", CertDigest(cert)));
  }

  // Against itself only the digest can be wrong.
  const std::vector<std::string> own = CheckCertAgainst(cert, cert);
  Check(own.size() == (Says(cert, "cert_digest", CertDigest(cert)) ? 0u : 1u));
  for (const std::string& line : CheckCertAgainst(cert, Cert{})) Check(!line.empty());

  const Result<Json> again = ParseJson(CertText(cert));
  Check(again.ok() && *again == cert.document);
  return 0;
}
