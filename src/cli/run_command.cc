#include <iostream>
#include <utility>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/sweep_arguments.h"
#include "session/sweep_session.h"

namespace bi_test::cli {

int RunCommand(const RunArguments& arguments) {
  const session::SelectedSweep selected = SelectSweep("run", arguments, SweepUse::kRun);
  if (!selected.errors.empty()) return selected.exit_code;
  if (arguments.list) {
    for (const SweepCell& cell : selected.cells) {
      std::cout << session::ListLine(cell.test_name, cell);
    }
    return kExitOk;
  }
  session::SessionOptions options;
  options.env = ProcessEnvironment();
  options.run.fail_fast = arguments.fail_fast;
  options.run.acknowledged = arguments.acknowledge;
  session::SweepSession sweep(std::move(options), std::cout);
  sweep.SetJunitFile(arguments.junit);
  for (const SweepCell& cell : selected.cells) sweep.Add(selected.sweep, cell, cell.test_name);
  if (const Status done = sweep.RunAll(); !done.ok()) {
    Error error = done.error();
    error.message += "; name a folder that can be written with --out-dir, output.dir or --junit";
    static_cast<void>(Fail("run", error, false, kExitError));
    return session::ExitStatus(kExitError);
  }
  return session::ExitStatus(sweep.status());
}

}  // namespace bi_test::cli
