#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/record.h"
#include "bi_test/sweep.h"
#include "http/http_multi.h"
#include "run/answer_scorer.h"
#include "run/cell_context.h"
#include "run/pass_stop.h"
#include "run/prepared_item.h"
#include "run/server_handle.h"
#include "server/dialect.h"
#include "trace/trace.h"

namespace bi_test::run {

/// One pass of one arm.
struct Pass {
  Arm arm = Arm::kA;
  int number = 0;                  ///< `pass` of its trials.
  std::string label;               ///< For progress: as `ArmPassName` has it.
  std::size_t width = 1;           ///< Requests in flight at once.
  std::vector<std::size_t> order;  ///< Indices into the items, in order of dispatch.
  /// By place in `order`: how long a request waits after the slot it takes became free. Empty: not
  /// at all.
  std::vector<std::chrono::microseconds> gaps;
  bool sample_slots = false;  ///< Poll the slot listing while it runs.
};

struct PassResult {
  std::vector<Trial> trials;  ///< One per item of the pass, always; failed ones say why.
  PassEvidence evidence;
  PassStop stop = PassStop::kNone;
  std::string stop_text;  ///< For people; empty with kNone.
  double busy_s = 0.0;    ///< Time with at least one request in the server.
  std::int64_t requests_sent = 0;
};

/// What the passes over one list of items share.
struct PassContext {
  const CellContext& cell;
  const Sweep& sweep;
  const server::Dialect& dialect;
  AnswerScorer& scorer;
  const std::vector<PreparedItem>& items;
  trace::TraceWriter& trace;
};

/// Sends every item of the pass once, `width` at a time, on one thread; writes each trial to the
/// trace as it completes. No answer is ever asked for twice. Bounded by the arm's and the run's
/// deadline.
[[nodiscard]] PassResult RunPass(const PassContext& context, ServerHandle& server,
                                 const Pass& pass);

/// The trials of a pass that could not be run at all, one per item of the pass.
[[nodiscard]] PassResult SkipPass(const PassContext& context, const Pass& pass, PassStop stop,
                                  const std::string& why);

/// Mean seconds that an answer of that arm took; nothing when none came.
[[nodiscard]] std::optional<double> MeanLatency(const std::vector<Trial>& trials, Arm arm);

}  // namespace bi_test::run
