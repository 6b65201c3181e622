// Time of a judgement and peak memory of record and judgement together, by number of trials.
// Budget (design.md 8): a million trials in under 2 s and 1 GiB.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <string>

#include "bi_test/cert.h"
#include "bi_test/judge.h"

namespace bi_test {
namespace {

constexpr int kPasses = 7;
constexpr int kWidth = 8;

/// Trials share the texts that a trace reader would share: one `Json` per distinct text.
[[nodiscard]] Record MakeRecord(std::int64_t n_trials, bool divergent) {
  const auto n_ids = static_cast<std::int32_t>(n_trials / (kPasses + 3));
  Record record;
  record.cell = {"model", 8192, kWidth, "f16"};
  record.source = "live";
  record.complete = true;
  record.trials.reserve(static_cast<std::size_t>(n_ids) * (kPasses + 3));
  std::vector<Json> answers;
  std::vector<std::string> ids;
  for (std::int32_t i = 0; i < n_ids; ++i) {
    answers.emplace_back("the answer to question number " + std::to_string(i));
    ids.push_back("model|8192|family|0." + std::to_string(100'000 + i) + "|0|fill0.10");
  }
  const Json ok = "ok";
  const Json family = "family";
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
      trial.family = family;
      trial.fill_ratio = 0.1;
      trial.dispatch_ts = clock;
      trial.complete_ts = clock + 0.5;
      if (divergent && arm == Arm::kC && i % 3 == 0) trial.score = 0.0;
    }
  };
  add(Arm::kA, 0);
  add(Arm::kA, 1);
  add(Arm::kB, 0);
  for (int pass = 0; pass < kPasses; ++pass) {
    add(Arm::kC, pass);
    PassEvidence evidence;
    evidence.pass = pass;
    evidence.server_peak_busy_slots = kWidth;
    record.evidence.push_back(evidence);
  }
  return record;
}

void ReportPeakMemory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void BM_Judge(benchmark::State& state) {
  const Record record = MakeRecord(state.range(0), state.range(1) != 0);
  for (auto _ : state) {
    const Judgement judgement = Judge(record);
    benchmark::DoNotOptimize(judgement.verdict);
  }
  ReportPeakMemory(state);
}
BENCHMARK(BM_Judge)
    ->ArgsProduct({{10'000, 100'000, 1'000'000}, {0, 1}})
    ->ArgNames({"trials", "divergent"})
    ->Unit(benchmark::kMillisecond);

void BM_BuildCert(benchmark::State& state) {
  const Record record = MakeRecord(state.range(0), true);
  const Judgement judgement = Judge(record);
  for (auto _ : state) {
    const Cert cert = BuildCert(record, judgement, {}, {"2026-01-01T00:00:00Z", ""});
    benchmark::DoNotOptimize(cert.document.is_object());
  }
}
BENCHMARK(BM_BuildCert)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bi_test
