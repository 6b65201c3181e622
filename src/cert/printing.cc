// One-line printers of the larger values; what gtest shows for them.
#include <ostream>

#include "bi_test/cell_run.h"
#include "bi_test/sanitize.h"

namespace bi_test {
namespace {

void PrintVerdict(std::ostream& out, const Judgement& judgement) {
  out << judgement.verdict;
  if (judgement.divergence_class) out << " class=" << SanitizeText(*judgement.divergence_class, 80);
  if (judgement.anomaly) out << " anomaly=" << SanitizeText(*judgement.anomaly, 80);
  out << " [";
  const char* separator = "";
  for (const std::string& code : judgement.reason_codes) {
    out << separator << SanitizeText(code, 80);
    separator = " ";
  }
  out << ']';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Judgement& judgement) {
  PrintVerdict(out, judgement);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Cert& cert) {
  const auto text = [&cert](std::string_view key) {
    const Json* value = cert.document.Find(key);
    return value == nullptr ? std::string("absent") : SanitizeText(CompactText(*value), 200);
  };
  return out << "cert model=" << text("model") << " ctx=" << text("ctx")
             << " dispatch_n=" << text("dispatch_n") << " status=" << text("status")
             << " source=" << text("source") << " reason_codes=" << text("reason_codes");
}

std::ostream& operator<<(std::ostream& out, const CellRun& run) {
  out << run.cell << ": ";
  PrintVerdict(out, run.judgement);
  if (run.error) out << " error: " << SanitizeText(run.error->Text(), 400);
  if (!run.cert_path.empty()) out << " cert: " << SanitizeText(run.cert_path, 400);
  return out;
}

}  // namespace bi_test
