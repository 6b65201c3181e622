#include "base/surrogates.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace bi_test {
namespace {

constexpr std::size_t kEscapeLength = 6;  // \uXXXX

/// The code unit of the `\uXXXX` escape at `at`, or -1.
int EscapeAt(std::string_view text, std::size_t at) {
  const std::string_view escape = text.substr(std::min(at, text.size()), kEscapeLength);
  if (escape.size() < kEscapeLength || !escape.starts_with("\\u")) return -1;
  unsigned unit = 0;
  const char* const end = escape.data() + escape.size();
  return std::from_chars(escape.data() + 2, end, unit, 16).ptr == end ? static_cast<int>(unit) : -1;
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
  if (at >= text.size()) return -1;
  const Utf8Step step = NextUtf8(text, at);
  return step.surrogate ? static_cast<int>(step.code_point) : -1;
}

}  // namespace

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
