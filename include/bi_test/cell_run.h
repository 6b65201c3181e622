#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cert.h"
#include "bi_test/judgement.h"
#include "bi_test/record.h"
#include "bi_test/result.h"

namespace bi_test {

/// What running one cell gave: the evidence, the verdict, the cert and where they lie. When the run
/// ended before a verdict, `error` says why and `judgement` is UNVERIFIED. A plain value; paths are
/// as given in the options, so relative ones count from the working directory of the run.
struct CellRun {
  Cell cell;
  Record record;
  Judgement judgement;
  Cert cert;
  std::optional<Error> error;
  std::string cert_path;                 ///< Empty when no cert was written.
  std::string refusal_path;              ///< Empty unless the run was refused or broke off.
  std::string trace_path;                ///< Empty when no trace was begun.
  std::vector<std::string> server_logs;  ///< One per launch, in order.
  double wall_s = 0.0;                   ///< Whole cell, seconds.
  double server_busy_s = 0.0;            ///< Time with at least one request in the server, seconds.
  std::int64_t requests_sent = 0;        ///< Completions only; no polls.
};

/// One line: cell, verdict, reason codes, cert path.
std::ostream& operator<<(std::ostream& out, const CellRun& run);

}  // namespace bi_test
