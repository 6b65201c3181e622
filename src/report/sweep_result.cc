#include "report/sweep_result.h"

#include "report/clean_text.h"
#include "report/explain.h"
#include "report/next_step.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxMessageBytes = 290;
constexpr std::size_t kMaxExplanationBytes = 4000;

}  // namespace

void Totals::Add(const CellResult& cell) {
  ++tests;
  wall_s += cell.wall_s;
  switch (OutcomeOf(cell)) {
    case Outcome::kPass:
      ++passed;
      break;
    case Outcome::kFail:
      ++failures;
      break;
    case Outcome::kError:
      ++errors;
      break;
    case Outcome::kSkip:
      ++skipped;
      break;
  }
  if (cell.state == CellState::kNotRun) ++not_run;
  if (cell.state != CellState::kRan) return;
  switch (cell.verdict) {
    case Verdict::kGreen:
      ++green;
      break;
    case Verdict::kRed:
      ++red;
      break;
    case Verdict::kAmber:
      ++amber;
      break;
    case Verdict::kUnverified:
      ++unverified;
      break;
  }
}

Totals CountCells(const std::vector<CellResult>& cells) {
  Totals totals;
  for (const CellResult& cell : cells) totals.Add(cell);
  return totals;
}

Outcome OutcomeOf(const CellResult& cell) {
  switch (cell.state) {
    case CellState::kNotRun:
    case CellState::kError:
      return Outcome::kError;
    case CellState::kSkipped:
      return Outcome::kSkip;
    case CellState::kRan:
      break;
  }
  if (cell.passed) return Outcome::kPass;
  return cell.verdict == Verdict::kRed && cell.figures.transport_only ? Outcome::kError
                                                                      : Outcome::kFail;
}

void FillFromRun(const CellRun& run, CellResult& result) {
  const Judgement& judgement = run.judgement;
  result.cell = run.cell;
  result.state = run.error ? CellState::kError : CellState::kRan;
  result.verdict = run.error ? Verdict::kUnverified : judgement.verdict;
  result.passed = !run.error && judgement.verdict == Verdict::kGreen;
  result.error_code.reset();
  if (run.error) result.error_code = run.error->code;
  result.figures = {
      .source = run.record.source,
      .reason_codes = judgement.reason_codes,
      .divergence_class = judgement.divergence_class.value_or(""),
      .anomaly = judgement.anomaly.value_or(""),
      .transport_only = judgement.transport_only,
      .n_compared = judgement.ac.n_compared,
      .n_divergent = judgement.ac.n_divergent,
      .n_token_only = static_cast<std::int64_t>(judgement.token_divergence_ids.size()),
      .n_uncertified = static_cast<std::int64_t>(judgement.uncertified_ids.size()),
      .n_passes = judgement.n_passes,
      .n_passes_effective = judgement.n_passes_effective,
      .effective_n = judgement.effective_n,
      .client_overlap_depth = judgement.client_max_overlap_depth,
      .server_peak_busy_slots = judgement.server_peak_busy_slots,
      .min_mean_width = judgement.min_mean_width,
      .coverage_fraction = judgement.coverage.coverage_fraction,
      .n_effective_prompts = judgement.statistics.n_effective_prompts,
      .n_comparisons = judgement.statistics.n_comparisons,
      .rate_upper_bound = judgement.statistics.rule_of_three,
      .planned_power_1_percent = judgement.statistics.planned_power_1_percent,
      .positive_control_ok = judgement.positive_control_ok,
  };
  result.cert_path = run.cert_path;
  result.refusal_path = run.refusal_path;
  result.trace_path = run.trace_path;
  result.server_logs = run.server_logs;
  result.wall_s = run.wall_s;
  result.server_busy_s = run.server_busy_s;
  result.requests_sent = run.requests_sent;
  result.throughput = MeasureThroughput(run.record);
  result.message = MessageLine(run);
  result.explanation = Explain(run);
  result.next_step = NextStep(run);
}

void Refuse(CellResult& result, const std::string& why) {
  result.passed = false;
  const std::string message = result.message.empty() ? why : why + "; " + result.message;
  result.message = CleanLine(message, kMaxMessageBytes);
  result.explanation = CleanText(why + "\n" + result.explanation, kMaxExplanationBytes);
}

}  // namespace bi_test::report
