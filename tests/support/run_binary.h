#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bi_test::testing_support {

/// How to run a program.
struct BinaryOptions {
  std::vector<std::string> args;           ///< Without the program name.
  std::map<std::string, std::string> env;  ///< Put over the environment of this process.
  std::vector<std::string> unset;          ///< Names taken out of it.
  std::string directory;                   ///< Working directory; empty: this one.
  std::chrono::seconds timeout{60};        ///< Then it is killed.
  /// Called once with the pid as soon as `wait_for` has appeared in the standard output or error.
  std::string wait_for;
  std::function<void(pid_t)> when_seen;
};

/// What it did.
struct BinaryResult {
  int exit_code = -1;  ///< -1 when it did not exit by itself.
  int signal = 0;      ///< Signal that ended it, 0 when none.
  bool timed_out = false;
  /// Largest resident memory, KiB; never less than that of this process when it started the child.
  long max_rss_kib = 0;
  std::string out;
  std::string err;
};

/// Runs `program` to its end and captures what it prints. Standard input is empty. The variables
/// that gtest, ctest and bi_test read are taken out of its environment, so that only `options.env`
/// counts.
[[nodiscard]] BinaryResult RunBinary(const std::string& program, const BinaryOptions& options);

/// One line for failure texts: exit code or signal, and both outputs.
std::ostream& operator<<(std::ostream& out, const BinaryResult& result);

}  // namespace bi_test::testing_support
