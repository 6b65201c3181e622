// `bi-test workset check|show|stats` through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json_reader.h"
#include "cert/cert_reader.h"
#include "support/recorded_run.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_support::BinaryResult;
using testing_support::WriteText;

constexpr std::string_view kRows =
    R"([{"item":"first \u001b[31m","expected_answer":"a","family":"f","sampling":{"seed":1,"stop":"x"}},)"
    R"({"completion":"second text"},)"
    R"({"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"third"}],)"
    R"("expected_answer":3,"family":"f"},)"
    R"({"completion":"second text","expected_answer":"b","sampling":{"grammar":"root ::= \"a\""}}])";

class WorksetCommand : public ::testing::Test {
 protected:
  WorksetCommand() { WriteText(File(), std::string(kRows)); }
  [[nodiscard]] std::string File() const { return (dir_.path() / "w.json").string(); }
  [[nodiscard]] static BinaryResult BiTest(std::vector<std::string> args) {
    testing_support::BinaryOptions options;
    args.insert(args.begin(), "workset");
    options.args = std::move(args);
    return testing_support::RunBinary(BI_TEST_PROGRAM, options);
  }
  /// What it prints on standard error, without the folder.
  [[nodiscard]] std::string Errors(const BinaryResult& result) const {
    std::string text = result.err;
    const std::string prefix = dir_.path().string() + "/";
    for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
  [[nodiscard]] static Json Output(const BinaryResult& result) {
    const Result<Json> document = ParseJson(result.out);
    EXPECT_TRUE(document.ok()) << result;
    return document.ok() ? *document : Json();
  }
  [[nodiscard]] static Json At(const Json& document, std::string_view path) {
    const Json* found = CertReader(document).At(path);
    return found == nullptr ? Json("absent") : *found;
  }

  test_support::TempDir dir_;
};

TEST_F(WorksetCommand, CheckOfAGoodFileSaysSo) {
  const BinaryResult result = BiTest({"check", File()});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out,
              ::testing::MatchesRegex("w.json: 4 rows, no mistakes; sha256 [0-9a-f]+\n"));
  const Json json = Output(BiTest({"check", File(), "--json"}));
  EXPECT_EQ(At(json, "ok"), Json(true));
  EXPECT_EQ(At(json, "n_rows"), Json(4));
}

TEST_F(WorksetCommand, CheckNamesFileRowKeyFoundAndAllowed) {
  WriteText(File(), R"([{"item":""},{"item":"a","fill":2},{"item":"a","sampling":{"seed":-1}}])");
  const BinaryResult result = BiTest({"check", File()});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(Errors(result),
            "bi-test workset check: w.json: row 0: item: found \"\", allowed: the prompt, a text "
            "that is not empty\n"
            "bi-test workset check: w.json: row 1: fill: found 2, allowed: a number from 0 to 1\n"
            "bi-test workset check: w.json: row 2: sampling.seed: found -1, allowed: an integer "
            "from 0 to 2147483647\n");
  const BinaryResult json = BiTest({"check", File(), "--json"});
  EXPECT_EQ(json.exit_code, 1) << json;
  EXPECT_EQ(At(Output(json), "error.code"), Json("invalid_file"));
}

TEST_F(WorksetCommand, CheckKnowsWhatAKindOfServerCannotBeAsked) {
  EXPECT_EQ(BiTest({"check", File(), "--kind", "llama.cpp"}).exit_code, 0);
  const BinaryResult result = BiTest({"check", File(), "--kind", "vllm"});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(Errors(result),
            "bi-test workset check: w.json: row 3: sampling.grammar: found a grammar, allowed with "
            "kind vllm: json_schema or response_format (GBNF grammars are llama.cpp's own)\n");
}

struct UsageCase {
  const char* name;
  std::vector<std::string> args;
  int code;
  const char* error;
};

