#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"

namespace bi_test::server {

/// One launch: what to start and what it must then report.
struct LaunchSpec {
  const ServerConfig* server = nullptr;
  const ModelConfig* model = nullptr;
  const GuardConfig* guard = nullptr;
  int ctx = 0;  ///< Context of one slot, tokens.
  int slots = 1;
  /// Of the whole run: readiness is waited for no longer, whatever `ready_timeout` allows.
  std::chrono::steady_clock::time_point run_deadline = std::chrono::steady_clock::time_point::max();
  std::filesystem::path log_file;
  std::string role;  ///< `A`, `N`, ...: for messages and log names.
};

/// What the launched server said of itself, and what we know of its process.
struct ServerIdentity {
  int pid = 0;
  std::uint16_t port = 0;
  bool pid_verified = false;      ///< The listening socket belongs to our child's process group.
  std::string build;              ///< As reported; empty when not.
  std::vector<std::string> argv;  ///< API key blotted out.
  std::string binary;             ///< Absolute path of the program that was started.
  std::uint64_t binary_bytes = 0;
  std::string binary_sha256;
  /// The program that really runs, when `binary` is a script or starts through a loader; else the
  /// same.
  std::string program;
  std::uint64_t program_bytes = 0;
  std::string program_sha256;
  /// Digest of the executable files the process has mapped (libraries, backends), by name and
  /// content; empty when they could not be read.
  std::string libraries_sha256;
  int total_slots = 0;
  int n_ctx_slot = 0;
  Json props;  ///< Chosen facts of its own description (no template, no prompts).
  /// What `server.env` and the dialect set, without secrets: see child_environment.h.
  std::map<std::string, std::string> environment;
  std::string width_hint;  ///< What to switch on where the server proved no width.
  std::string api_key;     ///< Random per launch; empty where the dialect has none.
};

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
