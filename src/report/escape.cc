#include "report/escape.h"

#include "report/clean_text.h"

namespace bi_test::report {
namespace {

std::string Escape(std::string_view clean, bool attribute) {
  std::string out;
  out.reserve(clean.size() + clean.size() / 8);
  for (const char c : clean) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (attribute && c == '"') {
      out += "&quot;";
    } else if (attribute && c == '\n') {
      out += "&#10;";
    } else if (attribute && c == '\t') {
      out += "&#9;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string XmlText(std::string_view text, std::size_t max_bytes) {
  return Escape(CleanText(text, max_bytes), false);
}

std::string XmlAttribute(std::string_view text, std::size_t max_bytes) {
  return Escape(CleanText(text, max_bytes), true);
}

}  // namespace bi_test::report
