#include "facts.h"

#include <algorithm>
#include <limits>

namespace bi_test::matchers_internal {

int ProvenDepth(std::int64_t client_depth, std::int64_t server_peak) {
  return static_cast<int>(std::clamp<std::int64_t>(std::min(client_depth, server_peak), 0,
                                                   std::numeric_limits<int>::max()));
}

std::string OverlapSides(std::int64_t client_depth, std::int64_t server_peak) {
  return "client " + std::to_string(client_depth) + ", server " + std::to_string(server_peak);
}

}  // namespace bi_test::matchers_internal
