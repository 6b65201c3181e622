#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/cell_plan.h"
#include "run/recorder.h"
#include "run/server_handle.h"

namespace bi_test::run {

/// The `size` rows with the smallest margins, in the order of the pool; rows without one come last.
/// `margins`: by row, nats.
[[nodiscard]] std::vector<std::size_t> MostFragile(
    const std::vector<std::optional<double>>& margins, std::size_t size);

/// The rows of `builtin: fragile`. Asks every row of the pool that the slot has room for once, one
/// at a time, as arm A would, and keeps those whose answer hung by the thinnest margin between the
/// two best tokens. Another process, or another N, measures the same margins, because one request
/// at a time is repeatable; where it is not, arm A2 says so. The answers go to a trace of their
/// own. Errors: the pool could not be asked to its end, or no answer came with margins.
[[nodiscard]] Result<Workset> MakeFragile(const CellPlan& plan, ServerHandle& server,
                                          Recorder& recorder);

/// As many rows of the pool, while no server can say which.
[[nodiscard]] Workset EstimateFragile(const Sweep& sweep);

}  // namespace bi_test::run
