#include "process/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace bi_test::process {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// What the handler touches: lock-free atomics only. The descriptor is never closed, because a
// handler may still be about to write to it.
std::atomic<int> first_signal{0};
std::atomic<int> signal_count{0};
std::atomic<int> wake_fd{-1};
std::atomic<bool> guarded{false};
static_assert(std::atomic<int>::is_always_lock_free);

std::array<struct sigaction, kSignals.size()> previous;

extern "C" void NoteSignal(int signal) {
  const int saved = errno;
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  signal_count.fetch_add(1);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_fd.load(), &one, sizeof one);
  errno = saved;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guarded.exchange(true)) return;
  active_ = true;
  first_signal = 0;
  signal_count = 0;
  if (wake_fd.load() < 0) {
    wake_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  } else {
    std::uint64_t noted = 0;
    [[maybe_unused]] const ssize_t got = ::read(wake_fd.load(), &noted, sizeof noted);
  }
  struct sigaction handler {};
  handler.sa_handler = &NoteSignal;
  handler.sa_flags = SA_RESTART;
  sigemptyset(&handler.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &handler, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (!active_) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &previous[i], nullptr);
  }
  guarded = false;
}

int InterruptSignal() { return first_signal; }
int InterruptCount() { return signal_count; }
int InterruptFd() { return guarded ? wake_fd.load() : -1; }

}  // namespace bi_test::process
