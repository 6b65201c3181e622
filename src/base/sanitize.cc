#include "bi_test/sanitize.h"

#include <cstdint>

#include "base/utf8.h"

namespace bi_test {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

[[nodiscard]] std::string HexByte(std::uint32_t byte) {
  return {'\\', 'x', kHex[(byte >> 4U) & 0xFU], kHex[byte & 0xFU]};
}

[[nodiscard]] std::string HexUnit(std::uint32_t unit) {
  return {'\\',
          'u',
          kHex[(unit >> 12U) & 0xFU],
          kHex[(unit >> 8U) & 0xFU],
          kHex[(unit >> 4U) & 0xFU],
          kHex[unit & 0xFU]};
}

/// Characters that reorder or break lines, or that XML 1.0 or Unicode exclude from interchange.
[[nodiscard]] bool IsTreacherous(std::uint32_t c) {
  return (c >= 0x200EU && c <= 0x200FU) || (c >= 0x2028U && c <= 0x202EU) ||
         (c >= 0x2066U && c <= 0x2069U) || c == 0x061CU || c == 0xFEFFU ||
         (c >= 0xFDD0U && c <= 0xFDEFU) || (c & 0xFFFEU) == 0xFFFEU;
}

/// The safe spelling of the character at `pos`.
[[nodiscard]] std::string Spell(std::string_view text, std::size_t pos, const Utf8Step& step) {
  const std::uint32_t c = step.code_point;
  if (step.surrogate) return HexUnit(c);
  if (!step.valid) return HexByte(c);
  if (c == '\n' || c == '\t') return std::string(1, static_cast<char>(c));
  if (c < 0x20U || (c >= 0x7FU && c <= 0x9FU)) return HexByte(c);
  if (IsTreacherous(c)) {
    if (c <= 0xFFFFU) return HexUnit(c);
    return HexUnit(0xD800U + ((c - 0x10000U) >> 10U)) +
           HexUnit(0xDC00U + ((c - 0x10000U) & 0x3FFU));
  }
  return std::string(text.substr(pos, step.length));
}

[[nodiscard]] std::string CutMark(std::size_t left_out) {
  return "...(+" + std::to_string(left_out) + " bytes)";
}

}  // namespace

std::string SanitizeText(std::string_view text, std::size_t max_bytes) {
  const std::size_t reserve = CutMark(text.size()).size();
  const std::size_t room = max_bytes > reserve ? max_bytes - reserve : 0;
  std::string out;
  // Where to cut back to, should the text turn out to be too long.
  std::size_t cut_out = 0;
  std::size_t cut_in = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    const std::string spelled = Spell(text, pos, step);
    if (out.size() + spelled.size() > max_bytes) {
      out.resize(cut_out);
      return out + CutMark(text.size() - cut_in);
    }
    out += spelled;
    pos += step.length;
    if (out.size() <= room) {
      cut_out = out.size();
      cut_in = pos;
    }
  }
  return out;
}

}  // namespace bi_test
