// `bi-test run` and the ready test program run the same sweep on the scripted stand-in for
// llama-server, each in a folder of its own: what they leave behind differs in times only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bi_test/exit_code.h"
#include "make_model/make_model.h"
#include "support/recorded_run.h"
#include "support/run_binary.h"
#include "support/stub/rules.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::ReadText;
using testing_support::RunBinary;
using testing_support::WriteText;

struct DoorsCase {
  const char* name;
  std::string more;  ///< Of the sweep file.
  std::vector<stub::Rule> rules = {};
  std::map<std::string, std::string> stub = {};  ///< Variables of the server.
  std::vector<std::string> flags = {};           ///< Without a door's prefix; `?` is its - or _.
  int exit_code = kExitOk;
  std::string junit = {};  ///< What the JUnit file says of the totals.
};

void PrintTo(const DoorsCase& c, std::ostream* out) { *out << c.name; }

class BothDoors : public testing::TestWithParam<DoorsCase> {
 protected:
  /// The files of one door and what it printed of cells, folders and times taken out.
  struct Left {
    int exit_code = 0;
    std::string lines, junit, page, summary;
  };

  Left Run(const std::string& door, const std::string& program, const std::string& prefix,
           std::vector<std::string> args) {
    fs::create_directories(scratch_.path() / door);
    const fs::path dir = fs::canonical(scratch_.path() / door);
    if (!make_model::Write({}, (dir / "tiny.gguf").string()).ok()) std::abort();
    std::string sweep = "server:\n  kind: llama.cpp\n  binary: " BI_TEST_STUB_BINARY
                        "\n  env:\n    STUB_SERVICE_MS: \"20\"\n    STUB_GATHER_AFTER: \"9\"\n"
                        "    STUB_GATHER_MS: \"1000\"\n";
    if (!GetParam().rules.empty()) {
      WriteText(dir / "rules.json", stub::RulesText(GetParam().rules));
      sweep += "    STUB_RULES: " + (dir / "rules.json").string() + "\n";
    }
    for (const auto& [name, value] : GetParam().stub) {
      sweep += "    " + name + ": \"" + value + "\"\n";
    }
    sweep +=
        "models: [{id: tiny, path: tiny.gguf, labels: [small]}]\n"
        "matrix: {ctx: 1024, parallel: [2, 4]}\n"
        "run: {passes: 1, max_tokens: 16, n_probs: 0, control_sample: 1}\n"
        "guard: {memory_floor_gib: 0}\n"
        "output: {dir: out}\nworkset:\n";
    for (int i = 0; i < 8; ++i) {
      const std::string number = std::to_string(i);
      sweep += "  - {prompt: \"ask " + number + "\", expected_answer: \"ok-" + number + "\"}\n";
    }
    WriteText(dir / "cells.yaml", sweep + GetParam().more);
    WriteText(dir / "known.yaml",
              "version: 1\ncells:\n  - {model: tiny, ctx: 1024, parallel: 4, verdict: RED, class: "
              "leak, reason: r}\n");
    BinaryOptions options;
    options.directory = dir.string();
    options.args = std::move(args);
    options.timeout = std::chrono::seconds(100);
    for (std::string flag : GetParam().flags) {
      std::replace(flag.begin(), flag.end(), '?', prefix == "--" ? '-' : '_');
      options.args.push_back(prefix + flag);
    }
    const BinaryResult result = RunBinary(program, options);
    Left left;
    left.exit_code = result.exit_code;
    left.lines = LinesOf(result.out, dir);
    for (const auto& [file, text] :
         {std::pair("junit.xml", &left.junit), std::pair("index.html", &left.page),
          std::pair("summary.md", &left.summary)}) {
      if (fs::exists(dir / "out" / file)) *text = Normal(ReadText(dir / "out" / file), dir);
    }
    return left;
  }

