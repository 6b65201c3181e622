#include "scorers/answer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scorers/code_blocks.h"
#include "scorers/json_subset.h"

namespace bi_test {
namespace {

using ::testing::SizeIs;

struct ReadCase {
  const char* text;
  const char* compact;  ///< Nothing: no JSON.
};

TEST(ReadWholeJson, ReadsWhatTheStandardAllows) {
  const ReadCase cases[] = {
      {"null", "null"},
      {" true ", "true"},
      {"false", "false"},
      {"0", "0"},
      {"-0", "0"},
      {"-12", "-12"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9.223372036854776e+18"},
      {"1.5e3", "1500.0"},
      {"1E-2", "0.01"},
      {"2e+1", "20.0"},
      {"\"\"", "\"\""},
      {R"("\"\\\/\b\f\n\r\t")", R"("\"\\/\b\f\n\r\t")"},
      {R"("\u0041\u00e9\ud83d\ude00")", R"("A\u00e9\ud83d\ude00")"},
      {R"("\ud83dx")", R"("\ud83dx")"},
      {R"("\ud83d\u0041")", R"("\ud83dA")"},
      {R"("\udc00")", R"("\udc00")"},
      {"[]", "[]"},
      {"[ ]", "[]"},
      {"[1, [2], {}]", "[1,[2],{}]"},
      {"{ }", "{}"},
      {"{\"b\" : 1 , \"a\" : [null]}", R"({"a":[null],"b":1})"},
      {"", nullptr},
      {" ", nullptr},
      {"tru", nullptr},
      {"nul", nullptr},
      {"falsy", nullptr},
      {"01", nullptr},
      {"-", nullptr},
      {"+1", nullptr},
      {"1.", nullptr},
      {".5", nullptr},
      {"1e", nullptr},
      {"1e999", nullptr},
      {"NaN", nullptr},
      {"\"a", nullptr},
      {"\"\n\"", nullptr},
      {"\"\\", nullptr},
      {R"("\q")", nullptr},
      {R"("\u12")", nullptr},
      {R"("\u12g4")", nullptr},
      {R"("\ud83d\u12")", nullptr},
      {"[1", nullptr},
      {"[1,", nullptr},
      {"[1,]", nullptr},
      {"[1 2]", nullptr},
      {"{", nullptr},
      {"{\"a\"}", nullptr},
      {"{\"a\":}", nullptr},
      {"{\"a\":1", nullptr},
      {"{\"a\":1,}", nullptr},
      {"{a:1}", nullptr},
      {"{\"a\":1 \"b\":2}", nullptr},
      {"{\"a\":1,\"a\":2}", nullptr},
      {"1 2", nullptr},
      {"{} x", nullptr},
  };
  for (const ReadCase& c : cases) {
    const std::optional<Json> value = ReadWholeJson(c.text);
    ASSERT_EQ(value.has_value(), c.compact != nullptr) << c.text;
    if (value) {
      EXPECT_EQ(CompactText(*value), c.compact) << c.text;
    }
  }
}

TEST(ReadWholeJson, HasALimitOfDepth) {
  const std::string at_limit = std::string(64, '[') + std::string(64, ']');
  EXPECT_TRUE(ReadWholeJson(at_limit).has_value());
  EXPECT_FALSE(ReadWholeJson("[" + at_limit + "]").has_value());
}

TEST(ReadWholeJson, HasALimitOfSize) {
  const std::string at_limit = '"' + std::string(kAnswerLimits.max_bytes - 2, 'x') + '"';
  EXPECT_TRUE(ReadWholeJson(at_limit).has_value());
  EXPECT_FALSE(ReadWholeJson(at_limit + " ").has_value());
}

TEST(FindFirstJson, SaysWhereItStands) {
  const FoundJson found = FindFirstJson("so [1] and more", "[");
  EXPECT_EQ(found.value, Json(Json::Array{1}));
  EXPECT_EQ(found.inside, "[1]");
  EXPECT_EQ(FindFirstJson(R"(so ["\ud800"] and more)", "[").inside, R"(["\ud800"])");
}

TEST(FindFirstJson, EndsAtAValueThatCannotBeTrusted) {
  using State = LeadingJson::State;
  const std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_EQ(FindFirstJson(deep + "[1]", "[").state, State::kTooDeep);
  EXPECT_EQ(FindFirstJson(R"({"a":1,"a":2} {"b":1})", "{").state, State::kDuplicate);
  EXPECT_EQ(FindFirstJson("[ {] [", "[{").state, State::kNone);
}

TEST(FindJson, LooksInThreePlaces) {
  const ReadCase cases[] = {
      {" 5 ", "5"},
      {"So:\n```json\n{\"a\":1}\n```\nor {\"b\":2}", R"({"a":1})"},
      {"```\nno\n```\n```\n[1]\n```", "[1]"},
      {"first {x} then {\"a\":1} then [2]", R"({"a":1})"},
      {"a [link] and [1]", "[1]"},
      {"no braces", nullptr},
      {"{ [ {", nullptr},
  };
  for (const ReadCase& c : cases) {
    const std::optional<Json> value = FindJson(c.text);
    ASSERT_EQ(value.has_value(), c.compact != nullptr) << c.text;
    if (value) {
      EXPECT_EQ(CompactText(*value), c.compact) << c.text;
    }
  }
}

TEST(FindJson, LooksAtSixtyFourStartsOnly) {
  std::string text;
  for (int i = 0; i < 63; ++i) text += "{x ";
  EXPECT_TRUE(FindJson(text + "[1]").has_value());
  EXPECT_FALSE(FindJson(text + "{x [1]").has_value());
}

TEST(FindJson, LooksAtTheFirstPartOfALongTextOnly) {
  const std::string room(kAnswerLimits.max_bytes - 3, ' ');
  EXPECT_TRUE(FindJson(room + "[1] x").has_value());
  EXPECT_FALSE(FindJson(room + " [1] x").has_value());
}

struct HoldsCase {
  const char* found;
  const char* wanted;
  bool holds;
};

TEST(HoldsJson, AllowsMoreMembersAndNothingElse) {
  const HoldsCase cases[] = {
      {R"({"a":1,"b":2})", R"({"a":1.0})", true},
      {R"({"a":1})", R"({"a":2})", false},
      {R"({"a":null})", R"({"a":null})", true},
      {R"({})", R"({"a":null})", false},
      {R"([{"a":1}])", R"([{}])", true},
      {R"([1,2])", R"([1])", false},
      {R"([1])", R"([1,2])", false},
      {R"("a")", R"("a")", true},
      {R"(1)", R"({})", false},
      {R"(1)", R"([])", false},
      {R"(1)", R"(true)", false},
  };
  for (const HoldsCase& c : cases) {
    EXPECT_EQ(HoldsJson(*ReadWholeJson(c.found), *ReadWholeJson(c.wanted)), c.holds)
        << c.found << " " << c.wanted;
  }
}

struct BlockCase {
  const char* name;
  const char* text;
  const char* language;  ///< Nothing: no block.
  const char* code;
};

TEST(FindCodeBlocks, ReadsFencesAsMarkdownHasThem) {
  const BlockCase cases[] = {
      {"plain", "```\na\n```", "", "a"},
      {"with a language", "```cpp title=x\na\n```", "cpp", "a"},
      {"with attributes", "```c{.x}\na\n```", "c", "a"},
      {"three blanks", "   ```\na\n   ```", "", "a"},
      {"four blanks", "    ```\na", nullptr, nullptr},
      {"two marks", "``\na\n``", nullptr, nullptr},
      {"a shorter fence does not close", "````\na\n```\nb\n````", "", "a\n```\nb"},
      {"a longer one does", "```\na\n`````", "", "a"},
      {"another mark does not close", "```\na\n~~~\nb\n```", "", "a\n~~~\nb"},
      {"words behind it do not close", "```\na\n``` b\nc\n```", "", "a\n``` b\nc"},
      {"no end", "```\na\nb\n", "", "a\nb"},
      {"only a fence", "```", "", ""},
      {"carriage returns", "```\r\na\r\n```\r\n", "", "a"},
      {"tildes with a backtick in the language", "~~~ a`b\nx\n~~~", "a`b", "x"},
      {"inline", "use ```a``` here", nullptr, nullptr},
  };
  for (const BlockCase& c : cases) {
    const std::vector<CodeBlock> blocks = FindCodeBlocks(c.text);
    ASSERT_THAT(blocks, SizeIs(c.code == nullptr ? 0 : 1)) << c.name;
    if (blocks.empty()) continue;
    EXPECT_EQ(blocks.front().language, c.language) << c.name;
    EXPECT_EQ(blocks.front().code, c.code) << c.name;
  }
}

TEST(FindCodeBlocks, GivesAThousandAtMost) {
  std::string text;
  for (int i = 0; i < 1'001; ++i) text += "```\na\n```\n";
  EXPECT_THAT(FindCodeBlocks(text), SizeIs(1'000));
}

}  // namespace
}  // namespace bi_test
