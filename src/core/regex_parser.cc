#include "core/regex_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "core/ascii.h"
#include "core/utf8.h"

namespace bi_test {
namespace {

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using Kind = RegexNode::Kind;
using StepKind = Regex::Step::Kind;

constexpr std::size_t kMostBytes = 1000;
constexpr int kMostLevels = 50;
constexpr int kMostRepeats = 1000;
constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

const Ranges kDigits = {{'0', '9'}};
const Ranges kWord = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const Ranges kSpace = {{'\t', '\r'}, {' ', ' '}};

/// Everything that is not in these ranges, which are sorted and apart.
Ranges Complement(const Ranges& ranges) {
  Ranges out;
  std::uint32_t next = 0;
  for (const auto& [first, last] : ranges) {
    if (first > next) out.emplace_back(next, first - 1);
    next = last + 1;
  }
  out.emplace_back(next, kLastCodePoint);
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view pattern) : text_(pattern) {}

  Result<ParsedRegex> Parse() {
    if (text_.size() > kMostBytes) Fail("a pattern of more than 1000 bytes");
    for (std::size_t at = 0; at < text_.size() && !error_;) {
      const Utf8Step step = NextUtf8(text_, at);
      if (!step.valid) FailAt(at, "a byte that is not UTF-8");
      at += step.length;
    }
    ReadFlags();
    ParsedRegex out;
    out.root = Choice(0);
    if (!error_ && at_ < text_.size()) Fail("a ) without its (");
    if (error_) return *error_;
    out.groups = groups_;
    out.ignore_case = ignore_case_;
    return out;
  }

 private:
  void FailAt(std::size_t at, const std::string& what) {
    if (error_) return;
    error_ = Error{ErrorCode::kUsage, "found " + what + " at byte " + std::to_string(at), {}};
  }
  void Fail(const std::string& what) { FailAt(at_, what); }

