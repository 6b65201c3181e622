#pragma once

#include <cstdint>
#include <string>

namespace bi_test {

/// Appends the lowest `digits` hex digits of `value`, in lower case.
inline void AppendHex(std::string& out, std::uint32_t value, int digits) {
  while (digits-- > 0) out += "0123456789abcdef"[(value >> (4 * digits)) & 0xFU];
}

/// Appends `\uXXXX`, of a code point beyond U+FFFF two of them.
inline void AppendUnicodeEscape(std::string& out, std::uint32_t code_point) {
  if (code_point > 0xFFFFU) {
    AppendUnicodeEscape(out, 0xD800U + ((code_point - 0x10000U) >> 10U));
    code_point = 0xDC00U + ((code_point - 0x10000U) & 0x3FFU);
  }
  AppendHex(out += "\\u", code_point, 4);
}

}  // namespace bi_test
