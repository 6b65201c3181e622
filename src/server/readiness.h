#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "process/child_process.h"
#include "server/dialect.h"

namespace bi_test::server {

/// One launched server that shall become ready. All members outlive the wait.
struct ReadyWait {
  const Dialect& dialect;
  const LaunchSpec& spec;
  process::ChildProcess& child;
  const std::string& mark;  ///< Environment mark of our descendants.
  std::chrono::steady_clock::time_point deadline;
};

/// Why it did not.
struct NotReady {
  Error error;
  bool port_taken = false;  ///< Somebody else has the port: another one may help.
};

/// Waits until the server of `identity` (port and API key set) is ready: it lives, its health path
/// says 200, the port is its own, it reports what was launched, and it has given one real answer.
/// Polls in steps of 10 ms growing to 50 ms; an end of the process or an interrupt is noticed at
/// once. Fills the reported facts of `identity`; `program_pid` is the process that holds the port.
[[nodiscard]] std::optional<NotReady> WaitUntilReady(const ReadyWait& wait,
                                                     ServerIdentity& identity, int& program_pid);

}  // namespace bi_test::server
