#pragma once

#include <string_view>

namespace bi_test::process {

/// Sends SIGKILL to every process whose start environment holds `mark` (`NAME=value`), wherever it
/// moved to, until two looks in a row find none, at most 200 looks. For the forked watcher of a
/// child, which outlives the program that started it: only async-signal-safe calls, no allocation.
/// `KillMarked` (process_table.h) is the same for everybody else, with a deadline and a report.
void KillOrphans(std::string_view mark) noexcept;

}  // namespace bi_test::process
