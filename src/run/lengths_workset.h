#pragma once

#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// The batch sizes, in tokens, that the flags of a launch set (`-ub 64`, `--batch-size=512`, ...):
/// prompt lengths around them take other paths through the kernels. Flags that are no whole number
/// from 3 up are left out.
[[nodiscard]] std::vector<int> BatchSizes(const std::vector<std::string>& flags);

/// The work-set `lengths` of one cell, by the tokenizer of a server that is up. Plain completions
/// where the kind of server has them, else chats. Errors: the server has no
/// tokenizer or it does not answer, the run is interrupted or out of time.
[[nodiscard]] Result<Workset> MakeLengths(const Sweep& sweep, const SweepCell& cell,
                                          const server::Dialect& dialect,
                                          const server::ServerIdentity& identity,
                                          const RunClock& clock);

/// The same while no server is up: lengths are estimated.
[[nodiscard]] Result<Workset> EstimateLengths(const Sweep& sweep, const SweepCell& cell);

}  // namespace bi_test::run
