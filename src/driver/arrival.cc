#include "driver/arrival.h"

#include <algorithm>

namespace bi_test::driver {

Arrival ArrivalOfPass(int pass) {
  switch (pass % 3) {
    case 1:
      return Arrival::kStaggered;
    case 2:
      return Arrival::kMixed;
    default:
      return Arrival::kTogether;
  }
}

const char* ArrivalName(Arrival arrival) {
  switch (arrival) {
    case Arrival::kTogether:
      return "together";
    case Arrival::kStaggered:
      return "staggered";
    case Arrival::kMixed:
      return "mixed";
  }
  return "together";
}

std::vector<std::chrono::microseconds> ReleaseTimes(Arrival arrival, std::size_t width,
                                                    std::chrono::microseconds latency) {
  if (arrival != Arrival::kStaggered || width == 0) return {};
  // Spread over half a request: wide enough that prompts meet running decodes, narrow enough that the
  // pass still spends nearly all its time at full width.
  std::vector<std::chrono::microseconds> release;
  for (std::size_t i = 0; i < width; ++i) {
    release.push_back(latency * static_cast<std::int64_t>(i) /
                      static_cast<std::int64_t>(2 * width));
  }
  return release;
}

std::vector<std::size_t> MixLengths(const std::vector<std::size_t>& order,
                                    const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> by_length = order;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  std::vector<bool> is_long(lengths.size(), false);
  for (std::size_t i = by_length.size() / 2; i < by_length.size(); ++i) is_long[by_length[i]] = true;
  std::vector<std::size_t> longs, shorts, mixed;
  for (const std::size_t item : order) (is_long[item] ? longs : shorts).push_back(item);
  for (std::size_t i = 0; i < std::max(longs.size(), shorts.size()); ++i) {
    if (i < longs.size()) mixed.push_back(longs[i]);
    if (i < shorts.size()) mixed.push_back(shorts[i]);
  }
  return mixed;
}

}  // namespace bi_test::driver
