#include "session/acceptance.h"

#include "config/sweep/known_verdicts.h"
#include "run/provenance.h"
#include "session/sign_off.h"

namespace bi_test::session {
namespace {

std::string Place(const KnownVerdicts& known, const KnownVerdict& entry) {
  return known.file + ':' + std::to_string(entry.line);
}

std::string DescribeKnown(const KnownVerdicts& known, const KnownVerdict& entry) {
  std::string text = "known " + config::VerdictWithClass(entry.verdict, entry.divergence_class);
  if (!entry.until.empty()) text += " until " + entry.until;
  if (!entry.reason.empty()) text += ": " + entry.reason;
  return text + " (" + Place(known, entry) + ")";
}

}  // namespace

Acceptance Accept(const Sweep& sweep, const SweepCell& cell, Verdict verdict,
                  std::string_view divergence_class, std::string_view today) {
  const KnownVerdicts& known = sweep.known_verdicts;
  const KnownVerdict* entry = known.Find(cell.cell);
  const bool over = entry != nullptr && !entry->until.empty() && entry->until < today;
  if (entry != nullptr && !over) {
    const bool same = entry->verdict == verdict && entry->divergence_class == divergence_class;
    if (!same) {
      return {false,
              "the verdict has changed: known is " +
                  config::VerdictWithClass(entry->verdict, entry->divergence_class) + " (" +
                  Place(known, *entry) + "), found " +
                  config::VerdictWithClass(verdict, divergence_class) +
                  "; if the change is meant to stay, renew the file with `bi-test known "
                  "write`",
              true};
    }
    return {true, verdict == Verdict::kGreen ? "" : DescribeKnown(known, *entry)};
  }
  if (verdict == Verdict::kGreen) return {true, ""};
  const SignOffLookup sign_off = FindSignOff(sweep.sign_offs, cell, today);
  if (verdict == Verdict::kAmber && sign_off.valid != nullptr) {
    return {true, DescribeSignOff(*sign_off.valid)};
  }
  if (over) {
    return {false, "its known verdict has expired: " + DescribeKnown(known, *entry), false, true};
  }
  if (verdict == Verdict::kAmber && sign_off.expired != nullptr) {
    return {false, "its sign-off has expired: " + DescribeSignOff(*sign_off.expired), false, true};
  }
  if (verdict == Verdict::kAmber) {
    return {false, "nobody has signed it off (sign_offs of the sweep file)"};
  }
  if (!known.file.empty() && verdict == Verdict::kRed) {
    return {false, known.file + " knows nothing of this cell"};
  }
  return {};
}

void ApplyRule(const Sweep& sweep, const SweepCell& cell, std::string_view today,
               report::CellResult& row) {
  if (row.state != report::CellState::kRan || row.damaged) return;
  const Acceptance acceptance =
      Accept(sweep, cell, row.verdict, row.figures.divergence_class, today);
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

std::string Today() { return run::NowUtc().substr(0, 10); }

}  // namespace bi_test::session
