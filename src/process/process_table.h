#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::process {

/// One running process as the system's process table shows it.
struct ProcessEntry {
  int pid = 0;
  int parent = 0;
  int group = 0;
  bool zombie = false;
  std::string name;  ///< Short name; text of a stranger, escape before printing.
};

/// All processes we may see. Processes that end meanwhile are left out.
[[nodiscard]] std::vector<ProcessEntry> ListProcesses();

/// Those that carry `mark` (`NAME=value`) in their start environment: descendants of a process
/// started with it, wherever they moved to (other session, other parent). Zombies are left out.
[[nodiscard]] std::vector<ProcessEntry> ProcessesMarked(std::string_view mark);

/// The processes of a group and all descendants of `root`. Zombies are left out.
[[nodiscard]] std::vector<ProcessEntry> ProcessTree(int root);

/// Sends SIGKILL to every process with that mark, again and again until none is left or the
/// deadline passes; gives those that are left. A process is checked and signalled through one
/// descriptor, so that a reused id is never hit.
[[nodiscard]] std::vector<ProcessEntry> KillMarked(std::string_view mark,
                                                   std::chrono::steady_clock::time_point until);

/// `pid 123 (name), pid 124 (name)`.
[[nodiscard]] std::string Describe(const std::vector<ProcessEntry>& processes);

}  // namespace bi_test::process
