#pragma once

#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/verdict.h"

namespace bi_test {

/// What a repository knows of one cell and has decided to live with.
struct KnownVerdict {
  Cell cell;
  Verdict verdict = Verdict::kGreen;  ///< Never kUnverified: that is no result.
  std::string divergence_class;       ///< Of a RED (`co_batching`, ...); else empty.
  std::string reason;                 ///< Why it is lived with; may be empty for GREEN.
  std::string until;                  ///< Last UTC day it holds, `YYYY-MM-DD`; empty: no end.
  std::string seen;   ///< When the cert was written, `YYYY-MM-DDTHH:MM:SSZ`; may be empty.
  std::string build;  ///< What the server reported as its build then; may be empty.
  int line = 0;       ///< 1-based place in its file; 0 when not read from one.
  friend bool operator==(const KnownVerdict&, const KnownVerdict&) = default;
};

/// A known-verdicts file. At most one entry per cell, in file order.
struct KnownVerdicts {
  std::string file;  ///< Empty: none is in use.
  std::vector<KnownVerdict> cells;

  /// The entry of that very cell (KV cache type included), or null.
  [[nodiscard]] const KnownVerdict* Find(const Cell& cell) const {
    for (const KnownVerdict& known : cells) {
      if (known.cell == cell) return &known;
    }
    return nullptr;
  }
  friend bool operator==(const KnownVerdicts&, const KnownVerdicts&) = default;
};

}  // namespace bi_test
