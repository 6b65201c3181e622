#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace bi_test::spark {

/// A named set of fills.
struct Corner {
  std::string_view name;
  std::span<const int> fill_hundredths;  ///< Ascending.
  int suggested_n;  ///< Largest number of requests in flight it was made for; not enforced.
};

[[nodiscard]] std::span<const Corner> Corners();

/// Null when there is no such corner.
[[nodiscard]] const Corner* FindCorner(std::string_view name);

}  // namespace bi_test::spark
