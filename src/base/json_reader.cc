#include "base/json_reader.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>

#include "base/json_builder.h"
#include "base/sax.h"

namespace bi_test {

const char* Describe(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorNone:
      return "no error";
    case rapidjson::kParseErrorDocumentEmpty:
      return "the document is empty";
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return "something follows the document";
    case rapidjson::kParseErrorValueInvalid:
      return "no JSON value";
    case rapidjson::kParseErrorObjectMissName:
      return "expected a key in double quotes";
    case rapidjson::kParseErrorObjectMissColon:
      return "expected ':' after a key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "expected ',' or '}' after a member";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "expected ',' or ']' after an element";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "expected four hex digits after \\u";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "a surrogate escape without its partner";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "an unknown escape or a bare control character in a string";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "a string without its end";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "a string that is not UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
      return "the number is too big for a double";
    case rapidjson::kParseErrorNumberMissFraction:
      return "expected a digit after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "expected a digit in the exponent";
    case rapidjson::kParseErrorTermination:
      return "stopped";
    case rapidjson::kParseErrorUnspecificSyntaxError:
      return "a syntax error";
  }
  return "a syntax error";
}

std::string_view NumberEndingAt(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0) {
    const char c = text[begin - 1];
    const bool part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '+' || c == '-' || c == '.';
    if (!part) break;
    --begin;
  }
  return text.substr(begin, end - begin);
}

std::optional<double> ReadDouble(std::string_view token) {
  double value = 0.0;
  const auto [end, code] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (code == std::errc()) {
    if (std::isinf(value)) return std::nullopt;
    return value;
  }
  // Out of range is said of both ends; only a negative exponent or a leading zero leads to zero.
  const std::size_t exponent = token.find_first_of("eE");
  const bool is_small = exponent == token.npos ? token.find_first_of("123456789") > token.find('.')
                                               : token.substr(exponent + 1).starts_with('-');
  if (!is_small) return std::nullopt;
  return token.starts_with('-') ? -0.0 : 0.0;
}

bool IsExactly(std::string_view digits, double value) {
  // A double of this size is an integer, and this prints all of its digits.
  std::array<char, 400> printed{};
  const auto [end, code] = std::to_chars(printed.data(), printed.data() + printed.size(), value,
                                         std::chars_format::fixed, 0);
  return code == std::errc() && std::string_view(printed.data(), end) == digits;
}

namespace {

SaxOptions OptionsOf(const JsonLimits& limits) {
  SaxOptions options;
  options.tolerate_broken_text = limits.tolerate_broken_text;
  options.max_depth = limits.max_depth;
  return options;
}

/// What a model means by a large number is its size.
class AnswerBuilder : public JsonBuilder {
 public:
  bool Unsigned(std::uint64_t value) { return Double(static_cast<double>(value)); }
  bool BigInteger(std::string_view, double nearest) { return Double(nearest); }
};

}  // namespace

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{ErrorCode::kInvalidFile,
                 "the JSON document has " + std::to_string(text.size()) + " bytes, at most " +
                     std::to_string(limits.max_bytes) + " are allowed",
                 {}};
  }
  JsonBuilder builder;
  const std::optional<SaxFault> fault =
      ParseSax(text, OptionsOf(limits), builder, [&] { builder.Reset(); });
  if (fault) {
    return Error{ErrorCode::kInvalidFile,
                 "invalid JSON at byte " + std::to_string(fault->offset) + ": " + fault->what,
                 {}};
  }
  return builder.Take();
}

LeadingJson ReadLeadingJson(std::string_view text, const JsonLimits& limits) {
  LeadingJson out;
  AnswerBuilder builder;
  const std::optional<SaxFault> fault = ParseLeadingSax(
      text, OptionsOf(limits), builder, [&] { builder.Reset(); }, out.end);
  if (!fault) {
    out.state = LeadingJson::State::kFound;
    out.value = builder.Take();
  } else if (fault->kind == SaxFault::Kind::kTooDeep) {
    out.state = LeadingJson::State::kTooDeep;
  } else if (!builder.Why().empty()) {
    out.state = LeadingJson::State::kDuplicate;
  }
  return out;
}

}  // namespace bi_test
