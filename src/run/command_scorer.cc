#include "run/command_scorer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/safe_text.h"
#include "base/sha256.h"
#include "base/trim.h"
#include "base/try.h"
#include "files/file_digest.h"
#include "process/child_process.h"
#include "process/environment.h"
#include "process/interrupt.h"
#include "process/process_table.h"
#include "process/random_key.h"
#include "run/scorer_reply.h"
#include "scorers/built_in_scorers.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr const char* kProtocol = "1";
constexpr milliseconds kGoodbye{1'000};
constexpr milliseconds kKillWait{2'000};
constexpr std::size_t kLastWords = 400;
constexpr std::size_t kMostKept = 200'000;
constexpr std::size_t kMostKeptBytes = std::size_t{256} << 20;

/// A write to a program that is gone must be an error of that write, whatever the host program does
/// with the signal: it is held back for this thread and taken out again.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec now{};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

Error NoProgram(const ScorerCommand& command) {
  return Error{ErrorCode::kNotFound,
               "found no program " +
                   Quoted(command.argv.empty() ? std::string() : command.argv.front(), 200) +
                   ", allowed: the path of an executable file, or a name in PATH",
               "scorer.command"};
}

std::vector<std::string> Environment(const ScorerCommand& command, const std::string& mark) {
  std::map<std::string, std::string> variables;
  const std::map<std::string, std::string> inherited = process::Environment();
  for (const char* name : {"PATH", "HOME", "TMPDIR", "TZ"}) {
    const auto it = inherited.find(name);
    if (it != inherited.end()) variables[name] = it->second;
  }
  // The same scores on every machine, and answers that are not held back in a buffer.
  variables["LANG"] = variables["LC_ALL"] = "C.UTF-8";
  variables["PYTHONHASHSEED"] = "0";
  variables["PYTHONUNBUFFERED"] = "1";
  for (const auto& [name, value] : command.env) variables[name] = value;
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  out.push_back(mark);
  return out;
}

/// One run of the program.
class Conversation {
 public:
  static Result<std::unique_ptr<Conversation>> Start(const ScorerCommand& command) {
    BI_TRY_SET(const std::string random, process::RandomHex(16));
    const std::string mark = "BI_TEST_SCORER_MARK=" + random;
    process::ChildSpec spec;
    spec.program = command.program;
    spec.arguments.assign(command.argv.begin() + 1, command.argv.end());
    spec.environment = Environment(command, mark);
    spec.folder = command.folder;
    spec.talks = true;
    spec.what = "scorer";
    BI_TRY_SET(process::ChildProcess child, process::ChildProcess::Spawn(std::move(spec)));
    return std::unique_ptr<Conversation>(new Conversation(std::move(child), mark));
  }

  /// Politely first: a program that reads lines ends at the end of its input.
  ~Conversation() {
    child_.CloseInput();
    if (!ended_badly_) (void)child_.WaitUntil(Clock::now() + kGoodbye);
    child_.SignalGroup(SIGKILL);
    (void)child_.WaitUntil(Clock::now() + kKillWait);
    (void)process::KillMarked(mark_, Clock::now() + kKillWait);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// Sends one line and waits for one line. On failure `why` says what happened. `unasked`: the
  /// line was there before the question.
  bool Ask(const std::string& question, Clock::time_point until, std::string& answer, bool& unasked,
           std::string& why) {
    const std::string line = question + '\n';
    std::size_t sent = 0;
    (void)Read();  // An end of the program is noticed below.
    while (true) {
      unasked = sent == 0;
      if (TakeLine(answer)) return true;
      if (buffer_.size() > kMaxScorerLine) {
        return Fail(
            why, "wrote more than " + std::to_string(kMaxScorerLine) + " bytes without a line end");
      }
      if (process::InterruptSignal() != 0) return Fail(why, "was interrupted");
      const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
      if (left <= 0) return Fail(why, "gave no answer in time");
      if (!Wait(sent < line.size(), static_cast<int>(std::min<std::int64_t>(left, 1'000)))) {
        continue;
      }
      if (sent < line.size()) Write(line, sent);
      if (!Read()) return Fail(why, EndText());
    }
  }

 private:
  Conversation(process::ChildProcess child, std::string mark)
      : child_(std::move(child)), mark_(std::move(mark)) {}

  bool TakeLine(std::string& line) {
    const std::size_t end = buffer_.find('\n', looked_at_);
    looked_at_ = buffer_.size();
    if (end == buffer_.npos || end > kMaxScorerLine) return false;
    line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    looked_at_ = 0;
    return true;
  }

  bool Fail(std::string& why, const std::string& what) {
    ended_badly_ = true;
    why = what;
    const std::string words(Trim(child_.LogTail(kLastWords)));
    if (!words.empty()) why += "; its last words: " + words;
    return false;
  }

  std::string EndText() {
    const auto end = child_.WaitUntil(Clock::now() + kGoodbye);
    return end ? end->Text() : "closed its output";
  }

  /// Whether there is something to do.
  bool Wait(bool writing, int timeout) const {
    std::array<pollfd, 4> wait{{{child_.output_fd(), POLLIN, 0},
                                {child_.exit_fd(), POLLIN, 0},
                                {process::InterruptFd(), POLLIN, 0},
                                {writing ? child_.input_fd() : -1, POLLOUT, 0}}};
    return ::poll(wait.data(), wait.size(), timeout) > 0;
  }

  void Write(const std::string& line, std::size_t& sent) const {
    const NoPipeSignal quiet;
    const ssize_t n = ::write(child_.input_fd(), line.data() + sent, line.size() - sent);
    if (n > 0) sent += static_cast<std::size_t>(n);
    // A pipe that nobody reads any more: the end of its output says more about that.
    if (n < 0 && errno == EPIPE) sent = line.size();
  }

  /// False at the end of its output, or of the program.
  bool Read() {
    const bool ended = child_.Poll().has_value();  // Before reading: what it wrote still counts.
    std::array<char, 16384> block{};
    while (buffer_.size() <= kMaxScorerLine) {
      const ssize_t n = ::read(child_.output_fd(), block.data(), block.size());
      if (n > 0) {
        buffer_.append(block.data(), static_cast<std::size_t>(n));
        continue;
      }
      if (n < 0 && errno == EINTR) continue;
      const bool open = n < 0 && errno == EAGAIN && !ended;
      return open || buffer_.find('\n') != buffer_.npos;
    }
    return true;
  }

  process::ChildProcess child_;
  std::string mark_;
  std::string buffer_;         // What it wrote and nobody took yet.
  std::size_t looked_at_ = 0;  // Bytes of it without a line end.
  bool ended_badly_ = false;
};

class CommandScorer final : public AnswerScorer {
 public:
  CommandScorer(const ScorerCommand& command, const RunClock& clock)
      : command_(command), clock_(clock) {}

  [[nodiscard]] bool after_the_pass() const override { return true; }

  [[nodiscard]] ScoredReply Score(const ScoringTask& task) override {
    const std::string key = Sha256Hex(ScorerQuestion(task, 0));
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    std::string why;
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (!Ready(why)) break;
      const std::int64_t id = ++last_id_;
      const auto until = std::min(Clock::now() + command_.timeout, clock_.deadline);
      std::string line;
      bool unasked = false;
      if (!conversation_->Ask(ScorerQuestion(task, id), until, line, unasked, why)) {
        conversation_.reset();
        continue;
      }
      ScorerLine read = ReadScorerLine(line, id, task);
      if (read.reply && unasked) {
        read.reply.reset();
        read.fault = "found an answer with the id " + std::to_string(id) +
                     " before the question was sent, allowed: one line for each question";
      }
      if (!read.reply) {
        // Whatever it writes next may belong to this question. The same question would get the same
        // nonsense, so it is not asked again.
        conversation_.reset();
        why = "gave no answer: " + read.fault;
        break;
      }
      Keep(key, *read.reply);
      return *std::move(read.reply);
    }
    ScoredReply fault;
    fault.failure_mode = "scorer_error";
    fault.extracted_answer = std::string(task.response);
    fault.reason = "scorer " + Quoted(command_.argv.front(), 200) + " " + why;
    return fault;
  }

 private:
  /// Starts the program when it does not run.
  bool Ready(std::string& why) {
    if (conversation_ != nullptr) return true;
    if (process::InterruptSignal() != 0) {
      why = "was not asked: interrupted";
      return false;
    }
    if (Clock::now() >= clock_.deadline) {
      why = "was not asked: the deadline of the whole run passed";
      return false;
    }
    if (starts_ > command_.max_restarts) {
      if (why.empty()) why = "was not asked";
      why += "; it was started " + std::to_string(starts_) + " times, scorer.max_restarts is " +
             std::to_string(command_.max_restarts);
      return false;
    }
    ++starts_;
    Result<std::unique_ptr<Conversation>> started = Conversation::Start(command_);
    if (!started.ok()) {
      why = "could not be started: " + started.error().Text();
      return false;
    }
    conversation_ = *std::move(started);
    return true;
  }

  void Keep(const std::string& key, const ScoredReply& reply) {
    kept_bytes_ += key.size() + reply.extracted_answer.size();
    if (known_.size() >= kMostKept || kept_bytes_ > kMostKeptBytes) return;
    if (reply.failure_mode != "scorer_error") known_.emplace(key, reply);
  }

  const ScorerCommand command_;
  const RunClock clock_;
  std::unique_ptr<Conversation> conversation_;
  std::map<std::string, ScoredReply> known_;  // By digest of the question.
  std::size_t kept_bytes_ = 0;
  std::int64_t last_id_ = 0;
  int starts_ = 0;
};

}  // namespace

Result<std::unique_ptr<AnswerScorer>> MakeCommandScorer(const ScorerCommand& command,
                                                        const RunClock& clock) {
  if (command.argv.empty() || command.program.empty()) return NoProgram(command);
  return std::unique_ptr<AnswerScorer>(std::make_unique<CommandScorer>(command, clock));
}

Result<Json> CommandIdentity(const ScorerCommand& command) {
  if (command.argv.empty() || command.program.empty()) return NoProgram(command);
  BI_TRY_SET(const files::FileDigest program, files::DigestFile(command.program));
  Json out;
  out["name"] = kCommandScorer;
  out["argv"] = Json(Json::Array(command.argv.begin(), command.argv.end()));
  out["program"] = command.program.string();
  out["program_sha256"] = program.sha256;
  out["protocol"] = kProtocol;
  out["files"] = Json::Object{};
  for (std::size_t i = 1; i < command.argv.size(); ++i) {
    const fs::path file = command.folder / command.argv[i];
    std::error_code code;
    if (!fs::is_regular_file(file, code)) continue;
    BI_TRY_SET(const files::FileDigest digest, files::DigestFile(file));
    out["files"][command.argv[i]] = digest.sha256;
  }
  out["options"] = Json::Object{};
  out["options"]["timeout_ms"] = static_cast<std::int64_t>(command.timeout.count());
  out["options"]["max_restarts"] = command.max_restarts;
  out["env"] = Json::Object{};
  for (const auto& [name, value] : command.env) out["env"][name] = "sha256:" + Sha256Hex(value);
  // A program has no version of its own that could be asked for: what it consists of is one.
  out["version"] = Sha256Hex(CompactText(out)).substr(0, 16);
  return out;
}

}  // namespace bi_test::run
