#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "process/capped_log.h"
#include "process/process_end.h"

namespace bi_test::process {

/// What to execute. No shell is involved.
struct ChildSpec {
  std::filesystem::path program;         ///< Executed as it is; no PATH search.
  std::vector<std::string> arguments;    ///< Without argv[0].
  std::vector<std::string> environment;  ///< `NAME=value`, complete: nothing is inherited.
  /// One of `environment` that nobody else has: tells descendants wherever they move. May be empty.
  std::string mark;
  std::filesystem::path log_file;  ///< Takes both output streams; empty: only the tail is kept.
  CappedLog::Limits log_limits;
  std::filesystem::path folder{};  ///< Where it runs; empty: where we run.
  /// Its standard input and output are pipes to us (input_fd, output_fd), and only its standard
  /// error goes to the log.
  bool talks = false;
  std::string what = "server";  ///< What it is, for messages.
};

/// A child process in its own session, tied to our life: it gets SIGKILL when we die (however we
/// die), and a small watching process kills the rest of its group and all processes with its mark
/// then. Standard input is the null device unless it talks to us; all other descriptors stay with
/// us, signal handlers and masks are reset.
///
/// A keeper thread of the object starts the child (the kernel ties the child to the thread that
/// forked it) and drains its output for as long as it lives, so that the child never blocks on a
/// full pipe. Not thread safe, except `exit_fd`. Destroying it kills the group at once and collects
/// the child.
class ChildProcess {
 public:
  /// Starts it. Errors: program missing or not executable, no more processes, log not writable.
  [[nodiscard]] static Result<ChildProcess> Spawn(ChildSpec spec);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  /// Process id, which is also the id of its process group and session.
  [[nodiscard]] int pid() const;
  /// Readable once the process has ended (a pidfd); valid as long as the object.
  [[nodiscard]] int exit_fd() const;
  /// Of a child that talks: what is written here it reads, what it writes is read there. Neither
  /// blocks. -1 for others, and for the input once it is closed.
  [[nodiscard]] int input_fd() const;
  [[nodiscard]] int output_fd() const;
  /// Ends what a child that talks can read.
  void CloseInput();
  /// Nothing while it runs; collects it when it has ended.
  [[nodiscard]] std::optional<ProcessEnd> Poll();
  /// Waits for the end of the process, at most until then.
  [[nodiscard]] std::optional<ProcessEnd> WaitUntil(std::chrono::steady_clock::time_point until);
  /// Sends a signal to the process group, as long as anything of ours is in it.
  void SignalGroup(int signal);
  /// Last bytes of its output. After the end of the process this waits (at most 0.5 s) for the
  /// rest.
  [[nodiscard]] std::string LogTail(std::size_t max_bytes) const;
  /// Stops draining and completes the log file. To be called when group and descendants are gone.
  void CloseLog();

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::process
