#include "trace/trace_string.h"

#include <cstdint>

#include "base/hex.h"
#include "base/json_writer.h"
#include "base/utf8.h"

namespace bi_test::trace {
namespace {

// A noncharacter: no text that is meant to be read holds it.
constexpr std::uint32_t kMark = 0xFDD0;
constexpr std::string_view kMarkBytes = "\xEF\xB7\x90";

}  // namespace

void AppendTraceString(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = AppendPlain(out, text, 0); at < text.size();
       at = AppendPlain(out, text, at)) {
    const Utf8Step step = NextUtf8(text, at);
    if (!step.valid) {
      AppendUnicodeEscape(out, kMark);
      AppendUnicodeEscape(out, static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (step.code_point == kMark) {
      AppendUnicodeEscape(out, kMark);
      AppendUnicodeEscape(out, kMark);
    } else if (step.code_point == '"' || step.code_point == '\\') {
      out += '\\';
      out += text[at];
    } else if (step.code_point == '\n') {
      out += "\\n";
    } else if (step.code_point < 0x20 || (step.code_point >= 0x7F && step.code_point < 0xA0) ||
               step.code_point == 0x2028 || step.code_point == 0x2029) {
      AppendUnicodeEscape(out, step.code_point);  // no terminal or line splitter may act on them
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

}  // namespace bi_test::trace
