#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "verdict/overlap.h"
#include "verdict/record_index.h"

namespace bi_test {

/// How much of a row's time in the server is known.
struct ServiceTime {
  enum class Kind {
    kMissing,  ///< No usable pair of instants.
    kPoint,    ///< Two instants without time between them: it met nobody.
    kClient,   ///< From send to receipt; waiting in the server's queue is included.
    kService,  ///< The stretch the server says it worked.
  } kind = Kind::kMissing;
  Interval interval;
};

/// With timings in the reply, the last `prompt_ms + predicted_ms` before the receipt; else the
/// client's interval.
[[nodiscard]] ServiceTime ServiceTimeOf(const Trial& trial);

/// Who was in service when, within one pass. Only rows that were scored (`ok`) count: a failed
/// request keeps no slot warm.
class Occupancy {
 public:
  explicit Occupancy(const RowMap& rows);

  struct Entry {
    Interval interval;
    std::uint32_t id = 0;
  };
  /// By start, then id.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Requests in service, averaged over the interval; null when it has no length.
  [[nodiscard]] std::optional<double> MeanWidth(const Interval& interval) const;

  /// The width that was reached or exceeded during half of the time in which at least one request
  /// was in service. Null when there was none.
  [[nodiscard]] std::optional<int> MedianWidth() const;

  /// Ids whose time in service meets the interval strictly, except `self`; at most `limit`, by
  /// start.
  [[nodiscard]] std::vector<std::uint32_t> Companions(const Interval& interval, std::uint32_t self,
                                                      std::size_t limit) const;

 private:
  [[nodiscard]] double Integral(double time) const;

  std::vector<Entry> entries_;
  double longest_ = 0.0;
  // The width is `widths_[i]` from `times_[i]` on; `integrals_[i]` is its integral up to there.
  std::vector<double> times_;
  std::vector<int> widths_;
  std::vector<double> integrals_;
};

}  // namespace bi_test
