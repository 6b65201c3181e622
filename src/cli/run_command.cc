#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "bi_test/driver.h"
#include "bi_test/sweep.h"
#include "cli/commands.h"
#include "config/cell_selection.h"
#include "config/sign_off.h"
#include "driver/provenance.h"
#include "report/clean_text.h"
#include "report/console.h"
#include "report/explain.h"
#include "report/junit.h"
#include "report/progress_printer.h"
#include "report/sweep_result.h"
#include "report/terminal.h"
#include "server/interrupt.h"
#include "wire/atomic_file.h"

namespace bi_test::cli {
namespace {

constexpr int kSignalBase = 128;
constexpr std::size_t kMaxShown = 200;

void PrintErrors(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) std::cerr << "bi-test run: " << line << '\n';
}

void ApplyArguments(const RunArguments& arguments, Sweep& sweep) {
  std::error_code code;
  if (!arguments.server_binary.empty()) {
    sweep.server.binary = std::filesystem::absolute(arguments.server_binary, code);
    sweep.server.binary_as_written = arguments.server_binary;
  }
  if (arguments.passes) sweep.run.passes = *arguments.passes;
  if (!arguments.out_dir.empty()) {
    sweep.output.dir = std::filesystem::absolute(arguments.out_dir, code);
  }
}

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
    result_.start_utc = driver::NowUtc();
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
    const server::InterruptGuard guard;
    if (!WriteJunit()) return kError;  // before hours of work, not after them
    for (std::size_t i = 0; i < cells_.size() && server::InterruptSignal() == 0; ++i) {
      RunOne(cells_[i], result_.cells[i]);
      if (!WriteJunit()) return kError;
    }
    result_.end_utc = driver::NowUtc();
    std::cout << report::Summary(result_, palette_) << "junit  " << junit_.string() << '\n';
    if (!WriteJunit()) return kError;
    if (const int signal = server::InterruptSignal(); signal != 0) return kSignalBase + signal;
    const report::Totals totals = report::CountCells(result_.cells);
    return totals.passed == totals.tests ? kOk : kError;
  }

 private:
  void RunOne(const SweepCell& cell, report::CellResult& row) {
    RunOptions options;
    options.fail_fast = arguments_.fail_fast;
    options.on_progress = [&](const Progress& p) {
      progress_.Update(report::ArmProgress{p.cell, p.arm, p.done, p.total, p.elapsed_s});
    };
    const CellRun run = RunCell(sweep_, cell, options);
    progress_.Finish();
    report::FillFromRun(run, row);
    if (!run.error && run.judgement.verdict == Verdict::kAmber) {
      const std::string today = driver::NowUtc().substr(0, 10);
      const config::SignOffLookup found = config::FindSignOff(sweep_.sign_offs, cell, today);
      if (found.valid != nullptr) {
        row.accepted = config::DescribeSignOff(*found.valid);
        row.passed = true;
      }
    }
    std::cout << report::CellLine(row, palette_);
    if (!row.passed) std::cout << report::Explain(run) << '\n';
    std::cout << std::flush;
  }

  bool WriteJunit() const {
    const Status written = wire::WriteFileAtomically(
        junit_, report::JunitXml(result_, report::JunitFlavour::kFull));
    if (!written.ok()) std::cerr << "bi-test run: " << written.error().Text() << '\n';
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
};

}  // namespace

int RunCommand(const RunArguments& arguments) {
  Result<Sweep> sweep = LoadSweep(arguments.sweep, ProcessEnvironment());
  if (!sweep.ok()) {
    PrintErrors(sweep.error().Text());
    return kUsage;
  }
  if (arguments.passes && *arguments.passes < 1) {
    PrintErrors("--passes: found " + std::to_string(*arguments.passes) +
                ", allowed: a whole number from 1");
    return kUsage;
  }
  for (const std::string& warning : sweep->warnings) PrintErrors("warning: " + warning);
  ApplyArguments(arguments, *sweep);
  const config::CellSelection selection = config::SelectCells(
      *sweep, config::CellFilter{arguments.models, arguments.ctx, arguments.parallel}, "--");
  if (!selection.errors.empty()) {
    for (const std::string& error : selection.errors) PrintErrors(error);
    PrintErrors("no cell selected, nothing was run");
    return kNoCell;
  }
  if (arguments.list) {
    for (const SweepCell& cell : selection.cells) {
      std::cout << cell.test_name << "  " << report::CleanLine(Describe(cell.cell), kMaxShown)
                << "  " << report::CleanLine(cell.location.file, kMaxShown) << ':'
                << cell.location.line << '\n';
    }
    return kOk;
  }
  return SweepRun(*sweep, selection.cells, arguments).Run();
}

}  // namespace bi_test::cli
