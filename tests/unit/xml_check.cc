#include "unit/xml_check.h"

#include <cstdint>
#include <pugixml.hpp>

namespace bi_test::testing_support {
namespace {

/// Length of the valid UTF-8 sequence at `at`, 0 when there is none.
std::size_t SequenceLength(const std::string& text, std::size_t at, std::uint32_t& code_point) {
  const auto byte = [&text](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const std::uint32_t lead = byte(at);
  std::size_t length = 0;
  std::uint32_t least = 0;
  if (lead < 0x80U) {
    code_point = lead;
    return 1;
  }
  if ((lead & 0xE0U) == 0xC0U) {
    length = 2, least = 0x80U, code_point = lead & 0x1FU;
  } else if ((lead & 0xF0U) == 0xE0U) {
    length = 3, least = 0x800U, code_point = lead & 0x0FU;
  } else if ((lead & 0xF8U) == 0xF0U) {
    length = 4, least = 0x10000U, code_point = lead & 0x07U;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
    code_point = (code_point << 6U) | (byte(at + i) & 0x3FU);
  }
  return code_point >= least && code_point <= 0x10FFFFU ? length : 0;
}

bool IsAllowed(std::uint32_t c) {
  if (c < 0x20U) return c == '\t' || c == '\n';
  return c != 0x7FU && !(c >= 0xD800U && c <= 0xDFFFU) && c != 0xFFFEU && c != 0xFFFFU;
}

}  // namespace

std::string CharacterFault(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code_point = 0;
    const std::size_t length = SequenceLength(text, at, code_point);
    if (length == 0) return "bad UTF-8 at byte " + std::to_string(at);
    if (!IsAllowed(code_point)) {
      return "character " + std::to_string(code_point) + " at byte " + std::to_string(at);
    }
    at += length;
  }
  return "";
}

std::string XmlFault(const std::string& text) {
  if (std::string fault = CharacterFault(text); !fault.empty()) return fault;
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(), pugi::parse_full, pugi::encoding_utf8);
  if (result) return "";
  return std::string(result.description()) + " at byte " + std::to_string(result.offset);
}

}  // namespace bi_test::testing_support
