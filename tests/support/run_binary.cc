#include "support/run_binary.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <string_view>

extern char** environ;

namespace bi_test::testing_support {
namespace {

using Clock = std::chrono::steady_clock;

/// Both ends of a pipe that closes itself and does not leak into other children.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void CloseRead() { Close(0); }
  void CloseWrite() { Close(1); }

 private:
  void Close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

std::vector<std::string> Environment(const BinaryOptions& options) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, equals);
    bool ours = false;
    for (const std::string_view prefix : {"GTEST_", "CTEST_", "BI_TEST_", "TESTBRIDGE_"}) {
      ours = ours || name.starts_with(prefix);
    }
    if (!ours) all.emplace(name, text.substr(equals + 1));
  }
  for (const std::string& name : options.unset) all.erase(name);
  for (const auto& [name, value] : options.env) all[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : all) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Appends what is there; false at the end of the stream.
bool ReadSome(int fd, std::string* text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count > 0) text->append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both streams until they end or the deadline passes; false in the latter case.
bool Drain(Pipe& out, Pipe& err, pid_t pid, const BinaryOptions& options, BinaryResult* result) {
  const Clock::time_point deadline = Clock::now() + options.timeout;
  bool seen = options.wait_for.empty();
  std::array<pollfd, 2> fds{pollfd{out.read_end(), POLLIN, 0}, pollfd{err.read_end(), POLLIN, 0}};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (::poll(fds.data(), fds.size(), static_cast<int>(left)) < 0 && errno != EINTR) return false;
    if (fds[0].revents != 0 && !ReadSome(fds[0].fd, &result->out)) fds[0].fd = -1;
    if (fds[1].revents != 0 && !ReadSome(fds[1].fd, &result->err)) fds[1].fd = -1;
    if (!seen && (result->out.find(options.wait_for) != std::string::npos ||
                  result->err.find(options.wait_for) != std::string::npos)) {
      seen = true;
      if (options.when_seen) options.when_seen(pid);
    }
  }
  return true;
}

}  // namespace

BinaryResult RunBinary(const std::string& program, const BinaryOptions& options) {
  BinaryResult result;
  Pipe out;
  Pipe err;
  std::vector<std::string> args = {program};
  args.insert(args.end(), options.args.begin(), options.args.end());
  std::vector<std::string> env = Environment(options);
  const std::vector<char*> arg_pointers = Pointers(args);
  const std::vector<char*> env_pointers = Pointers(env);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
  if (!options.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
  }
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, arg_pointers.data(),
                                  env_pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    result.err = "could not start " + program + ": " + std::strerror(error);
    return result;
  }
  out.CloseWrite();
  err.CloseWrite();
  if (!Drain(out, err, pid, options, &result)) {
    result.timed_out = true;
    ::kill(pid, SIGKILL);
  }
  int status = 0;
  rusage usage{};
  while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  result.max_rss_kib = usage.ru_maxrss;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::ostream& operator<<(std::ostream& out, const BinaryResult& result) {
  out << "exit code " << result.exit_code;
  if (result.signal != 0) out << ", signal " << result.signal;
  if (result.timed_out) out << ", timed out";
  return out << "\n--- standard output\n" << result.out << "\n--- standard error\n" << result.err;
}

}  // namespace bi_test::testing_support
