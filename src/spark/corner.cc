#include "spark/corner.h"

#include <algorithm>
#include <array>

namespace bi_test::spark {
namespace {

constexpr std::array kBalanced = {10, 35, 60, 85};
constexpr std::array kShort = {5, 15};
constexpr std::array kLong = {75, 90, 97};

constexpr std::array kCorners = {
    Corner{"balanced", kBalanced, 8},
    Corner{"short", kShort, 16},
    Corner{"long", kLong, 4},
};

}  // namespace

std::span<const Corner> Corners() { return kCorners; }

const Corner* FindCorner(std::string_view name) {
  const auto it = std::ranges::find(kCorners, name, &Corner::name);
  return it == kCorners.end() ? nullptr : &*it;
}

}  // namespace bi_test::spark
