#pragma once

#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/owned_server.h"

namespace bi_test::run {

/// The batch sizes, in tokens, that the flags of a launch set (`-ub 64`, `--batch-size=512`, ...):
/// prompt lengths around them take other paths through the kernels. Flags that are no whole number
/// from 3 up are left out.
[[nodiscard]] std::vector<int> BatchSizes(const std::vector<std::string>& flags);

/// The work-set `lengths` of one cell, by the tokenizer of a server that is up. Plain completions
/// where the kind of server has them, else chats. N does not enter. Errors: the server has no
/// tokenizer or it does not answer, the run is interrupted or out of time.
[[nodiscard]] Result<Workset> MakeLengths(const Sweep& sweep, const SweepCell& cell,
                                          const server::Dialect& dialect,
                                          const server::ServerIdentity& identity,
                                          const RunClock& clock);

/// The rows of `pool` that the slot has room for, as far as the tokenizer says.
[[nodiscard]] Result<Workset> FittingRows(const Workset& pool, const Sweep& sweep, const Cell& cell,
                                          const server::Dialect& dialect,
                                          const server::ServerIdentity& identity,
                                          const RunClock& clock);

/// What a plan takes the work-set to be while no server is up: as many rows, of estimated length.
[[nodiscard]] Result<Workset> EstimateMadeWorkset(const Sweep& sweep, const SweepCell& cell);

}  // namespace bi_test::run
