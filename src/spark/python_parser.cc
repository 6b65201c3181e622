#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

#include "spark/python_lexer.h"
#include "spark/python_tree.h"

namespace bi_test::spark {
namespace {

using Kind = PythonNode::Kind;
using TokenKind = PythonToken::Kind;
using Id = std::uint32_t;

constexpr int kMostDepth = 200;

constexpr std::array<std::string_view, 32> kKeywords = {
    "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
    "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
    "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
    "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield"};

struct BinaryLevel {
  int level;
  std::string_view op;
};
constexpr std::array<BinaryLevel, 12> kBinary = {{{1, "|"},
                                                  {2, "^"},
                                                  {3, "&"},
                                                  {4, "<<"},
                                                  {4, ">>"},
                                                  {5, "+"},
                                                  {5, "-"},
                                                  {6, "*"},
                                                  {6, "/"},
                                                  {6, "//"},
                                                  {6, "%"},
                                                  {6, "@"}}};
constexpr int kTightest = 7;

// Recursive descent over the tokens. After the first fault every function gives up at once; what it
// returns then is of no use.
class Parser {
 public:
  Parser(const std::vector<PythonToken>& tokens, PythonTree& tree) : tokens_(tokens), tree_(tree) {}

  bool Run() {
    std::vector<Id> statements;
    while (!failed_ && !At(TokenKind::kEnd)) Statement(statements);
    tree_.root = Node(Kind::kModule, {}, std::move(statements));
    return !failed_;
  }

 private:
  // One level of nesting, for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMostDepth) parser_.failed_ = true;
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // Tokens.

  [[nodiscard]] const PythonToken& Peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool At(TokenKind kind) const { return Peek().kind == kind; }
  [[nodiscard]] bool AtOperator(std::string_view op, std::size_t ahead = 0) const {
    return Peek(ahead).kind == TokenKind::kOperator && Peek(ahead).text == op;
  }
  [[nodiscard]] bool AtWord(std::string_view word, std::size_t ahead = 0) const {
    return Peek(ahead).kind == TokenKind::kName && Peek(ahead).text == word;
  }
  bool Take(TokenKind kind) {
    if (!At(kind)) return false;
    Advance();
    return true;
  }
  bool TakeOperator(std::string_view op) {
    if (!AtOperator(op)) return false;
    Advance();
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (!AtWord(word)) return false;
    Advance();
    return true;
  }
  void Advance() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  void Expect(bool taken) { failed_ = failed_ || !taken; }

  static bool IsKeyword(std::string_view word) {
    return std::ranges::binary_search(kKeywords, word) || word == "None" || word == "True" ||
           word == "False";
  }
  // A name that is no keyword.
  std::string Name() {
    if (!At(TokenKind::kName) || IsKeyword(Peek().text)) {
      failed_ = true;
      return {};
    }
    std::string name = Peek().text;
    Advance();
    return name;
  }

  // Nodes.

  Id Node(Kind kind, std::string value = {}, std::vector<Id> children = {}) {
    tree_.nodes.push_back({kind, std::move(value), std::move(children)});
    return static_cast<Id>(tree_.nodes.size() - 1);
  }
  [[nodiscard]] Kind KindOf(Id id) const { return tree_.nodes[id].kind; }

  Id Fail() {
    failed_ = true;
    return Node(Kind::kAbsent);
  }

  // Statements.

  void Statement(std::vector<Id>& out) {
    if (AtWord("def")) {
      out.push_back(Function());
    } else if (AtWord("if")) {
      out.push_back(If());
    } else if (AtWord("for")) {
      out.push_back(For());
    } else if (AtWord("while")) {
      out.push_back(While());
    } else {
      SimpleLine(out);
    }
  }

  void SimpleLine(std::vector<Id>& out) {
    do {
      out.push_back(Simple());
    } while (!failed_ && TakeOperator(";") && !At(TokenKind::kNewline));
    Expect(Take(TokenKind::kNewline));
  }

  // What follows the colon: the rest of the line, or an indented block.
  Id Body() {
    const Level level(*this);
    Expect(TakeOperator(":"));
    std::vector<Id> statements;
    if (!Take(TokenKind::kNewline)) {
      if (!failed_) SimpleLine(statements);
    } else {
      Expect(Take(TokenKind::kIndent));
      while (!failed_ && !Take(TokenKind::kDedent)) Statement(statements);
    }
    return Node(Kind::kBody, {}, std::move(statements));
  }

