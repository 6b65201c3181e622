#include "scorers/json_reading.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "scorers/code_blocks.h"

namespace bi_test {
namespace {

constexpr int kMostStarts = 64;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Value(Json& out, int depth) {
    if (depth > kMaxJsonDepth) return false;
    SkipSpace();
    if (at_ >= text_.size()) return false;
    switch (text_[at_]) {
      case '{':
        return Object(out, depth);
      case '[':
        return Array(out, depth);
      case '"': {
        std::string text;
        if (!String(text)) return false;
        out = std::move(text);
        return true;
      }
      case 't':
        out = true;
        return Word("true");
      case 'f':
        out = false;
        return Word("false");
      case 'n':
        out = nullptr;
        return Word("null");
      default:
        return Number(out);
    }
  }

  void SkipSpace() {
    constexpr std::string_view kSpace = " \t\r\n";
    while (at_ < text_.size() && kSpace.find(text_[at_]) != kSpace.npos) ++at_;
  }

  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool Object(Json& out, int depth) {
    Json::Object members;
    Take('{');
    SkipSpace();
    if (Take('}')) {
      out = std::move(members);
      return true;
    }
    while (true) {
      SkipSpace();
      std::string key;
      if (!String(key)) return false;
      SkipSpace();
      if (!Take(':')) return false;
      const auto [member, is_new] = members.try_emplace(std::move(key));
      // Which of two would count is a guess.
      if (!is_new || !Value(member->second, depth + 1)) return false;
      SkipSpace();
      if (Take(',')) continue;
      if (!Take('}')) return false;
      out = std::move(members);
      return true;
    }
  }

  bool Array(Json& out, int depth) {
    Json::Array elements;
    Take('[');
    SkipSpace();
    if (Take(']')) {
      out = std::move(elements);
      return true;
    }
    while (true) {
      if (!Value(elements.emplace_back(), depth + 1)) return false;
      SkipSpace();
      if (Take(',')) continue;
      if (!Take(']')) return false;
      out = std::move(elements);
      return true;
    }
  }

  bool String(std::string& out) {
    if (!Take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (!Escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool Escape(std::string& out) {
    if (at_ >= text_.size()) return false;
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const char c = text_[at_++];
    if (const std::size_t i = kNames.find(c); i != kNames.npos) {
      out += kMeant[i];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !Hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      std::uint32_t low = 0;
      if (!Hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = before;
      }
    }
    AppendUtf8(out, code);
    return true;
  }

  bool Hex(std::uint32_t& code) {
    const std::string_view digits = text_.substr(at_, 4);
    const char* const end = digits.data() + digits.size();
    const auto [rest, failure] = std::from_chars(digits.data(), end, code, 16);
    if (digits.size() != 4 || failure != std::errc() || rest != end) return false;
    at_ += 4;
    return true;
  }

  std::size_t Digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return at_ - begin;
  }

  bool Number(Json& out) {
    const std::size_t begin = at_;
    Take('-');
    const bool zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t whole = Digits();
    if (whole == 0 || (zero && whole > 1)) return false;
    bool integer = true;
    if (Take('.')) {
      integer = false;
      if (Digits() == 0) return false;
    }
    if (Take('e') || Take('E')) {
      integer = false;
      if (!Take('+')) Take('-');
      if (Digits() == 0) return false;
    }
    const std::string_view number = text_.substr(begin, at_ - begin);
    const char* const first = number.data();
    const char* const last = first + number.size();
    std::int64_t small = 0;
    if (integer && std::from_chars(first, last, small).ec == std::errc()) {
      out = small;
      return true;
    }
    double real = 0.0;
    if (std::from_chars(first, last, real).ec != std::errc()) return false;
    out = real;
    return true;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Json> ReadJsonValue(std::string_view text, std::size_t& end) {
  Reader reader(text);
  Json value;
  if (!reader.Value(value, 1)) return std::nullopt;
  end = reader.at();
  return value;
}

std::optional<Json> ReadWholeJson(std::string_view text) {
  Reader reader(text);
  Json value;
  if (!reader.Value(value, 1)) return std::nullopt;
  reader.SkipSpace();
  if (reader.at() != text.size()) return std::nullopt;
  return value;
}

std::optional<Json> FindJson(std::string_view text) {
  if (std::optional<Json> whole = ReadWholeJson(text)) return whole;
  for (const CodeBlock& block : FindCodeBlocks(text)) {
    if (std::optional<Json> value = ReadWholeJson(block.code)) return value;
  }
  int starts = 0;
  for (std::size_t at = text.find_first_of("{["); at != text.npos && starts < kMostStarts;
       at = text.find_first_of("{[", at + 1)) {
    ++starts;
    std::size_t end = 0;
    if (std::optional<Json> value = ReadJsonValue(text.substr(at), end)) return value;
  }
  return std::nullopt;
}

}  // namespace bi_test
