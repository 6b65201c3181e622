#include "base/utf8.h"

namespace bi_test {
namespace {

[[nodiscard]] std::uint32_t Byte(std::string_view text, std::size_t pos) {
  return static_cast<unsigned char>(text[pos]);
}

[[nodiscard]] bool IsContinuation(std::string_view text, std::size_t pos) {
  return pos < text.size() && (Byte(text, pos) & 0xC0U) == 0x80U;
}

}  // namespace

Utf8Step NextUtf8(std::string_view text, std::size_t pos) {
  const std::uint32_t lead = Byte(text, pos);
  if (lead < 0x80U) return {lead, 1, true, false};
  std::size_t length = 0;
  std::uint32_t code_point = 0;
  std::uint32_t smallest = 0;
  if (lead >= 0xC2U && lead <= 0xDFU) {
    length = 2;
    code_point = lead & 0x1FU;
    smallest = 0x80U;
  } else if ((lead & 0xF0U) == 0xE0U) {
    length = 3;
    code_point = lead & 0x0FU;
    smallest = 0x800U;
  } else if (lead >= 0xF0U && lead <= 0xF4U) {
    length = 4;
    code_point = lead & 0x07U;
    smallest = 0x10000U;
  } else {
    return {lead, 1, false, false};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text, pos + i)) return {lead, 1, false, false};
    code_point = (code_point << 6U) | (Byte(text, pos + i) & 0x3FU);
  }
  if (code_point < smallest || code_point > 0x10FFFFU) return {lead, 1, false, false};
  if (code_point >= 0xD800U && code_point <= 0xDFFFU) return {code_point, 3, false, true};
  return {code_point, length, true, false};
}

void AppendUtf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80U) {
    put(code_point);
  } else if (code_point < 0x800U) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000U) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

std::string ReplaceIllFormed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    if (step.valid) {
      out.append(text.substr(pos, step.length));
    } else {
      AppendUtf8(out, 0xFFFDU);
    }
    pos += step.length;
  }
  return out;
}

std::int64_t CountCodePoints(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) pos += NextUtf8(text, pos).length;
  return count;
}

std::optional<std::size_t> FindInvalidUtf8(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    if (!step.valid) return pos;
    pos += step.length;
  }
  return std::nullopt;
}

std::size_t SequenceStart(std::string_view text, std::size_t pos) {
  for (std::size_t back = 1; back <= 3 && back <= pos; ++back) {
    const std::size_t start = pos - back;
    if (Byte(text, start) < 0x80U) break;
    if (!IsContinuation(text, start)) {
      return start + NextUtf8(text, start).length > pos ? start : pos;
    }
  }
  return pos;
}

std::string_view ClipUtf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  return text.substr(0, SequenceStart(text, max_bytes));
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

}  // namespace bi_test
