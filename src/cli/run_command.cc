#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "bi_test/driver.h"
#include "bi_test/sweep.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/selected_sweep.h"
#include "files/atomic_file.h"
#include "process/interrupt.h"
#include "report/clean_text.h"
#include "report/console.h"
#include "report/explain.h"
#include "report/junit.h"
#include "report/progress_printer.h"
#include "report/sweep_result.h"
#include "report/terminal.h"
#include "run/provenance.h"
#include "session/page_maker.h"
#include "session/sweep_rule.h"

namespace bi_test::cli {
namespace {

constexpr int kSignalBase = 128;
constexpr std::size_t kMaxShown = 200;

std::size_t TerminalColumns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The sweep as its reports see it: one row per selected cell, filled as the cells are run.
class SweepRun {
 public:
  SweepRun(const Sweep& sweep, const std::vector<SweepCell>& cells, const RunArguments& arguments)
      : sweep_(sweep),
        cells_(cells),
        arguments_(arguments),
        env_(ProcessEnvironment()),
        palette_(report::UseColor(env_, isatty(STDOUT_FILENO) == 1)),
        progress_(stderr, report::UseLiveProgress(env_, isatty(STDERR_FILENO) == 1),
                  TerminalColumns()),
        junit_(arguments.junit.empty() ? sweep.output.dir / "junit.xml"
                                       : std::filesystem::path(arguments.junit)) {
    result_.sweep_file = sweep.file;
    result_.start_utc = run::NowUtc();
    for (const SweepCell& cell : cells) {
      report::CellResult row;
      row.test_name = cell.test_name;
      row.cell = cell.cell;
      row.file = cell.location.file;
      row.line = cell.location.line;
      row.labels = sweep.models[cell.model_index].labels;
      result_.cells.push_back(std::move(row));
    }
  }

  int Run() {
    const process::InterruptGuard guard;
    if (!WriteReports()) return kError;  // before hours of work, not after them
    for (std::size_t i = 0; i < cells_.size() && process::InterruptSignal() == 0; ++i) {
      RunOne(cells_[i], result_.cells[i]);
      if (!WriteReports()) return kError;
    }
    result_.end_utc = run::NowUtc();
    std::cout << report::Summary(result_, palette_) << "junit  " << junit_.string() << '\n'
              << "page   " << (sweep_.output.dir / "index.html").string() << '\n';
    if (!WriteReports()) return kError;
    if (const int signal = process::InterruptSignal(); signal != 0) return kSignalBase + signal;
    const report::Totals totals = report::CountCells(result_.cells);
    if (totals.passed == totals.tests) return kOk;
    return any_without_verdict_ ? kError : kNotPromotable;
  }

 private:
  void RunOne(const SweepCell& cell, report::CellResult& row) {
    RunOptions options;
    options.fail_fast = arguments_.fail_fast;
    options.acknowledged = arguments_.acknowledge;
    options.on_progress = [&](const Progress& p) {
      progress_.Update(report::ArmProgress{p.cell, p.arm, p.done, p.total, p.elapsed_s});
    };
    const CellRun run = RunCell(sweep_, cell, options);
    progress_.Finish();
    report::FillFromRun(run, row);
    any_without_verdict_ = any_without_verdict_ || run.error.has_value();
    session::ApplyRule(sweep_, cell, run::NowUtc().substr(0, 10), row);
    std::cout << report::CellLine(row, palette_);
    if (!row.passed) std::cout << report::Explain(run) << '\n';
    std::cout << std::flush;
  }

  bool WriteReports() {
    Status written =
        files::WriteFileAtomically(junit_, report::JunitXml(result_, report::JunitFlavour::kFull));
    if (written.ok()) written = pages_.WriteOutDir(result_, sweep_.output.dir, &sweep_);
    if (!written.ok()) {
      std::cerr << "bi-test run: " << written.error().Text()
                << "; name a folder that can be written with --out-dir, output.dir or --junit\n";
    }
    return written.ok();
  }

  const Sweep& sweep_;
  const std::vector<SweepCell>& cells_;
  const RunArguments& arguments_;
  std::map<std::string, std::string> env_;
  report::Palette palette_;
  report::ProgressPrinter progress_;
  std::filesystem::path junit_;
  report::SweepResult result_;
  session::PageMaker pages_;
  bool any_without_verdict_ = false;
};

}  // namespace

int RunCommand(const RunArguments& arguments) {
  const std::optional<SelectedSweep> selected = SelectSweep("run", arguments, SweepUse::kRun);
  if (!selected) return kUsage;
  if (arguments.list) {
    for (const SweepCell& cell : selected->cells) {
      std::cout << cell.test_name << "  " << report::CleanLine(Describe(cell.cell), kMaxShown)
                << "  " << report::CleanLine(cell.location.file, kMaxShown) << ':'
                << cell.location.line << '\n';
    }
    return kOk;
  }
  if (selected->sweep.guard.require_acknowledgement && !arguments.acknowledge) {
    return Fail("run",
                Error{ErrorCode::kRefused,
                      "guard.require_acknowledgement is set: nothing was launched; look at "
                      "`bi-test plan`, then add --acknowledge",
                      arguments.sweep},
                arguments.json, kNotAcknowledged);
  }
  return SweepRun(selected->sweep, selected->cells, arguments).Run();
}

}  // namespace bi_test::cli
