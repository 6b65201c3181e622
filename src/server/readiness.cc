#include "server/readiness.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "base/number_text.h"
#include "base/safe_text.h"
#include "http/chat_reply_reader.h"
#include "http/http_multi.h"
#include "process/interrupt.h"
#include "process/process_end.h"
#include "process/socket_owner.h"
#include "process/wake_set.h"
#include "server/end_report.h"

namespace bi_test::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstStep{10};
constexpr milliseconds kLastStep{50};
constexpr milliseconds kPollTimeout{5'000};      // One answer of a describing endpoint.
constexpr milliseconds kForeignPatience{1'000};  // For our child to notice that the port is taken.
constexpr milliseconds kAfterOutput{1'000};      // From the first output of the probe to its end.
constexpr milliseconds kLook{200};               // Between looks at a request under way.
constexpr std::size_t kShownBody = 200;
constexpr std::size_t kMaxBody = std::size_t{16} << 20;

/// The checks of one server, each of which says: passed, not yet, or never.
class ReadinessCheck {
 public:
  ReadinessCheck(const ReadyWait& wait, ServerIdentity& identity, int& program_pid)
      : wait_(wait), identity_(identity), program_pid_(program_pid) {
    wake_.Add(wait.child.exit_fd());
    wake_.Add(process::InterruptFd());
  }

  std::optional<NotReady> Run() {
    milliseconds step = kFirstStep;
    while (true) {
      if (std::optional<NotReady> over = Over()) return over;
      const Step result = CheckAll();
      if (result == Step::kPassed) return std::nullopt;
      if (result == Step::kNever) return std::move(failure_);
      // A step that the deadline itself cut short says less than the round before.
      if (Clock::now() < wait_.deadline || stuck_.empty()) stuck_ = last_;
      wake_.WaitUntil(std::min(Clock::now() + step, wait_.deadline));
      step = std::min(kLastStep, step + step / 2);
    }
  }

 private:
  enum class Step { kPassed, kNotYet, kNever };

  // An end of the process, an interrupt or the deadline, in this order of interest.
  std::optional<NotReady> Over() {
    if (const std::optional<process::ProcessEnd> end = wait_.child.Poll()) {
      const bool taken = wait_.dialect.SaysPortTaken(wait_.child.LogTail(std::size_t{64} << 10));
      return NotReady{
          Error{ErrorCode::kServer,
                EndReport(wait_.spec, wait_.dialect, wait_.child, *end, " before it was ready"),
                {}},
          taken};
    }
    if (const int signal = process::InterruptSignal(); signal != 0 && process::InterruptFd() >= 0) {
      return NotReady{
          Error{ErrorCode::kInterrupted,
                "interrupted by " + process::SignalName(signal) + " while waiting for " + Name(),
                {}}};
    }
    if (Clock::now() >= wait_.deadline) {
      const bool of_run = wait_.deadline >= wait_.spec.run_deadline;
      const double limit = std::chrono::duration<double>(wait_.spec.server->ready_timeout).count();
      return NotReady{Error{ErrorCode::kDeadline,
                            Name() + " was not ready " +
                                (of_run ? "at the deadline of the whole run"
                                        : "within " + FixedText(limit, 1) + " s") +
                                "; last: " + stuck_ + "; raise " +
                                (of_run ? "run.run_timeout" : "server.ready_timeout") +
                                " if it only needs longer; " + LogLines(wait_.spec, wait_.child),
                            {}}};
    }
    return std::nullopt;
  }

  Step CheckAll() {
    for (const auto check : {&ReadinessCheck::CheckHealth, &ReadinessCheck::CheckOwner,
                             &ReadinessCheck::CheckDescription, &ReadinessCheck::CheckAnswer}) {
      if (const Step step = (this->*check)(); step != Step::kPassed) return step;
    }
    return Step::kPassed;
  }

  Step CheckHealth() {
    const http::HttpReply reply = Get(wait_.dialect.health_path(), false);
    const bool answered = reply.ending == http::Ending::kDone;
    return answered && wait_.dialect.SaysHealthy(reply.status) ? Step::kPassed : Step::kNotYet;
  }

  Step CheckOwner() {
    const process::PortOwner owner =
        process::FindPortOwner(identity_.port, wait_.child.pid(), wait_.mark);
    program_pid_ = owner.pid > 0 ? owner.pid : wait_.child.pid();
    switch (owner.kind) {
      case process::PortOwner::Kind::kOurs:
        identity_.pid_verified = true;
        return Step::kPassed;
      case process::PortOwner::Kind::kUnknown:
        identity_.pid_verified = false;
        return Step::kPassed;
      case process::PortOwner::Kind::kNobody:
        last_ = "nobody listens on port " + std::to_string(identity_.port);
        return Step::kNotYet;
      case process::PortOwner::Kind::kForeign:
        break;
    }
    if (foreign_since_ == Clock::time_point{}) foreign_since_ = Clock::now();
    const std::string who = owner.holders.empty() ? "another process" : owner.holders;
    last_ = "port " + std::to_string(identity_.port) + " is held by " + who;
    // Our child is about to fail on the port; its own words are better than ours.
    if (Clock::now() - foreign_since_ < kForeignPatience) return Step::kNotYet;
    return Never(ErrorCode::kServer, last_ + ", not by " + Name() +
                                         "; that process was left alone: check what the server "
                                         "program starts");
  }

  // What the server says of itself, page by page.
  Step CheckDescription() {
    identity_.n_ctx_slot = 0;
    identity_.total_slots = 0;
    identity_.props = Json();
    for (const SelfPage& page : wait_.dialect.self_pages()) {
      if (const Step step = CheckPage(page); step != Step::kPassed) return step;
    }
    const std::string source = wait_.dialect.ContextSource();
    if (identity_.n_ctx_slot > 0 || source.empty()) return Step::kPassed;
    return Never(ErrorCode::kServer,
                 Name() +
                     " does not report the context of a slot, so that it cannot be checked; use " +
                     source);
  }

  Step CheckPage(const SelfPage& page) {
    const http::HttpReply reply = Get(page.path, true);
    const bool lacking = reply.status == 404 || reply.status == 405 || reply.status == 501;
    if (!page.required && reply.ending == http::Ending::kDone && lacking) return Step::kPassed;
    if (const Step step = Described(reply); step != Step::kPassed) return step;
    const Result<bool> checked =
        wait_.dialect.CheckPage(page.path, reply.body, wait_.spec, identity_);
    if (!checked.ok()) {
      failure_ = NotReady{checked.error()};
      return Step::kNever;
    }
    if (*checked) return Step::kPassed;
    last_ = "GET " + page.path + ": it does not describe a model yet: `" +
            Printable(std::string_view(reply.body).substr(0, kShownBody)) + "`";
    return Step::kNotYet;
  }

  Step CheckAnswer() {
    http::ChatReplyReader reader;
    Clock::time_point output{};
    http::HttpRequest request = Request(wait_.dialect.completion_path(), true);
    request.method = "POST";
    request.headers.emplace_back("Content-Type", "application/json");
    request.body = wait_.dialect.ProbeBody();
    request.total_timeout = Left();
    const http::HttpReply reply = Fetch(
        std::move(request),
        [&](std::string_view bytes, Clock::time_point when) {
          const bool more = reader.Feed(bytes);
          if (output == Clock::time_point{} && reader.saw_output()) output = when;
          return more;
        },
        output);
    // Output that goes on and on, or is cut by us, still is an answer: the arms judge the rest.
    if (output != Clock::time_point{}) return Step::kPassed;
    if (reply.ending != http::Ending::kDone) return Step::kNotYet;
    if (reply.status != 200) return Described(reply);
    const auto result = reader.Finish();
    if (const auto* fault = std::get_if<http::ReplyFault>(&result)) {
      last_ = "POST " + wait_.dialect.completion_path() + ": " +
              Printable(std::string_view(fault->text).substr(0, kShownBody));
      return Step::kNotYet;
    }
    return Step::kPassed;
  }

  // A reply of an endpoint that needs the key: 200, try again, or a refusal for good.
  Step Described(const http::HttpReply& reply) {
    if (reply.ending != http::Ending::kDone) return Step::kNotYet;
    if (reply.status == 200) return Step::kPassed;
    if (reply.status == 401 || reply.status == 403) {
      return Never(ErrorCode::kServer,
                   Name() + " refuses the API key of this launch (" + last_ +
                       "); it may be another server, or a wrapper that drops the environment");
    }
    const bool passing = reply.status >= 500 && reply.status != 501;
    if (passing || reply.status == 408 || reply.status == 425 || reply.status == 429) {
      return Step::kNotYet;
    }
    return Never(ErrorCode::kServer, Name() + ": " + last_ + "; expected status 200");
  }

  Step Never(ErrorCode code, std::string text) {
    failure_ = NotReady{Error{code, std::move(text), {}}};
    return Step::kNever;
  }

  http::HttpReply Get(const std::string& path, bool with_key) {
    http::HttpRequest request = Request(path, with_key);
    request.total_timeout = std::min(Left(), kPollTimeout);
    Clock::time_point none{};
    return Fetch(std::move(request), nullptr, none);
  }

  http::HttpRequest Request(const std::string& path, bool with_key) const {
    http::HttpRequest request;
    request.port = identity_.port;
    request.path = path;
    request.max_body = kMaxBody;
    if (with_key && !identity_.api_key.empty()) {
      request.headers.emplace_back("Authorization", "Bearer " + identity_.api_key);
    }
    return request;
  }

  // One request; ends early when the child ends, on an interrupt, or some time after `output` is
  // set.
  http::HttpReply Fetch(http::HttpRequest request, http::BodySink sink,
                        const Clock::time_point& output) {
    const std::string what = request.method + " " + request.path;
    http::HttpMulti http;
    std::optional<http::HttpReply> done;
    http.Start(std::move(request), std::move(sink),
               [&done](http::HttpReply&& reply) { done = std::move(reply); });
    while (!done) {
      http.Run(std::min(wait_.deadline, Clock::now() + kLook), wake_.fd());
      const bool enough = output != Clock::time_point{} && Clock::now() >= output + kAfterOutput;
      if (!done && (enough || Clock::now() >= wait_.deadline || wake_.WaitUntil(Clock::now()))) {
        http.CancelAll();
      }
    }
    if (done->ending == http::Ending::kDone) {
      last_ = what + ": status " + std::to_string(done->status);
      if (done->status != 200) {
        last_ += " `" + Printable(std::string_view(done->body).substr(0, kShownBody)) + "`";
      }
    } else if (done->ending != http::Ending::kCancelled) {
      last_ = what + ": " + done->error;
    }
    return std::move(*done);
  }

  [[nodiscard]] milliseconds Left() const {
    const auto left = std::chrono::ceil<milliseconds>(wait_.deadline - Clock::now());
    return std::max(left, milliseconds(1));
  }

  [[nodiscard]] std::string Name() const { return ServerName(wait_.spec, wait_.child.pid()); }

  const ReadyWait& wait_;
  ServerIdentity& identity_;
  int& program_pid_;
  process::WakeSet wake_;
  Clock::time_point foreign_since_{};
  std::string last_ = "no connection yet";  // What was seen last,
  std::string stuck_;                       // and where the last round got stuck, for the deadline.
  std::optional<NotReady> failure_;
};

}  // namespace

std::optional<NotReady> WaitUntilReady(const ReadyWait& wait, ServerIdentity& identity,
                                       int& program_pid) {
  return ReadinessCheck(wait, identity, program_pid).Run();
}

}  // namespace bi_test::server
