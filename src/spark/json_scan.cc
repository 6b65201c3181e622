#include "spark/json_scan.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 10;
constexpr int kMostDepth = 64;

// Recursive descent; the depth limit bounds the stack.
class Parser {
 public:
  Parser(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

  std::optional<Json> Object() {
    Json out = Json::Object{};
    if (!Enter()) return std::nullopt;
    ++at_;
    SkipSpace();
    if (Take('}')) return Leave(std::move(out));
    while (true) {
      SkipSpace();
      std::optional<std::string> key = String();
      if (!key) return std::nullopt;
      SkipSpace();
      if (!Take(':')) return std::nullopt;
      std::optional<Json> value = Value();
      if (!value) return std::nullopt;
      duplicate_ = duplicate_ || out.Find(*key) != nullptr;
      out[*key] = *std::move(value);
      SkipSpace();
      if (Take('}')) return Leave(std::move(out));
      if (!Take(',')) return std::nullopt;
    }
  }

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool duplicate() const { return duplicate_; }
  [[nodiscard]] bool too_deep() const { return too_deep_; }

 private:
  [[nodiscard]] char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool Enter() {
    too_deep_ = too_deep_ || ++depth_ > kMostDepth;
    return !too_deep_;
  }

  Json Leave(Json value) {
    --depth_;
    return value;
  }

  std::optional<Json> Value() {
    SkipSpace();
    switch (Peek()) {
      case '{':
        return Object();
      case '[':
        return Array();
      case '"': {
        std::optional<std::string> text = String();
        if (!text) return std::nullopt;
        return Json(*std::move(text));
      }
      case 't':
        return Word("true", true);
      case 'f':
        return Word("false", false);
      case 'n':
        return Word("null", {});
      default:
        return Number();
    }
  }

  std::optional<Json> Word(std::string_view word, Json value) {
    if (text_.substr(at_, word.size()) != word) return std::nullopt;
    at_ += word.size();
    return value;
  }

  std::optional<Json> Array() {
    Json::Array out;
    if (!Enter()) return std::nullopt;
    ++at_;
    SkipSpace();
    if (Take(']')) return Leave(Json(std::move(out)));
    while (true) {
      std::optional<Json> value = Value();
      if (!value) return std::nullopt;
      out.push_back(*std::move(value));
      SkipSpace();
      if (Take(']')) return Leave(Json(std::move(out)));
      if (!Take(',')) return std::nullopt;
    }
  }

  bool Digits() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }

  std::optional<Json> Number() {
    const std::size_t begin = at_;
    Take('-');
    if (!Take('0') && !Digits()) return std::nullopt;
    bool integer = true;
    if (Take('.')) {
      integer = false;
      if (!Digits()) return std::nullopt;
    }
    if (Take('e') || Take('E')) {
      integer = false;
      if (!Take('+')) Take('-');
      if (!Digits()) return std::nullopt;
    }
    const char* const first = text_.data() + begin;
    const char* const last = text_.data() + at_;
    std::int64_t whole = 0;
    if (integer && std::from_chars(first, last, whole).ec == std::errc()) return Json(whole);
    double real = 0.0;
    // A number that no double holds is none that an answer can mean.
    if (std::from_chars(first, last, real).ec != std::errc() || !std::isfinite(real)) {
      return std::nullopt;
    }
    return Json(real);
  }

  std::optional<std::uint32_t> HexUnit() {
    std::uint32_t unit = 0;
    if (at_ + 4 > text_.size()) return std::nullopt;
    const char* const first = text_.data() + at_;
    const auto [end, code] = std::from_chars(first, first + 4, unit, 16);
    if (code != std::errc() || end != first + 4) return std::nullopt;
    at_ += 4;
    return unit;
  }

  bool UnicodeEscape(std::string& out) {
    const std::optional<std::uint32_t> unit = HexUnit();
    if (!unit || (*unit >= 0xDC00 && *unit <= 0xDFFF)) return false;
    if (*unit < 0xD800 || *unit > 0xDBFF) {
      AppendUtf8(out, *unit);
      return true;
    }
    if (!Take('\\') || !Take('u')) return false;
    const std::optional<std::uint32_t> low = HexUnit();
    if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
    AppendUtf8(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
    return true;
  }

  std::optional<std::string> String() {
    if (!Take('"')) return std::nullopt;
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ >= text_.size()) return std::nullopt;
      constexpr std::string_view kEscapes = "\"\\/bfnrt";
      constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
      const char escape = text_[at_++];
      const std::size_t known = kEscapes.find(escape);
      if (known != kEscapes.npos) {
        out += kMeanings[known];
      } else if (escape != 'u' || !UnicodeEscape(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_;
  int depth_ = 0;
  bool duplicate_ = false;
  bool too_deep_ = false;
};

}  // namespace

FoundObject FindJsonObject(std::string_view text) {
  text = text.substr(0, kMostBytes);
  FoundObject out;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    Parser parser(text, at);
    std::optional<Json> object = parser.Object();
    if (parser.too_deep()) {
      out.state = FoundObject::State::kTooDeep;
      return out;
    }
    if (!object) continue;
    out.state = parser.duplicate() ? FoundObject::State::kDuplicate : FoundObject::State::kFound;
    if (out.state == FoundObject::State::kFound) {
      out.object = *std::move(object);
      out.inside = text.substr(at, parser.at() - at);
    }
    return out;
  }
  return out;
}

}  // namespace bi_test::spark
