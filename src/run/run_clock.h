#pragma once

#include <chrono>
#include <string>

#include "bi_test/result.h"
#include "http/http_multi.h"

namespace bi_test::run {

using http::Clock;

/// Monotonic seconds since a cell began, and the deadline of the whole cell.
struct RunClock {
  Clock::time_point start = Clock::now();
  Clock::time_point deadline = Clock::time_point::max();

  [[nodiscard]] double Seconds(Clock::time_point when) const {
    return std::chrono::duration<double>(when - start).count();
  }

  /// `most`, or what is left until the deadline if that is less, but never nothing.
  [[nodiscard]] std::chrono::milliseconds AtMost(std::chrono::milliseconds most) const;

  /// An error after an interrupt, and when the deadline passed while `what` was going on ("the
  /// work-set was being made").
  [[nodiscard]] Status MayGoOn(const std::string& what) const;
};

}  // namespace bi_test::run
