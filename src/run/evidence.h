#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/record.h"
#include "http/http_multi.h"
#include "process/wake_set.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// Outcome of waiting for an idle server.
struct IdleSnapshot {
  bool idle = false;      ///< Nothing was running or waiting.
  bool readable = false;  ///< The page could be read at all.
  server::Counters counters;
};

/// Reads the counters once the server reports nothing running and nothing waiting; gives up at
/// `until` or when `stop` wakes. Counters read mid-flight would prove nothing: they move at
/// different times.
[[nodiscard]] IdleSnapshot SnapshotWhenIdle(const server::Dialect& dialect,
                                            const server::ServerIdentity& identity,
                                            Clock::time_point until, const process::WakeSet& stop);

/// Width evidence between two idle snapshots of one server.
void FillFromCounters(const IdleSnapshot& before, const IdleSnapshot& after,
                      PassEvidence& evidence);

/// Polls the slot listing on the loop of the pass, one request at a time.
class SlotPoller {
 public:
  SlotPoller(http::HttpMulti& http, const server::Dialect& dialect,
             const server::ServerIdentity& identity);

  /// Looks at the listing of a server that has nothing to do: one that shows busy slots even then,
  /// for half a second, shows nothing, and is not polled. A gauge that tells its own progress is
  /// judged by that instead.
  void CheckAtRest(const process::WakeSet& stop);
  /// Starts a poll when one is due. Call once per turn of the loop.
  void Tick(Clock::time_point now);
  /// When Tick() has something to do next.
  [[nodiscard]] Clock::time_point next_due() const;
  /// Forbids further polls and gives up the one under way; an answer still on its way is not
  /// counted.
  void Stop();
  /// The peak and the number of polls; the peak is absent below three readable answers.
  void Fill(PassEvidence& evidence) const;

 private:
  [[nodiscard]] bool IsLeftOver(std::string_view page);

  http::HttpMulti& http_;
  const server::Dialect& dialect_;
  const server::ServerIdentity& identity_;
  bool enabled_;
  bool in_flight_ = false;
  bool stopped_ = false;
  http::HttpMulti::Id id_ = 0;
  Clock::time_point first_{};
  Clock::time_point due_{};
  std::optional<double> first_progress_;
  bool fresh_ = false;
  std::int64_t good_ = 0;
  std::int64_t missed_ = 0;
  std::int64_t peak_ = 0;
};

}  // namespace bi_test::run
