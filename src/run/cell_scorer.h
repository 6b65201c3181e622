#pragma once

#include <memory>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/answer_scorer.h"
#include "run/run_clock.h"

namespace bi_test::run {

/// The scorer of one cell: one of this program, or a program of its own. Starts nothing yet.
/// Errors: there is no such scorer, or its program cannot be found.
[[nodiscard]] Result<std::unique_ptr<AnswerScorer>> MakeAnswerScorer(const Sweep& sweep,
                                                                     const RunClock& clock);

/// `scorer` of a trace header: name, version, options; of a program also its argv, and the SHA-256
/// of it and of every argument that is a file. What differs in it scores otherwise, perhaps.
[[nodiscard]] Result<Json> ScorerIdentity(const Sweep& sweep);

}  // namespace bi_test::run
