#include "server/teardown.h"

#include <algorithm>
#include <csignal>
#include <optional>

#include "process/interrupt.h"
#include "process/process_table.h"
#include "process/socket_owner.h"

namespace bi_test::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kPollStep{20};
constexpr milliseconds kSecondSignalAfter{1'000};
constexpr milliseconds kKillWait{10'000};

// Waits for the end of the child; a hurried user ends it early.
bool EndedBy(process::ChildProcess& child, Clock::time_point until) {
  while (Clock::now() < until && process::InterruptCount() < 2) {
    if (child.WaitUntil(std::min(until, Clock::now() + kPollStep))) return true;
  }
  return child.Poll().has_value();
}

bool EndChild(process::ChildProcess& child, milliseconds grace) {
  if (child.Poll()) return true;
  const Clock::time_point start = Clock::now();
  child.SignalGroup(SIGTERM);
  if (EndedBy(child, start + std::min(grace, kSecondSignalAfter))) return true;
  child.SignalGroup(SIGTERM);
  if (EndedBy(child, start + grace)) return true;
  child.SignalGroup(SIGKILL);
  return child.WaitUntil(Clock::now() + kKillWait).has_value();
}

// Sockets of ours that still listen. A stranger that has taken the free port has other sockets.
std::vector<std::uint64_t> StillListening(const Teardown& teardown) {
  std::vector<std::uint64_t> left = process::FindListeners(teardown.port).sockets;
  std::erase_if(left, [&](std::uint64_t socket) {
    return std::find(teardown.sockets.begin(), teardown.sockets.end(), socket) ==
           teardown.sockets.end();
  });
  return left;
}

}  // namespace

Status RunTeardown(const Teardown& teardown) {
  if (!EndChild(teardown.child, teardown.grace)) {
    return Error{ErrorCode::kServer,
                 teardown.name +
                     " is still there 10 s after SIGKILL; it may hang in a driver: look at "
                     "the kernel log, nothing else can be launched",
                 {}};
  }
  const std::vector<process::ProcessEntry> left =
      process::KillMarked(teardown.mark, Clock::now() + kKillWait);
  if (!left.empty()) {
    return Error{ErrorCode::kServer,
                 teardown.name +
                     " left processes behind that SIGKILL did not end: " + process::Describe(left),
                 {}};
  }
  if (const std::vector<std::uint64_t> sockets = StillListening(teardown); !sockets.empty()) {
    const std::vector<process::ProcessEntry> holders =
        process::HoldersOf(sockets, process::ListProcesses());
    return Error{ErrorCode::kServer,
                 teardown.name + " is gone, but port " + std::to_string(teardown.port) +
                     " is still held by " +
                     (holders.empty() ? std::string("a process we may not see")
                                      : process::Describe(holders)) +
                     "; stop it, then run again",
                 {}};
  }
  return {};
}

}  // namespace bi_test::server
