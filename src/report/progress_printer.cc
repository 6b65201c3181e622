#include "report/progress_printer.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "report/terminal.h"

namespace bi_test::report {
namespace {

constexpr double kHeartbeatSeconds = 60.0;
constexpr std::size_t kDefaultColumns = 80;

std::size_t TerminalColumns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultColumns;
}

void Write(std::FILE* out, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

}  // namespace

ProgressPrinter::ProgressPrinter(std::FILE* out, bool live, std::size_t columns)
    : out_(out), live_(live), columns_(columns) {}

ProgressPrinter ProgressPrinter::ForStandardError(const std::map<std::string, std::string>& env) {
  const bool live = UseLiveProgress(env, ::isatty(STDERR_FILENO) == 1);
  return ProgressPrinter(stderr, live, TerminalColumns());
}

void ProgressPrinter::Update(const ArmProgress& progress) {
  if (live_) {
    Write(out_, LiveLine(progress, columns_));
    last_ = progress;
    return;
  }
  const bool new_cell = !last_ || last_->cell != progress.cell;
  if (new_cell) printed_at_s_ = 0.0;
  if (!new_cell && last_->arm != progress.arm) PrintLine();
  last_ = progress;
  if (progress.elapsed_s - printed_at_s_ >= kHeartbeatSeconds) PrintLine();
}

void ProgressPrinter::Finish() {
  if (!last_) return;
  if (live_) {
    Write(out_, kEraseLine);
  } else {
    PrintLine();
  }
  last_.reset();
}

void ProgressPrinter::PrintLine() {
  Write(out_, ArmLine(*last_));
  printed_at_s_ = last_->elapsed_s;
}

}  // namespace bi_test::report
