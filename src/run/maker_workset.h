#pragma once

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// The work-set that the maker of a sweep makes for one cell, with the tokenizer, the chat template
/// and the sliding window of a server that is up. REQUIRES: sweep.workset_maker.
[[nodiscard]] Result<Workset> MakeByMaker(const Sweep& sweep, const SweepCell& cell,
                                          const server::Dialect& dialect,
                                          const server::ServerIdentity& identity,
                                          const RunClock& clock);

/// The same without a server.
[[nodiscard]] Result<Workset> EstimateByMaker(const Sweep& sweep, const SweepCell& cell);

}  // namespace bi_test::run
