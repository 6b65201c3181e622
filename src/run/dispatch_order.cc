#include "run/dispatch_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/seeded_random.h"

namespace bi_test::run {
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

}  // namespace bi_test::run
