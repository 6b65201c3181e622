#include "report_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "bi_test/driver.h"
#include "bi_test/sweep.h"
#include "stub_launch.h"
#include "support/cert_schema.h"

namespace bi_test::fault {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Launches, stops and judging beside the run's own deadline, on a loaded machine.
constexpr std::chrono::seconds kBeside{30};

std::string FileText(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void Join(std::string& text, const std::string& more) {
  if (!more.empty()) text += "; " + more;
}

}  // namespace

ReportRun::ReportRun(ReportCell cell) : cell_(std::move(cell)) {
  const auto begin = std::chrono::steady_clock::now();
  Execute();
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(cell_.run_ms) + kBeside);
  CheckWhatAlwaysHolds();
}

void ReportRun::Execute() {
  std::ofstream(folder() / "tiny.gguf") << "no real model";
  std::ofstream(folder() / "rules.json") << stub::RulesText(cell_.rules);
  auto script = cell_.script;
  script.try_emplace("STUB_SERVICE_MS", std::to_string(cell_.service_ms));
  // The probe of readiness and arm B come before the concurrent passes.
  script.try_emplace("STUB_GATHER_AFTER", std::to_string(cell_.items + 1));
  script.try_emplace("STUB_GATHER_MS", std::to_string(cell_.gather_ms));
  script.try_emplace("STUB_RULES", (folder() / "rules.json").string());
  script.try_emplace("STUB_STATE_FILE", (folder() / "launches").string());
  script.try_emplace("STUB_REPORT_FILE", report_file());
  std::ofstream sweep(folder() / "cells.yaml");
  const auto time = [](int milliseconds) { return std::to_string(milliseconds) + "ms"; };
  sweep << "server:\n  kind: llama.cpp\n  binary: " << BI_TEST_STUB_SERVER
        << "\n  ready_timeout: " << time(cell_.ready_ms) << "\n  stop_grace: 500ms\n  env:\n";
  for (const auto& [name, value] : script) sweep << "    " << name << ": \"" << value << "\"\n";
  sweep << "models:\n  - {id: tiny, path: tiny.gguf}\nmatrix: {ctx: " << cell_.ctx
        << ", parallel: " << cell_.n << "}\nworkset:\n";
  for (int i = 0; i < cell_.items; ++i) {
    const std::string prompt = cell_.prompt ? cell_.prompt(i) : "ask " + std::to_string(i);
    sweep << "  - {prompt: \"" << prompt << "\", expected_answer: \"ok-"
          << stub::ShortPrompt(prompt).substr(4) << "\"}\n";
  }
  sweep << "run: {passes: " << cell_.passes
        << ", max_tokens: 16, control_sample: 1, n_probs: " << cell_.n_probs
        << ", request_timeout: " << time(cell_.request_ms)
        << ", arm_timeout: " << time(cell_.arm_ms) << ", run_timeout: " << time(cell_.run_ms)
        << "}\nguard: {memory_floor_gib: 0, allow_unknown_memory: true}\noutput: {dir: out}\n";
  sweep.close();
  const Result<Sweep> loaded = LoadSweep(folder() / "cells.yaml", {{"PATH", "/usr/bin:/bin"}});
  ASSERT_TRUE(loaded.ok()) << loaded.error().Text();
  run_ = RunCell(*loaded, loaded->cells.at(0), RunOptions{});
}

void ReportRun::CheckWhatAlwaysHolds() const {
  EXPECT_NE(run_.cert_path.empty(), run_.refusal_path.empty());
  for (const std::string& report : {report_file()}) {
    std::ifstream in(report);
    std::string word;
    int pid = 0;
    if (in >> word >> pid && pid > 0) {
      EXPECT_FALSE(IsAlive(pid)) << "the server is still running";
    }
  }
  if (run_.error) return;
  EXPECT_EQ(testing_support::CertSchemaFault(CertText(run_.cert)), "");
  std::map<std::pair<Arm, int>, std::set<std::string>> ids;
  for (const Trial& trial : run_.record.trials) {
    ids[{trial.arm, trial.pass}].insert(trial.test_id);
  }
  const auto all = static_cast<std::size_t>(cell_.items);
  EXPECT_EQ((ids[{Arm::kA, 0}].size()), all);
  EXPECT_EQ((ids[{Arm::kA, 1}].size()), all);
  EXPECT_EQ((ids[{Arm::kB, 0}].size()), all);
  for (int pass = 0; pass < cell_.passes; ++pass) {
    EXPECT_EQ((ids[{Arm::kC, pass}].size()), all) << "pass " << pass;
  }
}

std::string ReportRun::Outcome() const {
  if (run_.error) return "error: " + run_.error->Text();
  const Judgement& judgement = run_.judgement;
  std::string text = VerdictName(judgement.verdict);
  for (const std::string& code : judgement.reason_codes) text += " " + code;
  if (judgement.divergence_class) Join(text, "class " + *judgement.divergence_class);
  if (judgement.transport_only) Join(text, "transport only");
  Join(text, judgement.first_cause);
  for (const PassReport& pass : judgement.passes) Join(text, pass.why_not);
  for (const std::string& reason : judgement.decision_reasons) Join(text, reason);
  return text;
}

std::string ReportRun::AllText() const {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "out")) {
    if (entry.is_regular_file()) text += FileText(entry.path());
  }
  return text;
}

std::string StreamHead() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
}

std::string Event(const std::string& json) { return "data: " + json + "\n\n"; }

std::string Delta(const std::string& delta, const std::string& more) {
  return Event(R"({"choices":[{"index":0,"delta":)" + delta + more + "}]}");
}

std::string E(const std::string& text) {
  return Delta(R"({"content":")" + text + "\"}", R"(,"finish_reason":"stop")") + "data: [DONE]\n\n";
}

std::string D(const std::string& text, const std::string& message, const std::string& choice,
              const std::string& prompt_tokens) {
  return R"({"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,)"
         R"("message":{"role":"assistant","content":")" +
         text + "\"" + message + R"(},"finish_reason":"stop")" + choice +
         R"(}],"usage":{"prompt_tokens":)" + prompt_tokens +
         R"(,"completion_tokens":3,"total_tokens":8}})";
}

std::string HttpReply(int status, const std::string& type, const std::string& body,
                      const std::string& headers) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " + type +
         "\r\nContent-Length: {length}\r\nConnection: close\r\n" + headers + "\r\n" + body;
}

std::string JsonReply(const std::string& body) { return HttpReply(200, "application/json", body); }

void PrintTo(const ReportCase& test, std::ostream* out) { *out << test.name; }

void CheckCase(const ReportCase& test) {
  const ReportRun run(test.cell);
  const std::string outcome = run.Outcome();
  ::testing::Test::RecordProperty("outcome", outcome);
  EXPECT_THAT(outcome, StartsWith(test.outcome));
  for (const char* word : test.words) EXPECT_THAT(outcome, HasSubstr(word));
  if (test.check) test.check(run);
}

}  // namespace bi_test::fault
