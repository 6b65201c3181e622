#pragma once

#include <string>

#include "bi_test/cell_run.h"
#include "cert/cell_facts.h"
#include "cert/run_facts.h"

namespace bi_test::report {

/// One line, under 300 bytes: verdict, what differs first and where, or what is missing.
[[nodiscard]] std::string MessageLine(const CellFacts& facts);

/// The same for somebody who has to act on it, under 4 KB however large the answers are: the first
/// difference in view (id, arm, pass, slot, companions, token index, offsets, both texts), the
/// evidence in numbers, reason codes, where the full texts lie, what to do next.
[[nodiscard]] std::string Explain(const CellFacts& facts);

inline std::string MessageLine(const CellRun& run) { return MessageLine(FactsOf(run)); }
inline std::string Explain(const CellRun& run) { return Explain(FactsOf(run)); }

}  // namespace bi_test::report