  Id ElseBody() { return TakeWord("else") ? Body() : Node(Kind::kBody); }

  Id Function() {
    Advance();
    std::string name = Name();
    Expect(TakeOperator("("));
    std::vector<Id> children = Parameters(")", /*annotated=*/true);
    Expect(TakeOperator(")"));
    if (TakeOperator("->")) children.push_back(Node(Kind::kReturns, {}, {Test()}));
    children.push_back(Body());
    return Node(Kind::kFunction, std::move(name), std::move(children));
  }

  // Until `end`, which stays.
  std::vector<Id> Parameters(std::string_view end, bool annotated) {
    std::vector<Id> out;
    bool defaults = false;
    bool star = false;
    bool slash = false;
    bool bare = false;
    while (!failed_ && !AtOperator(end)) {
      std::vector<Id> details;
      std::string name;
      if (TakeOperator("/")) {
        Expect(!slash && !star && !out.empty());
        slash = true;
        name = "/";
      } else if (TakeOperator("**")) {
        name = "**" + Name();
        Annotation(annotated, details);
        out.push_back(Node(Kind::kParameter, std::move(name), std::move(details)));
        TakeOperator(",");
        Expect(AtOperator(end) && !bare);
        return out;
      } else if (TakeOperator("*")) {
        Expect(!star);
        star = true;
        bare = AtOperator(",");
        name = bare ? "*" : "*" + Name();
        if (!bare) Annotation(annotated, details);
      } else {
        name = Name();
        bare = false;
        Annotation(annotated, details);
        if (TakeOperator("=")) {
          defaults = true;
          details.push_back(Node(Kind::kDefault, {}, {Test()}));
        } else {
          Expect(!defaults || star);
        }
      }
      out.push_back(Node(Kind::kParameter, std::move(name), std::move(details)));
      if (!TakeOperator(",")) break;
    }
    Expect(!bare);
    return out;
  }

  void Annotation(bool annotated, std::vector<Id>& details) {
    if (!annotated || !TakeOperator(":")) return;
    details.push_back(Node(Kind::kAnnotation, {}, {Test()}));
  }

  // `elif` is an `if` in the else part, as Python has it.
  Id If() {
    const Level level(*this);
    Advance();
    const Id condition = Test();
    const Id body = Body();
    Id otherwise = 0;
    if (!failed_ && AtWord("elif")) {
      otherwise = Node(Kind::kBody, {}, {If()});
    } else {
      otherwise = ElseBody();
    }
    return Node(Kind::kIf, {}, {condition, body, otherwise});
  }

  Id For() {
    Advance();
    const Id target = TargetList();
    Expect(TakeWord("in"));
    const Id iterable = TestList();
    const Id body = Body();
    return Node(Kind::kFor, {}, {target, iterable, body, ElseBody()});
  }

  Id While() {
    Advance();
    const Id condition = Test();
    const Id body = Body();
    return Node(Kind::kWhile, {}, {condition, body, ElseBody()});
  }

  Id Simple() {
    if (TakeWord("pass")) return Node(Kind::kPass);
    if (TakeWord("break")) return Node(Kind::kBreak);
    if (TakeWord("continue")) return Node(Kind::kContinue);
    if (TakeWord("return")) {
      if (At(TokenKind::kNewline) || AtOperator(";")) return Node(Kind::kReturn);
      return Node(Kind::kReturn, {}, {TestList()});
    }
    const Id first = TestList();
    if (AtOperator("=")) return Assignment(first);
    const std::string& op = Peek().text;
    const bool augmented = At(TokenKind::kOperator) && op.size() > 1 && op.back() == '=' &&
                           op != "==" && op != "<=" && op != ">=" && op != "!=";
    if (!augmented) {
      Expect(KindOf(first) != Kind::kStarred);
      return Node(Kind::kExpression, {}, {first});
    }
    Expect(IsPlace(first));
    std::string name = op.substr(0, op.size() - 1);
    Advance();
    return Node(Kind::kAugmented, std::move(name), {first, TestList()});
  }

  Id Assignment(Id first) {
    std::vector<Id> parts = {first};
    while (!failed_ && TakeOperator("=")) {
      Expect(IsTarget(parts.back()) && KindOf(parts.back()) != Kind::kStarred);
      parts.push_back(TestList());
    }
    Expect(KindOf(parts.back()) != Kind::kStarred);
    return Node(Kind::kAssign, {}, std::move(parts));
  }

