#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/cell_run.h"
#include "bi_test/result.h"
#include "bi_test/verdict.h"
#include "cert/throughput.h"
#include "report/cell_detail.h"

namespace bi_test::report {

/// How far a cell came.
enum class CellState : std::uint8_t {
  kNotRun,   ///< Not reached (yet). Every report counts it as an error.
  kRan,      ///< Judged; `verdict` counts.
  kError,    ///< Broke off before a verdict.
  kSkipped,  ///< Left out on request; `message` holds the reason.
};

/// How a cell counts in a report.
enum class Outcome : std::uint8_t { kPass, kFail, kError, kSkip };

/// The figures of a judgement that reports print. Absent means not measured, never zero.
struct CellFigures {
  std::string source;  ///< `live` or `mock`.
  std::vector<std::string> reason_codes;
  std::string divergence_class;  ///< Empty when there is none.
  std::string anomaly;           ///< Empty when there is none.
  bool transport_only = false;
  std::int64_t n_compared = 0;
  std::int64_t n_divergent = 0;
  std::int64_t n_token_only = 0;
  std::int64_t n_uncertified = 0;
  int n_passes = 0;
  int n_passes_effective = 0;
  int effective_n = 0;  ///< Width that client and server both show.
  int client_overlap_depth = 0;
  std::int64_t server_peak_busy_slots = 0;
  std::optional<double> min_mean_width;
  std::optional<double> coverage_fraction;
  std::int64_t n_effective_prompts = 0;
  std::int64_t n_comparisons = 0;
  std::optional<double> rate_upper_bound;  ///< Rule of three.
  double planned_power_1_percent = 0.0;
  bool positive_control_ok = false;
};

/// One cell as every emitter sees it. Texts may hold anything; each emitter cleans what it prints.
struct CellResult {
  std::string test_name;
  Cell cell;
  std::string file;  ///< Sweep file the cell stands in; empty when there is none.
  int line = 0;      ///< 1-based; 0 when unknown.
  std::vector<std::string> labels;

  CellState state = CellState::kNotRun;
  /// Whether a cell that ran counts as passed. GREEN does unless the test asked for more; any other
  /// verdict only when `accepted` says why.
  bool passed = false;
  Verdict verdict = Verdict::kUnverified;
  std::string accepted;  ///< Sign-off or expectation that lets the verdict pass; empty when none.
  std::optional<ErrorCode> error_code;
  CellFigures figures;

  std::string cert_path;
  std::string refusal_path;
  std::string trace_path;
  std::vector<std::string> server_logs;
  double wall_s = 0.0;
  double server_busy_s = 0.0;
  std::int64_t requests_sent = 0;
  Throughput throughput;

  std::string message;      ///< One line for people, under 300 bytes.
  std::string explanation;  ///< Under 4 KB; empty when there is nothing to explain.
  std::string next_step;    ///< One or two sentences; empty for a cell that was not run.

  std::string run_id;  ///< Of the run that wrote the cert or refusal file; empty when not known.
  std::string ts_utc;  ///< When the cert or refusal file was written; empty when not known.
  /// The cert file is not what was written: nothing in it counts, and the cell is an error.
  bool damaged = false;
  std::vector<std::string> notes;  ///< What else is known of the cell, such as older certs.
  /// What stands on the cert beyond this row; null when no cert was read.
  std::shared_ptr<const CellDetail> detail;
};

/// What all emitters are fed.
struct SweepResult {
  std::string sweep_file;
  std::vector<CellResult> cells;      ///< In the order of the sweep.
  std::string start_utc;              ///< `YYYY-MM-DDTHH:MM:SSZ`.
  std::string end_utc;                ///< Empty while the run goes on.
  std::vector<std::string> sources;   ///< Folders the cells were read from; empty for a live run.
  std::vector<std::string> problems;  ///< Files that could not be read, one line each.
};

/// Counts of a list of cells; `tests` is the sum of the first four.
struct Totals {
  std::int64_t tests = 0;
  std::int64_t passed = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;  ///< Cells not reached included.
  std::int64_t skipped = 0;
  std::int64_t not_run = 0;
  std::int64_t green = 0, red = 0, amber = 0, unverified = 0;  ///< Of the cells that ran.
  double wall_s = 0.0;

  void Add(const CellResult& cell);
  friend bool operator==(const Totals&, const Totals&) = default;
};

[[nodiscard]] Totals CountCells(const std::vector<CellResult>& cells);

/// A RED made of transport faults alone counts as an error, as does a cell that was not reached.
[[nodiscard]] Outcome OutcomeOf(const CellResult& cell);

/// Takes over everything that is known of a cell: state, verdict, figures, paths, times, message,
/// explanation, advice. Leaves test name, location, labels and `accepted` alone, and `passed` is
/// true for GREEN only.
void FillFromFacts(const CellFacts& facts, CellResult& result);

/// The same from a run, and what only the run knows.
void FillFromRun(const CellRun& run, CellResult& result);

/// The cell does not pass, whatever its verdict: `why` leads its message and explanation.
void Refuse(CellResult& result, const std::string& why);

}  // namespace bi_test::report
