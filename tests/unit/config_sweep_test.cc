#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "bi_test/scorer.h"
#include "config/yaml/file_problems.h"
#include "scorers/scorer_registry.h"
#include "support/sweep_folder.h"

namespace bi_test {
namespace {

using std::chrono::milliseconds;
using test_support::SweepFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

std::vector<std::string> Names(const Sweep& sweep) {
  std::vector<std::string> names;
  for (const SweepCell& cell : sweep.cells) names.push_back(cell.test_name);
  return names;
}

std::vector<std::string> Ids(const Sweep& sweep) {
  std::vector<std::string> ids;
  for (const ModelConfig& model : sweep.models) ids.push_back(model.id);
  return ids;
}

TEST(SweepTest, ThreeLinesAreASweepWithAllDefaults) {
  const SweepFolder folder;
  const Result<Sweep> sweep = folder.LoadWith("");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->file, (folder.path() / "cells.yaml").string());
  EXPECT_EQ(sweep->run, RunConfig());
  EXPECT_EQ(sweep->guard, GuardConfig());
  EXPECT_EQ(sweep->policy, Policy());
  EXPECT_EQ(sweep->scorer, "exact");
  EXPECT_EQ(sweep->output.dir, folder.path() / "bi_test-out");
  EXPECT_TRUE(sweep->output.keep_content);
  EXPECT_THAT(sweep->workset.rows, SizeIs(40));
  EXPECT_THAT(sweep->warnings, IsEmpty());
  EXPECT_THAT(Names(*sweep), ElementsAre("m__ctx4096__n4"));
  EXPECT_EQ(sweep->cells[0].cell, (Cell{"m", 4096, 4, "f16"}));
  EXPECT_EQ(sweep->cells[0].location, (SourceLocation{sweep->file, 1}));
}

TEST(SweepTest, EveryKeyArrivesWhereItBelongs) {
  SweepFolder folder;
  folder.env["HOME_OF_OUT"] = "/out";
  folder.WriteProgram("bin/server");
  folder.Write("models/a.gguf", "x");
  folder.Write("work.yaml", "- {item: ask, expected_answer: 1}\n");
  const Result<Sweep> sweep = folder.Load(R"(
server:
  kind: llama.cpp
  binary: bin/server
  flags: [-fa, off, "--x=a b", ""]
  env: {OMP_NUM_THREADS: 1, EMPTY: "", PRICE: $$5}
  ready_timeout: 2m
  stop_grace: 500ms
dense_baseline: m
models:
  - {id: a, path: models/a.gguf, flags: -t 1  -fa on, kv: q8_0, labels: [gpu, no, 1.10]}
  - m
matrix:
  ctx: [4096, 1024]
  parallel: [4, 2]
  exclude:
    - {model: a, ctx: 1024}
    - {parallel: 2, model: m}
workset: {file: work.yaml}
scorer: needle
run: {passes: 3, max_tokens: 16, reps: 2, seed: 18446744073709551615, n_probs: 5, ignore_eos: true,
      control_sample: 3, request_timeout: 90, arm_timeout: 10m, run_timeout: 4h}
guard: {max_footprint_gib: 0.5, memory_floor_gib: 0, reserved_ports: [80, 8080], reserved_pids: [2]}
policy: {logprobs: eps, logit_drift_eps: 1e-1, min_ok_fraction: 0.9, min_coverage_fraction: 1,
         min_width_fraction: 0.8, min_effective_prompts: 6, min_promotion_prompts: 31, expires_days: 7,
         extra_invariant_fields: [finish_reason]}
sign_offs:
  - {cell: a__ctx4096__n2, by: lead, reason: "known: rounding", expires: 2030-12-31}
output: {dir: "${HOME_OF_OUT}/x", keep_content: false}
)");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->server.binary, folder.path() / "bin/server");
  EXPECT_EQ(sweep->server.binary_as_written, "bin/server");
  EXPECT_THAT(sweep->server.flags, ElementsAre("-fa", "off", "--x=a b", ""));
  EXPECT_THAT(sweep->server.env,
              ElementsAre(Pair("EMPTY", ""), Pair("OMP_NUM_THREADS", "1"), Pair("PRICE", "$5")));
  EXPECT_EQ(sweep->server.ready_timeout, milliseconds(120'000));
  EXPECT_EQ(sweep->server.stop_grace, milliseconds(500));
  ASSERT_THAT(sweep->models, SizeIs(2));
  EXPECT_EQ(sweep->models[0].path, folder.path() / "models/a.gguf");
  EXPECT_THAT(sweep->models[0].flags, ElementsAre("-t", "1", "-fa", "on"));
  EXPECT_THAT(sweep->models[0].labels, ElementsAre("gpu", "no", "1.10"));
  EXPECT_EQ(sweep->models[0].kv, "q8_0");
  EXPECT_EQ(sweep->models[0].location.line, 11);
  EXPECT_EQ(sweep->models[1].location.line, 12);
  EXPECT_THAT(sweep->ctx, ElementsAre(4096, 1024));
  EXPECT_THAT(sweep->parallel, ElementsAre(4, 2));
  EXPECT_THAT(Names(*sweep),
              ElementsAre("a__ctx4096__n4", "a__ctx4096__n2", "m__ctx4096__n4", "m__ctx1024__n4"));
  EXPECT_EQ(sweep->cells[3].model_index, 1u);
  EXPECT_EQ(sweep->cells[0].cell.kv_label, "q8_0");
  EXPECT_THAT(sweep->workset.rows, SizeIs(1));
  EXPECT_EQ(sweep->workset.name, "work.yaml");
  EXPECT_EQ(sweep->scorer, "needle");
  RunConfig run;
  run.passes = 3;
  run.max_tokens = 16;
  run.reps = 2;
  run.seed = UINT64_MAX;
  run.n_probs = 5;
  run.ignore_eos = true;
  run.control_sample = 3;
  run.request_timeout = std::chrono::seconds(90);
  run.arm_timeout = std::chrono::minutes(10);
  run.run_timeout = std::chrono::hours(4);
  EXPECT_EQ(sweep->run, run);
  EXPECT_EQ(sweep->dense_baseline, "m");
  EXPECT_EQ(sweep->guard, (GuardConfig{0.5, 0.0, {80, 8080}, {2}}));
  EXPECT_EQ(sweep->policy,
            (Policy{LogprobPolicy::kEps, 0.1, 0.9, 1.0, 0.8, 6, 31, 7, {"finish_reason"}}));
  EXPECT_THAT(sweep->sign_offs,
              ElementsAre(SignOff{"a__ctx4096__n2", "lead", "known: rounding", "2030-12-31"}));
  EXPECT_EQ(sweep->output.dir, "/out/x");
  EXPECT_FALSE(sweep->output.keep_content);
}

// R092
TEST(SweepTest, PlainWordsThatOtherParsersTurnIntoBooleansStayIds) {
  SweepFolder folder;
  for (const char* id : {"NO", "on", "y", "1.10", "0x10", "12e3", "TRUE", "true"}) {
    folder.Write(std::string(id) + ".gguf", "x");
  }
  const Result<Sweep> sweep = folder.Load(
      "models: [NO, on, y, 1.10, 0x10, 12e3, TRUE, true]\n"
      "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(Ids(*sweep), ElementsAre("NO", "on", "y", "1.10", "0x10", "12e3", "TRUE", "true"));
}

// R098
TEST(SweepTest, AByteOrderMarkAndCarriageReturnsAreNoMatter) {
  const SweepFolder folder;
  const Result<Sweep> sweep = folder.Load(
      "\xEF\xBB\xBFmodels: [m]\r\nmatrix:\r\n  ctx: 4096\r\n  parallel: 4\r\n"
      "workset: {builtin: smoke}\r\nrun:\r\n  passes: 3\r\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->run.passes, 3);
}

TEST(SweepTest, IdsThatAreHostileToFileSystemsAreIdsLikeOthers) {
  SweepFolder folder;
  const std::string long_id(300, 'x');
  const Result<Sweep> sweep = folder.Load(
      "models:\n  - {id: \"sn/mistral:7b\", path: m.gguf}\n  - {id: ../../x, path: m.gguf}\n"
      "  - {id: " +
      long_id +
      ", path: m.gguf}\n  - {id: \"Qwen2.5-7B:Q4_K_M/x y\", path: m.gguf}\n"
      "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(Ids(*sweep),
              ElementsAre("sn/mistral:7b", "../../x", long_id, "Qwen2.5-7B:Q4_K_M/x y"));
  EXPECT_EQ(sweep->cells[3].test_name, "Qwen2_5_7B_Q4_K_M_x_y__ctx4096__n2");
  for (const SweepCell& cell : sweep->cells) {
    EXPECT_EQ(cell.cell.model, sweep->models[cell.model_index].id);
    EXPECT_LE(FileStem(cell.cell).size(), 200u);
    EXPECT_EQ(FileStem(cell.cell).find('/'), std::string::npos);
  }
}

// R103
TEST(SweepTest, ACellInsertedAtTheTopRenamesNoOther) {
  SweepFolder folder;
  folder.Write("a.gguf", "x");
  const Result<Sweep> before = folder.LoadWith("");
  const Result<Sweep> after = folder.Load(
      "models: [a, m]\nmatrix: {ctx: [2048, 4096], parallel: [2, 4]}\n"
      "workset: {builtin: smoke}\n");
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_THAT(Names(*after), ::testing::Contains(before->cells[0].test_name));
}

TEST(SweepTest, MoreInFlightThanItemsIsAllowed) {
  const Result<Sweep> sweep = SweepFolder().Load(
      "models: [m]\nmatrix: {ctx: 4096, parallel: 64}\nworkset: [{item: a, expected_answer: b}]\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->cells, SizeIs(1));
}

TEST(SweepTest, RowsWithoutAnAnswerAreAWarning) {
  const SweepFolder folder;
  const Result<Sweep> sweep = folder.Load(
      "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\n"
      "workset:\n  - just a prompt\n  - {item: a, expected_answer: b}\nscorer: contains\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->workset.name, "inline rows");
  EXPECT_THAT(
      sweep->warnings,
      ElementsAre(sweep->file +
                  ": workset: 1 of 2 rows have no expected answer, and scorer \"contains\" gives "
                  "them 0 in every arm: add answers, or rely on tokens and text"));
}

TEST(SweepTest, RowsWithoutAnAnswerAreNoWarningForTheExactScorer) {
  const Result<Sweep> sweep = SweepFolder().Load(
      "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\n"
      "workset:\n  - just a prompt\n  - {item: a, expected_answer: b}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->warnings, ElementsAre());
}

TEST(SweepTest, AScorerThatNeedsNoAnswerGivesNoWarning) {
  const Result<Sweep> sweep = SweepFolder().Load(
      "models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: [just a prompt]\n"
      "scorer: {name: regex, pattern: x}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->warnings, IsEmpty());
}

TEST(SweepTest, PathsStartAtTheFolderOfTheFileNotAtTheCurrentOne) {
  SweepFolder folder;
  folder.Write("sub/models/a.gguf", "x");
  folder.Write(
      "sub/cells.yaml",
      "models: [{id: a, path: ./models/../models/a.gguf}]\n"
      "matrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\noutput: {dir: ../o}\n");
  const Result<Sweep> sweep = LoadSweep(folder.path() / "sub/cells.yaml", folder.env);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->models[0].path, folder.path() / "sub/models/a.gguf");
  EXPECT_EQ(sweep->output.dir, folder.path() / "o");
}

TEST(SweepTest, WhatAVariableHoldsIsNotLookedAtAgain) {
  SweepFolder folder;
  folder.env["ODD"] = "${HOME}{MODELS_DIR}$";
  const Result<Sweep> sweep = folder.LoadWith("server: {flags: [\"a${ODD}b\", \"{x}\"]}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->server.flags, ElementsAre("a${HOME}{MODELS_DIR}$b", "{x}"));
}

TEST(SweepTest, AVariableWithBlanksStaysOneArgument) {
  SweepFolder folder;
  folder.env["TEMPLATE"] = "a b";
  const Result<Sweep> sweep =
      folder.LoadWith("server:\n  flags: |\n    --chat-template ${TEMPLATE}\n    -t 1\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->server.flags, ElementsAre("--chat-template", "a b", "-t", "1"));
}

/// Which model a server other than llama.cpp gets. Paths below the folder, which is also
/// MODELS_DIR.
struct FolderCase {
  const char* name;
  const char* model;  ///< Entry of `models:`.
  const char* found;
};

void PrintTo(const FolderCase& test, std::ostream* out) { *out << test.name; }

class ModelFolderOfAnotherServer : public ::testing::TestWithParam<FolderCase> {};

TEST_P(ModelFolderOfAnotherServer, IsFoundOnThisMachine) {
  SweepFolder folder;
  folder.Write("phi/model.safetensors", "w");
  folder.Write("deep/er/model.safetensors", "w");
  folder.env["HF_HOME"] = (folder.path() / "hf").string();
  folder.Write("hf/hub/models--org--two/refs/main", "ab12\n");
  folder.Write("hf/hub/models--org--two/snapshots/ab12/model.safetensors", "w");
  folder.Write("hf/hub/models--org--two/snapshots/cd34/model.safetensors", "w");
  folder.Write("hf/hub/models--org--one/snapshots/ef56/model.safetensors", "w");
  const Result<Sweep> sweep =
      folder.Load("server: {kind: vllm}\nmodels: [" + std::string(GetParam().model) +
                  "]\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->models[0].path, folder.path() / GetParam().found);
  EXPECT_EQ(sweep->models[0].kv, "auto");
  EXPECT_EQ(sweep->server.binary_as_written, "vllm");
}

INSTANTIATE_TEST_SUITE_P(All, ModelFolderOfAnotherServer,
                         ::testing::Values(FolderCase{"IdBelowTheModels", "phi", "phi"},
                                           FolderCase{"Path", "{id: a, path: deep/er}", "deep/er"},
                                           FolderCase{"File", "{id: a, path: m.gguf}", "m.gguf"},
                                           FolderCase{"HubNameByItsMainBranch", "org/two",
                                                      "hf/hub/models--org--two/snapshots/ab12"},
                                           FolderCase{"HubNameWithOneSnapshot",
                                                      "{id: a, path: org/one}",
                                                      "hf/hub/models--org--one/snapshots/ef56"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SweepTest, AHubNameWithSeveralSnapshotsAndNoMainBranchIsNoGuess) {
  SweepFolder folder;
  folder.env["HF_HUB_CACHE"] = (folder.path() / "hub").string();
  folder.Write("hub/models--m/snapshots/ab12/model.safetensors", "w");
  folder.Write("hub/models--m/snapshots/cd34/model.safetensors", "w");
  folder.Write("hub/models--m/refs/main", "../../../etc");
  const std::string error = folder.LoadError(
      "server: {kind: vllm}\nmodels: [m]\nmatrix: {ctx: 4096, parallel: 2}\n"
      "workset: {builtin: smoke}\n");
  EXPECT_EQ(error,
            "DIR/cells.yaml:2: models[0]: found \"m\", which is neither here nor in the hub cache "
            "\"DIR/hub\", allowed: the path of a model file or folder, or a name whose snapshot is "
            "in the hub cache");
}

TEST(SweepTest, OtherServersHaveTheirOwnKvTypes) {
  const SweepFolder folder;
  const std::string rest = "\nmatrix: {ctx: 4096, parallel: 2}\nworkset: {builtin: smoke}\n";
  const auto load = [&](const std::string& kind, const std::string& kv) {
    return folder.Load("server: {kind: " + kind + ", binary: x}\nmodels: [{id: a, path: m.gguf, " +
                       "kv: " + kv + "}]" + rest);
  };
  EXPECT_EQ(load("vllm", "fp8_e4m3")->models[0].kv, "fp8_e4m3");
  EXPECT_EQ(load("sglang", "bf16")->models[0].kv, "bf16");
  EXPECT_EQ(load("openai", "q8_0")->models[0].kv, "q8_0");
  EXPECT_FALSE(load("vllm", "q8_0").ok());
  EXPECT_FALSE(load("llama.cpp", "fp8").ok());
}

/// Which program is run, by what the file and the environment say. Paths below the folder.
struct BinaryCase {
  const char* name;
  const char* written;   ///< Value of server.binary; empty: no such key.
  const char* variable;  ///< BI_TEST_LLAMA_SERVER; empty: not set.
  const char* path;      ///< PATH, folders below the folder.
  const char* found;     ///< Empty: no program.
  const char* as_written;
};

void PrintTo(const BinaryCase& test, std::ostream* out) { *out << test.name; }

class ServerBinary : public ::testing::TestWithParam<BinaryCase> {};

TEST_P(ServerBinary, IsFoundInOrderOfPrecedence) {
  const BinaryCase& test = GetParam();
  SweepFolder folder;
  folder.WriteProgram("mine/llama-server");
  folder.WriteProgram("var/llama-server");
  folder.WriteProgram("usr/llama-server");
  folder.WriteProgram("usr/other");
  folder.Write("usr/not-executable", "x");
  const std::string root = folder.path().string() + "/";
  folder.env["PATH"] = "::" + root + "nowhere:" + root + test.path;
  if (*test.variable != '\0') folder.env["BI_TEST_LLAMA_SERVER"] = root + test.variable;
  const std::string section =
      *test.written == '\0' ? "" : "server: {binary: " + std::string(test.written) + "}\n";
  const Result<Sweep> sweep = folder.LoadWith(section);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->server.binary.string(), *test.found == '\0' ? "" : root + test.found);
  std::string as_written = sweep->server.binary_as_written;
  if (as_written.starts_with(root)) as_written.erase(0, root.size());
  EXPECT_EQ(as_written, test.as_written);
}

const BinaryCase kBinaries[] = {
    {"PathInTheFileBeatsAll", "mine/llama-server", "var/llama-server", "usr", "mine/llama-server",
     "mine/llama-server"},
    {"VariableBeatsPath", "", "var/llama-server", "usr", "var/llama-server", "var/llama-server"},
    {"TheStandardNameIsAsGoodAsNone", "llama-server", "var/llama-server", "usr", "var/llama-server",
     "var/llama-server"},
    {"PathIsTheLastResort", "", "", "usr", "usr/llama-server", "llama-server"},
    {"AnotherNameIsLookedForOnPath", "other", "var/llama-server", "usr", "usr/other", "other"},
    {"AMissingPathIsNoLoadError", "gone/llama-server", "var/llama-server", "usr", "",
     "gone/llama-server"},
    {"AWrongVariableFallsBackToNothing", "", "gone/llama-server", "usr", "", "gone/llama-server"},
    {"NothingAnywhere", "", "", "nowhere", "", "llama-server"},
    {"AFileThatCannotRunIsNoProgram", "usr/not-executable", "", "usr", "", "usr/not-executable"},
    {"AFolderIsNoProgram", "./usr", "", "usr", "", "./usr"},
};

INSTANTIATE_TEST_SUITE_P(All, ServerBinary, ::testing::ValuesIn(kBinaries),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SweepTest, AnEmptyEntryOfPathIsNotTheCurrentFolder) {
  SweepFolder folder;
  folder.WriteProgram("llama-server");
  folder.env["PATH"] = ":";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Result<Sweep> sweep = folder.LoadWith("");
  std::filesystem::current_path(before);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->server.binary, "");
}

TEST(SweepTest, TheExampleInTheReferenceLoads) {
  std::ifstream page(BI_TEST_SOURCE_DIR "/docs/sweep-file.md");
  std::stringstream text;
  text << page.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("```yaml complete\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t first = all.find('\n', begin) + 1;
  const std::string example = all.substr(first, all.find("```\n", first) - first);
  SweepFolder folder;
  folder.env["CUDA_DEVICES"] = "0";
  folder.Write("phi-4.gguf", "x");
  folder.Write("models/qwen2.5-7b-q4.gguf", "x");
  folder.Write("work/support.json", R"([{"item":"q","expected_answer":"a"}])");
  const Result<Sweep> sweep = folder.Load(example);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_THAT(sweep->cells, SizeIs(10));
}

// A user's scorer lives in the user's program, and a machine that only reports has no models.
TEST(SweepTest, WhatHasToBeAtHandDependsOnTheUse) {
  SweepFolder folder;
  folder.Write("cells.yaml",
               "models: [gone]\nmatrix: {ctx: 4096, parallel: 4}\nworkset: {builtin: smoke}\n"
               "scorer: mine\n");
  const std::string file = (folder.path() / "cells.yaml").string();
  const std::string no_scorer =
      file + ":4: scorer: found \"mine\", allowed: " + config::Joined(RegisteredScorers().Names()) +
      ", or one that the program which runs the cells registers";
  const std::string no_model = file + ":1: models[0]: found \"" +
                               (folder.path() / "gone.gguf").string() +
                               "\", which does not exist, allowed: the path of a model file";
  const auto load = [&](SweepUse use) { return LoadSweep(file, folder.env, use); };
  EXPECT_EQ(load(SweepUse::kRun).error().message, no_model + '\n' + no_scorer);
  EXPECT_EQ(load(SweepUse::kPlan).error().message, no_model);
  folder.Write("gone.gguf", "x");
  const Result<Sweep> planned = load(SweepUse::kPlan);
  ASSERT_TRUE(planned.ok()) << planned.error().Text();
  EXPECT_EQ(planned->scorer, "mine");
  EXPECT_THAT(
      planned->warnings,
      ElementsAre(file + ": scorer \"mine\" is not built in: only a program that registers it "
                         "can run these cells"));
  std::filesystem::remove(folder.path() / "gone.gguf");
  for (const char* models_dir : {"set", "unset"}) {
    if (std::string(models_dir) == "unset") folder.env.erase("MODELS_DIR");
    const Result<Sweep> looked_at = load(SweepUse::kLook);
    ASSERT_TRUE(looked_at.ok()) << looked_at.error().Text();
    EXPECT_THAT(Names(*looked_at), ElementsAre("gone__ctx4096__n4"));
    EXPECT_THAT(looked_at->warnings, IsEmpty());
  }
}

TEST(SweepTest, TheProcessEnvironmentIsRead) {
  ASSERT_EQ(::setenv("BI_TEST_PROBE", "a=b", 1), 0);
  EXPECT_EQ(ProcessEnvironment().at("BI_TEST_PROBE"), "a=b");
}

struct ScorerText {
  const char* yaml;
  const char* name;
  const char* options;
};

TEST(SweepTest, AScorerIsANameOrAMappingWithItsOptions) {
  const ScorerText cases[] = {
      {"scorer: exact", "exact", "{}"},
      {"scorer: number", "number", R"({"relative_tolerance":0.0,"tolerance":0.0,"which":"last"})"},
      {"scorer: {name: number, tolerance: 0.01}", "number",
       R"({"relative_tolerance":0.0,"tolerance":0.01,"which":"last"})"},
      {"scorer: {name: choice, choices: [yes, no]}", "choice", R"({"choices":["yes","no"]})"},
      {"scorer: {name: regex, pattern: '(\\d+) km', ignore_case: true}", "regex",
       R"j({"ignore_case":true,"pattern":"(\\d+) km"})j"},
      {"# none", "exact", "{}"},
  };
  for (const ScorerText& c : cases) {
    const Result<Sweep> sweep = SweepFolder().LoadWith(c.yaml);
    ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
    EXPECT_EQ(sweep->scorer, c.name) << c.yaml;
    EXPECT_EQ(CompactText(sweep->scorer_options), c.options) << c.yaml;
    EXPECT_TRUE(sweep->scorer_command.argv.empty()) << c.yaml;
  }
}

TEST(SweepTest, AScorerMayBeAProgram) {
  SweepFolder folder;
  folder.WriteProgram("judge");
  const Result<Sweep> sweep = folder.LoadWith(
      "scorer: {command: [./judge, --strict, a b], timeout: 2s, max_restarts: 0, env: {A: b}}");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->scorer, "command");
  EXPECT_TRUE(sweep->scorer_options.is_null());
  const ScorerCommand& command = sweep->scorer_command;
  EXPECT_THAT(command.argv, ElementsAre("./judge", "--strict", "a b"));
  EXPECT_EQ(command.program, folder.path() / "judge");
  EXPECT_EQ(command.folder, folder.path());
  EXPECT_EQ(command.timeout, milliseconds(2'000));
  EXPECT_EQ(command.max_restarts, 0);
  EXPECT_THAT(command.env, ElementsAre(Pair("A", "b")));
  const Result<Sweep> missing = folder.LoadWith("scorer: {command: no_such_program_here -x}");
  ASSERT_TRUE(missing.ok()) << "cells can be listed without it";
  EXPECT_TRUE(missing->scorer_command.program.empty());
  EXPECT_EQ(missing->scorer_command.timeout, milliseconds(10'000));
  EXPECT_EQ(missing->scorer_command.max_restarts, 3);
}

TEST(SweepTest, AMistakeInsideAKeyOfARowHasTheLineOfThatKey) {
  EXPECT_EQ(SweepFolder().LoadError("models: [m]\nmatrix: {ctx: 4096, parallel: 2}\nworkset:\n"
                                    "  - item: a\n    family: f\n    sampling: {top_k: 3}\n"
                                    "  - messages:\n      - {role: user, content: ''}\n"),
            "DIR/cells.yaml:6: workset[0].sampling.top_k: found 3, allowed: no randomness: every "
            "request is greedy, because with random sampling the serial answers would differ "
            "already\n"
            "DIR/cells.yaml:8: workset[1].messages[0].content: found \"\", allowed: a text that is "
            "not empty");
}

}  // namespace
}  // namespace bi_test
