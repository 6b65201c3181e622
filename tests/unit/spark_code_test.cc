// How the source of a function is scored: by its tokens, its constants and its operators.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "spark/code_score.h"

namespace bi_test::spark {
namespace {

struct CodeCase {
  const char* name;
  std::string candidate;
  double score;
};

constexpr const char* kAbove = "def above(value):\n    return value >= 7";

TEST(CodeScore, VectorsOfOneComparison) {
  const CodeCase kCases[] = {
      {"Itself", kAbove, 1.0},
      {"OneLine", "def above(value): return value >= 7", 1.0},
      {"Tab", "def above(value):\n\treturn value >= 7", 1.0},
      {"NoSpace", "def above( value ) :\n    return value>=7", 1.0},
      {"TheBug", "def above(value):\n    return value > 7", 0.3},
      {"Mirrored", "def above(value):\n    return 7 <= value", 0.3},
      {"Negated", "def above(value):\n    return not value < 7", 0.3},
      {"Float", "def above(value):\n    return value >= 7.0", 0.3},
      {"Hexadecimal", "def above(value):\n    return value >= 0x7", 0.3},
      {"OtherNumber", "def above(value):\n    return value >= 8", 0.3},
      {"Docstring", "def above(value):\n    \"\"\"Says so.\"\"\"\n    return value >= 7", 0.3},
      {"Renamed", "def above(other):\n    return other >= 7", 0.49},
      {"Parentheses", "def above(value):\n    return (value >= 7)", 0.49},
      {"OnlyTheExpression", "value >= 7", 1.0 - 7.0 / 11.0},
      {"Prose", "The fix is to use the other comparator.", 0.0},
      {"OneWord", "above", 1.0 - 10.0 / 11.0},
      {"Nothing", "", 0.0},
  };
  for (const CodeCase& test : kCases) {
    EXPECT_DOUBLE_EQ(ScoreCode(test.candidate, kAbove), test.score) << test.name;
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
      {"OtherWidthOfIndent",
       "def total(items):\n  s = 0\n\n  for i in range(0, len(items)):\n      s = s + items[i]\n"
       "  return s\n",
       1.0},
      {"Comment", "# sums up\n" + gold + "  # done", 1.0},
      {"Fence", "Here it is:\n```python\n" + gold + "\n```\nDone.", 1.0},
      {"FenceThatDoesNotEnd", "```python\n" + gold, 1.0},
      {"FenceAtTheEndOnly", gold + "\n```", 1.0},
      {"ReturnInsideTheLoop",
       "def total(items):\n    s = 0\n    for i in range(0, len(items)):\n        s = s + items[i]\n"
       "        return s",
       0.49},
      {"Augmented",
       "def total(items):\n    s = 0\n    for i in range(0, len(items)):\n        s += items[i]\n"
       "    return s",
       0.49},
      {"TheBug",
       "def total(items):\n    s = 0\n    for i in range(1, len(items)):\n        s = s + items[i]\n"
       "    return s",
       0.3},
  };
  for (const CodeCase& test : kCases) {
    EXPECT_DOUBLE_EQ(ScoreCode(ExtractCode(test.candidate), gold), test.score) << test.name;
  }
}

TEST(CodeScore, AHashInQuotesIsNoComment) {
  EXPECT_EQ(ScoreCode("f('#', 1)  # it's one", "f('#', 1)"), 1.0);
  EXPECT_LT(ScoreCode("f('#', 1)", "f('#', 2)"), 0.5);
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
