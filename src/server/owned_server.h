#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "bi_test/result.h"
#include "server/launch_spec.h"
#include "server/server_identity.h"

namespace bi_test::server {

/// A server process that we started and that ends with us: own process group, dies when we die,
/// socket owner checked, output in a capped log. The destructor stops it (bounded, never throws).
class OwnedServer {
 public:
  /// Guards, launches, waits until ready (health, identity, one real answer), all within
  /// `server->ready_timeout` and before `run_deadline`. An interrupt (interrupt.h) ends it early
  /// with kInterrupted. Whatever goes wrong, nothing is left running.
  [[nodiscard]] static Result<std::unique_ptr<OwnedServer>> Launch(const LaunchSpec& spec);
  ~OwnedServer();

  [[nodiscard]] const ServerIdentity& identity() const;
  /// A descriptor that becomes readable when the process ends (pidfd).
  [[nodiscard]] int exit_fd() const;
  /// Nothing while it runs; afterwards how it ended and the last log lines, for people.
  [[nodiscard]] std::optional<std::string> ExitReport();
  /// Last bytes of the log.
  [[nodiscard]] std::string LogTail(std::size_t max_bytes) const;
  /// Graceful, then hard stop of the whole group, then proof that group and port are gone.
  /// Idempotent.
  [[nodiscard]] Status Stop();

 private:
  struct State;
  explicit OwnedServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::server
