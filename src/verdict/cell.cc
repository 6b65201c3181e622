#include "bi_test/cell.h"

#include <ostream>

#include "base/sha256.h"
#include "bi_test/sanitize.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxStem = 200;
constexpr std::size_t kKeptOfLongStem = 160;
constexpr std::size_t kHashDigits = 16;

[[nodiscard]] bool IsPlain(unsigned char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

[[nodiscard]] std::string PercentEncode(const std::string& text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (IsPlain(c) && !(c == '.' && i == 0)) {
      out += text[i];
    } else {
      out += '%';
      out += kHex[c >> 4U];
      out += kHex[c & 0xFU];
    }
  }
  return out;
}

}  // namespace

std::string Describe(const Cell& cell) {
  return SanitizeText(cell.model, 200) + " ctx=" + std::to_string(cell.ctx) +
         " N=" + std::to_string(cell.dispatch_n);
}

std::string FileStem(const Cell& cell) {
  if (cell.model.empty() || cell.ctx < 1 || cell.dispatch_n < 2) return {};
  const std::string stem = PercentEncode(cell.model) + "__ctx" + std::to_string(cell.ctx) + "__N" +
                           std::to_string(cell.dispatch_n);
  if (stem.size() <= kMaxStem) return stem;
  return stem.substr(0, kKeptOfLongStem) + "-" + Sha256Hex(stem).substr(0, kHashDigits);
}

std::ostream& operator<<(std::ostream& out, const Cell& cell) {
  out << Describe(cell);
  if (cell.kv_label != Cell{}.kv_label) out << " kv=" << SanitizeText(cell.kv_label, 40);
  return out;
}

}  // namespace bi_test
