#include <array>
#include <ostream>

#include "base/number_text.h"
#include "base/utf8.h"
#include "bi_test/json.h"

namespace bi_test {
namespace {

void AppendUnit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kHex[(unit >> shift) & 0xFU];
}

void AppendEscaped(std::string& out, std::uint32_t code_point) {
  switch (code_point) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (code_point >= 0x20U && code_point < 0x7FU) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x10000U) {
    AppendUnit(out, code_point);
  } else {
    AppendUnit(out, 0xD800U + ((code_point - 0x10000U) >> 10U));
    AppendUnit(out, 0xDC00U + ((code_point - 0x10000U) & 0x3FFU));
  }
}

void AppendString(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Step step = NextUtf8(text, pos);
    // A byte that is not UTF-8 becomes the lone low surrogate U+DC00 + byte, so nothing is lost.
    AppendEscaped(out, step.valid || step.surrogate ? step.code_point : 0xDC00U + step.code_point);
    pos += step.length;
  }
  out += '"';
}

/// Collects the text of one value.
class Writer {
 public:
  explicit Writer(bool pretty) : pretty_(pretty) {}

  void Write(const Json& value) {
    if (value.is_null()) {
      out_ += "null";
    } else if (const bool* boolean = value.if_bool()) {
      out_ += *boolean ? "true" : "false";
    } else if (const std::int64_t* integer = value.if_int64()) {
      out_ += std::to_string(*integer);
    } else if (const std::uint64_t* natural = value.if_uint64()) {
      out_ += std::to_string(*natural);
    } else if (const double* real = value.if_double()) {
      WriteDouble(*real);
    } else if (const std::string* text = value.if_string()) {
      AppendString(out_, *text);
    } else if (const Json::Array* array = value.if_array()) {
      WriteArray(*array);
    } else {
      WriteObject(*value.if_object());
    }
  }

  [[nodiscard]] std::string Take() { return std::move(out_); }

 private:
  void WriteDouble(double value) {
    const std::string text = DoubleText(value);
    // Letters other than the exponent's mean it is no number, which JSON can only carry as a
    // string.
    const bool finite = text.find_first_of("NI") == std::string::npos;
    out_ += finite ? text : '"' + text + '"';
  }

  void WriteArray(const Json::Array& array) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Json& element : array) {
      Separate(first);
      Write(element);
    }
    Close(first, ']');
  }

  void WriteObject(const Json::Object& object) {
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const auto& [key, member] : object) {
      Separate(first);
      AppendString(out_, key);
      out_ += pretty_ ? ": " : ":";
      Write(member);
    }
    Close(first, '}');
  }

  void Separate(bool& first) {
    if (!first) out_ += ',';
    first = false;
    NewLine();
  }

  void Close(bool empty, char bracket) {
    --depth_;
    if (!empty) NewLine();
    out_ += bracket;
  }

  void NewLine() {
    if (!pretty_) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  bool pretty_;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

std::string CompactText(const Json& value) {
  Writer writer(false);
  writer.Write(value);
  return writer.Take();
}

std::string PrettyText(const Json& value) {
  Writer writer(true);
  writer.Write(value);
  return writer.Take();
}

std::ostream& operator<<(std::ostream& out, const Json& value) { return out << CompactText(value); }

}  // namespace bi_test
