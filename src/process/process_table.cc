#include "process/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <optional>
#include <set>

#include "base/safe_text.h"
#include "base/split.h"
#include "files/file_descriptor.h"
#include "files/pseudo_file.h"

namespace bi_test::process {
namespace {

std::optional<int> ParsePid(std::string_view text) {
  int pid = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (failure != std::errc() || end != text.data() + text.size() || pid <= 0) return std::nullopt;
  return pid;
}

// `pid (name) state ppid pgrp ...`; the name may hold spaces and brackets, so the last one counts.
std::optional<ProcessEntry> ParseStat(int pid, std::string_view stat) {
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      close + 2 >= stat.size()) {
    return std::nullopt;
  }
  ProcessEntry entry;
  entry.pid = pid;
  entry.name = std::string(stat.substr(open + 1, close - open - 1));
  entry.zombie = stat[close + 2] == 'Z' || stat[close + 2] == 'X';
  const std::vector<std::string_view> fields = SplitFields(stat.substr(close + 2));
  if (fields.size() < 3) return std::nullopt;
  std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), entry.parent);
  std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), entry.group);
  return entry;
}

bool HasMark(int pid, std::string_view mark) {
  const std::optional<std::string> environment =
      files::ReadPseudoFile("/proc/" + std::to_string(pid) + "/environ", std::size_t{4} << 20);
  if (!environment) return false;
  const std::vector<std::string_view> variables = SplitAt(*environment, '\0');
  return std::ranges::find(variables, mark) != variables.end();
}

}  // namespace

std::vector<ProcessEntry> ListProcesses() {
  std::vector<ProcessEntry> processes;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), &::closedir);
  if (directory == nullptr) return processes;
  while (const dirent* item = ::readdir(directory.get())) {
    const std::optional<int> pid = ParsePid(item->d_name);
    if (!pid) continue;
    const std::optional<std::string> stat =
        files::ReadPseudoFile("/proc/" + std::to_string(*pid) + "/stat", 4'096);
    if (!stat) continue;
    if (std::optional<ProcessEntry> entry = ParseStat(*pid, *stat)) {
      processes.push_back(std::move(*entry));
    }
  }
  return processes;
}

std::vector<ProcessEntry> ProcessesMarked(std::string_view mark) {
  std::vector<ProcessEntry> processes = ListProcesses();
  std::erase_if(processes, [&](const ProcessEntry& entry) {
    return entry.zombie || entry.pid == ::getpid() || !HasMark(entry.pid, mark);
  });
  return processes;
}

std::vector<ProcessEntry> ProcessTree(int root) {
  std::vector<ProcessEntry> processes = ListProcesses();
  std::set<int> members;
  for (const ProcessEntry& entry : processes) {
    if (entry.pid == root || entry.group == root) members.insert(entry.pid);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const ProcessEntry& entry : processes) {
      if (members.contains(entry.parent)) grew |= members.insert(entry.pid).second;
    }
  }
  std::erase_if(processes, [&](const ProcessEntry& entry) {
    return entry.zombie || !members.contains(entry.pid);
  });
  return processes;
}

std::vector<ProcessEntry> KillMarked(std::string_view mark,
                                     std::chrono::steady_clock::time_point until) {
  // A process shows no environment while it executes its program, so one empty look proves nothing.
  constexpr int kEmptyLooks = 2;
  constexpr int kBetweenLooksMs = 10;
  for (int empty = 0;;) {
    std::vector<ProcessEntry> left = ProcessesMarked(mark);
    if (left.empty()) {
      if (++empty == kEmptyLooks) return left;
      ::poll(nullptr, 0, kBetweenLooksMs);
      continue;
    }
    empty = 0;
    for (const ProcessEntry& entry : left) {
      const files::FileDescriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, entry.pid, 0)));
      // The descriptor is bound to one process; only then is the mark of that very process read.
      if (!pidfd.valid() || !HasMark(entry.pid, mark)) continue;
      ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
      const auto wait =
          std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      pollfd ended{pidfd.get(), POLLIN, 0};
      ::poll(&ended, 1, static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 1'000)));
    }
    if (std::chrono::steady_clock::now() >= until) return ProcessesMarked(mark);
  }
}

std::string Describe(const std::vector<ProcessEntry>& processes) {
  std::string text;
  for (const ProcessEntry& entry : processes) {
    if (!text.empty()) text += ", ";
    text += "pid " + std::to_string(entry.pid) + " (" + Printable(entry.name) + ")";
  }
  return text;
}

}  // namespace bi_test::process
