#include "run/pass.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "http/chat_reply_reader.h"
#include "process/interrupt.h"
#include "process/wake_set.h"
#include "run/evidence.h"
#include "run/server_request.h"
#include "run/trial_outcome.h"

namespace bi_test::run {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdleWait{30'000};
constexpr milliseconds kDrainWait{5'000};
/// A dying process closes its sockets a little before its exit can be seen.
constexpr milliseconds kDeathNotice{200};

/// One request in flight.
struct Flight {
  std::size_t item = 0;
  std::size_t trial = 0;
  http::HttpMulti::Id id = 0;
  std::unique_ptr<http::ChatReplyReader> reader;
  std::optional<Clock::time_point> first_output;
};

Trial BlankTrial(const Pass& pass, const PreparedItem& prepared) {
  Trial trial;
  trial.arm = pass.arm;
  trial.pass = pass.number;
  trial.test_id = prepared.item.test_id;
  trial.family = prepared.item.family;
  trial.fill_ratio = prepared.item.fill_ratio;
  trial.expected_answer = prepared.item.expected_answer;
  if (prepared.prompt_tokens_measured) {
    trial.prompt_tokens_measured = *prepared.prompt_tokens_measured;
  }
  trial.prompt_sha256 = prepared.prompt_sha256;
  trial.request_sha256 = prepared.request_sha256;
  return trial;
}

/// The loop of one pass. Lives for one call of RunPass.
class PassLoop {
 public:
  PassLoop(const PassContext& context, ServerHandle& server, const Pass& pass)
      : context_(context),
        server_(server),
        pass_(pass),
        poller_(http_, context.dialect, server.identity()),
        begin_(Clock::now()),
        arm_deadline_(
            std::min(begin_ + context.sweep.run.arm_timeout, context.cell.clock.deadline)) {
    wake_.Add(server.exit_fd());
    wake_.Add(process::InterruptFd());
    result_.evidence.arm = pass.arm;
    result_.evidence.pass = pass.number;
    result_.trials.reserve(pass.order.size());
    for (const std::size_t index : pass.order) {
      result_.trials.push_back(BlankTrial(pass, context.items[index]));
    }
    std::vector<std::uint16_t> reserved;
    for (const int port : context.sweep.guard.reserved_ports) {
      reserved.push_back(static_cast<std::uint16_t>(port));
    }
    http_.RefusePorts(std::move(reserved));
    written_.assign(pass.order.size(), false);
    flights_.resize(pass.order.size());
  }

  PassResult Run() {
    const IdleSnapshot before = SnapshotWhenIdle(
        context_.dialect, server_.identity(), std::min(begin_ + IdleWait(), arm_deadline_), wake_);
    if (!before.idle) {
      // Waiting may have used up the arm's own time; that is no reason to try the next arm as well.
      CheckEnds();
      Stop(PassStop::kNotIdle,
           "the server still had requests of an earlier pass and did not become idle");
    }
    if (pass_.sample_slots && result_.stop == PassStop::kNone) poller_.CheckAtRest(wake_);
    begin_ = Clock::now();
    free_since_.assign(pass_.width, begin_);
    while (result_.stop == PassStop::kNone && done_ < result_.trials.size()) {
      if (CheckWorld()) break;
      Dispatch();
      if (pass_.sample_slots) poller_.Tick(Clock::now());
      http_.Run(NextWake(), wake_.fd());
    }
    poller_.Stop();
    if (result_.stop != PassStop::kNone) http_.CancelAll();
    const auto drain_until = Clock::now() + kDrainWait;
    while (http_.in_flight() > 0 && Clock::now() < drain_until) http_.Run(drain_until);
    result_.evidence.wall_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    Settle();
    if (result_.stop == PassStop::kNone || result_.stop == PassStop::kDeadline) {
      const IdleSnapshot after = SnapshotWhenIdle(
          context_.dialect, server_.identity(),
          std::min(Clock::now() + IdleWait(), context_.cell.clock.deadline), wake_);
      FillFromCounters(before, after, result_.evidence);
    }
    if (pass_.sample_slots) poller_.Fill(result_.evidence);
    return std::move(result_);
  }

 private:
  /// How long an abandoned request may go on in the server before its pass has no counters.
  milliseconds IdleWait() const { return std::min(kIdleWait, context_.sweep.run.arm_timeout); }

  void Stop(PassStop stop, std::string text) {
    if (result_.stop != PassStop::kNone) return;
    result_.stop = stop;
    result_.stop_text = std::move(text);
  }

  /// An interrupt, or the end of the server.
  void CheckEnds() {
    if (const int signal = process::InterruptSignal(); signal != 0) {
      Stop(PassStop::kInterrupted, "interrupted by signal " + std::to_string(signal));
    } else if (const auto report = server_.ExitReport(); report.has_value()) {
      Stop(PassStop::kServerDied, *report);
    }
  }

  /// True when the pass has to end now.
  bool CheckWorld() {
    CheckEnds();
    if (result_.stop == PassStop::kNone && Clock::now() >= arm_deadline_) {
      Stop(PassStop::kDeadline, arm_deadline_ == context_.cell.clock.deadline
                                    ? "the deadline of the whole run passed"
                                    : "the deadline of the arm passed");
    }
    return result_.stop != PassStop::kNone;
  }

  Clock::time_point NextWake() const {
    Clock::time_point wake = arm_deadline_;
    if (pass_.sample_slots) wake = std::min(wake, poller_.next_due());
    if (!free_since_.empty() && next_ < pass_.order.size()) {
      wake = std::min(wake, EarliestDispatch());
    }
    return wake;
  }

  void Dispatch() {
    while (!free_since_.empty() && next_ < pass_.order.size()) {
      if (Clock::now() < EarliestDispatch()) return;
      free_since_.pop_front();
      Send(next_++);
    }
  }

  Clock::time_point EarliestDispatch() const {
    const auto gap = pass_.gaps.empty() ? std::chrono::microseconds{0} : pass_.gaps[next_];
    return free_since_.front() + gap;
  }

  void Send(std::size_t position) {
    const PreparedItem& prepared = context_.items[pass_.order[position]];
    Flight& flight = flights_[position];
    flight.reader = std::make_unique<http::ChatReplyReader>();

    http::HttpRequest request = JsonRequest(server_.identity(), prepared.path, prepared.body);
    const auto left =
        std::chrono::duration_cast<milliseconds>(arm_deadline_ - Clock::now()) + milliseconds{1};
    request.total_timeout = std::min<milliseconds>(context_.sweep.run.request_timeout, left);

    if (active_ == 0) busy_since_ = Clock::now();
    ++active_;
    ++result_.requests_sent;
    flight.id = http_.Start(
        std::move(request),
        [&flight](std::string_view bytes, Clock::time_point when) {
          const bool go_on = flight.reader->Feed(bytes);
          if (!flight.first_output && flight.reader->saw_output()) flight.first_output = when;
          return go_on;
        },
        [this, position](http::HttpReply&& reply) { Finish(position, std::move(reply)); });
  }

  void Finish(std::size_t position, http::HttpReply&& reply) {
    --active_;
    ++done_;
    free_since_.push_back(Clock::now());
    if (active_ == 0) {
      result_.busy_s += std::chrono::duration<double>(reply.completed - busy_since_).count();
    }
    Flight& flight = flights_[position];
    Trial& trial = result_.trials[position];
    trial.dispatch_ts = context_.cell.clock.Seconds(reply.dispatched);
    trial.complete_ts = context_.cell.clock.Seconds(reply.completed);
    if (flight.first_output)
      trial.first_token_ts = context_.cell.clock.Seconds(*flight.first_output);
    const AfterOutcome after = FillOutcome(reply, *flight.reader, trial);
    flight.reader.reset();
    if (after == AfterOutcome::kScore && context_.scorer.after_the_pass()) {
      unscored_.push_back(position);
    } else {
      if (after == AfterOutcome::kScore) ScoreAnswer(position);
      if (!context_.sweep.output.keep_content) HideAnswer(trial);
      if (after != AfterOutcome::kSettle) Write(position);
    }
    context_.cell.Report(pass_.label, done_, result_.trials.size());
  }

  void ScoreAnswer(std::size_t position) {
    ScoreTrial(context_.scorer, context_.items[pass_.order[position]].item,
               result_.trials[position]);
  }

  /// Trials whose answers wait to be scored, those whose cause was not yet known when they ended,
  /// and those never sent.
  void Settle() {
    for (const std::size_t position : unscored_) {
      ScoreAnswer(position);
      if (!context_.sweep.output.keep_content) HideAnswer(result_.trials[position]);
      Write(position);
    }
    if (std::ranges::find(written_, false) == written_.end()) return;
    std::optional<std::string> death;
    if (result_.stop != PassStop::kInterrupted) {
      process::WakeSet death_notice;
      death_notice.Add(server_.exit_fd());
      death_notice.WaitUntil(Clock::now() + kDeathNotice);
      death = server_.ExitReport();
      if (death) Stop(PassStop::kServerDied, *death);
    }
    const std::string log_tail = death ? server_.LogTail(64u << 10) : std::string();
    for (std::size_t i = 0; i < written_.size(); ++i) {
      if (written_[i]) continue;
      Trial& trial = result_.trials[i];
      if (trial.dispatch_ts) {
        SettleFault(result_.stop, death, log_tail, trial);
      } else {
        MarkNotSent(result_.stop, result_.stop_text, log_tail, trial);
      }
      Write(i);
    }
  }

  void Write(std::size_t position) {
    written_[position] = true;
    const Status status = context_.trace.Write(trace::TrialLine(result_.trials[position]));
    if (!status.ok()) Stop(PassStop::kTraceFailed, status.error().Text());
  }

  const PassContext& context_;
  ServerHandle& server_;
  const Pass& pass_;
  PassResult result_;
  http::HttpMulti http_;
  SlotPoller poller_;
  process::WakeSet wake_;
  Clock::time_point begin_;
  Clock::time_point arm_deadline_;
  Clock::time_point busy_since_{};
  std::vector<Flight> flights_;
  std::vector<bool> written_;
  std::vector<std::size_t> unscored_;
  std::deque<Clock::time_point>
      free_since_;  ///< One entry per request that may be in flight, but is not.
  std::size_t next_ = 0;
  std::size_t active_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

PassResult RunPass(const PassContext& context, ServerHandle& server, const Pass& pass) {
  return PassLoop(context, server, pass).Run();
}

PassResult SkipPass(const PassContext& context, const Pass& pass, PassStop stop,
                    const std::string& why) {
  PassResult result;
  result.stop = stop;
  result.stop_text = why;
  result.evidence.arm = pass.arm;
  result.evidence.pass = pass.number;
  for (const std::size_t index : pass.order) {
    Trial trial = BlankTrial(pass, context.items[index]);
    MarkNotSent(stop, why, {}, trial);
    if (!context.trace.Write(trace::TrialLine(trial)).ok()) result.stop = PassStop::kTraceFailed;
    result.trials.push_back(std::move(trial));
  }
  return result;
}

std::optional<double> MeanLatency(const std::vector<Trial>& trials, Arm arm) {
  double sum = 0.0;
  int n = 0;
  for (const Trial& trial : trials) {
    if (trial.arm != arm || !trial.dispatch_ts || !trial.complete_ts) continue;
    sum += *trial.complete_ts - *trial.dispatch_ts;
    ++n;
  }
  return n == 0 ? std::nullopt : std::optional(sum / n);
}

}  // namespace bi_test::run
