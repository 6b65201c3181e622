#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bi_test::cli {

/// `bi-test workset check|show|stats`.
struct WorksetArguments {
  std::string file;     ///< Work-set file; empty: `builtin`.
  std::string builtin;  ///< Name of a built-in work-set.
  std::string kind;     ///< Kind of server that has to be able to answer; empty: none named.
  std::optional<std::size_t> row;  ///< Of show: only this one, in full.
  int passes = 8;                  ///< Of stats: concurrent passes.
  int reps = 1;                    ///< Of stats: repetitions of each row.
  bool json = false;
};

/// Reads a work-set as a run would and names every mistake, one per line on standard error.
/// kExitOk, or kExitError with mistakes.
[[nodiscard]] int WorksetCheckCommand(const WorksetArguments& arguments);

/// The rows, one line each; with `row` one of them in full, as JSON.
[[nodiscard]] int WorksetShowCommand(const WorksetArguments& arguments);

/// What the work-set can show: distinct prompts, lengths, what it fills, the planned power.
[[nodiscard]] int WorksetStatsCommand(const WorksetArguments& arguments);

}  // namespace bi_test::cli