TEST_F(WorksetCommand, WrongUseAndMissingFilesHaveTheirCodes) {
  const UsageCase cases[] = {
      {"no file", {"check"}, 2, "found neither, allowed: one of FILE, --builtin NAME"},
      {"both",
       {"check", File(), "--builtin", "smoke"},
       2,
       "found both, allowed: one of FILE, --builtin NAME"},
      {"an unknown built-in",
       {"stats", "--builtin", "big"},
       2,
       "builtin: found \"big\", allowed: "},
      {"an unknown kind", {"check", File(), "--kind", "x"}, 2, "--kind: found `x`"},
      {"no such file",
       {"check", "/nonexistent/w.json"},
       1,
       "found no such file, allowed: a JSON or YAML array of rows"},
      {"a folder",
       {"check", dir_.path().string()},
       1,
       "found a folder, allowed: a JSON or YAML array of rows"},
      {"a device",
       {"check", "/dev/null"},
       1,
       "found something that is no regular file, allowed: a JSON or YAML array of rows"},
      {"a row too many", {"show", File(), "--row", "4"}, 2, "--row: found 4, allowed: 0 to 3"},
      {"no passes", {"stats", File(), "--passes", "0"}, 2, "--passes: found 0, allowed: 1 to 1000"},
      {"no repetitions",
       {"stats", File(), "--reps", "1001"},
       2,
       "--reps: found 1001, allowed: 1 to 1000"},
      {"an unknown flag", {"stats", File(), "--pases", "1"}, 2, "--pases"},
      {"no command", {}, 2, "subcommand is required"},
  };
  for (const UsageCase& c : cases) {
    const BinaryResult result = BiTest(c.args);
    EXPECT_EQ(result.exit_code, c.code) << c.name << result;
    EXPECT_THAT(result.err, HasSubstr(c.error)) << c.name;
    EXPECT_EQ(result.out, "") << c.name;
  }
}

TEST_F(WorksetCommand, ShowHasOneSafeLinePerRow) {
  const BinaryResult result = BiTest({"show", File()});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out,
            "row     kind        family            bytes  answer  sampling  prompt\n"
            "0       chat        f                 11     yes     seed,stop  first \\x1b[31m\n"
            "1       completion  default           11     no      -         second text\n"
            "2       messages    f                 13     yes     -         third\n"
            "3       completion  default           11     yes     grammar   second text\n");
}

TEST_F(WorksetCommand, ShowOfOneRowIsThatRowInFull) {
  const Json row = Output(BiTest({"show", File(), "--row", "2"}));
  EXPECT_EQ(At(row, "row"), Json(2));
  EXPECT_EQ(At(row, "kind"), Json("messages"));
  EXPECT_EQ(CompactText(At(row, "messages")),
            R"([{"content":"be brief","role":"system"},{"content":"third","role":"user"}])");
  const Json all = Output(BiTest({"show", File(), "--json"}));
  ASSERT_EQ(At(all, "rows").if_array()->size(), 4u);
  EXPECT_EQ((*At(all, "rows").if_array())[2], row);
}

TEST_F(WorksetCommand, StatsSayWhatARunCouldSee) {
  const BinaryResult result = BiTest({"stats", File(), "--passes", "2"});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, StartsWith("w.json  sha256 "));
  EXPECT_EQ(result.out.substr(result.out.find('\n') + 1),
            "  rows       4 (chat 1, completion 2, messages 1), 1 without an expected answer\n"
            "  families   default 2, f 2\n"
            "  sampling   grammar 1, seed 1, stop 1\n"
            "  bytes      11 to 13, median 11, mean 11.5\n"
            "  items      4 (1 repetition): the largest N they fill\n"
            "  prompts    3 distinct: for GREEN too few, 5 are needed, for promotion too few, 30 "
            "are needed\n"
            "  sees       a 1 % flip with probability 0.059 in 2 passes (6 comparisons); with 0.95 "
            "in 100\n");
}

TEST_F(WorksetCommand, OnlyDifferentPromptsAreEnough) {
  struct Enough {
    int rows, prompts;
    bool green, promotion;
  };
  for (const Enough& test : {Enough{40, 4, false, false}, Enough{40, 5, true, false},
                             Enough{29, 29, true, false}, Enough{30, 30, true, true}}) {
    std::string rows;
    for (int i = 0; i < test.rows; ++i) {
      rows += (i == 0 ? "[\"p" : ",\"p") + std::to_string(i % test.prompts) + "\"";
    }
    WriteText(File(), rows + "]");
    const Json json = Output(BiTest({"stats", File(), "--json"}));
    EXPECT_EQ(At(json, "n_distinct_prompts"), Json(test.prompts));
    EXPECT_EQ(At(json, "enough_for_green"), Json(test.green)) << test.prompts;
    EXPECT_EQ(At(json, "enough_for_promotion"), Json(test.promotion)) << test.prompts;
  }
}

TEST_F(WorksetCommand, StatsOfABuiltInAsJson) {
  const BinaryResult result = BiTest({"stats", "--builtin", "smoke", "--reps", "2", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result;
  const Json json = Output(result);
  EXPECT_EQ(At(json, "n_rows"), Json(40));
  EXPECT_EQ(At(json, "n_items"), Json(80));
  EXPECT_EQ(At(json, "n_distinct_prompts"), Json(40));
  EXPECT_EQ(At(json, "n_comparisons"), Json(320));
  EXPECT_EQ(At(json, "comparisons_for_95"), Json(299));
  EXPECT_EQ(At(json, "passes_for_95"), Json(8));
  EXPECT_EQ(At(json, "enough_for_promotion"), Json(true));
}

}  // namespace
}  // namespace bi_test
