// Whole cells on servers of the other kinds, from launch to verdict, with real processes: the stub
// server speaks as vLLM, SGLang and a plain server do. No real one of them was run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <string>

#include "bi_test/driver.h"
#include "cert/advice.h"
#include "cert/run_facts.h"
#include "support/cert_schema.h"
#include "support/temp_dir.h"

namespace bi_test::fault {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kTemplate =
    "plain, --model, \"{model}\", --port, \"{port}\", --parallel, \"{parallel}\", --ctx, "
    "\"{ctx}\", --api-key, \"{api_key}\"";

/// A sweep of one cell, N = 2, on the stub as a server of some kind.
class DialectCell {
 public:
  explicit DialectCell(std::string kind, std::map<std::string, std::string> script = {})
      : kind_(std::move(kind)), script_(std::move(script)) {
    script_.try_emplace("STUB_SERVICE_MS", "60");
    fs::create_directories(folder() / "model");
    std::ofstream(folder() / "model" / "config.json") << R"({"num_local_experts":8})";
    std::ofstream(folder() / "model" / "model.safetensors") << "weights";
  }

  [[nodiscard]] CellRun Run() const {
    std::ofstream sweep(folder() / "cells.yaml");
    sweep << "server:\n  kind: " << kind_ << "\n  binary: " << BI_TEST_STUB_SERVER << "\n  flags: ["
          << flags << "]\n  ready_timeout: 60s\n  env:\n";
    for (const auto& [name, value] : script_) sweep << "    " << name << ": \"" << value << "\"\n";
    sweep << "models:\n  - {id: tiny, path: model}\nmatrix: {ctx: 1024, parallel: 2}\nworkset:\n";
    for (int i = 0; i < 8; ++i) {
      sweep << "  - {prompt: \"ask " << i << "\", expected_answer: \"ok-" << i << "\"}\n";
    }
    sweep << "run: {passes: 2, max_tokens: 16}\n"
          << "guard: {memory_floor_gib: 0, allow_unknown_memory: true}\noutput: {dir: out}\n";
    sweep.close();
    const Result<Sweep> loaded = LoadSweep(folder() / "cells.yaml", {{"PATH", "/usr/bin:/bin"}});
    if (!loaded.ok()) {
      CellRun run;
      run.error = loaded.error();
      return run;
    }
    CellRun run = RunCell(*loaded, loaded->cells.at(0), RunOptions{});
    if (!run.error) {
      EXPECT_EQ(testing_support::CertSchemaFault(CertText(run.cert)), "");
    }
    return run;
  }

  [[nodiscard]] const fs::path& folder() const { return dir_.path(); }

  std::string flags;

