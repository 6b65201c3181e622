#include "session/sweep_rule.h"

#include "config/sweep/acceptance.h"

namespace bi_test::session {

void ApplyRule(const Sweep& sweep, const SweepCell& cell, std::string_view today,
               report::CellResult& row) {
  if (row.state != report::CellState::kRan || row.damaged) return;
  const config::Acceptance acceptance =
      config::Accept(sweep, cell, row.verdict, row.figures.divergence_class, today);
  // A test that fails although nothing changed but the day has to say so.
  if (acceptance.changed || acceptance.expired) {
    report::Refuse(row, acceptance.why);
  } else if (acceptance.accepted && row.verdict != Verdict::kGreen) {
    row.accepted = acceptance.why;
    row.passed = true;
  }
}

void ApplyRule(const Sweep& sweep, std::string_view today, report::CellResult& row) {
  for (const SweepCell& cell : sweep.cells) {
    if (cell.cell == row.cell) return ApplyRule(sweep, cell, today, row);
  }
}

}  // namespace bi_test::session
