#include "run/evidence.h"

#include <algorithm>
#include <cmath>

#include "run/server_request.h"

namespace bi_test::run {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlotPollTimeout{500};
constexpr milliseconds kRestWait{500};
constexpr milliseconds kPageTimeout{5'000};
constexpr std::int64_t kMinPolls = 3;  // fewer samples are no evidence

bool LacksPage(int status) {
  return status == 404 || status == 405 || status == 410 || status == 501;
}

}  // namespace

IdleSnapshot SnapshotWhenIdle(const server::Dialect& dialect,
                              const server::ServerIdentity& identity, Clock::time_point until,
                              const process::WakeSet& stop) {
  IdleSnapshot snapshot;
  if (dialect.metrics_path().empty()) {
    snapshot.idle = true;  // nothing to read: the width of this kind is proven by sampling alone
    return snapshot;
  }
  milliseconds pause{5};
  while (true) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return snapshot;
    const http::HttpReply reply = http::HttpMulti::Fetch(
        PageRequest(identity, dialect.metrics_path(), std::min(left, kPageTimeout)));
    if (reply.ending == http::Ending::kDone && reply.status == 200) {
      snapshot.readable = true;
      snapshot.counters = dialect.ParseMetrics(reply.body);
      const double busy = snapshot.counters.requests_processing.value_or(0.0) +
                          snapshot.counters.requests_deferred.value_or(0.0);
      if (busy == 0.0) {
        snapshot.idle = true;
        return snapshot;
      }
    }
    if (reply.ending == http::Ending::kDone && LacksPage(reply.status)) {
      snapshot.idle =
          true;  // a server without the page: its width stays unproven, its work does not
      return snapshot;
    }
    if (stop.WaitUntil(Clock::now() + pause)) return snapshot;
    pause = std::min(pause * 2, milliseconds{200});
  }
}

void FillFromCounters(const IdleSnapshot& before, const IdleSnapshot& after,
                      PassEvidence& evidence) {
  if (!before.readable || !after.readable || !before.idle || !after.idle) return;
  const server::Counters& x = before.counters;
  const server::Counters& y = after.counters;
  if (x.decode_calls && y.decode_calls) {
    const double calls = *y.decode_calls - *x.decode_calls;
    if (calls < 0) {
      evidence.counter_reset = true;
      return;
    }
    evidence.decode_calls = static_cast<std::int64_t>(std::llround(calls));
    if (x.mean_busy_slots && y.mean_busy_slots && calls > 0) {
      const double busy =
          *y.mean_busy_slots * *y.decode_calls - *x.mean_busy_slots * *x.decode_calls;
      evidence.mean_busy_slots = std::max(0.0, busy / calls);
    }
  }
  if (x.tokens_predicted && y.tokens_predicted) {
    const double tokens = *y.tokens_predicted - *x.tokens_predicted;
    if (tokens < 0) {
      evidence.counter_reset = true;
      return;
    }
    evidence.tokens_decoded = static_cast<std::int64_t>(std::llround(tokens));
  }
}

SlotPoller::SlotPoller(http::HttpMulti& http, const server::Dialect& dialect,
                       const server::ServerIdentity& identity)
    : http_(http),
      dialect_(dialect),
      identity_(identity),
      enabled_(!dialect.slots_path().empty()),
      first_(Clock::now()),
      due_(first_) {}

void SlotPoller::CheckAtRest(const process::WakeSet& stop) {
  if (!enabled_) return;
  const Clock::time_point until = Clock::now() + kRestWait;
  while (Clock::now() < until) {
    const http::HttpReply reply =
        http::HttpMulti::Fetch(PageRequest(identity_, dialect_.slots_path(), kSlotPollTimeout));
    if (reply.ending != http::Ending::kDone || reply.status != 200) return;
    const std::optional<int> busy = dialect_.ParseBusySlots(reply.body);
    if (busy.value_or(0) == 0 || dialect_.ParseProgress(reply.body)) return;
    if (stop.WaitUntil(Clock::now() + milliseconds{20})) return;
  }
  enabled_ = false;
}

void SlotPoller::Tick(Clock::time_point now) {
  if (!enabled_ || stopped_ || in_flight_ || now < due_) return;
  in_flight_ = true;
  // Dense at first, when short passes need their samples; sparse later, when polling would only
  // cost.
  due_ = now + (now - first_ < milliseconds{2'000} ? milliseconds{20} : milliseconds{100});
  id_ = http_.Start(PageRequest(identity_, dialect_.slots_path(), kSlotPollTimeout), {},
                    [this](http::HttpReply&& reply) {
                      in_flight_ = false;
                      if (stopped_) return;
                      std::optional<int> busy;
                      if (reply.ending == http::Ending::kDone && reply.status == 200) {
                        busy = dialect_.ParseBusySlots(reply.body);
                      }
                      if (busy && IsLeftOver(reply.body)) return;
                      if (!busy) {
                        ++missed_;
                        return;
                      }
                      ++good_;
                      peak_ = std::max<std::int64_t>(peak_, *busy);
                    });
}

/// Whether a busy number may still be that of an earlier pass.
bool SlotPoller::IsLeftOver(std::string_view page) {
  if (fresh_) return false;
  const std::optional<double> progress = dialect_.ParseProgress(page);
  if (!first_progress_) first_progress_ = progress;
  fresh_ = !progress || *progress != *first_progress_;
  return !fresh_;
}

Clock::time_point SlotPoller::next_due() const {
  return !enabled_ || stopped_ || in_flight_ ? Clock::time_point::max() : due_;
}

void SlotPoller::Stop() {
  stopped_ = true;
  if (in_flight_) http_.Cancel(id_);
}

void SlotPoller::Fill(PassEvidence& evidence) const {
  if (!enabled_) return;
  evidence.polls = good_;
  evidence.missed_polls = missed_;
  if (good_ >= kMinPolls) evidence.server_peak_busy_slots = peak_;
}

}  // namespace bi_test::run
