#pragma once

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// The work-set of a sweep with `profile: spark` for one cell, its lengths counted by the tokenizer
/// of a server that is up and its sliding window asked of it. A tokenizer that fails once
/// gives the work-set of EstimateSparkWorkset. REQUIRES: sweep.spark.
[[nodiscard]] Result<Workset> MakeSparkWorkset(const Sweep& sweep, const SweepCell& cell,
                                               const server::Dialect& dialect,
                                               const server::ServerIdentity& identity,
                                               const RunClock& clock);

/// The same without a server: lengths are estimated.
[[nodiscard]] Result<Workset> EstimateSparkWorkset(const Sweep& sweep, const SweepCell& cell);

}  // namespace bi_test::run
