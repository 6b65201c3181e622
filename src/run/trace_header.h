#pragma once

#include <vector>

#include "bi_test/json.h"
#include "run/cell_plan.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// The header of a trace, from what is known when its first server is up: plan, policy, work-set,
/// scorer, request, server. Who runs it, and what ran before, the recorder adds.
[[nodiscard]] Json TraceHeader(const CellPlan& plan,
                               const std::vector<server::ServerIdentity>& launches);

}  // namespace bi_test::run
