#pragma once

#include <string>

#include "bi_test/driver.h"
#include "bi_test/sweep.h"
#include "run/launcher.h"
#include "run/run_clock.h"

namespace bi_test::run {

/// What every part of one run of one cell is given. The sweep is not in it: the parts take that of
/// the CellPlan, which has the work-set of this cell.
struct CellContext {
  const SweepCell& cell;
  const RunOptions& options;
  const Launcher& launcher;
  RunClock clock;

  /// Tells whoever listens how far the cell is: `arm` as in `Progress`.
  void Report(const std::string& arm, std::size_t done, std::size_t total) const {
    if (!options.on_progress) return;
    options.on_progress(Progress{cell.test_name, arm, static_cast<int>(done),
                                 static_cast<int>(total), clock.Seconds(Clock::now())});
  }
};

}  // namespace bi_test::run
