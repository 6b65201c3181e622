#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/driver.h"
#include "bi_test/record.h"
#include "bi_test/sweep.h"
#include "http/http_multi.h"
#include "run/answer_scorer.h"
#include "run/prepared_item.h"
#include "run/run_clock.h"
#include "run/server_handle.h"
#include "server/dialect.h"
#include "trace/trace.h"

namespace bi_test::run {

/// One pass of one arm.
struct ArmPlan {
  Arm arm = Arm::kA;
  int pass = 0;
  std::string label;               ///< `A`, `A2`, `B`, `C1`, ...
  std::size_t width = 1;           ///< Requests in flight at once.
  std::vector<std::size_t> order;  ///< Indices into the items, in order of dispatch.
  /// By place in `order`: how long a request waits after the slot it takes became free. Empty: not
  /// at all.
  std::vector<std::chrono::microseconds> gaps;
  bool sample_slots = false;  ///< Poll the slot listing while it runs.
};

/// Why a pass ended before all its items were answered.
enum class ArmStop { kNone, kServerDied, kInterrupted, kDeadline, kNotIdle, kTraceFailed };

struct ArmResult {
  std::vector<Trial> trials;  ///< One per item of the plan, always; failed ones say why.
  PassEvidence evidence;
  ArmStop stop = ArmStop::kNone;
  std::string stop_text;  ///< For people; empty with kNone.
  double busy_s = 0.0;    ///< Time with at least one request in the server.
  std::int64_t requests_sent = 0;
};

/// What every pass of one cell shares.
struct ArmContext {
  const Sweep& sweep;
  const server::Dialect& dialect;
  AnswerScorer& scorer;
  const std::vector<PreparedItem>& items;
  trace::TraceWriter& trace;
  RunClock clock;
  std::function<void(const std::string& label, int done, int total)> on_progress;
};

/// Sends every item of the plan once, `width` at a time, on one thread; writes each trial to the
/// trace as it completes. No answer is ever asked for twice. Bounded by the arm's and the run's
/// deadline.
[[nodiscard]] ArmResult RunArm(const ArmContext& context, ServerHandle& server,
                               const ArmPlan& plan);

/// The trials of a pass that could not be run at all, one per item of the plan.
[[nodiscard]] ArmResult SkipArm(const ArmContext& context, const ArmPlan& plan, ArmStop stop,
                                const std::string& why);

}  // namespace bi_test::run