  /// What differs from run to run however it was started, replaced.
  static std::string Normal(std::string text, const fs::path& dir) {
    text = std::regex_replace(text, std::regex("&#95;"), "_");  // as Markdown has it
    for (std::size_t at; (at = text.find(dir.string())) != std::string::npos;) {
      text.replace(at, dir.string().size(), "DIR");
    }
    for (const auto& [pattern, with] : {
             std::pair(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?|\d{8}T\d{6}Z?)", "TIME"),
             std::pair(R"([0-9a-f]{8,})", "HEX"),
             std::pair(R"(\d+(\.\d+)? (ms|s)\b)", "SPAN"),
             std::pair(R"(\d+\.\d+)", "REAL"),
             std::pair(R"(slot \d+)", "SLOT"),
             std::pair(R"(in service with [^\n<]*)", "COMPANIONS"),
             std::pair(R"(\d+ companions? in service</summary><p>[^\n]*</p>)", "COMPANIONS"),
             std::pair(R"(\d+ in service)", "WIDTH"),
             std::pair(R"(pid \d+|port \d+)", "NUMBER"),
             std::pair(R"(\d+ (completion tokens|with \d+ at once))", "RATE"),
             std::pair("\\d+ (\xe2\x86\x92|to) \\d+ \\(", "RATES ("),
         }) {
      text = std::regex_replace(text, std::regex(pattern), with);
    }
    return text;
  }

  /// The lines about cells and files, sorted: in a test program GoogleTest's stand between them,
  /// and may show an explanation first.
  static std::string LinesOf(const std::string& out, const fs::path& dir) {
    std::set<std::string> found;
    const std::regex ours(
        R"((GREEN|RED|AMBER|UNVERIFIED|ERROR|NOT RUN) .*ctx=.*|junit  .*|page   .*)");
    std::istringstream in(Normal(out, dir));
    for (std::string line; std::getline(in, line);) {
      if (std::regex_match(line, ours)) found.insert(line + "\n");
    }
    std::string lines;
    for (const std::string& line : found) lines += line;
    return lines;
  }

  test_support::TempDir scratch_;
};

TEST_P(BothDoors, LeadToTheSame) {
  const Left program = Run("program", BI_TEST_CELLS_BINARY, "--bi_test_", {});
  const Left command = Run("command", BI_TEST_PROGRAM, "--", {"run", "cells.yaml"});
  EXPECT_EQ(command.exit_code, GetParam().exit_code);
  EXPECT_EQ(program.exit_code, GetParam().exit_code);
  EXPECT_EQ(program.lines, command.lines);
  EXPECT_EQ(program.junit, command.junit);
  EXPECT_EQ(program.page, command.page);
  EXPECT_EQ(program.summary, command.summary);
  EXPECT_THAT(command.junit, HasSubstr(GetParam().junit));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BothDoors,
    testing::Values(
        DoorsCase{"Green", "", {}, {}, {}, kExitOk, "tests=\"2\" failures=\"0\" errors=\"0\""},
        DoorsCase{"OneCellRed",
                  "",
                  {stub::Rule{.prompt = "ask 3", .min_slots = 4, .answer = "flip"}},
                  {},
                  {},
                  kExitNo,
                  "tests=\"2\" failures=\"1\" errors=\"0\""},
        DoorsCase{"AGreenThatWasKnownRed",
                  "known_verdicts: known.yaml\n",
                  {},
                  {},
                  {},
                  kExitNo,
                  "the verdict has changed"},
        DoorsCase{"NoServer",
                  "",
                  {},
                  {{"STUB_EXIT_AT_START", "7"}},
                  {},
                  kExitError,
                  "tests=\"2\" failures=\"0\" errors=\"2\""},
        DoorsCase{"NoProgram",
                  "",
                  {},
                  {},
                  {"passes=1", "server?binary=/none"},
                  kExitError,
                  "tests=\"2\" failures=\"0\" errors=\"2\""},
        DoorsCase{"OneCellSelected",
                  "",
                  {},
                  {},
                  {"parallel=2"},
                  kExitOk,
                  "tests=\"1\" failures=\"0\" errors=\"0\""},
        DoorsCase{"NothingSelected", "", {}, {}, {"parallel=3"}, kExitNothingToDo},
        DoorsCase{"AWrongFile", "modles: []\n", {}, {}, {}, kExitUsage}),
    [](const testing::TestParamInfo<DoorsCase>& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace bi_test
