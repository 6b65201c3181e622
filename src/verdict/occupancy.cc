#include "verdict/occupancy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

[[nodiscard]] bool Usable(const std::optional<double>& value) {
  return value && std::isfinite(*value);
}

}  // namespace

ServiceTime ServiceTimeOf(const Trial& trial) {
  ServiceTime out;
  if (trial.malformed_row || !Usable(trial.dispatch_ts) || !Usable(trial.complete_ts)) return out;
  const double sent = *trial.dispatch_ts;
  const double received = *trial.complete_ts;
  if (received < sent) return out;
  out.interval = {sent, received};
  out.kind = ServiceTime::Kind::kClient;
  if (Usable(trial.prompt_ms) && Usable(trial.predicted_ms) && *trial.prompt_ms >= 0.0 &&
      *trial.predicted_ms >= 0.0) {
    out.kind = ServiceTime::Kind::kService;
    out.interval.start =
        std::max(sent, received - (*trial.prompt_ms + *trial.predicted_ms) / 1000.0);
  }
  if (!(out.interval.start < out.interval.end)) out.kind = ServiceTime::Kind::kPoint;
  return out;
}

Occupancy::Occupancy(const RowMap& rows) {
  std::vector<double> starts;
  std::vector<double> ends;
  entries_.reserve(rows.size());
  for (const Row& row : rows) {
    if (!IsOk(*row.trial)) continue;
    const ServiceTime time = ServiceTimeOf(*row.trial);
    if (time.kind != ServiceTime::Kind::kClient && time.kind != ServiceTime::Kind::kService)
      continue;
    entries_.push_back({time.interval, row.id});
    starts.push_back(time.interval.start);
    ends.push_back(time.interval.end);
    longest_ = std::max(longest_, time.interval.end - time.interval.start);
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& x, const Entry& y) {
    return x.interval.start != y.interval.start ? x.interval.start < y.interval.start : x.id < y.id;
  });
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  int width = 0;
  double integral = 0.0;
  for (std::size_t s = 0, e = 0; e < ends.size();) {
    const double time = s < starts.size() ? std::min(starts[s], ends[e]) : ends[e];
    if (!times_.empty()) integral += width * (time - times_.back());
    for (; s < starts.size() && starts[s] == time; ++s) ++width;
    for (; e < ends.size() && ends[e] == time; ++e) --width;
    times_.push_back(time);
    widths_.push_back(width);
    integrals_.push_back(integral);
  }
}

double Occupancy::Integral(double time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  if (after == times_.begin()) return 0.0;
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  return integrals_[i] + widths_[i] * (time - times_[i]);
}

std::optional<double> Occupancy::MeanWidth(const Interval& interval) const {
  const double length = interval.end - interval.start;
  if (!(length > 0.0)) return std::nullopt;
  return (Integral(interval.end) - Integral(interval.start)) / length;
}

std::optional<int> Occupancy::MedianWidth() const {
  std::map<int, double, std::greater<>> time_at;
  double total = 0.0;
  for (std::size_t i = 0; i + 1 < times_.size(); ++i) {
    if (widths_[i] == 0) continue;
    const double length = times_[i + 1] - times_[i];
    time_at[widths_[i]] += length;
    total += length;
  }
  double seen = 0.0;
  for (const auto& [width, time] : time_at) {
    seen += time;
    if (2.0 * seen >= total) return width;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> Occupancy::Companions(const Interval& interval, std::uint32_t self,
                                                 std::size_t limit) const {
  std::vector<std::uint32_t> out;
  // Nothing that started earlier than the longest stay before can still be there.
  auto it =
      std::lower_bound(entries_.begin(), entries_.end(), interval.start - longest_,
                       [](const Entry& entry, double time) { return entry.interval.start < time; });
  for (; it != entries_.end() && it->interval.start < interval.end && out.size() < limit; ++it) {
    if (it->interval.end > interval.start && it->id != self) out.push_back(it->id);
  }
  return out;
}

}  // namespace bi_test