  [[nodiscard]] bool IsPlace(Id id) const {
    const Kind kind = KindOf(id);
    return kind == Kind::kName || kind == Kind::kAttribute || kind == Kind::kSubscript;
  }
  // Nesting was bounded when it was parsed.
  [[nodiscard]] bool IsTarget(Id id) const {
    const Kind kind = KindOf(id);
    if (IsPlace(id)) return true;
    if (kind != Kind::kTuple && kind != Kind::kList && kind != Kind::kStarred) return false;
    return std::ranges::all_of(tree_.nodes[id].children,
                               [this](Id part) { return IsTarget(part); });
  }

  // `a`, `a, b`, `*a, b`: what may stand left of `in`, so no comparison.
  Id TargetList() {
    const auto part = [this] {
      return TakeOperator("*") ? Node(Kind::kStarred, {}, {Binary(1)}) : Binary(1);
    };
    const Id target = ListOf(part);
    Expect(IsTarget(target) && KindOf(target) != Kind::kStarred);
    return target;
  }

  // Expressions.

  // One part alone, or a tuple of several.
  template <typename Part>
  Id ListOf(Part part) {
    std::vector<Id> parts = {part()};
    bool comma = false;
    while (!failed_ && TakeOperator(",")) {
      comma = true;
      if (EndsList()) break;
      parts.push_back(part());
    }
    return comma ? Node(Kind::kTuple, {}, std::move(parts)) : parts.front();
  }

  [[nodiscard]] bool EndsList() const {
    if (At(TokenKind::kNewline) || At(TokenKind::kEnd) || AtWord("in")) return true;
    for (const std::string_view op : {")", "]", "}", "=", ":", ";"}) {
      if (AtOperator(op)) return true;
    }
    return At(TokenKind::kOperator) && Peek().text.size() > 1 && Peek().text.back() == '=';
  }

  Id StarTest() { return TakeOperator("*") ? Node(Kind::kStarred, {}, {Binary(1)}) : Test(); }
  Id TestList() {
    return ListOf([this] { return StarTest(); });
  }

  Id Test() {
    const Level level(*this);
    if (failed_) return Fail();
    if (TakeWord("lambda")) {
      std::vector<Id> children = Parameters(":", /*annotated=*/false);
      Expect(TakeOperator(":"));
      children.push_back(Test());
      return Node(Kind::kLambda, {}, std::move(children));
    }
    const Id value = Or();
    if (!TakeWord("if")) return value;
    const Id condition = Or();
    Expect(TakeWord("else"));
    return Node(Kind::kConditional, {}, {condition, value, Test()});
  }

  Id Or() {
    return Chain("or", [this] { return And(); });
  }
  Id And() {
    return Chain("and", [this] { return Not(); });
  }
  template <typename Part>
  Id Chain(std::string_view word, Part part) {
    std::vector<Id> parts = {part()};
    while (!failed_ && TakeWord(word)) parts.push_back(part());
    if (parts.size() == 1) return parts.front();
    return Node(Kind::kBoolean, std::string(word), std::move(parts));
  }

  Id Not() {
    if (!TakeWord("not")) return Comparison();
    const Level level(*this);
    if (failed_) return Fail();
    return Node(Kind::kUnary, "not", {Not()});
  }

  std::optional<std::string> TakeComparator() {
    for (const std::string_view op : {"<", ">", "==", ">=", "<=", "!="}) {
      if (TakeOperator(op)) return std::string(op);
    }
    if (TakeWord("in")) return "in";
    if (AtWord("not") && AtWord("in", 1)) {
      Advance();
      Advance();
      return "not in";
    }
    if (!TakeWord("is")) return std::nullopt;
    return TakeWord("not") ? "is not" : "is";
  }

  Id Comparison() {
    std::vector<Id> parts = {Binary(1)};
    while (!failed_) {
      std::optional<std::string> comparator = TakeComparator();
      if (!comparator) break;
      parts.push_back(Node(Kind::kComparator, *std::move(comparator)));
      parts.push_back(Binary(1));
    }
    return parts.size() == 1 ? parts.front() : Node(Kind::kCompare, {}, std::move(parts));
  }

