#include "report/sweep_result.h"

#include "cert/advice.h"
#include "cert/run_facts.h"
#include "report/clean_text.h"
#include "report/explain.h"

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

void FillFromFacts(const CellFacts& facts, CellResult& result) {
  const Judgement& judgement = facts.judgement;
  result.cell = facts.cell;
  result.state = facts.error ? CellState::kError : CellState::kRan;
  result.verdict = facts.error ? Verdict::kUnverified : judgement.verdict;
  result.passed = !facts.error && judgement.verdict == Verdict::kGreen;
  result.error_code.reset();
  if (facts.error) result.error_code = facts.error->code;
  result.figures = {
      .source = facts.source,
      .reason_codes = judgement.reason_codes,
      .divergence_class = judgement.divergence_class.value_or(""),
      .anomaly = judgement.anomaly.value_or(""),
      .transport_only = judgement.transport_only,
      .n_compared = judgement.ac.n_compared,
      .n_divergent = judgement.ac.n_divergent,
      .n_token_only = facts.Total("token_divergence_ids", judgement.token_divergence_ids.size()),
      .n_uncertified = facts.Total("uncertified_ids", judgement.uncertified_ids.size()),
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
  result.cert_path = facts.files.cert;
  result.refusal_path = facts.files.refusal;
  result.trace_path = facts.files.trace;
  result.server_logs = facts.files.server_logs;
  result.wall_s = facts.wall_s;
  result.throughput = facts.throughput;
  result.run_id = facts.set_up.run_id;
  result.ts_utc = facts.ts_utc;
  result.message = MessageLine(facts);
  result.explanation = Explain(facts);
  result.next_step = Advice(facts);
}

void FillFromRun(const CellRun& run, CellResult& result) {
  FillFromFacts(FactsOf(run), result);
  result.server_busy_s = run.server_busy_s;
  result.requests_sent = run.requests_sent;
}

void Refuse(CellResult& result, const std::string& why) {
  result.passed = false;
  const std::string message = result.message.empty() ? why : why + "; " + result.message;
  result.message = CleanLine(message, kMaxMessageBytes);
  result.explanation = CleanText(why + "\n" + result.explanation, kMaxExplanationBytes);
}

}  // namespace bi_test::report
