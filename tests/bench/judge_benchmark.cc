// Time of reading and judging a trace, and peak memory, by number of trials. The budget
// (docs/architecture.md): a million trials are judged in under 2 s and 1 GiB.
//
// Peak memory only ever grows within a process, so run one size at a time for it:
//   judge_benchmark --benchmark_filter='ReadTrace/trials:1000000'
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "trace/trace.h"

namespace bi_test {
namespace {

constexpr int kPasses = 7;
constexpr int kWidth = 8;

/// Trials share the texts that a trace reader shares: one `Json` per distinct text.
[[nodiscard]] Record MakeRecord(std::int64_t n_trials, bool divergent) {
  const auto n_ids = static_cast<std::int32_t>(n_trials / (kPasses + 3));
  Record record;
  record.cell = {"model", 8192, kWidth, "f16"};
  record.source = "live";
  record.complete = true;
  record.trials.reserve(static_cast<std::size_t>(n_ids) * (kPasses + 3));
  std::vector<Json> answers, requests;
  std::vector<std::string> ids;
  for (std::int32_t i = 0; i < n_ids; ++i) {
    answers.emplace_back("the answer to question number " + std::to_string(i));
    std::string digest = std::to_string(i);
    digest.insert(0, 64 - digest.size(), 'a');
    requests.emplace_back(std::move(digest));
    ids.push_back("model|8192|family|0." + std::to_string(100'000 + i) + "|0|fill0.10");
  }
  const Json ok = "ok", stop = "stop", family = "family";
  double clock = 0.0;
  const auto add = [&](Arm arm, int pass) {
    for (std::int32_t i = 0; i < n_ids; ++i) {
      if (arm != Arm::kC || i % kWidth == 0) clock += 1.0;
      const auto item = static_cast<std::size_t>(i);
      Trial& trial = record.trials.emplace_back();
      trial.arm = arm;
      trial.pass = pass;
      trial.test_id = ids[item];
      trial.score = 1.0;
      trial.passed = true;
      trial.extracted_answer = answers[item];
      trial.expected_answer = answers[item];
      trial.prompt_tokens_measured = i;
      trial.failure_mode = ok;
      trial.content = answers[item];
      trial.finish_reason = stop;
      trial.completion_tokens = 16;
      trial.family = family;
      trial.fill_ratio = 0.1;
      trial.dispatch_ts = clock;
      trial.first_token_ts = clock + 0.125;
      trial.complete_ts = clock + 0.5;
      trial.prompt_sha256 = requests[item];
      trial.request_sha256 = requests[item];
      if (divergent && arm == Arm::kC && i % 3 == 0) trial.score = 0.0;
    }
    PassEvidence evidence;
    evidence.arm = arm;
    evidence.pass = pass;
    evidence.server_peak_busy_slots = arm == Arm::kC ? kWidth : 1;
    record.evidence.push_back(evidence);
  };
  add(Arm::kA, 0);
  add(Arm::kA, 1);
  add(Arm::kB, 0);
  for (int pass = 0; pass < kPasses; ++pass) add(Arm::kC, pass);
  return record;
}

/// A trace file of that many trials, removed at the end.
class TraceFile {
 public:
  explicit TraceFile(std::int64_t n_trials)
      : path_(std::filesystem::temp_directory_path() /
              ("bi_test_bench_" + std::to_string(getpid()) + ".jsonl")) {
    // The record is gone before anything is measured, but its pages still count: a child writes.
    if (const pid_t child = fork(); child == 0) {
      const Record record = MakeRecord(n_trials, /*divergent=*/true);
      std::ofstream out(path_);
      out << trace::HeaderLine(record);
      for (const Trial& trial : record.trials) out << trace::TrialLine(trial);
      for (const PassEvidence& evidence : record.evidence) out << trace::EvidenceLine(evidence);
      out << trace::EndLine(record) << std::flush;
      _exit(out.good() ? 0 : 1);
    } else {
      int status = 0;
      waitpid(child, &status, 0);
    }
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void Report(benchmark::State& state, std::int64_t n_trials) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
  state.counters["per_trial"] = benchmark::Counter(
      static_cast<double>(n_trials),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetComplexityN(n_trials);
}

void BM_ReadTrace(benchmark::State& state) {
  const TraceFile trace(state.range(0));
  for (auto _ : state) {
    const Result<Record> record = trace::ReadTrace(trace.path());
    if (!record.ok()) state.SkipWithError(record.error().Text().c_str());
    benchmark::DoNotOptimize(record.ok());
  }
  Report(state, state.range(0));
}
BENCHMARK(BM_ReadTrace)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->ArgName("trials")
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void BM_ReadAndJudge(benchmark::State& state) {
  const TraceFile trace(state.range(0));
  for (auto _ : state) {
    const Result<Record> record = trace::ReadTrace(trace.path());
    if (!record.ok()) {
      state.SkipWithError(record.error().Text().c_str());
      break;
    }
    benchmark::DoNotOptimize(Judge(*record).verdict);
  }
  Report(state, state.range(0));
}
BENCHMARK(BM_ReadAndJudge)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->ArgName("trials")
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void JudgeMade(benchmark::State& state, bool divergent) {
  const Record record = MakeRecord(state.range(0), divergent);
  for (auto _ : state) {
    const Judgement judgement = Judge(record);
    benchmark::DoNotOptimize(judgement.verdict);
  }
  Report(state, state.range(0));
}
void BM_JudgeClean(benchmark::State& state) { JudgeMade(state, false); }
void BM_JudgeDivergent(benchmark::State& state) { JudgeMade(state, true); }
BENCHMARK(BM_JudgeClean)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->ArgName("trials")
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(BM_JudgeDivergent)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->ArgName("trials")
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void BM_BuildCert(benchmark::State& state) {
  const Record record = MakeRecord(state.range(0), true);
  const Judgement judgement = Judge(record);
  for (auto _ : state) {
    const Cert cert = BuildCert(record, judgement, {}, {"2026-01-01T00:00:00Z", ""});
    benchmark::DoNotOptimize(cert.document.is_object());
  }
  Report(state, state.range(0));
}
BENCHMARK(BM_BuildCert)->Arg(100'000)->ArgName("trials")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bi_test