 private:
  std::string kind_;
  std::map<std::string, std::string> script_;
  test_support::TempDir dir_;
};

std::string Outcome(const CellRun& run) {
  if (run.error) return "error: " + run.error->Text();
  std::string text = VerdictName(run.judgement.verdict);
  for (const std::string& code : run.judgement.reason_codes) text += " " + code;
  for (const PassReport& pass : run.judgement.passes) {
    if (!pass.why_not.empty()) text += "; " + pass.why_not;
  }
  return text;
}

std::string CellText(const CellRun& run, const char* key) {
  const Json* server = run.record.header.Find("server");
  const Json* value = server == nullptr ? nullptr : server->Find(key);
  return value == nullptr ? "missing" : CompactText(*value);
}

TEST(VllmCell, AnHonestServerIsGreen) {
  DialectCell cell("vllm", {{"VLLM_BATCH_INVARIANT", "1"}});
  cell.flags = "--enforce-eager";
  const CellRun run = cell.Run();
  ASSERT_EQ(Outcome(run).substr(0, 5), "GREEN") << Outcome(run);
  for (const PassReport& pass : run.judgement.passes) {
    ASSERT_TRUE(pass.mean_busy_slots.has_value());
    EXPECT_GT(*pass.mean_busy_slots, 1.5);
  }
  EXPECT_EQ(run.record.source, "live");
  EXPECT_EQ(run.record.cell.kv_label, "auto");
  EXPECT_EQ(CellText(run, "build"), "\"vllm 0.11.stub\"");
  EXPECT_EQ(CellText(run, "total_slots"), "2");
  EXPECT_EQ(CellText(run, "n_ctx_slot"), "1024");
  EXPECT_EQ(CellText(run, "n_expert"), "8");
  EXPECT_THAT(CellText(run, "argv"),
              AllOf(HasSubstr("\"--max-num-seqs\",\"1\""), HasSubstr("\"--max-num-seqs\",\"2\""),
                    HasSubstr("\"--enforce-eager\"")));
  EXPECT_THAT(CellText(run, "launches"), AllOf(HasSubstr("\"batch_invariant\":true"),
                                               HasSubstr("\"VLLM_BATCH_INVARIANT\":\"1\"")));
  const Trial& trial = run.record.trials.front();
  EXPECT_EQ(trial.token_ids, (std::vector<std::int64_t>{'o', 'k', '-'}));
  EXPECT_EQ(trial.logprobs, (std::vector<double>{-0.25, -0.25, -0.25}));
  EXPECT_EQ(trial.margins, std::nullopt) << "a margin to the word for \"none\" is none";
  EXPECT_EQ(trial.prompt_tokens_measured, Json(5));
}

TEST(VllmCell, ADivergingServerIsRed) {
  const CellRun run = DialectCell("vllm", {{"STUB_DIVERGE", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 3), "RED") << Outcome(run);
  EXPECT_FALSE(run.judgement.transport_only);
}

TEST(VllmCell, WithoutStatisticsIsUnverifiedAndSaysWhatToSwitchOn) {
  const auto begin = std::chrono::steady_clock::now();
  const CellRun run = DialectCell("vllm", {{"STUB_NO_METRICS", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 10), "UNVERIFIED") << Outcome(run);
  EXPECT_THAT(Outcome(run), HasSubstr("no evidence of width from the server"));
  EXPECT_THAT(Advice(FactsOf(run)),
              AllOf(HasSubstr("The server did not show how many requests it served at once"),
                    HasSubstr("--disable-log-stats")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40))
      << "a page that is not there is not waited for";
}

TEST(VllmCell, WithoutStatisticsStillIsRedWhenItDiverges) {
  const CellRun run = DialectCell("vllm", {{"STUB_NO_METRICS", "1"}, {"STUB_DIVERGE", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 3), "RED") << Outcome(run);
}

TEST(VllmCell, WithPromptsFromACacheIsNotGreen) {
  const CellRun run = DialectCell("vllm", {{"STUB_CACHED_PROMPTS", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 10), "UNVERIFIED") << Outcome(run);
  EXPECT_THAT(run.judgement.reason_codes, Contains("CACHED_PROMPT"));
}

TEST(LlamaCppCell, WithoutCountersLivesOnItsSlots) {
  DialectCell cell("llama.cpp", {{"STUB_NO_METRICS", "1"}});
  std::ofstream(cell.folder() / "tiny.gguf") << "no real model";
  std::ofstream sweep(cell.folder() / "cells.yaml");
  sweep << "server: {kind: llama.cpp, binary: " << BI_TEST_STUB_SERVER
        << ", env: {STUB_NO_METRICS: \"1\", STUB_SERVICE_MS: \"150\"}}\n"
        << "models: [{id: tiny, path: tiny.gguf}]\nmatrix: {ctx: 1024, parallel: 2}\nworkset:\n";
  for (int i = 0; i < 8; ++i) {
    sweep << "  - {prompt: \"ask " << i << "\", expected_answer: \"ok-" << i << "\"}\n";
  }
  sweep << "run: {passes: 1, max_tokens: 16}\noutput: {dir: out}\n"
        << "guard: {memory_floor_gib: 0, allow_unknown_memory: true}\n";
  sweep.close();
  const Result<Sweep> loaded = LoadSweep(cell.folder() / "cells.yaml", {});
  ASSERT_TRUE(loaded.ok()) << loaded.error().Text();
  const CellRun run = RunCell(*loaded, loaded->cells.at(0), RunOptions{});
  EXPECT_EQ(Outcome(run).substr(0, 5), "GREEN") << Outcome(run);
}

TEST(SglangCell, AnHonestServerIsGreenByItsGauge) {
  const CellRun run = DialectCell("sglang", {{"STUB_SERVICE_MS", "150"}}).Run();
  ASSERT_EQ(Outcome(run).substr(0, 5), "GREEN") << Outcome(run);
  for (const PassReport& pass : run.judgement.passes) {
    EXPECT_EQ(pass.sampled_peak_busy_slots, 2);
    EXPECT_EQ(pass.mean_busy_slots, std::nullopt);
  }
  EXPECT_EQ(CellText(run, "build"), "\"sglang 0.5.stub\"");
  EXPECT_EQ(CellText(run, "total_slots"), "2");
  EXPECT_THAT(CellText(run, "argv"), HasSubstr("\"--api-key\",\"***\""));
  EXPECT_THAT(CellText(run, "launches"), HasSubstr("\"enable_deterministic_inference\":false"));
}

TEST(SglangCell, ADivergingServerIsRed) {
  const CellRun run = DialectCell("sglang", {{"STUB_DIVERGE", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 3), "RED") << Outcome(run);
}

TEST(SglangCell, WithoutMetricsIsUnverifiedAndSaysWhatToSwitchOn) {
  const CellRun run = DialectCell("sglang", {{"STUB_NO_METRICS", "1"}}).Run();
  EXPECT_EQ(Outcome(run).substr(0, 10), "UNVERIFIED") << Outcome(run);
  EXPECT_THAT(Advice(FactsOf(run)), HasSubstr("--enable-metrics"));
}

TEST(OpenAiCell, IsAtBestUnverifiedAndSaysWhy) {
  DialectCell cell("openai");
  cell.flags = kTemplate;
  const CellRun run = cell.Run();
  EXPECT_EQ(Outcome(run).substr(0, 10), "UNVERIFIED") << Outcome(run);
  EXPECT_THAT(Advice(FactsOf(run)), HasSubstr("say so in server.kind"));
  EXPECT_EQ(CellText(run, "total_slots"), "null");
  EXPECT_EQ(CellText(run, "n_ctx_slot"), "null");
  EXPECT_THAT(CellText(run, "argv"),
              AllOf(HasSubstr("\"--parallel\",\"2\""), HasSubstr("\"--api-key\",\"***\"")));
}

TEST(OpenAiCell, ADivergingServerIsRed) {
  DialectCell cell("openai", {{"STUB_DIVERGE", "1"}});
  cell.flags = kTemplate;
  const CellRun run = cell.Run();
  EXPECT_EQ(Outcome(run).substr(0, 3), "RED") << Outcome(run);
}

struct RefusalCase {
  const char* name;
  const char* kind;
  std::map<std::string, std::string> script;
  const char* flags;
  const char* error;  ///< Part of it.
};
void PrintTo(const RefusalCase& test, std::ostream* out) { *out << test.name; }

class DialectRefusal : public ::testing::TestWithParam<RefusalCase> {};

TEST_P(DialectRefusal, WritesARefusalAndNoCert) {
  DialectCell cell(GetParam().kind, GetParam().script);
  cell.flags = GetParam().flags;
  const CellRun run = cell.Run();
  ASSERT_TRUE(run.error.has_value()) << Outcome(run);
  EXPECT_THAT(run.error->Text(), HasSubstr(GetParam().error));
  EXPECT_TRUE(run.cert_path.empty());
  EXPECT_TRUE(fs::exists(run.refusal_path));
}

INSTANTIATE_TEST_SUITE_P(
    All, DialectRefusal,
    ::testing::Values(
        RefusalCase{"PortInTheFlags",
                    "vllm",
                    {},
                    "--port, \"80\"",
                    "server.flags[0]: `--port`: bi_test listens on 127.0.0.1"},
        RefusalCase{"SequencesInTheFlags",
                    "vllm",
                    {},
                    "--max-num-seqs=8",
                    "the number of sequences comes from `parallel:` of the sweep file"},
        RefusalCase{"CachingIsOn",
                    "vllm",
                    {{"STUB_CACHE_ON", "1"}},
                    "",
                    "GET /metrics: enable_prefix_caching is True"},
        RefusalCase{"OtherServer",
                    "vllm",
                    {{"STUB_SERVED_AS", "gpt"}},
                    "",
                    "the model `local` that was launched is not listed"},
        RefusalCase{"OtherModel",
                    "vllm",
                    {{"STUB_MODEL_PATH", "/other"}},
                    "",
                    "the server has loaded `/other`"},
        RefusalCase{
            "ContextTooShort", "vllm", {{"STUB_N_CTX", "512"}}, "", "slot context 512 < 1024"},
        RefusalCase{"SglangAdmitsFewer",
                    "sglang",
                    {{"STUB_ADMITTED", "1"}},
                    "",
                    "the server reports 1 slots, launched were 2"},
        RefusalCase{"SglangCachingIsOn",
                    "sglang",
                    {{"STUB_CACHE_ON", "1"}},
                    "",
                    "disable_radix_cache is false"},
        RefusalCase{"TemplateWithoutPort",
                    "openai",
                    {},
                    "plain, \"{model}\"",
                    "server.flags: found no {port}"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace bi_test::fault
