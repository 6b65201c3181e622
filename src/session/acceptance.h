#pragma once

#include <string>
#include <string_view>

#include "bi_test/sweep.h"
#include "bi_test/verdict.h"
#include "report/sweep_result.h"

namespace bi_test::session {

/// Whether a verdict lets its cell pass.
struct Acceptance {
  bool accepted = false;
  /// Why a verdict other than GREEN is accepted, or what stands against one that looks fine or was
  /// meant to be accepted. Empty when the verdict says it all.
  std::string why;
  bool changed = false;  ///< The known-verdicts file says something else of this cell.
  bool expired = false;  ///< It was accepted once, by an entry or sign-off whose day has passed.
};

/// The rule of a sweep: GREEN passes, AMBER passes when it is signed off, and a cell of the
/// known-verdicts file passes with exactly the verdict and class that stand there, so that any
/// change, better or worse, fails. An entry or sign-off whose day has passed counts no more.
/// `today`: UTC, `YYYY-MM-DD`. Whether a cell passes a test says nothing about promotion.
[[nodiscard]] Acceptance Accept(const Sweep& sweep, const SweepCell& cell, Verdict verdict,
                                std::string_view divergence_class, std::string_view today);

/// Lets a row that ran pass or not by that rule. A row without a verdict stays as it is.
void ApplyRule(const Sweep& sweep, const SweepCell& cell, std::string_view today,
               report::CellResult& row);

/// The same for a row that was read from a folder: one of a cell that the sweep does not hold stays
/// as it is.
void ApplyRule(const Sweep& sweep, std::string_view today, report::CellResult& row);

/// The UTC date of now, `YYYY-MM-DD`.
[[nodiscard]] std::string Today();

}  // namespace bi_test::session
