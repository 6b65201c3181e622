#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "process/child_process.h"

namespace bi_test::server {

/// What a teardown has to end, and what it must prove to be gone.
struct Teardown {
  process::ChildProcess& child;
  std::string name;  ///< `server N (pid 7)`, for messages.
  std::string mark;  ///< Environment mark of all descendants.
  std::uint16_t port = 0;
  std::vector<std::uint64_t> sockets;  ///< Listening sockets that were proven to be the server's.
  std::chrono::milliseconds grace{5'000};
};

/// SIGTERM to the group, a second one after a second (a llama-server with requests in flight
/// ignores the first), SIGKILL after the grace, at most 10 s for the end; then SIGKILL for
/// descendants that left the group; then the check that nobody holds the server's listening socket
/// any more. A second interrupt (interrupt.h) ends the grace. An error means that something is
/// left, and names it.
[[nodiscard]] Status RunTeardown(const Teardown& teardown);

}  // namespace bi_test::server
