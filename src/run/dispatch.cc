#include "run/dispatch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/seeded_random.h"

namespace bi_test {

const char* PassPlanName(PassPlan plan) {
  switch (plan) {
    case PassPlan::kPlain:
      return "plain";
    case PassPlan::kShuffled:
      return "shuffled";
    case PassPlan::kStaggered:
      return "staggered";
    case PassPlan::kMixed:
      return "mixed";
    case PassPlan::kDefault:
      break;
  }
  return "default";
}

namespace run {
namespace {

std::vector<std::size_t> Shuffled(std::size_t count, SeededRandom random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random.Below(left)]);
  }
  return order;
}

}  // namespace

std::vector<std::size_t> DispatchOrder(std::size_t rows, std::size_t reps, std::uint64_t seed,
                                       int pass) {
  const SeededRandom random(seed, static_cast<std::uint64_t>(pass));
  if (pass != 0) return Shuffled(rows * reps, random);
  const std::vector<std::size_t> row_order = Shuffled(rows, random);
  std::vector<std::size_t> order;
  order.reserve(rows * reps);
  for (std::size_t rep = 0; rep < reps; ++rep) {
    for (const std::size_t row : row_order) order.push_back(row * reps + rep);
  }
  return order;
}

std::vector<std::size_t> SpreadSample(std::size_t n, std::size_t count) {
  count = std::min(n, count);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(i * n / count);
  return out;
}

Arrival ArrivalOfPass(int pass, PassPlan plan) {
  if (plan == PassPlan::kStaggered) return Arrival::kStaggered;
  if (plan == PassPlan::kMixed) return Arrival::kMixed;
  if (plan != PassPlan::kDefault) return Arrival::kTogether;
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

std::vector<std::chrono::microseconds> ArrivalGaps(Arrival arrival, std::size_t count,
                                                   std::size_t width,
                                                   std::chrono::microseconds latency,
                                                   std::uint64_t seed, int pass) {
  std::vector<std::chrono::microseconds> gaps(count, std::chrono::microseconds{0});
  if (arrival == Arrival::kTogether || width == 0) return gaps;
  // At most a tenth of a request served alone: enough to fall out of step, and the pass still
  // spends nearly all its time at full width.
  constexpr std::uint64_t kLargestPermille = 100;
  SeededRandom random(seed ^ (static_cast<std::uint64_t>(pass) << 32));
  for (std::size_t i = 0; i < count; ++i) {
    gaps[i] = latency * static_cast<std::int64_t>(random.Below(kLargestPermille + 1)) / 1000;
    if (i < width) {
      // The first wave spreads evenly over a quarter of a request.
      gaps[i] = latency * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(4 * width);
    }
  }
  return gaps;
}

std::vector<std::size_t> MixLengths(const std::vector<std::size_t>& order,
                                    const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> by_length = order;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  std::vector<bool> is_long(lengths.size(), false);
  for (std::size_t i = by_length.size() / 2; i < by_length.size(); ++i)
    is_long[by_length[i]] = true;
  std::vector<std::size_t> longs, shorts, mixed;
  for (const std::size_t item : order) (is_long[item] ? longs : shorts).push_back(item);
  for (std::size_t i = 0; i < std::max(longs.size(), shorts.size()); ++i) {
    if (i < longs.size()) mixed.push_back(longs[i]);
    if (i < shorts.size()) mixed.push_back(shorts[i]);
  }
  return mixed;
}

}  // namespace run
}  // namespace bi_test
