#pragma once

#include <string>

namespace bi_test::process {

/// How a child process ended, from its wait status.
struct ProcessEnd {
  bool known = true;  ///< False when somebody else collected the status.
  int exit_code = 0;  ///< Meaningful when `signal` is 0.
  int signal = 0;     ///< The signal that killed it, 0 when it exited.

  /// `exited 1`, `killed by signal 11 (SIGSEGV)`, `ended, status unknown`.
  [[nodiscard]] std::string Text() const;
  friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

/// `SIGSEGV` for 11; `SIG34` for one without a name.
[[nodiscard]] std::string SignalName(int signal);

}  // namespace bi_test::process
