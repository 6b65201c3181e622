#include "config/yaml/utf8.h"

#include <algorithm>

namespace bi_test::config {
namespace {

unsigned Byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool IsContinuation(unsigned byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

std::size_t CodePoints(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return !IsContinuation(static_cast<unsigned char>(c)); }));
}

std::string_view ClipUtf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && IsContinuation(Byte(text, end))) --end;
  return text.substr(0, end);
}

bool HasControlCharacter(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = Byte(text, i);
    if (byte < 0x20 || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < text.size() && Byte(text, i + 1) < 0xA0) return true;
  }
  return false;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace bi_test::config