  bool More() const { return !error_ && at_ < text_.size(); }
  char Peek() const { return text_[at_]; }
  bool Take(char c) {
    if (!More() || Peek() != c) return false;
    ++at_;
    return true;
  }
  bool Take(std::string_view word) {
    if (!More() || !text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void ReadFlags() {
    if (!text_.starts_with("(?") || text_.starts_with("(?:")) return;
    const std::size_t end = text_.find_first_not_of("ims", 2);
    if (end == text_.npos || end == 2 || text_[end] != ')') return;  // Fails as a group.
    for (const char flag : text_.substr(2, end - 2)) {
      if (flag == 'i') ignore_case_ = true;
      if (flag == 'm') lines_ = true;
      if (flag == 's') dot_takes_all_ = true;
    }
    at_ = end + 1;
  }

  RegexNode Choice(int level) {
    RegexNode choice;
    choice.kind = Kind::kChoice;
    do {
      choice.parts.push_back(Sequence(level));
    } while (Take('|'));
    if (choice.parts.size() > 1) return choice;
    RegexNode only = std::move(choice.parts.front());
    return only;
  }

  RegexNode Sequence(int level) {
    RegexNode sequence;
    sequence.kind = Kind::kSequence;
    while (More() && Peek() != '|' && Peek() != ')') {
      RegexNode atom = Atom(level);
      sequence.parts.push_back(Repeated(std::move(atom)));
    }
    return sequence;
  }

  RegexNode Repeated(RegexNode atom) {
    while (More()) {
      const std::size_t begin = at_;
      RegexNode repeat;
      repeat.kind = Kind::kRepeat;
      if (Take('*')) {
        repeat.max = -1;
      } else if (Take('+')) {
        repeat.min = 1;
        repeat.max = -1;
      } else if (Take('?')) {
        repeat.max = 1;
      } else if (Peek() != '{' || !ReadCounts(repeat)) {
        break;
      }
      if (atom.kind == Kind::kRepeat) {
        FailAt(begin, "a repetition of a repetition");
        break;
      }
      if (atom.kind == Kind::kAssert) {
        FailAt(begin, "a repetition of a place");
        break;
      }
      repeat.lazy = Take('?');
      repeat.parts.push_back(std::move(atom));
      atom = std::move(repeat);
    }
    return atom;
  }

  /// `{m}`, `{m,}`, `{m,n}`.
  bool ReadCounts(RegexNode& repeat) {
    const std::size_t begin = at_;
    Take('{');
    const auto number = [&](int& out) {
      const char* const first = text_.data() + at_;
      const auto [end, failure] = std::from_chars(first, text_.data() + text_.size(), out);
      if (failure != std::errc() || out < 0) return false;
      at_ += static_cast<std::size_t>(end - first);
      return true;
    };
    bool good = number(repeat.min);
    repeat.max = repeat.min;
    if (good && Take(',')) {
      repeat.max = -1;
      if (More() && Peek() != '}') good = number(repeat.max);
    }
    if (!good || !Take('}')) {
      FailAt(begin, "a { that begins no repetition (as a character: \\{)");
      return false;
    }
    if (repeat.min > kMostRepeats || repeat.max > kMostRepeats ||
        (repeat.max >= 0 && repeat.max < repeat.min)) {
      FailAt(begin, "a repetition that is not {m,n} with m up to n up to 1000");
      return false;
    }
    return true;
  }

  RegexNode Atom(int level) {
    const std::size_t begin = at_;
    switch (Peek()) {
      case '(':
        return Group(level);
      case '[':
        return Class();
      case '\\':
        return Escape();
      case '.':
        ++at_;
        return SetOf(dot_takes_all_ ? Ranges{{0, kLastCodePoint}} : Complement({{'\n', '\n'}}));
      case '^':
        ++at_;
        return Place(lines_ ? StepKind::kLineStart : StepKind::kTextStart);
      case '$':
        ++at_;
        return Place(lines_ ? StepKind::kLineEnd : StepKind::kTextEnd);
      case '*':
      case '+':
      case '?':
        FailAt(begin, std::string("a ") + Peek() + " without anything to repeat");
        ++at_;
        return {};
      case '{':
        FailAt(begin, "a { that begins no repetition (as a character: \\{)");
        ++at_;
        return {};
      default:
        return Character(TakeCodePoint());
    }
  }

  RegexNode Group(int level) {
    const std::size_t begin = at_;
    ++at_;
    RegexNode group;
    group.kind = Kind::kGroup;
    if (Take('?')) {
      if (!Take(':')) FailAt(begin, "a (? that is not (?: or, at the start, (?i) (?m) (?s)");
    } else {
      group.group = ++groups_;
    }
    if (level >= kMostLevels) FailAt(begin, "more than 50 groups within each other");
    if (error_) return {};
    group.parts.push_back(Choice(level + 1));
    if (!Take(')')) FailAt(begin, "a ( without its )");
    return group;
  }

  RegexNode Escape() {
    const std::size_t begin = at_;
    ++at_;
    if (!More()) {
      FailAt(begin, "a \\ at the end");
      return {};
    }
    if (Take('b')) return Place(StepKind::kWordEdge);
    if (Take('B')) return Place(StepKind::kNoWordEdge);
    Ranges ranges;
    if (ReadEscapedClass(ranges)) return SetOf(std::move(ranges));
    return Character(EscapedCharacter(begin));
  }

  bool ReadEscapedClass(Ranges& ranges) {
    const struct {
      char name;
      const Ranges& is;
    } classes[] = {{'d', kDigits}, {'w', kWord}, {'s', kSpace}};
    for (const auto& [name, is] : classes) {
      if (Take(name)) {
        ranges = is;
        return true;
      }
      if (Take(static_cast<char>(name - 'a' + 'A'))) {
        ranges = Complement(is);
        return true;
      }
    }
    return false;
  }

  /// Behind the backslash at `begin`.
  std::uint32_t EscapedCharacter(std::size_t begin) {
    constexpr std::string_view kNames = "nrtfv";
    constexpr std::string_view kMeant = "\n\r\t\f\v";
    if (!More()) {
      FailAt(begin, "a \\ at the end");
      return 0;
    }
    const char c = Peek();
    if (const std::size_t i = kNames.find(c); i != kNames.npos) {
      ++at_;
      return static_cast<unsigned char>(kMeant[i]);
    }
    if (Take('x')) return HexCharacter(begin);
    if (IsDigit(c) && c != '0') {
      FailAt(begin, "a back-reference, which there is not");
    } else if (IsLetter(c) || IsDigit(c) || static_cast<unsigned char>(c) >= 0x80) {
      FailAt(begin, "an unknown escape");
    }
    ++at_;
    return static_cast<unsigned char>(c);
  }

  std::uint32_t HexCharacter(std::size_t begin) {
    const bool open = Take('{');
    const std::size_t most = open ? 6 : 2;
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, most);
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    const auto length = static_cast<std::size_t>(end - digits.data());
    if (failure == std::errc()) at_ += length;
    const bool good =
        failure == std::errc() && code <= kLastCodePoint && (open ? Take('}') : length == 2);
    if (!good) FailAt(begin, "a \\x without two hexadecimal digits, or one to six in { }");
    return code;
  }

  RegexNode Class() {
    const std::size_t begin = at_;
    ++at_;
    RegexNode node;
    node.kind = Kind::kSet;
    node.set.negated = Take('^');
    bool first = true;
    while (More() && (first || Peek() != ']')) {
      first = false;
      Ranges ranges;
      const std::uint32_t low = ClassCharacter(ranges);
      if (ranges.empty()) {
        std::uint32_t high = low;
        // A - at the end is a character.
        if (More() && Peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
          const std::size_t dash = at_;
          ++at_;
          Ranges none;
          high = ClassCharacter(none);
          if (!none.empty() || high < low)
            FailAt(dash, "a range whose end is not behind its start");
        }
        ranges = {{low, high}};
      }
      node.set.ranges.insert(node.set.ranges.end(), ranges.begin(), ranges.end());
    }
    if (!Take(']')) FailAt(begin, "a [ without its ]");
    return node;
  }

  /// One character of a class; of an escape such as \d, its ranges instead.
  std::uint32_t ClassCharacter(Ranges& ranges) {
    const std::size_t begin = at_;
    if (Peek() == '[' && at_ + 1 < text_.size() && text_[at_ + 1] == ':') {
      FailAt(begin, "a [: :] class, which there is not");
      return 0;
    }
    if (!Take('\\')) return TakeCodePoint();
    if (ReadEscapedClass(ranges)) return 0;
    return EscapedCharacter(begin);
  }

  std::uint32_t TakeCodePoint() {
    if (!More()) return 0;
    const Utf8Step step = NextUtf8(text_, at_);
    at_ += step.length;
    return step.code_point;
  }

  static RegexNode SetOf(Ranges ranges) {
    RegexNode node;
    node.kind = Kind::kSet;
    node.set.ranges = std::move(ranges);
    return node;
  }
  static RegexNode Character(std::uint32_t code) { return SetOf({{code, code}}); }
  static RegexNode Place(StepKind kind) {
    RegexNode node;
    node.kind = Kind::kAssert;
    node.assertion = kind;
    return node;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
  int groups_ = 0;
  bool ignore_case_ = false;
  bool lines_ = false;
  bool dot_takes_all_ = false;
};

}  // namespace

Result<ParsedRegex> ParseRegex(std::string_view pattern) { return Parser(pattern).Parse(); }

}  // namespace bi_test
