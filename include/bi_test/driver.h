#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "bi_test/cell_run.h"
#include "bi_test/sweep.h"

namespace bi_test {

/// What happens while a cell runs, for progress lines. Values only; no model text.
struct Progress {
  std::string cell;  ///< Test name of the cell.
  /// `launch A`, `wait for baseline`, `make work-set`, `A`, `A2`, `B`, `c1`..., `judge`.
  std::string arm;
  int done = 0;            ///< Requests finished in this arm.
  int total = 0;           ///< Requests of this arm.
  double elapsed_s = 0.0;  ///< Since the cell began.
};

/// How the requests of the concurrent passes are ordered and released. All but the default are
/// there to measure what the default finds beyond them (scripts/detection-power); the cert says
/// which it was.
enum class PassPlan {
  kDefault,    ///< Shuffled anew in each pass; released together, staggered, and with mixed lengths
               ///< in turn.
  kPlain,      ///< The order of the work-set in every pass, released together.
  kShuffled,   ///< Shuffled anew in each pass, released together.
  kStaggered,  ///< Shuffled anew and staggered in each pass.
  kMixed       ///< As staggered, with long and short prompts in turn.
};

/// `default`, `plain`, `shuffled`, `staggered`, `mixed`.
[[nodiscard]] const char* PassPlanName(PassPlan plan);

/// Settings of a run that are no part of the experiment.
struct RunOptions {
  std::filesystem::path out_dir;  ///< Empty: the sweep's.
  bool fail_fast = false;         ///< Stop a cell at the first divergent pass.
  bool acknowledged = false;      ///< For guard.require_acknowledgement.
  /// Where serial baselines are kept for other N and other processes; empty: `baselines` in the out
  /// dir.
  std::filesystem::path baseline_dir;
  PassPlan pass_plan = PassPlan::kDefault;
  bool reuse_baseline = true;  ///< Else arm A is measured for this cell alone.
  std::function<void(const Progress&)>
      on_progress;  ///< May be empty. Called on the running thread.
};

/// Runs all arms of one cell on servers it starts and stops itself, judges, writes trace and cert
/// (or a refusal file) and returns the lot. Never throws; trouble is in `CellRun::error`. One at a
/// time per process: not thread safe. Bounded by `run.run_timeout`. `cell` is one of `sweep.cells`.
///
///     const bi_test::CellRun run = bi_test::RunCell(*sweep, sweep->cells.front(), {});
///     std::cout << run << "\n" << bi_test::ExplainCert(run.cert);
[[nodiscard]] CellRun RunCell(const Sweep& sweep, const SweepCell& cell, const RunOptions& options);

/// Re-judges a recorded trace and builds its cert; touches no file but the trace. Without a policy
/// the one in the trace header counts; without a time (`YYYY-MM-DDTHH:MM:SSZ`) the cert says now.
/// `RunCell` judges through the same function. Errors: kNotFound and kInvalidFile, with the line.
/// Thread safe.
[[nodiscard]] Result<CellRun> JudgeTrace(const std::filesystem::path& trace,
                                         const std::optional<Policy>& policy = std::nullopt,
                                         const std::string& ts_utc = {});

}  // namespace bi_test
