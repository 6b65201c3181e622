#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bi_test/cell_run.h"
#include "bi_test/driver.h"
#include "bi_test/exit_code.h"
#include "bi_test/sweep.h"
#include "report/junit.h"
#include "report/progress_printer.h"
#include "report/sweep_result.h"
#include "report/terminal.h"
#include "session/page_maker.h"

namespace bi_test::session {

struct SessionOptions {
  std::map<std::string, std::string> env;  ///< Decides on colour and progress lines.
  std::optional<bool> color;               ///< Nothing: as the terminal and `env` say.
  std::optional<report::JunitFlavour> junit = report::JunitFlavour::kFull;  ///< Nothing: no file.
  RunOptions run;  ///< Its `on_progress` is the session's own.
  std::function<CellRun(const Sweep&, const SweepCell&, const RunOptions&)> run_cell = RunCell;
};

/// The one host of a sweep, behind every front door: `bi-test run` and test programs. It keeps one
/// row per cell, runs cells, lets them pass or not by the rule of their sweep (acceptance.h),
/// writes JUnit file and pages after each cell, prints a line per cell and the summary at the end,
/// and knows the exit status. A door adds the cells it selected, and calls `RunAll()`, or for each
/// cell in turn `Start`, `Run`, `Finish` and `Print`, and `End` behind the last.
class SweepSession {
 public:
  /// `out` is borrowed: standard output. Progress goes to standard error.
  SweepSession(SessionOptions options, std::ostream& out);
  SweepSession(const SweepSession&) = delete;
  SweepSession& operator=(const SweepSession&) = delete;

  /// A row for a cell that is to be run; gives its index.
  std::size_t Add(std::shared_ptr<const Sweep> sweep, const SweepCell& cell, std::string test_name);
  [[nodiscard]] const std::vector<report::CellResult>& rows() const { return result_.cells; }
  [[nodiscard]] report::CellResult& row(std::size_t index) { return result_.cells[index]; }

  /// Where the JUnit file goes; until it is said, `junit.xml` in the out dir.
  void SetJunitFile(std::filesystem::path file) { junit_file_ = std::move(file); }

  /// Writes all reports before any cell has run, so that a folder that cannot be written is found
  /// before hours of work.
  [[nodiscard]] Status Begin();
  /// Notes in the JUnit file that this cell was begun: what a crash leaves behind.
  void Start(std::size_t index);
  /// Runs the cell and fills its row, the rule of the sweep applied.
  [[nodiscard]] std::shared_ptr<const CellRun> Run(std::size_t index);
  /// Writes the reports with what the row says now.
  [[nodiscard]] Status Finish(std::size_t index);
  /// The line of the cell, and its explanation unless it passed or stands in `shown` already.
  void Print(std::size_t index, const std::string& shown = {});
  /// Writes the reports for the last time; prints the summary and where the reports are.
  [[nodiscard]] Status End();

  /// All of this for all rows, with the signals that ask a program to stop caught. A report that
  /// cannot be written ends it.
  [[nodiscard]] Status RunAll();

  /// kExitError when the reports could not be written or a cell came to no verdict, else kExitNo
  /// when a cell did not pass.
  [[nodiscard]] ExitCode status() const;

 private:
  [[nodiscard]] Status WriteJunit(std::size_t index) const;
  [[nodiscard]] Status WriteReports(std::size_t index);
  [[nodiscard]] std::filesystem::path JunitFile(std::size_t index) const;

  SessionOptions options_;
  std::ostream& out_;
  report::Palette palette_;
  report::ProgressPrinter progress_;
  std::filesystem::path junit_file_;
  report::SweepResult result_;
  /// Of each row: its cell and the sweep it comes from.
  std::vector<std::pair<std::shared_ptr<const Sweep>, SweepCell>> cells_;
  PageMaker pages_;
  bool not_written_ = false;
};

/// A row about a cell of a sweep that has not been run.
[[nodiscard]] report::CellResult NewRow(const Sweep& sweep, const SweepCell& cell);

/// `code`, or 128 + n when signal n asked to stop.
[[nodiscard]] int ExitStatus(ExitCode code);

/// Why nothing more is run (`not run: signal 15 asked to stop`), or empty.
[[nodiscard]] std::string WhyStopped();

}  // namespace bi_test::session
