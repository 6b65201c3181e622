#include <ostream>

#include "base/hex.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "bi_test/json.h"

namespace bi_test {
namespace {

/// Of what AppendPlain leaves.
void AppendEscaped(std::string& out, std::uint32_t code_point) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  const std::size_t i =
      code_point < 0x7FU ? kShort.find(static_cast<char>(code_point)) : kShort.npos;
  if (i == kShort.npos) return AppendUnicodeEscape(out, code_point);
  out += '\\';
  out += kNames[i];
}

void Quote(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t pos = AppendPlain(out, text, 0); pos < text.size();
       pos = AppendPlain(out, text, pos)) {
    const Utf8Step step = NextUtf8(text, pos);
    // A byte that is not UTF-8 becomes the lone low surrogate U+DC00 + byte, so nothing is lost.
    AppendEscaped(out, step.valid || step.surrogate ? step.code_point : 0xDC00U + step.code_point);
    pos += step.length;
  }
  out += '"';
}

constexpr JsonSpelling kSpelling{Quote, /*bare_non_finite=*/false};

}  // namespace

std::string CompactText(const Json& value) {
  std::string out;
  JsonWriter<rapidjson::Writer<StringStream>>(out, kSpelling).Value(value);
  return out;
}

std::string PrettyText(const Json& value) {
  std::string out;
  JsonWriter<rapidjson::PrettyWriter<StringStream>> writer(out, kSpelling);
  writer.rapid().SetIndent(' ', 2);
  writer.Value(value);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Json& value) { return out << CompactText(value); }

}  // namespace bi_test
