#include "process/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <future>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/try.h"
#include "files/file_descriptor.h"
#include "process/orphan_killer.h"

namespace bi_test::process {
namespace {

using Clock = std::chrono::steady_clock;

// Descriptors 0..2 are kept free of ours, so that dup2 onto them in the child cannot clobber one.
files::FileDescriptor AboveStandard(int fd) {
  if (fd < 0 || fd > 2) return files::FileDescriptor(fd);
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
  return files::FileDescriptor(moved);
}

struct Pipe {
  files::FileDescriptor read, write;
};

std::optional<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  Pipe pipe{AboveStandard(ends[0]), AboveStandard(ends[1])};
  if (!pipe.read.valid() || !pipe.write.valid()) return std::nullopt;
  return pipe;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// From here to the next mark: code of forked children. Only async-signal-safe calls, because other
// threads of the parent may have held any lock at the time of the fork.

void CloseFrom(unsigned first, unsigned flags) {
  if (::syscall(SYS_close_range, first, ~0U, flags) == 0) return;
  for (int fd = static_cast<int>(first); fd < 65'536; ++fd) {
    if (flags == 0) {
      ::close(fd);
    } else {
      const int old = ::fcntl(fd, F_GETFD);
      if (old >= 0) ::fcntl(fd, F_SETFD, old | FD_CLOEXEC);
    }
  }
}

void ResetSignals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

struct ChildStreams {
  int input, output, error, status;
};

[[noreturn]] void RunChild(pid_t parent, const ChildStreams& streams, const char* folder,
                           const char* program, char* const* arguments, char* const* environment) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // The parent died before the line above took effect.
  ResetSignals();
  if ((folder == nullptr || ::chdir(folder) == 0) && ::dup2(streams.input, 0) == 0 &&
      ::dup2(streams.output, 1) == 1 && ::dup2(streams.error, 2) == 2) {
    CloseFrom(3, CLOSE_RANGE_CLOEXEC);
    ::execve(program, arguments, environment);
  }
  const int failure = errno;
  [[maybe_unused]] const ssize_t written = ::write(streams.status, &failure, sizeof failure);
  ::_exit(127);
}

// Holds no copy of the write end, so its read ends when the parent is gone. It is ended by the
// parent before the child is collected; until then the group id cannot be given to anybody else.
[[noreturn]] void RunWatcher(int life_fd, pid_t group, std::string_view mark) {
  ::setsid();
  ResetSignals();
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::prctl(PR_SET_NAME, "bi-test-watch");
  ::dup2(life_fd, 0);
  CloseFrom(1, 0);
  char byte = 0;
  while (::read(0, &byte, 1) < 0 && errno == EINTR) {
  }
  ::kill(-group, SIGKILL);
  KillOrphans(mark);
  ::_exit(0);
}

// End of the code of forked children.

files::FileDescriptor OpenPidfd(pid_t pid) {
  return AboveStandard(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

void Collect(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Error SpawnError(const ChildSpec& spec, int failure, const std::string& what) {
  const bool missing =
      failure == ENOENT || failure == EACCES || failure == ENOTDIR || failure == ENOEXEC;
  std::string text = what + ": " + std::strerror(failure);
  if (failure == ENOENT) text += "; the file, or the interpreter it names, does not exist";
  if (failure == EACCES) text += "; it must be an executable file (chmod +x)";
  if (failure == ENOEXEC) text += "; it is no program for this machine";
  return Error{missing ? ErrorCode::kNotFound : ErrorCode::kServer, std::move(text),
               spec.program.string()};
}

}  // namespace

struct ChildProcess::State {
  explicit State(ChildSpec child_spec) : spec(std::move(child_spec)), log(spec.log_limits) {}
  ~State();

  /// Body of the keeper thread; the promise gets the outcome of the start.
  void Keep(std::promise<Status> started);
  [[nodiscard]] Status Start(pid_t parent);
  void Drain();
  void EndWatcher();
  /// Whether the child is still to be collected by us. Only then do its ids name it for certain: a
  /// host program may collect all its children itself.
  [[nodiscard]] bool Uncollected() const;

  ChildSpec spec;
  CappedLog log;
  Pipe output;                 // The child writes, the keeper reads.
  Pipe to_child, from_child;   // Of a child that talks.
  Pipe life;                   // Written by nobody; closes when we die.
  files::FileDescriptor stop;  // Eventfd: the keeper shall end.
  files::FileDescriptor pidfd, watcher_pidfd;
  pid_t pid = -1;
  pid_t watcher = -1;
  std::optional<ProcessEnd> end;
  std::thread keeper;

  std::mutex mutex;
  std::condition_variable drained_changed;
  bool drained = false;  // The output pipe is at its end.
};

Status ChildProcess::State::Start(pid_t parent) {
  std::vector<std::string> argument_texts;
  argument_texts.push_back(spec.program.string());
  argument_texts.insert(argument_texts.end(), spec.arguments.begin(), spec.arguments.end());
  std::vector<std::string> environment_texts = spec.environment;
  const std::vector<char*> arguments = Pointers(argument_texts);
  const std::vector<char*> environment = Pointers(environment_texts);

  std::optional<Pipe> output_pipe = MakePipe();
  std::optional<Pipe> life_pipe = MakePipe();
  std::optional<Pipe> status_pipe = MakePipe();
  const files::FileDescriptor null_fd = AboveStandard(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!output_pipe || !life_pipe || !status_pipe || !null_fd.valid()) {
    return SpawnError(spec, errno, "cannot make the pipes for the " + spec.what);
  }
  output = std::move(*output_pipe);
  ::fcntl(output.read.get(), F_SETPIPE_SZ, 1 << 20);  // Fewer wake-ups; the standard size does too.
  life = std::move(*life_pipe);

  ChildStreams streams{null_fd.get(), output.write.get(), output.write.get(),
                       status_pipe->write.get()};
  if (spec.talks) {
    std::optional<Pipe> in = MakePipe();
    std::optional<Pipe> out = MakePipe();
    if (!in || !out) return SpawnError(spec, errno, "cannot make the pipes for the " + spec.what);
    to_child = std::move(*in);
    from_child = std::move(*out);
    ::fcntl(to_child.write.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(from_child.read.get(), F_SETFL, O_NONBLOCK);
    streams.input = to_child.read.get();
    streams.output = from_child.write.get();
  }

  const std::string program = spec.program.string();
  const std::string folder = spec.folder.string();
  pid = ::fork();
  if (pid == 0) {
    RunChild(parent, streams, folder.empty() ? nullptr : folder.c_str(), program.c_str(),
             arguments.data(), environment.data());
  }
  if (pid < 0) return SpawnError(spec, errno, "cannot start a process");
  to_child.read.Close();
  from_child.write.Close();
  output.write.Close();
  status_pipe->write.Close();

  watcher = ::fork();
  if (watcher == 0) RunWatcher(life.read.get(), pid, spec.mark);
  const int watcher_failure = errno;
  life.read.Close();

  int failure = 0;
  ssize_t got = 0;
  while ((got = ::read(status_pipe->read.get(), &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  if (watcher < 0) return SpawnError(spec, watcher_failure, "cannot start a process");
  if (got == static_cast<ssize_t>(sizeof failure)) {
    return SpawnError(spec, failure, "cannot execute the " + spec.what);
  }
  pidfd = OpenPidfd(pid);
  watcher_pidfd = OpenPidfd(watcher);
  if (!pidfd.valid() || !watcher_pidfd.valid()) {
    return SpawnError(spec, errno,
                      "cannot watch the " + spec.what + " (pidfd_open needs Linux 5.3 or newer)");
  }
  return {};
}

void ChildProcess::State::Keep(std::promise<Status> started) {
  const Status status = Start(::getpid());
  const bool ok = status.ok();
  started.set_value(status);
  if (ok) Drain();
}

void ChildProcess::State::Drain() {
  ::fcntl(output.read.get(), F_SETFL, O_NONBLOCK);
  std::vector<char> buffer(std::size_t{64} << 10);
  bool at_end = false;
  bool stopping = false;
  while (!stopping) {
    std::array<pollfd, 2> wait{{{stop.get(), POLLIN, 0}, {output.read.get(), POLLIN, 0}}};
    if (::poll(wait.data(), at_end ? 1 : 2, -1) < 0 && errno != EINTR) break;
    stopping = (wait[0].revents & POLLIN) != 0;
    // At most 16 MiB after the request to stop: whoever still writes then is no reason to stay.
    for (int round = 0; !at_end && round < 256; ++round) {
      const ssize_t got = ::read(output.read.get(), buffer.data(), buffer.size());
      if (got > 0) {
        log.Append({buffer.data(), static_cast<std::size_t>(got)});
      } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        at_end = true;
        const std::lock_guard lock(mutex);
        drained = true;
        drained_changed.notify_all();
      } else if (errno == EAGAIN) {
        break;
      }
    }
  }
  // Kept open until the child is collected: the kernel kills the child when this thread ends.
}

void ChildProcess::State::EndWatcher() {
  if (watcher <= 0) return;
  // Without a pidfd the start failed half-way, and nobody else can have collected it in between.
  if (watcher_pidfd.valid()) {
    ::syscall(SYS_pidfd_send_signal, watcher_pidfd.get(), SIGKILL, nullptr, 0);
  } else {
    ::kill(watcher, SIGKILL);
  }
  Collect(std::exchange(watcher, -1));
}

bool ChildProcess::State::Uncollected() const {
  siginfo_t info{};
  return pid > 0 && !end &&
         ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

ChildProcess::State::~State() {
  if (Uncollected()) {
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);  // It may not have reached setsid yet.
    EndWatcher();
    Collect(pid);
  }
  EndWatcher();
  if (keeper.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(stop.get(), &one, sizeof one);
    keeper.join();
  }
  log.Close();
}

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess> ChildProcess::Spawn(ChildSpec spec) {
  for (const std::string& text : spec.arguments) {
    if (text.find('\0') != std::string::npos) {
      return Error{ErrorCode::kUsage, "an argument of the " + spec.what + " holds a zero byte",
                   spec.program.string()};
    }
  }
  auto state = std::make_unique<State>(std::move(spec));
  BI_TRY(state->log.Open(state->spec.log_file));
  state->stop = AboveStandard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!state->stop.valid()) {
    return SpawnError(state->spec, errno, "cannot make the pipes for the " + state->spec.what);
  }

  // The keeper takes no signals: handlers of the host program belong on its own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::promise<Status> started;
  std::future<Status> outcome = started.get_future();
  std::optional<Error> no_thread;
  try {
    state->keeper = std::thread(&State::Keep, state.get(), std::move(started));
  } catch (const std::system_error& failure) {
    no_thread = SpawnError(state->spec, failure.code().value(), "cannot start a thread");
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (no_thread) return *no_thread;
  BI_TRY(outcome.get());
  return ChildProcess(std::move(state));
}

int ChildProcess::pid() const { return state_->pid; }
int ChildProcess::exit_fd() const { return state_->pidfd.get(); }
int ChildProcess::input_fd() const { return state_->to_child.write.get(); }
int ChildProcess::output_fd() const { return state_->from_child.read.get(); }
void ChildProcess::CloseInput() { state_->to_child.write.Close(); }

std::optional<ProcessEnd> ChildProcess::Poll() {
  State& state = *state_;
  if (state.end) return state.end;
  siginfo_t info{};
  // Look without collecting: the watcher must be gone before the id can be used again.
  while (::waitid(P_PID, static_cast<id_t>(state.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno == EINTR) continue;
    state.EndWatcher();
    state.end = ProcessEnd{.known = false};
    return state.end;
  }
  if (info.si_pid == 0) return std::nullopt;
  // What the process left in its group goes now, while its id still names only that group.
  ::kill(-state.pid, SIGKILL);
  state.EndWatcher();
  Collect(state.pid);
  state.end = info.si_code == CLD_EXITED ? ProcessEnd{.exit_code = info.si_status}
                                         : ProcessEnd{.signal = info.si_status};
  return state.end;
}

std::optional<ProcessEnd> ChildProcess::WaitUntil(Clock::time_point until) {
  while (true) {
    if (std::optional<ProcessEnd> end = Poll()) return end;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd wait{exit_fd(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(std::min<std::int64_t>(left, 1'000)));
  }
}

void ChildProcess::SignalGroup(int signal) {
  if (state_->Uncollected()) ::kill(-state_->pid, signal);
}

std::string ChildProcess::LogTail(std::size_t max_bytes) const {
  State& state = *state_;
  if (state.end) {
    std::unique_lock lock(state.mutex);
    state.drained_changed.wait_for(lock, std::chrono::milliseconds(500),
                                   [&] { return state.drained; });
  }
  return state.log.Tail(max_bytes);
}

void ChildProcess::CloseLog() {
  State& state = *state_;
  if (state.keeper.joinable() && state.end) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(state.stop.get(), &one, sizeof one);
    state.keeper.join();
  }
  if (state.end) state.log.Close();
}

}  // namespace bi_test::process
