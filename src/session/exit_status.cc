#include "session/exit_status.h"

namespace bi_test::session {
namespace {

int Rank(ExitCode code) {
  switch (code) {
    case kExitUsage:
      return 5;
    case kExitError:
      return 4;
    case kExitNo:
      return 3;
    case kExitNothingToDo:
      return 2;
    case kExitAllSkipped:
      return 1;
    case kExitOk:
      return 0;
  }
  return 4;
}

}  // namespace

ExitCode Worse(ExitCode a, ExitCode b) { return Rank(a) < Rank(b) ? b : a; }

ExitCode StatusOf(const std::vector<report::CellResult>& rows) {
  ExitCode status = kExitOk;
  for (const report::CellResult& row : rows) {
    const report::Outcome outcome = report::OutcomeOf(row);
    if (outcome == report::Outcome::kPass || outcome == report::Outcome::kSkip) continue;
    status = Worse(status, row.state == report::CellState::kError ? kExitError : kExitNo);
  }
  return status;
}

}  // namespace bi_test::session
