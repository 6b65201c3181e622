#include "session/sweep_session.h"

#include <ostream>
#include <utility>

#include "files/atomic_file.h"
#include "process/interrupt.h"
#include "report/clean_text.h"
#include "report/console.h"
#include "run/provenance.h"
#include "session/acceptance.h"
#include "session/exit_status.h"

namespace bi_test::session {
namespace {

constexpr int kSignalBase = 128;
constexpr std::size_t kMaxPath = 4000;

}  // namespace

SweepSession::SweepSession(SessionOptions options, std::ostream& out)
    : options_(std::move(options)),
      out_(out),
      palette_(options_.color ? report::Palette(*options_.color)
                              : report::Palette::ForStandardOutput(options_.env)),
      progress_(report::ProgressPrinter::ForStandardError(options_.env)) {
  options_.run.on_progress = [this](const Progress& now) {
    progress_.Update({now.cell, now.arm, now.done, now.total, now.elapsed_s});
  };
  result_.start_utc = run::NowUtc();
}

std::size_t SweepSession::Add(std::shared_ptr<const Sweep> sweep, const SweepCell& cell,
                              std::string test_name) {
  if (result_.sweep_file.empty()) result_.sweep_file = sweep->file;
  result_.cells.push_back(NewRow(*sweep, cell));
  result_.cells.back().test_name = std::move(test_name);
  cells_.emplace_back(std::move(sweep), cell);
  return cells_.size() - 1;
}

Status SweepSession::Begin() { return WriteReports(0); }

void SweepSession::Start(std::size_t index) {
  const report::CellResult before = row(index);
  row(index).state = report::CellState::kError;
  row(index).message = "not finished: the program ended while this cell was running";
  static_cast<void>(WriteJunit(index));  // the same trouble meets `Finish`
  row(index) = before;
}

std::shared_ptr<const CellRun> SweepSession::Run(std::size_t index) {
  const auto& [sweep, cell] = cells_[index];
  auto run = std::make_shared<const CellRun>(options_.run_cell(*sweep, cell, options_.run));
  progress_.Finish();
  report::FillFromRun(*run, row(index));
  ApplyRule(*sweep, cell, Today(), row(index));
  return run;
}

Status SweepSession::Finish(std::size_t index) { return WriteReports(index); }

void SweepSession::Print(std::size_t index, const std::string& shown) {
  const report::CellResult& row = result_.cells[index];
  out_ << report::CellLine(row, palette_);
  const bool trouble = !row.passed && row.state != report::CellState::kSkipped;
  if (trouble && !row.explanation.empty() && shown.find(row.explanation) == std::string::npos) {
    out_ << row.explanation << '\n';
  }
  out_ << std::flush;
}

Status SweepSession::End() {
  if (cells_.empty()) return {};
  result_.end_utc = run::NowUtc();
  const std::size_t last = cells_.size() - 1;
  Status written = WriteReports(last);
  out_ << report::Summary(result_, palette_);
  if (options_.junit) {
    out_ << "junit  " << report::CleanLine(JunitFile(last).string(), kMaxPath) << '\n';
  }
  out_ << "page   "
       << report::CleanLine((cells_[last].first->output.dir / "index.html").string(), kMaxPath)
       << '\n'
       << std::flush;
  return written;
}

Status SweepSession::RunAll() {
  const process::InterruptGuard guard;
  if (Status status = Begin(); !status.ok()) return status;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (std::string why = WhyStopped(); !why.empty()) {
      row(i).message = std::move(why);
      continue;
    }
    Start(i);
    static_cast<void>(Run(i));
    if (Status status = Finish(i); !status.ok()) return status;
    Print(i);
  }
  return End();
}

ExitCode SweepSession::status() const {
  return not_written_ ? kExitError : StatusOf(result_.cells);
}

std::filesystem::path SweepSession::JunitFile(std::size_t index) const {
  return junit_file_.empty() ? cells_[index].first->output.dir / "junit.xml" : junit_file_;
}

Status SweepSession::WriteJunit(std::size_t index) const {
  if (!options_.junit) return {};
  const std::filesystem::path file = JunitFile(index);
  Status written = files::WriteFileAtomically(file, report::JunitXml(result_, *options_.junit));
  if (written.ok()) return written;
  Error error = written.error();
  error.message = "cannot write the JUnit file " + file.string() + ": " + error.Text();
  error.where.clear();
  return error;
}

Status SweepSession::WriteReports(std::size_t index) {
  if (cells_.empty()) return {};
  const Sweep& sweep = *cells_[index].first;
  Status written = WriteJunit(index);
  if (written.ok() && !sweep.output.dir.empty()) {
    written = pages_.WriteOutDir(result_, sweep.output.dir, &sweep);
  }
  not_written_ = not_written_ || !written.ok();
  return written;
}

report::CellResult NewRow(const Sweep& sweep, const SweepCell& cell) {
  report::CellResult row;
  row.test_name = cell.test_name;
  row.cell = cell.cell;
  row.file = cell.location.file;
  row.line = cell.location.line;
  if (cell.model_index < sweep.models.size()) row.labels = sweep.models[cell.model_index].labels;
  return row;
}

int ExitStatus(ExitCode code) {
  const int signal = process::InterruptSignal();
  return signal == 0 ? code : kSignalBase + signal;
}

std::string WhyStopped() {
  const int signal = process::InterruptSignal();
  return signal == 0 ? std::string()
                     : "not run: signal " + std::to_string(signal) + " asked to stop";
}

}  // namespace bi_test::session
