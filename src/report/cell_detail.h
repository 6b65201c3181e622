#pragma once

#include <string>
#include <vector>

#include "bi_test/record.h"
#include "cert/cell_facts.h"

namespace bi_test::report {

/// How far arms A and C part in one id before their tokens do.
struct IdDrift {
  std::string test_id;
  double nats = 0.0;     ///< Largest difference of a log-probability over the common tokens.
  bool differs = false;  ///< The outputs differ in the end.
  friend bool operator==(const IdDrift&, const IdDrift&) = default;
};

/// What a page shows of one judged cell and its row does not hold.
struct CellDetail {
  CellFacts facts;
  std::vector<IdDrift> drift;  ///< Largest first; empty unless the trace was read.
  std::string no_trace;        ///< Why the trace was not read; empty when it was.
};

/// Drift of every id with log-probabilities in arm A (pass 0) and some pass of C, largest first.
/// Sentinels such as -9999 are left out.
[[nodiscard]] std::vector<IdDrift> DriftPerId(const Record& record);

}  // namespace bi_test::report
