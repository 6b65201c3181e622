#include "process/orphan_killer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bi_test::process {
namespace {

constexpr int kMostLooks = 200;
constexpr int kEmptyLooks = 2;  // A process shows no environment while it executes its program.
constexpr int kBetweenLooksMs = 10;
constexpr std::size_t kMostEnvironment = std::size_t{4} << 20;

/// The number that a directory entry of /proc is named, or 0.
int PidOf(const char* name) {
  int pid = 0;
  for (const char* at = name; *at != '\0'; ++at) {
    if (*at < '0' || *at > '9' || pid > 100'000'000) return 0;
    pid = pid * 10 + (*at - '0');
  }
  return pid;
}

/// `/proc/{pid}/environ`.
std::array<char, 64> EnvironmentPath(const char* name) {
  std::array<char, 64> path{};
  char* at = path.data();
  for (const char* part : {"/proc/", name, "/environ"}) {
    while (*part != '\0' && at < path.data() + path.size() - 1) *at++ = *part++;
  }
  return path;
}

bool HasMark(const char* pid_name, std::string_view mark) {
  const int fd = ::open(EnvironmentPath(pid_name).data(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool found = false;
  bool matches = true;      // The variable read at present has been the mark so far,
  std::size_t matched = 0;  // of which this many bytes were seen.
  std::size_t total = 0;
  std::array<char, 4096> bytes{};
  while (!found && total < kMostEnvironment) {
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    total += static_cast<std::size_t>(got);
    for (ssize_t i = 0; i < got && !found; ++i) {
      const char c = bytes[static_cast<std::size_t>(i)];
      if (c == '\0') {
        found = matches && matched == mark.size();
        matches = true;
        matched = 0;
      } else {
        matches = matches && matched < mark.size() && c == mark[matched];
        ++matched;
      }
    }
  }
  ::close(fd);
  return found;
}

/// Checked and signalled through one descriptor, so that a reused id is never hit.
bool KillIfMarked(const char* pid_name, int pid, std::string_view mark) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return false;
  const bool marked = HasMark(pid_name, mark);
  if (marked) ::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0);
  ::close(pidfd);
  return marked;
}

/// How many processes with the mark one walk through /proc met.
int KillOnce(std::string_view mark) {
  const int directory = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return 0;
  const int self = ::getpid();
  int met = 0;
  alignas(std::uint64_t) std::array<char, 8192> entries{};
  while (true) {
    const long got = ::syscall(SYS_getdents64, directory, entries.data(), entries.size());
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      // struct linux_dirent64: inode 8, offset 8, record length 2, type 1, name.
      const char* entry = entries.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + 16, sizeof length);
      const char* name = entry + 19;
      const int pid = PidOf(name);
      if (pid > 0 && pid != self && KillIfMarked(name, pid, mark)) ++met;
      at += length;
    }
  }
  ::close(directory);
  return met;
}

}  // namespace

void KillOrphans(std::string_view mark) noexcept {
  if (mark.empty()) return;
  int empty = 0;
  for (int look = 0; look < kMostLooks && empty < kEmptyLooks; ++look) {
    empty = KillOnce(mark) == 0 ? empty + 1 : 0;
    ::poll(nullptr, 0, kBetweenLooksMs);
  }
}

}  // namespace bi_test::process
