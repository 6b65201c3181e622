#pragma once

#include <chrono>

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
};

}  // namespace bi_test::run
