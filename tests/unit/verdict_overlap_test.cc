// Overlap depth: cases 80 to 89.
#include "verdict/overlap.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <optional>

namespace bi_test {
namespace {

using Instants = std::pair<std::optional<double>, std::optional<double>>;

struct DepthCase {
  const char* name;
  std::vector<Instants> intervals;
  int depth;
};

TEST(OverlapTest, DepthIsTheLargestNumberAtOnce) {
  const double nan = std::nan("");
  const DepthCase cases[] = {
      {"80", {}, 0},
      {"81", {{0, 1}}, 1},
      {"82", {{0, 2}, {1, 3}}, 2},
      {"83", {{0, 1}, {1, 2}}, 1},
      {"84", {{0, 1}, {0, 1}, {0, 1}}, 3},
      {"85", {{0, 9}, {1, 8}, {2, 7}}, 3},
      {"86", {{0, 10}, {5, 5}}, 1},
      {"87", {{5, 5}, {5, 5}}, 0},
      {"88", {{0, 10}, {7, 3}}, 1},
      {"89", {{0, 10}, {1, std::nullopt}}, 1},
      {"not finite",
       {{0, 10}, {1, nan}, {nan, 2}, {1, std::numeric_limits<double>::infinity()}},
       1},
      {"an inverted interval takes nothing away", {{0, 10}, {7, 3}, {5, 6}}, 2},
      {"unsorted", {{5, 9}, {0, 6}, {5.5, 7}}, 3},
  };
  for (const DepthCase& one : cases) {
    std::vector<Trial> trials;
    for (const Instants& interval : one.intervals) {
      Trial& trial = trials.emplace_back();
      trial.dispatch_ts = interval.first;
      trial.complete_ts = interval.second;
    }
    RowMap rows;
    for (const Trial& trial : trials) rows.push_back({0, &trial});
    EXPECT_EQ(ClientOverlapDepth(rows), one.depth) << "case " << one.name;
  }
}

}  // namespace
}  // namespace bi_test
