#pragma once

namespace bi_test::process {

/// Installs handlers for SIGINT, SIGTERM, SIGHUP and SIGQUIT that only note the signal and wake
/// `InterruptFd()`; restores the previous handlers when destroyed. One at a time per process: a
/// second one does nothing. A signal that was ignored before (`nohup`) stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  bool active_ = false;
};

/// Number of the first signal noted since the guard was made, 0 when none; stays after the guard.
[[nodiscard]] int InterruptSignal();
/// How many signals were noted since the guard was made. A second one means: do not wait for grace.
[[nodiscard]] int InterruptCount();
/// Readable once a signal was noted; -1 without a guard.
[[nodiscard]] int InterruptFd();

}  // namespace bi_test::process
