#pragma once

#include <memory>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/answer_scorer.h"
#include "run/run_clock.h"

namespace bi_test::run {

/// A program that scores, kept alive for the whole cell: started with the first question, in its
/// own session, in the folder of the sweep file, with a bare environment (PATH, HOME, TMPDIR, TZ, a
/// UTF-8 locale and what the sweep file sets), without a shell. Protocol: scorer_reply.h.
///
/// Every answer has a deadline. A program that ends, is silent or writes what is no answer is
/// killed and started again, at most `max_restarts` times. A question that it ended or was silent
/// on is asked once more of the next one; what then still has no answer is a `scorer_error`. An
/// answer that was given once is given again for the same completion of the same item, so that
/// equal completions always score alike. Destroying it ends the program and everything it started.
[[nodiscard]] Result<std::unique_ptr<AnswerScorer>> MakeCommandScorer(const ScorerCommand& command,
                                                                      const RunClock& clock);

/// Its part of ScorerIdentity.
[[nodiscard]] Result<Json> CommandIdentity(const ScorerCommand& command);

}  // namespace bi_test::run
