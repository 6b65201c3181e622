#include "run/run_clock.h"

#include <algorithm>

#include "process/interrupt.h"

namespace bi_test::run {

using std::chrono::milliseconds;

milliseconds RunClock::AtMost(milliseconds most) const {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
  return std::min(most, std::max(left, milliseconds{1}));
}

Status RunClock::MayGoOn(const std::string& what) const {
  if (const int signal = process::InterruptSignal(); signal != 0) {
    return Error{ErrorCode::kInterrupted, "interrupted by signal " + std::to_string(signal), {}};
  }
  if (deadline <= Clock::now()) {
    return Error{ErrorCode::kDeadline, "the deadline of the whole run passed while " + what, {}};
  }
  return {};
}

}  // namespace bi_test::run
