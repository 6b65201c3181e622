#include "base/safe_text.h"

#include <cstdint>

#include "base/hex.h"
#include "base/utf8.h"

namespace bi_test {
namespace {

[[nodiscard]] bool IsControl(std::uint32_t c) { return c < 0x20U || (c >= 0x7FU && c <= 0x9FU); }

void AppendHexByte(std::string& out, std::uint32_t byte) { AppendHex(out += "\\x", byte, 2); }

/// Characters that reorder or break lines, or that XML 1.0 or Unicode exclude from interchange.
[[nodiscard]] bool IsTreacherous(std::uint32_t c) {
  return (c >= 0x200EU && c <= 0x200FU) || (c >= 0x2028U && c <= 0x202EU) ||
         (c >= 0x2066U && c <= 0x2069U) || c == 0x061CU || c == 0xFEFFU ||
         (c >= 0xFDD0U && c <= 0xFDEFU) || (c & 0xFFFEU) == 0xFFFEU;
}

/// The safe spelling of the character at `pos`.
[[nodiscard]] std::string Spell(std::string_view text, std::size_t pos, const Utf8Step& step) {
  const std::uint32_t c = step.code_point;
  const bool layout = c == '\n' || c == '\t';
  std::string out;
  if (step.surrogate || (step.valid && IsTreacherous(c))) {
    AppendUnicodeEscape(out, c);
  } else if (!step.valid || (IsControl(c) && !layout)) {
    AppendHexByte(out, c);
  } else {
    out = text.substr(pos, step.length);
  }
  return out;
}

[[nodiscard]] std::string CutMark(std::size_t left_out) {
  return "...(+" + std::to_string(left_out) + " bytes)";
}

}  // namespace

std::string OneLine(std::string_view text, std::size_t max_bytes) {
  std::string line;
  for (const char c : SanitizeText(text, max_bytes)) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else {
      line += c;
    }
  }
  return line;
}

std::string Printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    if (pos + step.length > max_bytes) return out + "...";
    if (step.valid && !IsControl(step.code_point)) {
      out += Spell(text, pos, step);
    } else {
      for (const char byte : text.substr(pos, step.length)) {
        AppendHexByte(out, static_cast<unsigned char>(byte));
      }
    }
    pos += step.length;
  }
  return out;
}

std::string Quoted(std::string_view text, std::size_t max_bytes) {
  std::string out = "\"";
  for (const char c : Printable(text, max_bytes)) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out += '"';
}

bool HasControlCharacter(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    if (step.valid && IsControl(step.code_point)) return true;
    pos += step.length;
  }
  return false;
}

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