  [[nodiscard]] int LevelAt() const {
    if (!At(TokenKind::kOperator)) return 0;
    const auto it = std::ranges::find(kBinary, std::string_view(Peek().text), &BinaryLevel::op);
    return it == kBinary.end() ? 0 : it->level;
  }

  // Operators of that level and the tighter ones, to the left. Calls itself at most once per level.
  Id Binary(int level) {
    if (level == kTightest) return Unary();
    Id left = Binary(level + 1);
    while (!failed_ && LevelAt() == level) {
      std::string op = Peek().text;
      Advance();
      const Id right = Binary(level + 1);
      left = Node(Kind::kBinary, std::move(op), {left, right});
    }
    return left;
  }

  Id Unary() {
    for (const std::string_view op : {"-", "+", "~"}) {
      if (!TakeOperator(op)) continue;
      const Level level(*this);
      if (failed_) return Fail();
      return Node(Kind::kUnary, std::string(op), {Unary()});
    }
    const Id base = Primary();
    if (failed_ || !TakeOperator("**")) return base;
    const Level level(*this);
    if (failed_) return Fail();
    return Node(Kind::kBinary, "**", {base, Unary()});
  }

  Id Primary() {
    Id value = Atom();
    while (!failed_) {
      if (TakeOperator(".")) {
        std::string name = Name();
        value = Node(Kind::kAttribute, std::move(name), {value});
      } else if (TakeOperator("(")) {
        value = Call(value);
      } else if (TakeOperator("[")) {
        Expect(!AtOperator("]"));
        const Id index = ListOf([this] { return Slice(); });
        Expect(TakeOperator("]"));
        value = Node(Kind::kSubscript, {}, {value, index});
      } else {
        break;
      }
    }
    return value;
  }

  Id Slice() {
    const auto bound = [this] {
      const bool nothing = AtOperator(":") || AtOperator("]") || AtOperator(",");
      return nothing ? Node(Kind::kAbsent) : Test();
    };
    if (AtOperator("*")) return StarTest();
    const Id first = bound();
    if (!TakeOperator(":")) {
      Expect(KindOf(first) != Kind::kAbsent);
      return first;
    }
    const Id last = bound();
    const Id step = TakeOperator(":") ? bound() : Node(Kind::kAbsent);
    return Node(Kind::kSlice, {}, {first, last, step});
  }

  Id Call(Id function) {
    std::vector<Id> children = {function};
    bool keyword = false;  // A plain argument may not follow one that is named,
    bool doubled = false;  // and `*x` may not follow `**x`.
    while (!failed_ && !AtOperator(")")) {
      if (TakeOperator("**")) {
        doubled = keyword = true;
        children.push_back(Node(Kind::kKeyword, {}, {Test()}));
      } else if (AtOperator("*")) {
        Expect(!doubled);
        Advance();
        children.push_back(Node(Kind::kStarred, {}, {Test()}));
      } else if (At(TokenKind::kName) && AtOperator("=", 1)) {
        keyword = true;
        std::string name = Name();
        Advance();
        children.push_back(Node(Kind::kKeyword, std::move(name), {Test()}));
      } else {
        Expect(!keyword);
        const Id argument = Test();
        if (AtWord("for")) {
          Expect(children.size() == 1);
          children.push_back(Comprehension("generator", {argument}));
          break;
        }
        children.push_back(argument);
      }
      if (!TakeOperator(",")) break;
    }
    Expect(TakeOperator(")"));
    DropRangeZero(children);
    return Node(Kind::kCall, {}, std::move(children));
  }

  // `range(0, x)` says what `range(x)` says.
  void DropRangeZero(std::vector<Id>& call) const {
    if (failed_ || call.size() != 3) return;
    const PythonNode& function = tree_.nodes[call[0]];
    const PythonNode& first = tree_.nodes[call[1]];
    const Kind second = KindOf(call[2]);
    if (function.kind == Kind::kName && function.value == "range" &&
        first.kind == Kind::kConstant && first.value == "int 0" && second != Kind::kStarred &&
        second != Kind::kKeyword) {
      call.erase(call.begin() + 1);
    }
  }

  Id Comprehension(std::string kind, std::vector<Id> children) {
    while (!failed_ && TakeWord("for")) {
      std::vector<Id> clause = {TargetList()};
      Expect(TakeWord("in"));
      clause.push_back(Or());
      while (!failed_ && TakeWord("if")) clause.push_back(Or());
      children.push_back(Node(Kind::kClause, {}, std::move(clause)));
    }
    return Node(Kind::kComprehension, std::move(kind), std::move(children));
  }

