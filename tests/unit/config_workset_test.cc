#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "config/worksets/built_in_workset.h"
#include "config/worksets/item_identity.h"
#include "config/worksets/items.h"
#include "config/worksets/lengths_workset.h"
#include "config/worksets/workset.h"
#include "support/sweep_folder.h"

namespace bi_test::config {
namespace {

using test_support::SweepFolder;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string LoadText(const std::string& name, std::string_view content) {
  const SweepFolder folder;
  folder.Write(name, content);
  const Result<Workset> workset = LoadWorkset(folder.path() / name);
  if (workset.ok()) return "loaded";
  std::string text = workset.error().Text();
  const std::string prefix = folder.path().string() + "/";
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return text;
}

struct FileCase {
  const char* name;
  const char* content;
  const char* text;
};

void PrintTo(const FileCase& test, std::ostream* out) { *out << test.name; }

class WorksetMistake : public ::testing::TestWithParam<FileCase> {};

TEST_P(WorksetMistake, NamesFileRowAndKey) {
  EXPECT_EQ(LoadText("w.json", GetParam().content), GetParam().text);
}

constexpr char kFamilyAllowed[] =
    "allowed: a text of 1 to 64 characters, without \"|\" and control characters";

const std::string kFamilyErrors[] = {
    std::string("w.json: row 0: family: found \"a|b\", ") + kFamilyAllowed,
    std::string("w.json: row 0: family: found \"\", ") + kFamilyAllowed,
    std::string("w.json: row 0: family: found \"a\\x0ab\", ") + kFamilyAllowed,
    std::string("w.json: row 0: family: found 3, ") + kFamilyAllowed,
};

const FileCase kMistakes[] = {
    {"NoArray", "{\"a\":1}", "w.json: found an object, allowed: an array of rows"},
    {"EmptyArray", "[]", "w.json: found 0 rows, allowed: 1 to 100000 rows"},
    {"RowOfAnotherKind", "[\"a\", 5, [\"x\"], null]",
     "w.json: row 1: found 5, allowed: an object, or a text that is the prompt\n"
     "w.json: row 2: found an array, allowed: an object, or a text that is the prompt\n"
     "w.json: row 3: found null, allowed: an object, or a text that is the prompt"},
    {"NoPrompt", "[{\"family\":\"a\"}]",
     "w.json: row 0: item: found nothing, allowed: the prompt, a text that is not empty"},
    {"NullPrompts", "[{\"item\":null,\"prompt\":null}]",
     "w.json: row 0: item: found nothing, allowed: the prompt, a text that is not empty"},
    {"NumberAsPrompt", "[{\"prompt_text\":5}]",
     "w.json: row 0: prompt_text: found 5, allowed: the prompt, a text that is not empty"},
    {"EmptyPrompt", "[{\"prompt\":\"\"}]",
     "w.json: row 0: prompt: found \"\", allowed: the prompt, a text that is not empty"},
    {"EmptyPromptText", "[\"\"]",
     "w.json: row 0: found \"\", allowed: the prompt, a text that is not empty"},
    {"SystemOfAnotherKind", "[{\"item\":\"a\",\"system\":[1]}]",
     "w.json: row 0: system: found an array, allowed: a text"},
    {"FamilyWithBar", "[{\"item\":\"a\",\"family\":\"a|b\"}]", kFamilyErrors[0].c_str()},
    {"EmptyFamily", "[{\"item\":\"a\",\"family\":\"\"}]", kFamilyErrors[1].c_str()},
    {"FamilyWithLineEnd", "[{\"item\":\"a\",\"family\":\"a\\nb\"}]", kFamilyErrors[2].c_str()},
    {"FamilyOfAnotherKind", "[{\"item\":\"a\",\"family\":3}]", kFamilyErrors[3].c_str()},
    {"FillTooLarge", "[{\"item\":\"a\",\"fill\":1.01}]",
     "w.json: row 0: fill: found 1.01, allowed: a number from 0 to 1"},
    {"FillThatIsText", "[{\"item\":\"a\",\"fill_ratio\":\"0.5\"}]",
     "w.json: row 0: fill_ratio: found \"0.5\", allowed: a number from 0 to 1"},
    {"FillThatIsABoolean", "[{\"item\":\"a\",\"fill\":true}]",
     "w.json: row 0: fill: found true, allowed: a number from 0 to 1"},
    {"UnknownKey", "[{\"item\":\"a\",\"expected\":\"b\"}]",
     "w.json: row 0: expected: found an unknown key, allowed: item, prompt_text, prompt, "
     "expected_answer, family, fill, fill_ratio, system, messages, completion, sampling, or a key "
     "that begins with x_"},
    {"MisspelledKey", "[{\"item\":\"a\",\"famly\":\"b\"}]",
     "w.json: row 0: famly: found an unknown key, allowed: item, prompt_text, prompt, "
     "expected_answer, family, fill, fill_ratio, system, messages, completion, sampling, or a key "
     "that begins with x_ (did you mean \"family\"?)"},
};

INSTANTIATE_TEST_SUITE_P(All, WorksetMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(WorksetTest, TextThatIsNoJsonIsAnErrorWithItsPlace) {
  for (const char* bad : {"", "[", "[\"a\",]", "[{\"item\":\"a\",\"item\":\"b\"}]", "[NaN]",
                          "[\"a\"] x", "['a']", "[\"\\ud800\"]", "[\"\xFF\"]"}) {
    EXPECT_THAT(LoadText("w.json", bad), HasSubstr("w.json: ")) << bad;
  }
}

// A trace holds 64 levels, and a schema stands deeper there than in the file.
TEST(WorksetTest, ARowThatNoTraceCouldHoldIsRefusedBeforeAnythingIsAsked) {
  const auto schema = [](int levels) {
    std::string text = "[{\"item\":\"a\",\"sampling\":{\"json_schema\":";
    for (int level = 0; level < levels; ++level) text += "{\"not\":";
    return text + "{}" + std::string(static_cast<std::size_t>(levels), '}') + "}}]";
  };
  EXPECT_EQ(LoadText("w.json", schema(44)), "loaded");
  EXPECT_THAT(LoadText("w.json", schema(45)), HasSubstr("nested deeper than 48 levels"));
  EXPECT_THAT(LoadText("w.yaml", "- item: a\n  expected_answer: " + std::string(60, '[') +
                                     std::string(60, ']') + "\n"),
              HasSubstr("more than 48 levels"));
}

TEST(WorksetTest, AFamilyMayHaveSixtyFourCharactersOfAnyLength) {
  std::string family;
  for (int i = 0; i < 64; ++i) family += "é";
  EXPECT_EQ(LoadText("w.json", "[{\"item\":\"a\",\"family\":\"" + family + "\"}]"), "loaded");
  EXPECT_NE(LoadText("w.json", "[{\"item\":\"a\",\"family\":\"" + family + "x\"}]"), "loaded");
}

TEST(WorksetTest, RowsAreReadWithAliasesAndDefaults) {
  const SweepFolder folder;
  folder.Write("w.json",
               "\xEF\xBB\xBF[\"plain\","
               "{\"item\":null,\"prompt_text\":\"two\",\"prompt\":\"three\",\"expected_answer\":0,"
               "\"family\":\"F\",\"fill\":null,\"fill_ratio\":1,\"system\":\"\",\"x_note\":[1]},"
               "{\"prompt\":\"c\",\"expected_answer\":null,\"fill\":0.25,\"system\":null}]");
  const Result<Workset> workset = LoadWorkset(folder.path() / "w.json");
  ASSERT_TRUE(workset.ok()) << workset.error().Text();
  WorksetRow plain;
  plain.prompt = "plain";
  WorksetRow second;
  second.prompt = "two";
  second.expected_answer = 0;
  second.family = "F";
  second.fill = 1.0;
  second.system = "";
  WorksetRow third;
  third.prompt = "c";
  third.fill = 0.25;
  EXPECT_EQ(workset->rows, (std::vector<WorksetRow>{plain, second, third}));
  EXPECT_EQ(workset->name, "w.json");
}

TEST(WorksetTest, JsonAndYamlOfTheSameRowsHaveOneDigest) {
  const SweepFolder folder;
  folder.Write("w.json",
               "[{\"item\":\"ask\",\"expected_answer\":{\"b\":1,\"a\":true},\"fill\":0}, \"x\"]");
  folder.Write("w.yaml", "- item: ask\n  expected_answer: {a: true, b: 1}\n- x\n");
  folder.Write("other.yml", "- item: ask\n  expected_answer: {a: true, b: 1.0}\n- x\n");
  const Result<Workset> json = LoadWorkset(folder.path() / "w.json");
  const Result<Workset> yaml = LoadWorkset(folder.path() / "w.yaml");
  const Result<Workset> other = LoadWorkset(folder.path() / "other.yml");
  ASSERT_TRUE(json.ok() && yaml.ok() && other.ok());
  EXPECT_THAT(json->sha256, SizeIs(64));
  EXPECT_EQ(json->sha256, yaml->sha256);
  EXPECT_NE(json->sha256, other->sha256);
}

TEST(WorksetTest, EveryColumnEntersTheDigest) {
  WorksetRow row;
  row.prompt = "ask";
  std::vector<WorksetRow> variants(11, row);
  variants[1].prompt = "tell";
  variants[2].expected_answer = "a";
  variants[3].family = "f";
  variants[4].fill = 0.5;
  variants[5].system = "s";
  variants[6].system = "";
  variants[7].completion = true;
  variants[8].messages = {{"system", "be"}, {"user", "ask"}};
  variants[9].messages = {{"developer", "be"}, {"user", "ask"}};
  variants[10].sampling = Json::Object{{"seed", Json(1)}};
  std::set<std::string> digests;
  for (const WorksetRow& variant : variants) digests.insert(MakeWorkset({variant}, "w").sha256);
  EXPECT_EQ(digests.size(), variants.size());
  EXPECT_EQ(MakeWorkset({row}, "w").sha256, MakeWorkset({row}, "another name").sha256);
}

TEST(WorksetTest, TextThatIsNoUtf8IsNoText) {
  const Json bad = "\xff";
  const auto rows = [&](const char* key) {
    Json::Object row = {{"item", Json("a")}};
    row[key] = bad;
    return Json::Array{Json(row)};
  };
  const std::pair<Json::Array, const char*> cases[] = {
      {{bad}, ""},
      {rows("item"), "item"},
      {rows("system"), "system"},
      {rows("family"), "family"},
      {{Json(Json::Object{{"completion", bad}})}, "completion"},
      {{Json(Json::Object{{"messages", Json::Array{Json(Json::Object{{"role", Json("user")},
                                                                     {"content", bad}})}}})},
       "messages[0].content"},
  };
  for (const auto& [row, key] : cases) {
    std::vector<RowProblem> problems;
    EXPECT_THAT(ReadRows(row, problems), SizeIs(0)) << key;
    ASSERT_THAT(problems, SizeIs(1)) << key;
    EXPECT_EQ(problems[0].key, key);
  }
}

TEST(WorksetTest, YamlWordsStayPromptsAndNumbersAreNoPrompts) {
  EXPECT_EQ(LoadText("w.yaml", "- NO\n- on\n- 010\n- 'x'\n"), "loaded");
  EXPECT_EQ(LoadText("w.yaml", "- item: 5\n"),
            "w.yaml: row 0: item: found 5, allowed: the prompt, a text that is not empty");
  EXPECT_EQ(LoadText("w.yaml", "- a\n- &x b\n"),
            "w.yaml:2: [1]: found the anchor \"&x\", allowed: the value without an anchor");
}

TEST(WorksetTest, ManyMistakesAreCounted) {
  std::string rows = "[";
  for (int i = 0; i < 25; ++i) rows += i == 0 ? "1" : ",1";
  EXPECT_THAT(LoadText("w.json", rows + "]"), ::testing::EndsWith("\nw.json: and 5 more mistakes"));
}

TEST(WorksetTest, TooManyRowsAreRefused) {
  std::string rows = "[\"a\"";
  for (int i = 0; i < 100'000; ++i) rows += ",\"a\"";
  EXPECT_EQ(LoadText("w.json", rows + "]"), "w.json: found 100001 rows, allowed: 1 to 100000 rows");
}

TEST(WorksetTest, TheSmokeSetMixesLengthsAndRepeatsNothing) {
  const Result<Workset> smoke = BuiltInWorkset("smoke");
  ASSERT_TRUE(smoke.ok());
  ASSERT_THAT(smoke->rows, SizeIs(40));
  std::set<std::string> prompts;
  std::set<std::string> families;
  std::size_t fewest = 1'000;
  std::size_t most = 0;
  for (std::size_t i = 0; i < smoke->rows.size(); ++i) {
    const WorksetRow& row = smoke->rows[i];
    prompts.insert(row.prompt);
    families.insert(row.family);
    std::istringstream words(row.prompt);
    std::size_t count = 0;
    for (std::string word; words >> word;) ++count;
    fewest = std::min(fewest, count);
    most = std::max(most, count);
    if (i > 0) {
      EXPECT_NE(row.family, smoke->rows[i - 1].family);
    }
    EXPECT_FALSE(row.expected_answer.if_string()->empty());
  }
  EXPECT_EQ(prompts.size(), 40u);
  EXPECT_EQ(families.size(), 5u);
  EXPECT_EQ(fewest, 5u);
  EXPECT_GE(most, 280u);
  EXPECT_LE(most, 320u);
}

TEST(WorksetTest, TheSmokeSetIsTheSameEverywhere) {
  EXPECT_EQ(BuiltInWorkset("smoke")->sha256,
            "a766cd5a1e3ef5169058b433e1a5165b521a1cc0d17cd0c737c5cf489b725ab2");
}

TEST(WorksetTest, TheAnswerOfASmokePassageStandsInItsPrompt) {
  const Result<Workset> smoke = BuiltInWorkset("smoke");
  for (const WorksetRow& row : smoke->rows) {
    if (row.family != "medium" && row.family != "long" && row.family != "very_long") continue;
    EXPECT_THAT(row.prompt, HasSubstr(" " + *row.expected_answer.if_string() + " "));
  }
}

TEST(WorksetTest, AnUnknownBuiltInIsAnError) {
  const Result<Workset> none = BuiltInWorkset("big");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().Text(),
            "builtin: found \"big\", allowed: canary, fragile, lengths, smoke");
}

TEST(WorksetTest, EachCanaryHasACodeWordOfItsOwn) {
  const Workset canary = CanaryWorkset();
  ASSERT_THAT(canary.rows, SizeIs(40));
  std::set<std::string> words;
  std::set<std::string> heads;
  for (const WorksetRow& row : canary.rows) {
    const std::string word = *row.expected_answer.if_string();
    EXPECT_THAT(word, testing::MatchesRegex("[A-Z]{4}-[0-9]{4}"));
    EXPECT_THAT(row.prompt, HasSubstr("Your code word is " + word + ". "));
    words.insert(word);
    heads.insert(word.substr(0, 4));
    for (const WorksetRow& other : canary.rows) {
      if (&other != &row) {
        EXPECT_THAT(other.prompt, testing::Not(HasSubstr(word.substr(0, 4))));
      }
    }
  }
  EXPECT_EQ(words.size(), 40u);
  EXPECT_EQ(heads.size(), 40u);
}

TEST(WorksetTest, TheCanariesAreTheSameEverywhere) {
  EXPECT_EQ(CanaryWorkset().sha256,
            "569be33fc25511dbea40d9da2a11b8835959d6fd9bdd1af1c6001842016bb526");
}

TEST(LengthsTest, EdgesAreMetWithTheirNeighboursAndNothingIsLongerThanTheSlot) {
  EXPECT_THAT(ProbeLengths({}, 70), testing::ElementsAre(1, 2, 3, 30, 31, 32, 33, 62, 63, 64, 65));
  EXPECT_THAT(ProbeLengths({48, 64}, 64),
              testing::ElementsAre(1, 2, 3, 30, 31, 32, 33, 46, 47, 48, 49, 62, 63, 64));
  EXPECT_THAT(ProbeLengths({2}, 3), testing::ElementsAre(1, 2, 3)) << "no length below one";
  EXPECT_THAT(ProbeLengths({}, 100'000), SizeIs(27));
}

struct Tokenizer {
  const char* name;
  TokenCounter count;
};

class LengthsTokenizer : public testing::TestWithParam<Tokenizer> {};

std::int64_t Bytes(const std::string& text, std::int64_t per_token) {
  return (static_cast<std::int64_t>(text.size()) + per_token - 1) / per_token;
}

TEST_P(LengthsTokenizer, CountsEveryLength) {
  const std::vector<int> lengths = ProbeLengths({48}, 1025);
  const Result<Workset> made = MakeLengthsWorkset(lengths, true, GetParam().count);
  ASSERT_TRUE(made.ok()) << made.error().Text();
  ASSERT_THAT(made->rows, SizeIs(lengths.size()));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_EQ(GetParam().count(made->rows[i].prompt), lengths[i]);
    EXPECT_EQ(made->rows[i].family, "tokens_" + std::to_string(lengths[i]));
    EXPECT_TRUE(made->rows[i].completion);
  }
  EXPECT_EQ(made->sha256, MakeLengthsWorkset(lengths, true, GetParam().count)->sha256);
}

std::optional<std::int64_t> SingleBytes(const std::string& text) { return Bytes(text, 1); }
std::optional<std::int64_t> FourBytes(const std::string& text) { return Bytes(text, 4); }
std::optional<std::int64_t> WholeWords(const std::string& text) {
  std::istringstream words(text);
  std::int64_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, LengthsTokenizer,
                         testing::Values(Tokenizer{"SingleBytes", SingleBytes},
                                         Tokenizer{"FourBytes", FourBytes},
                                         Tokenizer{"WholeWords", WholeWords}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(LengthsTest, NoPromptIsABeginningOfAnother) {
  const Result<Workset> made = MakeLengthsWorkset({100, 200, 300, 400}, true, SingleBytes);
  ASSERT_TRUE(made.ok());
  std::set<std::string> beginnings;
  for (const WorksetRow& row : made->rows) beginnings.insert(row.prompt.substr(0, 100));
  EXPECT_THAT(beginnings, SizeIs(4)) << "a server could share what they have in common";
}

TEST(LengthsTest, APromptThatIsThereAlreadyIsLeftOut) {
  // Forty prompts of one byte: there are not so many letters to begin with.
  const Result<Workset> made = MakeLengthsWorkset(std::vector<int>(40, 1), true, SingleBytes);
  ASSERT_TRUE(made.ok());
  std::set<std::string> prompts;
  for (const WorksetRow& row : made->rows) prompts.insert(row.prompt);
  EXPECT_LT(made->rows.size(), 40U);
  EXPECT_THAT(made->rows, SizeIs(prompts.size()));
}

TEST(LengthsTest, ALengthThatNoCutHasGivesTheNextFewer) {
  // A vocabulary of pairs: an odd count does not occur.
  const TokenCounter pairs = [](const std::string& t) { return 2 * Bytes(t, 2); };
  const Result<Workset> made = MakeLengthsWorkset({31, 32}, false, pairs);
  ASSERT_TRUE(made.ok());
  ASSERT_THAT(made->rows, SizeIs(2));
  EXPECT_EQ(pairs(made->rows[0].prompt), 30);
  EXPECT_EQ(pairs(made->rows[1].prompt), 32);
  EXPECT_FALSE(made->rows[0].completion);
}

TEST(LengthsTest, ASilentTokenizerIsAnError) {
  const Result<Workset> made =
      MakeLengthsWorkset({31}, true, [](const std::string&) { return std::nullopt; });
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(
      made.error().Text(),
      "workset: the server's tokenizer gave no count, and prompts of 31 tokens cannot be made "
      "without; use another work-set");
}

TEST(ItemsTest, RowsAreExpandedRowByRowAndRepByRep) {
  WorksetRow first;
  first.prompt = "p";
  first.family = "fam";
  first.fill = 0.1;
  first.system = "s";
  first.expected_answer = 4;
  WorksetRow second = first;
  second.fill = 0.125;
  const Workset workset = MakeWorkset({first, second, first}, "w");
  const Result<std::vector<Item>> items = ExpandItems(workset, "m", 2048, 2);
  ASSERT_TRUE(items.ok());
  ASSERT_THAT(*items, SizeIs(6));
  EXPECT_EQ((*items)[2].test_id, "m|2048|fam|0.500000|0|fill0.12");
  EXPECT_EQ((*items)[2].seed, 8731805782338150470u);
  EXPECT_EQ((*items)[3].seed, 4456608858434774896u);
  EXPECT_EQ((*items)[0].position, 0.25);
  EXPECT_EQ((*items)[4].position, 0.75);
  EXPECT_EQ((*items)[5].row, 2u);
  EXPECT_EQ((*items)[5].rep, 1);
  const ScorerItem item = (*items)[1].ForScorer();
  EXPECT_EQ(item,
            (ScorerItem{"m|2048|fam|0.250000|1|fill0.10", "p", "s", "fam", 0.25, 1, 0.1, {}}));
  EXPECT_EQ((*items)[1].expected_answer, Json(4));
}

TEST(ItemsTest, NoRepetitionsIsAnError) {
  const Result<std::vector<Item>> items = ExpandItems(*BuiltInWorkset("smoke"), "m", 2048, 0);
  ASSERT_FALSE(items.ok());
  EXPECT_EQ(items.error().Text(), "reps: found 0, allowed: at least 1");
}

TEST(ItemsTest, TooManyItemsAreAnError) {
  const Result<std::vector<Item>> items = ExpandItems(*BuiltInWorkset("smoke"), "m", 2048, 25'001);
  ASSERT_FALSE(items.ok());
  EXPECT_EQ(items.error().Text(),
            "built-in smoke: found 40 rows in 25001 repetitions, allowed: 1000000 items");
}

TEST(ItemsTest, AllItemsOfTheSmokeSetDiffer) {
  const Result<std::vector<Item>> items = ExpandItems(*BuiltInWorkset("smoke"), "m", 2048, 3);
  ASSERT_TRUE(items.ok());
  std::set<std::string> ids;
  std::set<std::uint64_t> seeds;
  for (const Item& item : *items) {
    ids.insert(item.test_id);
    seeds.insert(item.seed);
  }
  EXPECT_EQ(ids.size(), 120u);
  EXPECT_EQ(seeds.size(), 120u);
}

}  // namespace
}  // namespace bi_test::config
