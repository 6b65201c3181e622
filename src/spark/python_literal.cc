#include "spark/python_literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

#include "base/number_text.h"
#include "base/utf8.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

char At(std::string_view source, std::size_t at) { return at < source.size() ? source[at] : '\0'; }

int DigitValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// Digits of a base with single `_` between them, without the `_`; nothing when there is none or a
// `_` stands elsewhere.
std::optional<std::string> ReadDigits(std::string_view source, std::size_t& at, int base,
                                      bool may_begin_with_underscore) {
  std::string digits;
  if (may_begin_with_underscore && At(source, at) == '_') ++at;
  while (DigitValue(At(source, at)) < base) {
    digits += source[at++];
    if (At(source, at) == '_' && DigitValue(At(source, at + 1)) < base) ++at;
  }
  if (digits.empty()) return std::nullopt;
  return digits;
}

// Decimal digits where the value fits, else the digits of the base: longer ones only equal
// themselves.
std::string IntegerText(std::string digits, int base) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, first);
  if (base == 10) return digits;
  std::uint64_t value = 0;
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (code == std::errc()) return std::to_string(value);
  return std::to_string(base) + ':' + LowerAscii(digits);
}

bool ReadRadix(std::string_view source, std::size_t& at, int base, PythonToken& token) {
  at += 2;
  std::optional<std::string> digits = ReadDigits(source, at, base, true);
  if (!digits) return false;
  token = {PythonToken::Kind::kInteger, IntegerText(*std::move(digits), base)};
  return true;
}

bool ReadDecimal(std::string_view source, std::size_t& at, PythonToken& token) {
  std::string text;
  bool is_float = false;
  if (At(source, at) != '.') {
    std::optional<std::string> whole = ReadDigits(source, at, 10, false);
    if (!whole) return false;
    text = *std::move(whole);
  }
  const bool zeros_first =
      text.size() > 1 && text[0] == '0' && text.find_first_not_of('0') != text.npos;
  if (At(source, at) == '.') {
    is_float = true;
    ++at;
    text = (text.empty() ? "0" : text) + '.';
    text += IsDigit(At(source, at)) ? *ReadDigits(source, at, 10, false) : "0";
  }
  if ((At(source, at) | 0x20) == 'e') {
    std::size_t exponent = at + 1;
    std::string sign;
    if (At(source, exponent) == '+' || At(source, exponent) == '-') sign = source[exponent++];
    if (IsDigit(At(source, exponent))) {
      is_float = true;
      at = exponent;
      text += 'e' + sign + *ReadDigits(source, at, 10, false);
    }
  }
  if (!is_float) {
    if (zeros_first) return false;  // `010`: Python refuses it.
    token = {PythonToken::Kind::kInteger, IntegerText(std::move(text), 10)};
    return true;
  }
  double value = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Beyond the range of doubles the spelling stands for itself.
  token = {PythonToken::Kind::kFloat, code == std::errc() ? DoubleText(value) : text};
  return true;
}

// Length of the prefix of a string literal at `at`; nothing when none begins here.
std::optional<std::size_t> PrefixLength(std::string_view source, std::size_t at) {
  std::size_t n = 0;
  while (n < 3 && IsLetter(At(source, at + n))) ++n;
  const char quote = At(source, at + n);
  if (n > 2 || (quote != '"' && quote != '\'')) return std::nullopt;
  return n;
}

// What follows a backslash.
class EscapeReader {
 public:
  EscapeReader(std::string_view source, std::size_t& at, bool bytes, std::string& out)
      : source_(source), at_(at), bytes_(bytes), out_(out) {}

  bool Read() {
    constexpr std::string_view kEscapes = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    const char c = At(source_, at_++);
    if (c == '\n') return true;
    if (c == '\r') {
      if (At(source_, at_) == '\n') ++at_;
      return true;
    }
    if (const std::size_t known = kEscapes.find(c); known != kEscapes.npos) {
      out_ += kMeanings[known];
      return true;
    }
    if (c >= '0' && c <= '7') return Octal(c);
    if (c == 'x') return Hex(2);
    if (!bytes_ && c == 'u') return Hex(4);
    if (!bytes_ && c == 'U') return Hex(8);
    if (!bytes_ && c == 'N') return false;  // Names of characters are not in the subset.
    out_ += '\\';
    --at_;  // An unknown escape stays as it is, and so does its character.
    return true;
  }

 private:
  bool Octal(char first) {
    std::uint32_t value = static_cast<std::uint32_t>(first - '0');
    for (int i = 0; i < 2 && At(source_, at_) >= '0' && At(source_, at_) <= '7'; ++i) {
      value = value * 8 + static_cast<std::uint32_t>(source_[at_++] - '0');
    }
    Append(value);
    return true;
  }

  bool Hex(int digits) {
    std::uint32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const int digit = DigitValue(At(source_, at_));
      if (digit > 15) return false;
      ++at_;
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    if (value > 0x10FFFF) return false;
    Append(value);
    return true;
  }

  void Append(std::uint32_t value) {
    if (bytes_) {
      out_ += static_cast<char>(value & 0xFF);
    } else {
      AppendUtf8(out_, value);
    }
  }

  std::string_view source_;
  std::size_t& at_;
  bool bytes_;
  std::string& out_;
};

}  // namespace

bool ReadPythonNumber(std::string_view source, std::size_t& at, PythonToken& token) {
  bool good = false;
  const char radix = static_cast<char>(At(source, at + 1) | 0x20);
  const bool has_radix = At(source, at) == '0' && (radix == 'x' || radix == 'o' || radix == 'b');
  if (has_radix) {
    good = ReadRadix(source, at, radix == 'x' ? 16 : radix == 'o' ? 8 : 2, token);
  } else {
    good = ReadDecimal(source, at, token);
  }
  // `7j`, `1abc`, `1__0`.
  return good && !IsWordCharacter(At(source, at));
}

bool BeginsPythonString(std::string_view source, std::size_t at) {
  return PrefixLength(source, at).has_value();
}

bool ReadPythonString(std::string_view source, std::size_t& at, PythonToken& token) {
  const std::string prefix = LowerAscii(source.substr(at, *PrefixLength(source, at)));
  const bool raw = prefix.find('r') != prefix.npos;
  const bool bytes = prefix.find('b') != prefix.npos;
  for (const std::string_view known : {"", "r", "u", "b", "br", "rb"}) {
    if (prefix == known) token.kind = PythonToken::Kind::kString;
  }
  if (token.kind != PythonToken::Kind::kString) return false;
  if (bytes) token.kind = PythonToken::Kind::kBytes;
  at += prefix.size();
  const char quote = source[at];
  const std::string triple(3, quote);
  const bool is_triple = source.substr(at, 3) == triple;
  at += is_triple ? 3 : 1;
  while (at < source.size()) {
    const char c = source[at];
    if (is_triple ? source.substr(at, 3) == triple : c == quote) {
      at += is_triple ? 3 : 1;
      return true;
    }
    if (!is_triple && (c == '\n' || c == '\r')) return false;
    if (bytes && static_cast<unsigned char>(c) >= 0x80) return false;
    ++at;
    if (c == '\r') {
      // Line ends are one character in a value.
      if (At(source, at) == '\n') ++at;
      token.text += '\n';
    } else if (c != '\\') {
      token.text += c;
    } else if (raw) {
      token.text += c;
      if (at < source.size()) token.text += source[at++];
    } else if (at >= source.size() || !EscapeReader(source, at, bytes, token.text).Read()) {
      return false;
    }
  }
  return false;
}

}  // namespace bi_test::spark
