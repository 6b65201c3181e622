#include "trace/trace_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/number_text.h"
#include "base/utf8.h"

namespace bi_test::trace {
namespace {

// A noncharacter: no text that is meant to be read holds it.
constexpr std::uint32_t kMark = 0xFDD0;
constexpr std::string_view kMarkBytes = "\xEF\xB7\x90";

void AppendEscape(std::string& out, std::uint32_t unit) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0x0Fu];
}

template <typename T>
void AppendInteger(std::string& out, T value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

bool IsPlain(unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

}  // namespace

void AppendTraceString(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t plain = at;
    while (plain < text.size() && IsPlain(static_cast<unsigned char>(text[plain]))) ++plain;
    out.append(text, at, plain - at);
    at = plain;
    if (at == text.size()) break;
    const Utf8Step step = NextUtf8(text, at);
    if (!step.valid) {
      AppendEscape(out, kMark);
      AppendEscape(out, static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (step.code_point == kMark) {
      AppendEscape(out, kMark);
      AppendEscape(out, kMark);
    } else if (step.code_point == '"' || step.code_point == '\\') {
      out += '\\';
      out += text[at];
    } else if (step.code_point == '\n') {
      out += "\\n";
    } else if (step.code_point < 0x20 || (step.code_point >= 0x7F && step.code_point < 0xA0) ||
               step.code_point == 0x2028 || step.code_point == 0x2029) {
      AppendEscape(out, step.code_point);  // no terminal or line splitter may act on them
    } else {
      out.append(text, at, step.length);
    }
    at += step.length;
  }
  out += '"';
}

std::string_view UnescapeTraceBytes(std::string_view text, std::string& buffer) {
  std::size_t mark = text.find(kMarkBytes);
  if (mark == text.npos) return text;
  buffer.clear();
  std::size_t at = 0;
  for (; mark != text.npos; mark = text.find(kMarkBytes, at)) {
    buffer.append(text, at, mark - at);
    at = mark + kMarkBytes.size();
    if (at == text.size()) {
      buffer += kMarkBytes;
      break;
    }
    const Utf8Step step = NextUtf8(text, at);
    if (step.valid && step.code_point >= 0x80 && step.code_point <= 0xFF) {
      buffer += static_cast<char>(static_cast<unsigned char>(step.code_point));
      at += step.length;
    } else {
      buffer += kMarkBytes;
      if (step.valid && step.code_point == kMark) at += step.length;
    }
  }
  buffer.append(text, at, text.npos);
  return buffer;
}

void AppendTraceNumber(std::string& out, double value) { out += DoubleText(value); }

void AppendTraceJson(std::string& out, const Json& value) {
  if (const bool* boolean = value.if_bool()) {
    out += *boolean ? "true" : "false";
  } else if (const std::int64_t* integer = value.if_int64()) {
    AppendInteger(out, *integer);
  } else if (const std::uint64_t* natural = value.if_uint64()) {
    AppendInteger(out, *natural);
  } else if (const double* real = value.if_double()) {
    AppendTraceNumber(out, *real);
  } else if (const std::string* text = value.if_string()) {
    AppendTraceString(out, *text);
  } else if (const Json::Array* array = value.if_array()) {
    char separator = '[';
    for (const Json& element : *array) {
      out += separator;
      AppendTraceJson(out, element);
      separator = ',';
    }
    out += array->empty() ? "[]" : "]";
  } else if (const Json::Object* object = value.if_object()) {
    char separator = '{';
    for (const auto& [key, member] : *object) {
      out += separator;
      AppendTraceString(out, key);
      out += ':';
      AppendTraceJson(out, member);
      separator = ',';
    }
    out += object->empty() ? "{}" : "}";
  } else {
    out += "null";
  }
}

}  // namespace bi_test::trace
