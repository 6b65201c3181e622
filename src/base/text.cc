#include "base/text.h"

#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace bi_test {
namespace {

constexpr std::size_t kEscapeLength = 6;  // \uXXXX

unsigned char At(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

bool IsContinuation(std::string_view bytes, std::size_t i) {
  return i < bytes.size() && (At(bytes, i) & 0xC0u) == 0x80u;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The code unit of the `\uXXXX` escape at `at`, or -1.
int EscapeAt(std::string_view text, std::size_t at) {
  if (at + kEscapeLength > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (std::size_t i = at + 2; i < at + kEscapeLength; ++i) {
    const int digit = HexDigit(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool IsHigh(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLow(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// Calls `piece(begin, end, unit)` for each stretch of text: unit -1 for text to keep, else the
/// lone surrogate whose escape stands there.
template <typename Piece>
void ForEachPiece(std::string_view json, Piece piece) {
  std::size_t kept_from = 0;
  std::size_t i = 0;
  while (i < json.size()) {
    if (json[i] != '\\') {
      ++i;
      continue;
    }
    const int unit = EscapeAt(json, i);
    if (unit < 0) {
      i += 2;  // an escaped character, perhaps a backslash
      continue;
    }
    if (IsHigh(unit) && IsLow(EscapeAt(json, i + kEscapeLength))) {
      i += 2 * kEscapeLength;
      continue;
    }
    if (IsHigh(unit) || IsLow(unit)) {
      piece(kept_from, i, -1);
      piece(i, i + kEscapeLength, unit);
      kept_from = i + kEscapeLength;
    }
    i += kEscapeLength;
  }
  piece(kept_from, json.size(), -1);
}

/// The surrogate in three-byte form at `at`, or -1.
int SurrogateBytesAt(std::string_view text, std::size_t at) {
  if (at + 3 > text.size() || At(text, at) != 0xEDu || At(text, at + 1) < 0xA0u ||
      !IsContinuation(text, at + 1) || !IsContinuation(text, at + 2)) {
    return -1;
  }
  return 0xD000 | ((At(text, at + 1) & 0x3F) << 6) | (At(text, at + 2) & 0x3F);
}

}  // namespace

std::size_t Utf8SequenceLength(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const Utf8Step step = NextUtf8(bytes, 0);
  return step.valid ? step.length : 0;
}

std::optional<std::size_t> FindInvalidUtf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (At(bytes, i) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = Utf8SequenceLength(bytes.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string Printable(std::string_view text, std::size_t max_bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char c = At(text, i);
    const std::size_t length = Utf8SequenceLength(text.substr(i));
    if (i + (length == 0 ? 1 : length) > max_bytes) {
      out += "...";
      break;
    }
    // U+0080..U+009F are control characters too, terminals obey some of them.
    const bool control = length == 0 || c < 0x20 || c == 0x7F ||
                         (length == 2 && c == 0xC2 && At(text, i + 1) < 0xA0);
    if (control) {
      for (std::size_t k = i; k < i + (length == 0 ? 1 : length); ++k) {
        out += "\\x";
        out += kHex[At(text, k) >> 4];
        out += kHex[At(text, k) & 0x0F];
      }
    } else {
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
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

std::string ReplaceLoneSurrogateEscapes(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  ForEachPiece(json, [&](std::size_t begin, std::size_t end, int unit) {
    if (unit < 0) {
      out += json.substr(begin, end - begin);
    } else {
      AppendUtf8(out, static_cast<std::uint32_t>(unit));
    }
  });
  return out;
}

std::size_t OffsetBeforeReplacement(std::string_view json, std::size_t offset) {
  std::size_t position = 0;  // in the replaced text
  std::size_t original = json.size();
  bool found = false;
  ForEachPiece(json, [&](std::size_t begin, std::size_t end, int unit) {
    const std::size_t length = unit < 0 ? end - begin : 3;
    if (!found && offset < position + length) {
      original = unit < 0 ? begin + (offset - position) : begin;
      found = true;
    }
    position += length;
  });
  return original;
}

void JoinSurrogatePairs(std::string& text) {
  std::size_t at = text.find('\xED');
  if (at == std::string::npos) return;
  std::string out(text, 0, at);
  while (at < text.size()) {
    const int high = SurrogateBytesAt(text, at);
    const int low = IsHigh(high) ? SurrogateBytesAt(text, at + 3) : -1;
    if (!IsLow(low)) {
      out += text[at++];
      continue;
    }
    AppendUtf8(out, 0x10000u + ((static_cast<std::uint32_t>(high) - 0xD800u) << 10) +
                        (static_cast<std::uint32_t>(low) - 0xDC00u));
    at += 6;
  }
  text = std::move(out);
}

bool HasSurrogateBytes(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos;
       at = text.find('\xED', at + 1)) {
    if (SurrogateBytesAt(text, at) >= 0) return true;
  }
  return false;
}

}  // namespace bi_test
