#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bi_test/sweep.h"
#include "cli/commands.h"

namespace bi_test::cli {

/// A sweep with the command line put over it, and the cells that were asked for.
struct SelectedSweep {
  Sweep sweep;
  std::vector<SweepCell> cells;
};

/// Reads the sweep file and selects its cells. Nothing when that fails: every mistake is then on
/// standard error (and with `json` the JSON of an error on standard output), and the exit code is
/// `kUsage`. Warnings of the sweep file go to standard error as well.
[[nodiscard]] std::optional<SelectedSweep> SelectSweep(std::string_view subcommand,
                                                       const RunArguments& arguments, SweepUse use);

}  // namespace bi_test::cli
