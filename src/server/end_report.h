#pragma once

#include <string>

#include "process/child_process.h"
#include "server/dialect.h"

namespace bi_test::server {

/// `server N (pid 7)`, the subject of every message about one launch.
[[nodiscard]] std::string ServerName(const LaunchSpec& spec, int pid);

/// The end of its log for people: at most the last 4 KiB, from a line start, control characters
/// escaped, each line indented; with the name of the log file. No final newline.
[[nodiscard]] std::string LogLines(const LaunchSpec& spec, const process::ChildProcess& child);

/// `server N (pid 7) killed by signal 11 (SIGSEGV)` + `when`, a hint, and its last log lines.
[[nodiscard]] std::string EndReport(const LaunchSpec& spec, const Dialect& dialect,
                                    const process::ChildProcess& child,
                                    const process::ProcessEnd& end, const std::string& when);

}  // namespace bi_test::server