  Id Atom() {
    if (failed_) return Fail();
    switch (Peek().kind) {
      case TokenKind::kInteger:
        return Constant("int ");
      case TokenKind::kFloat:
        return Constant("float ");
      case TokenKind::kString:
      case TokenKind::kBytes:
        return Strings();
      case TokenKind::kName:
        for (const std::string_view word : {"None", "True", "False"}) {
          if (AtWord(word)) return Constant({});
        }
        return Node(Kind::kName, Name());
      case TokenKind::kOperator:
        break;
      case TokenKind::kNewline:
      case TokenKind::kIndent:
      case TokenKind::kDedent:
      case TokenKind::kEnd:
        return Fail();
    }
    if (TakeOperator("(")) return Parenthesised();
    if (TakeOperator("[")) return ListDisplay();
    if (TakeOperator("{")) return SetOrDict();
    return Fail();
  }

  Id Constant(const std::string& type) {
    std::string value = type + Peek().text;
    Advance();
    return Node(Kind::kConstant, std::move(value));
  }

  // Literals side by side are one.
  Id Strings() {
    const TokenKind kind = Peek().kind;
    std::string value = kind == TokenKind::kBytes ? "bytes " : "str ";
    while (At(kind)) {
      value += Peek().text;
      Advance();
    }
    Expect(!At(TokenKind::kString) && !At(TokenKind::kBytes));
    return Node(Kind::kConstant, std::move(value));
  }

  Id Parenthesised() {
    if (TakeOperator(")")) return Node(Kind::kTuple);
    const Id first = StarTest();
    Id value = first;
    if (AtWord("for")) {
      Expect(KindOf(first) != Kind::kStarred);
      value = Comprehension("generator", {first});
    } else if (AtOperator(",")) {
      value = Node(Kind::kTuple, {}, Rest(first, ")"));
    } else {
      Expect(KindOf(first) != Kind::kStarred);
    }
    Expect(TakeOperator(")"));
    return value;
  }

  Id ListDisplay() {
    if (TakeOperator("]")) return Node(Kind::kList);
    const Id first = StarTest();
    Id value = 0;
    if (AtWord("for")) {
      Expect(KindOf(first) != Kind::kStarred);
      value = Comprehension("list", {first});
    } else {
      value = Node(Kind::kList, {}, Rest(first, "]"));
    }
    Expect(TakeOperator("]"));
    return value;
  }

  std::vector<Id> Rest(Id first, std::string_view end) {
    std::vector<Id> parts = {first};
    while (!failed_ && TakeOperator(",") && !AtOperator(end)) parts.push_back(StarTest());
    return parts;
  }

  Id SetOrDict() {
    if (TakeOperator("}")) return Node(Kind::kDict);
    Id value = 0;
    if (AtOperator("**")) {
      value = Node(Kind::kDict, {}, DictRest({}));
    } else {
      const Id first = StarTest();
      const bool is_dict = KindOf(first) != Kind::kStarred && TakeOperator(":");
      std::vector<Id> parts = {first};
      if (is_dict) parts.push_back(Test());
      if (AtWord("for")) {
        Expect(KindOf(first) != Kind::kStarred);
        value = Comprehension(is_dict ? "dict" : "set", std::move(parts));
      } else if (is_dict) {
        Expect(TakeOperator(",") || AtOperator("}"));
        value = Node(Kind::kDict, {}, DictRest(std::move(parts)));
      } else {
        value = Node(Kind::kSet, {}, Rest(first, "}"));
      }
    }
    Expect(TakeOperator("}"));
    return value;
  }

  std::vector<Id> DictRest(std::vector<Id> parts) {
    while (!failed_ && !AtOperator("}")) {
      if (TakeOperator("**")) {
        parts.push_back(Node(Kind::kAbsent));
        parts.push_back(Binary(1));
      } else {
        parts.push_back(Test());
        Expect(TakeOperator(":"));
        parts.push_back(Test());
      }
      if (!TakeOperator(",")) break;
    }
    return parts;
  }

  const std::vector<PythonToken>& tokens_;
  PythonTree& tree_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool ParsePython(std::string_view source, PythonTree& tree) {
  tree = {};
  std::vector<PythonToken> tokens;
  return LexPython(source, tokens) && Parser(tokens, tree).Run();
}

}  // namespace bi_test::spark
