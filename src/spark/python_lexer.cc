#include "spark/python_lexer.h"

#include <array>

#include "spark/python_literal.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

constexpr std::size_t kTabStop = 8;

// Longest first. `:=`, `...`, `!=` and the like that are not here are outside the subset.
constexpr std::array<std::string_view, 45> kOperators = {
    "**=", "//=", ">>=", "<<=", "->", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "+=", "-=",
    "*=",  "/=",  "%=",  "@=",  "&=", "|=", "^=", "+",  "-",  "*",  "/",  "%",  "@",  "&",  "|",
    "^",   "~",   "<",   ">",   "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",  ".",  ";",  "="};

class Lexer {
 public:
  Lexer(std::string_view source, std::vector<PythonToken>& tokens)
      : source_(source), tokens_(tokens) {}

  bool Run() {
    using Kind = PythonToken::Kind;
    while (at_ < source_.size()) {
      if (line_begins_ && brackets_.empty()) {
        if (!BeginLine()) return false;
        if (at_ >= source_.size()) break;
      }
      if (!Step()) return false;
    }
    if (!brackets_.empty()) return false;
    if (!tokens_.empty() && tokens_.back().kind != Kind::kNewline &&
        tokens_.back().kind != Kind::kDedent && !Add({Kind::kNewline, {}})) {
      return false;
    }
    for (; indents_.size() > 1; indents_.pop_back()) {
      if (!Add({Kind::kDedent, {}})) return false;
    }
    return Add({Kind::kEnd, {}});
  }

 private:
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  bool Add(PythonToken token) {
    if (tokens_.size() >= kMostPythonTokens) return false;
    tokens_.push_back(std::move(token));
    return true;
  }

  bool TakeLineEnd() {
    if (Peek() == '\r' && Peek(1) == '\n') ++at_;
    if (Peek() != '\r' && Peek() != '\n') return false;
    ++at_;
    return true;
  }

  void SkipComment() {
    while (at_ < source_.size() && Peek() != '\n' && Peek() != '\r') ++at_;
  }

  // Indentation of a line that holds more than a comment; lines that do not are passed over.
  bool BeginLine() {
    std::size_t column = 0;
    while (at_ < source_.size()) {
      const char c = Peek();
      if (c == ' ') {
        ++column;
      } else if (c == '\t') {
        column = (column / kTabStop + 1) * kTabStop;
      } else if (c == '\f') {
        column = 0;
      } else if (c == '#') {
        SkipComment();
        continue;
      } else if (c == '\n' || c == '\r') {
        column = 0;
        TakeLineEnd();
        continue;
      } else {
        line_begins_ = false;
        return Indent(column);
      }
      ++at_;
    }
    return true;
  }

  bool Indent(std::size_t column) {
    using Kind = PythonToken::Kind;
    if (column > indents_.back()) {
      indents_.push_back(column);
      return Add({Kind::kIndent, {}});
    }
    for (; column < indents_.back(); indents_.pop_back()) {
      if (!Add({Kind::kDedent, {}})) return false;
    }
    return column == indents_.back();
  }

  bool Step() {
    using Kind = PythonToken::Kind;
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
      return true;
    }
    if (c == '#') {
      SkipComment();
      return true;
    }
    if (c == '\\') {
      ++at_;
      return TakeLineEnd() && at_ < source_.size();
    }
    if (TakeLineEnd()) {
      if (!brackets_.empty()) return true;
      line_begins_ = true;
      return Add({Kind::kNewline, {}});
    }
    PythonToken token;
    if (BeginsPythonString(source_, at_)) {
      return ReadPythonString(source_, at_, token) && Add(std::move(token));
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      return ReadPythonNumber(source_, at_, token) && Add(std::move(token));
    }
    if (IsLetter(c) || c == '_') {
      token.kind = Kind::kName;
      while (IsWordCharacter(Peek())) token.text += source_[at_++];
      return Add(std::move(token));
    }
    return Operator();
  }

  bool Operator() {
    for (const std::string_view op : kOperators) {
      if (source_.substr(at_, op.size()) != op) continue;
      at_ += op.size();
      return Bracket(op) && Add({PythonToken::Kind::kOperator, std::string(op)});
    }
    return false;
  }

  bool Bracket(std::string_view op) {
    constexpr std::string_view kOpening = "([{";
    constexpr std::string_view kClosing = ")]}";
    if (op.size() != 1) return true;
    if (kOpening.find(op[0]) != kOpening.npos) brackets_ += op[0];
    const std::size_t closing = kClosing.find(op[0]);
    if (closing == kClosing.npos) return true;
    if (brackets_.empty() || brackets_.back() != kOpening[closing]) return false;
    brackets_.pop_back();
    return true;
  }

  std::string_view source_;
  std::vector<PythonToken>& tokens_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  std::string brackets_;
  std::vector<std::size_t> indents_ = {0};
};

}  // namespace

bool LexPython(std::string_view source, std::vector<PythonToken>& tokens) {
  tokens.clear();
  return Lexer(source, tokens).Run();
}

}  // namespace bi_test::spark
