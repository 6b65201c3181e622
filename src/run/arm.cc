#include "run/arm.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "http/chat_reply.h"
#include "process/interrupt.h"
#include "process/wake_set.h"
#include "run/evidence.h"
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

Trial BlankTrial(const ArmPlan& plan, const PreparedItem& prepared) {
  Trial trial;
  trial.arm = plan.arm;
  trial.pass = plan.pass;
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

/// The loop of one pass. Lives for one call of RunArm.
class ArmLoop {
 public:
  ArmLoop(const ArmContext& context, ServerHandle& server, const ArmPlan& plan)
      : context_(context),
        server_(server),
        plan_(plan),
        poller_(http_, context.dialect, server.identity()),
        begin_(Clock::now()),
        arm_deadline_(std::min(begin_ + context.sweep.run.arm_timeout, context.clock.deadline)) {
    wake_.Add(server.exit_fd());
    wake_.Add(process::InterruptFd());
    result_.evidence.arm = plan.arm;
    result_.evidence.pass = plan.pass;
    result_.trials.reserve(plan.order.size());
    for (const std::size_t index : plan.order) {
      result_.trials.push_back(BlankTrial(plan, context.items[index]));
    }
    std::vector<std::uint16_t> reserved;
    for (const int port : context.sweep.guard.reserved_ports) {
      reserved.push_back(static_cast<std::uint16_t>(port));
    }
    http_.RefusePorts(std::move(reserved));
    written_.assign(plan.order.size(), false);
    flights_.resize(plan.order.size());
  }

  ArmResult Run() {
    const IdleSnapshot before = SnapshotWhenIdle(
        context_.dialect, server_.identity(), std::min(begin_ + IdleWait(), arm_deadline_), wake_);
    if (!before.idle) {
      // Waiting may have used up the arm's own time; that is no reason to try the next arm as well.
      CheckEnds();
      Stop(ArmStop::kNotIdle,
           "the server still had requests of an earlier pass and did not become idle");
    }
    if (plan_.sample_slots && result_.stop == ArmStop::kNone) poller_.CheckAtRest(wake_);
    begin_ = Clock::now();
    free_since_.assign(plan_.width, begin_);
    while (result_.stop == ArmStop::kNone && done_ < result_.trials.size()) {
      if (CheckWorld()) break;
      Dispatch();
      if (plan_.sample_slots) poller_.Tick(Clock::now());
      http_.Run(NextWake(), wake_.fd());
    }
    poller_.Stop();
    if (result_.stop != ArmStop::kNone) http_.CancelAll();
    const auto drain_until = Clock::now() + kDrainWait;
    while (http_.in_flight() > 0 && Clock::now() < drain_until) http_.Run(drain_until);
    result_.evidence.wall_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    Settle();
    if (result_.stop == ArmStop::kNone || result_.stop == ArmStop::kDeadline) {
      const IdleSnapshot after =
          SnapshotWhenIdle(context_.dialect, server_.identity(),
                           std::min(Clock::now() + IdleWait(), context_.clock.deadline), wake_);
      FillFromCounters(before, after, result_.evidence);
    }
    if (plan_.sample_slots) poller_.Fill(result_.evidence);
    return std::move(result_);
  }

 private:
  /// How long an abandoned request may go on in the server before its pass has no counters.
  milliseconds IdleWait() const { return std::min(kIdleWait, context_.sweep.run.arm_timeout); }

  void Stop(ArmStop stop, std::string text) {
    if (result_.stop != ArmStop::kNone) return;
    result_.stop = stop;
    result_.stop_text = std::move(text);
  }

  /// An interrupt, or the end of the server.
  void CheckEnds() {
    if (const int signal = process::InterruptSignal(); signal != 0) {
      Stop(ArmStop::kInterrupted, "interrupted by signal " + std::to_string(signal));
    } else if (const auto report = server_.ExitReport(); report.has_value()) {
      Stop(ArmStop::kServerDied, *report);
    }
  }

  /// True when the pass has to end now.
  bool CheckWorld() {
    CheckEnds();
    if (result_.stop == ArmStop::kNone && Clock::now() >= arm_deadline_) {
      Stop(ArmStop::kDeadline, arm_deadline_ == context_.clock.deadline
                                   ? "the deadline of the whole run passed"
                                   : "the deadline of the arm passed");
    }
    return result_.stop != ArmStop::kNone;
  }

  Clock::time_point NextWake() const {
    Clock::time_point wake = arm_deadline_;
    if (plan_.sample_slots) wake = std::min(wake, poller_.next_due());
    if (!free_since_.empty() && next_ < plan_.order.size()) {
      wake = std::min(wake, EarliestDispatch());
    }
    return wake;
  }

  void Dispatch() {
    while (!free_since_.empty() && next_ < plan_.order.size()) {
      if (Clock::now() < EarliestDispatch()) return;
      free_since_.pop_front();
      Send(next_++);
    }
  }

  Clock::time_point EarliestDispatch() const {
    const auto gap = plan_.gaps.empty() ? std::chrono::microseconds{0} : plan_.gaps[next_];
    return free_since_.front() + gap;
  }

  void Send(std::size_t position) {
    const PreparedItem& prepared = context_.items[plan_.order[position]];
    Flight& flight = flights_[position];
    flight.reader = std::make_unique<http::ChatReplyReader>();

    http::HttpRequest request;
    request.method = "POST";
    request.port = server_.identity().port;
    request.path = prepared.path;
    request.headers.emplace_back("Content-Type", "application/json");
    if (!server_.identity().api_key.empty()) {
      request.headers.emplace_back("Authorization", "Bearer " + server_.identity().api_key);
    }
    request.body = prepared.body;
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
    trial.dispatch_ts = context_.clock.Seconds(reply.dispatched);
    trial.complete_ts = context_.clock.Seconds(reply.completed);
    if (flight.first_output) trial.first_token_ts = context_.clock.Seconds(*flight.first_output);
    const AfterOutcome after = FillOutcome(reply, *flight.reader, trial);
    flight.reader.reset();
    if (after == AfterOutcome::kScore && context_.scorer.after_the_pass()) {
      unscored_.push_back(position);
    } else {
      if (after == AfterOutcome::kScore) ScoreAnswer(position);
      if (!context_.sweep.output.keep_content) HideAnswer(trial);
      if (after != AfterOutcome::kSettle) Write(position);
    }
    if (context_.on_progress) {
      context_.on_progress(plan_.label, static_cast<int>(done_),
                           static_cast<int>(result_.trials.size()));
    }
  }

  void ScoreAnswer(std::size_t position) {
    ScoreTrial(context_.scorer, context_.items[plan_.order[position]].item,
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
    bool any_open = false;
    for (std::size_t i = 0; i < written_.size(); ++i) any_open = any_open || !written_[i];
    if (!any_open) return;
    std::optional<std::string> death;
    if (result_.stop != ArmStop::kInterrupted) {
      process::WakeSet death_notice;
      death_notice.Add(server_.exit_fd());
      death_notice.WaitUntil(Clock::now() + kDeathNotice);
      death = server_.ExitReport();
      if (death) Stop(ArmStop::kServerDied, *death);
    }
    const std::string log_tail = death ? server_.LogTail(64u << 10) : std::string();
    for (std::size_t i = 0; i < written_.size(); ++i) {
      if (written_[i]) continue;
      Trial& trial = result_.trials[i];
      if (trial.dispatch_ts) {
        SettleFault(result_.stop, death, log_tail, trial);
      } else {
        MarkNotSent(result_.stop, result_.stop_text, death ? log_tail : std::string(), trial);
      }
      Write(i);
    }
  }

  void Write(std::size_t position) {
    written_[position] = true;
    const Status status = context_.trace.Write(trace::TrialLine(result_.trials[position]));
    if (!status.ok()) Stop(ArmStop::kTraceFailed, status.error().Text());
  }

  const ArmContext& context_;
  ServerHandle& server_;
  const ArmPlan& plan_;
  ArmResult result_;
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

ArmResult RunArm(const ArmContext& context, ServerHandle& server, const ArmPlan& plan) {
  return ArmLoop(context, server, plan).Run();
}

ArmResult SkipArm(const ArmContext& context, const ArmPlan& plan, ArmStop stop,
                  const std::string& why) {
  ArmResult result;
  result.stop = stop;
  result.stop_text = why;
  result.evidence.arm = plan.arm;
  result.evidence.pass = plan.pass;
  for (const std::size_t index : plan.order) {
    Trial trial = BlankTrial(plan, context.items[index]);
    MarkNotSent(stop, why, {}, trial);
    if (!context.trace.Write(trace::TrialLine(trial)).ok()) result.stop = ArmStop::kTraceFailed;
    result.trials.push_back(std::move(trial));
  }
  return result;
}

}  // namespace bi_test::run
