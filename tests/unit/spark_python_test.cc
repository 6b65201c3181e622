// The Python subset: which sources are read, which are the same program, and what hostile ones
// cost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "spark/code_score.h"
#include "spark/python_lexer.h"
#include "spark/python_tree.h"

namespace bi_test::spark {
namespace {

bool Parses(std::string_view source) {
  PythonTree tree;
  return ParsePython(source, tree);
}

bool Same(std::string_view x, std::string_view y) {
  PythonTree a;
  PythonTree b;
  return ParsePython(x, a) && ParsePython(y, b) && SameTree(a, b);
}

TEST(PythonSubset, IsRead) {
  const char* const kGood[] = {
      "",
      "\n\n  # only a comment\n",
      "x",
      "x = y = 1",
      "a, b = b, a",
      "a, *b = c",
      "(a, b), [c, d] = e",
      "a.b[c].d = 1",
      "x += 1; y -= 2; z **= 3; w //= 4; v >>= 1; u @= m",
      "def f(): pass",
      "def f(a, b=1, *c, d, e=2, **g): return a",
      "def f(a, /, b, *, c): return",
      "def f(a: int = 1, *b: str, **c: dict) -> list[int]:\n  return a",
      "def f(\n    a,\n    b,\n):\n    return (a +\n            b)",
      "def f(x):\n\tif x:\n\t\treturn 1\n\telif x > 2: return 2\n\telse:\n\t\treturn 3",
      "for i in range(3): print(i)\nelse: pass",
      "for a, (b, c) in d: continue",
      "while not x:\n    break\nelse:\n    x = 1",
      "def f():\n  def g():\n    return 1\n  return g",
      "x = a if b else c if d else e",
      "x = not a and b or not c",
      "x = a < b <= c != d is not e not in f in g is h == i >= j > k",
      "x = a | b ^ c & d << 1 >> 2 + 3 - 4 * 5 / 6 // 7 % 8 @ 9",
      "x = -a ** -b",
      "x = +-~a",
      "f(a, *b, c=1, **d)",
      "f(x for x in y)",
      "f(a)(b)[c].d(e)",
      "x[1:2], x[:], x[::2], x[a:b:c, 1]",
      "x = [], {}, (), {1}, {1: 2}, [1, 2,], (1,), {1, 2,}, {1: 2, **a}, [*a, *b]",
      "x = [a for b in c if d if e for f in g]",
      "x = {a for b in c}, {a: b for c in d}, (a for b in c)",
      "x = lambda: 1, lambda a, *b, c=1, **d: a",
      "x = None, True, False",
      "x = 0x1F, 0o17, 0b101, 1_000, 00, 1.5, .5, 5., 1e3, 1E-3, 1_0.0_1",
      "x = 'a', \"b\", r'\\d', b'c', rb'd', u'e', 'a' 'b', '''x\ny''', \"\"\"z\"\"\"",
      "x = '\\x41\\u0041\\U00000041\\101\\n\\\n'",
      "x = 1 + \\\n    2",
      "if x:\n        y\nz",
      "if x:\n\ty\n        z",
      "x = 'caf\u00e9'  # \u2026",
      "def f(x):\r\n    return x\r\n",
      "x = yielded",
      "return 1",
  };
  for (const char* source : kGood) EXPECT_TRUE(Parses(source)) << source;
}

TEST(PythonSubset, AllElseIsNotRead) {
  const char* const kBad[] = {
      "The answer is, I think, this one.",
      "a b",
      "def f(:",
      "def f(a, a=1, b): pass",
      "def f(*): pass",
      "def f(**a, b): pass",
      "def f(*a, *b): pass",
      "def f(/): pass",
      "def 1(): pass",
      "def f()\n    pass",
      "def f():\npass",
      "def f():",
      "  x",
      "if x:\n    y\n  z",
      "if x:\n  y\n   z",
      "else: pass",
      "x = (1",
      "x = 1)",
      "x = (1]",
      "x = 'a",
      "x = '''a",
      "x = 'a\nb'",
      "1 = x",
      "f() = x",
      "None = x",
      "x + 1 = 2",
      "(a, b) += 1",
      "*a",
      "*a = b",
      "x = *a",
      "a = b += c",
      "x = 010",
      "x = 0x",
      "x = 1_",
      "x = 1__0",
      "x = 1j",
      "x = 7if",
      "x = f'a'",
      "x = 'a' b'b'",
      "x = b'\u00e9'",
      "x = '\\x4'",
      "x = '\\N{DASH}'",
      "x = '\\U00110000'",
      "x ? y",
      "x = a <> b",
      "x = !a",
      "x = $a",
      "x := 1",
      "x = (y := 1)",
      "x: int = 1",
      "x = ...",
      "x = a if b",
      "x = not",
      "x = a not b",
      "x = == a",
      "x = a or lambda: 1",
      "f(a=1, b)",
      "f(**a, *b)",
      "f(a, x for x in y)",
      "f(1=2)",
      "x = [*a for a in b]",
      "x = {**a for a in b}",
      "x = {1: 2, 3}",
      "x[]",
      "x.1",
      "x = [a for 1 in b]",
      "for x y in z: pass",
      "for f() in z: pass",
      "class A: pass",
      "import x",
      "from x import y",
      "with x: pass",
      "try: pass\nexcept: pass",
      "raise x",
      "assert x",
      "del x",
      "global x",
      "x = await y",
      "async def f(): pass",
      "@a\ndef f(): pass",
      "def f(): yield 1",
      "x = \u00e9",
      "x \\ y",
      "x = 1 \\",
      "x = 1\x01",
      "True()=1",
      "def True(): pass",
      "x = class",
      "if x: if y: pass",
      "x = 1; if y: pass",
      ";",
  };
  for (const char* source : kBad) EXPECT_FALSE(Parses(source)) << source;
}

struct PairCase {
  const char* name;
  const char* x;
  const char* y;
};

TEST(PythonSubset, TheSameProgramInOtherLetters) {
  const PairCase kSame[] = {
      {"Parentheses", "x = (a + b) * (c)", "x = (a + b) * c"},
      {"Layout", "def f(x):\n    return x", "def f( x ) : return x"},
      {"Tabs", "def f(x):\n\treturn x", "def f(x):\n    return x"},
      {"Comments", "x = 1  # one\n\n# two", "x = 1"},
      {"Semicolons", "a = 1; b = 2;", "a = 1\nb = 2"},
      {"Hexadecimal", "x = 0x7", "x = 7"},
      {"Octal", "x = 0o17", "x = 0b1111"},
      {"Underscores", "x = 1_000", "x = 1000"},
      {"FloatSpelling", "x = 1e3", "x = 1_000.0"},
      {"Quotes", "x = 'a'", "x = \"\"\"a\"\"\""},
      {"RawString", "x = r'\\d'", "x = '\\\\d'"},
      {"UnknownEscapeStays", "x = '\\d'", "x = '\\\\d'"},
      {"JoinedStrings", "x = 'a' 'b'", "x = 'ab'"},
      {"TupleWithoutParentheses", "x = a, b", "x = (a, b,)"},
      {"ElifIsElseIf", "if a: b\nelif c: d\nelse: e", "if a: b\nelse:\n  if c: d\n  else: e"},
      {"RangeFromZero", "range(0, x)", "range(x)"},
      {"RangeFromZeroInside", "for i in range(0x0, len(a)): b", "for i in range(len(a)): b"},
      {"CompareBeforeNot", "not a < b", "not (a < b)"},
      {"PowerBeforeMinus", "-a ** b", "-(a ** b)"},
      {"PowerToTheRight", "a ** b ** c", "a ** (b ** c)"},
      {"LeftToRight", "a - b - c", "(a - b) - c"},
      {"LineEnds", "if a:\r\n  b\r\n", "if a:\n  b\n"},
  };
  for (const PairCase& test : kSame) EXPECT_TRUE(Same(test.x, test.y)) << test.name;
}

TEST(PythonSubset, OtherPrograms) {
  const PairCase kOther[] = {
      {"Comparator", "a > b", "a >= b"},
      {"Mirrored", "7 <= a", "a >= 7"},
      {"Chain", "a < b < c", "(a < b) < c"},
      {"Association", "a - b - c", "a - (b - c)"},
      {"FloatIsNoInteger", "x = 7", "x = 7.0"},
      {"TextIsNoNumber", "x = 7", "x = '7'"},
      {"BytesAreNoText", "x = b'a'", "x = 'a'"},
      {"TrueIsNotOne", "x = True", "x = 1"},
      {"NameIsNoText", "x = a", "x = 'a'"},
      {"RangeFromFalse", "range(False, x)", "range(x)"},
      {"RangeFromZeroWithStep", "range(0, x, 1)", "range(x, 1)"},
      {"RangeFromOne", "range(1, x)", "range(x)"},
      {"RangeOfAnotherObject", "a.range(0, x)", "a.range(x)"},
      {"RangeOfSpread", "range(0, *x)", "range(*x)"},
      {"Augmented", "x += 1", "x = x + 1"},
      {"TupleIsNoList", "x = (a, b)", "x = [a, b]"},
      {"OneTuple", "x = (a,)", "x = (a)"},
      {"SetIsNoDict", "x = {}", "x = ()"},
      {"Docstring", "def f():\n  'a'\n  return 1", "def f():\n  return 1"},
      {"Annotation", "def f(a: int): return a", "def f(a): return a"},
      {"Default", "def f(a=1): return a", "def f(a): return a"},
      {"StarArgument", "def f(*a): return a", "def f(a): return a"},
      {"KeywordOnly", "def f(*, a): return a", "def f(a): return a"},
      {"KeywordArgument", "f(a=b)", "f(b)"},
      {"ElseOfTheLoop", "for a in b: c\nelse: d", "for a in b: c\nd"},
      {"AndIsNotOr", "a and b", "a or b"},
      {"Generator", "f(a for a in b)", "f([a for a in b])"},
      {"SliceIsNoIndex", "a[b:]", "a[b]"},
      {"SliceEnds", "a[:b]", "a[b:]"},
      {"Targets", "a = b = c", "b = a = c"},
  };
  for (const PairCase& test : kOther) {
    EXPECT_TRUE(Parses(test.x) && Parses(test.y)) << test.name;
    EXPECT_FALSE(Same(test.x, test.y)) << test.name;
  }
}

std::string Repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(PythonSubset, DepthEndsAtTwoHundred) {
  EXPECT_TRUE(Parses(Repeated("(", 199) + "x" + Repeated(")", 199)));
  EXPECT_FALSE(Parses(Repeated("(", 200) + "x" + Repeated(")", 200)));
  EXPECT_TRUE(Parses(Repeated("-", 199) + "x"));
  EXPECT_FALSE(Parses(Repeated("-", 200) + "x"));
  EXPECT_FALSE(Parses(Repeated("not ", 300) + "x"));
  EXPECT_FALSE(Parses(Repeated("x ** ", 300) + "x"));
  EXPECT_FALSE(Parses(Repeated("a if b else ", 300) + "x"));
  EXPECT_FALSE(Parses(Repeated("lambda: ", 300) + "x"));
  std::string blocks;
  for (int i = 0; i < 300; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  EXPECT_FALSE(Parses(blocks + std::string(300, ' ') + "y"));
  std::string branches = "if a: b\n";
  for (int i = 0; i < 300; ++i) branches += "elif a: b\n";
  EXPECT_FALSE(Parses(branches));
}

TEST(PythonSubset, LengthEndsAtFourThousandTokens) {
  // n names, n - 1 plus signs, a line end and the end.
  EXPECT_TRUE(Parses("x" + Repeated("+x", 2046)));
  EXPECT_FALSE(Parses("x" + Repeated("+x", 2047)));
  const std::string longest = "x" + Repeated("+x", 2046);
  EXPECT_TRUE(Same(longest, longest)) << "a deep tree is compared without recursion";
}

// In quadratic time the program would not end within the limit ctest has for it.
TEST(PythonSubset, HostileSourcesAreNoRightAnswer) {
  for (const std::string_view part : std::initializer_list<std::string_view>{
           "(",         "[",       "{",       "-",         "~",      "not ",
           "x=",        "x if ",   "lambda:", "lambda x=", "f(",     "x[",
           "x.",        "*",       "**",      "'",         "\"\"\"", "\\\n",
           "\n",        " ",       "\t\n",    "#\n",       "if x:",  "if x:\n ",
           "elif ",     ":",       "0x",      "1_",        "1e",     "def f(",
           "for x in ", "[x for ", "{x:",     "{**",       "\r",     std::string_view("\0", 1),
           "\xff",      "x,",      "x;"}) {
    const std::string source = Repeated(part, static_cast<int>((256u << 10) / part.size()));
    EXPECT_LT(ScoreCode(ExtractCode(source), "def f(x):\n    return x").score, 1.0) << part;
  }
}

struct CodeCase {
  const char* name;
  std::string candidate;
  double score;
  bool parsed = true;
};

constexpr const char* kAbove = "def above(value):\n    return value >= 7";

TEST(CodeScore, VectorsOfOneComparison) {
  const CodeCase kCases[] = {
      {"Itself", kAbove, 1.0},
      {"Parentheses", "def above(value):\n    return (value >= 7)", 1.0},
      {"OneLine", "def above(value): return value >= 7", 1.0},
      {"Tab", "def above(value):\n\treturn value >= 7", 1.0},
      {"Hexadecimal", "def above(value):\n    return value >= 0x7", 1.0},
      {"TheBug", "def above(value):\n    return value > 7", 0.3},
      {"Mirrored", "def above(value):\n    return 7 <= value", 0.3},
      {"Negated", "def above(value):\n    return not value < 7", 0.3},
      {"Float", "def above(value):\n    return value >= 7.0", 0.3},
      {"Renamed", "def above(other):\n    return other >= 7", 0.49},
      {"Docstring", "def above(value):\n    \"\"\"Says so.\"\"\"\n    return value >= 7", 0.3},
      {"Annotated", "def above(value: int) -> bool:\n    return value >= 7", 0.49},
      {"OnlyTheExpression", "value >= 7", 1.0 - 7.0 / 11.0},
      {"Prose", "The fix is to use the other comparator.", 0.0, false},
      {"OneWord", "above", 1.0 - 10.0 / 11.0},
      {"Nothing", "", 0.0},
  };
  for (const CodeCase& test : kCases) {
    const CodeScore score = ScoreCode(test.candidate, kAbove);
    EXPECT_DOUBLE_EQ(score.score, test.score) << test.name;
    EXPECT_EQ(score.parsed, test.parsed) << test.name;
  }
}

TEST(CodeScore, VectorsOfTheSummingLoop) {
  const std::string gold =
      "def total(items):\n    s = 0\n    for i in range(0, len(items)):\n        s = s + items[i]\n"
      "    return s";
  const CodeCase kCases[] = {
      {"RangeOfTheLength",
       "def total(items):\n    s = 0\n    for i in range(len(items)):\n        s = s + items[i]\n"
       "    return s",
       1.0},
      {"Comment", "# sums up\n" + gold + "  # done", 1.0},
      {"Fence", "Here it is:\n```python\n" + gold + "\n```\nDone.", 1.0},
      {"FenceThatDoesNotEnd", "```python\n" + gold, 1.0},
      {"FenceAtTheEndOnly", gold + "\n```", 1.0},
      {"Augmented",
       "def total(items):\n    s = 0\n    for i in range(0, len(items)):\n        s += items[i]\n"
       "    return s",
       0.3},
      {"TheBug",
       "def total(items):\n    s = 0\n    for i in range(1, len(items)):\n        s = s + "
       "items[i]\n"
       "    return s",
       0.3},
  };
  for (const CodeCase& test : kCases) {
    EXPECT_DOUBLE_EQ(ScoreCode(ExtractCode(test.candidate), gold).score, test.score) << test.name;
  }
}

TEST(CodeScore, SimilarityVectors) {
  EXPECT_DOUBLE_EQ(TokenSimilarity("def f(x):\n    return x > 3", "def f(x):\n    return x >= 3"),
                   0.9090909090909091);
  EXPECT_DOUBLE_EQ(TokenSimilarity("a b", "a c"), 0.5);
  EXPECT_DOUBLE_EQ(TokenSimilarity("", " \n"), 1.0);
  EXPECT_DOUBLE_EQ(TokenSimilarity("a", ""), 0.0);
}

struct ExtractCase {
  const char* name;
  const char* answer;
  const char* code;
};

TEST(ExtractCode, TakesWhatIsMeant) {
  const ExtractCase kCases[] = {
      {"NoFence", "  x = 1\n", "x = 1"},
      {"Block", "Text\n```py\nx = 1\n```\nmore", "x = 1"},
      {"TheFirstBlock", "```\na\n```\n```\nb\n```", "a"},
      {"Tildes", "~~~\na\n```\nb\n~~~", "a\n```\nb"},
      {"LongerFence", "````\na\n```\nb\n````", "a\n```\nb"},
      {"Unterminated", "Text\n```py\nx = 1", "x = 1"},
      {"OnlyAtTheEnd", "x = 1\n```", "x = 1"},
      {"SeveralThatDoNotPair", "```py\na\n```py\nb", "a\nb"},
      {"WithinALine", "x = '```'", "x = '```'"},
      {"IndentedFence", "  ```python\n  x = 1\n  ```", "x = 1"},
      {"OnlyAFence", "```", ""},
  };
  for (const ExtractCase& test : kCases)
    EXPECT_EQ(ExtractCode(test.answer), test.code) << test.name;
}

}  // namespace
}  // namespace bi_test::spark
