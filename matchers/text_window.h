#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::matchers_internal {

/// `"x part" against "y part"`: both texts from shortly before their first difference, clipped.
[[nodiscard]] std::string AroundFirstDifference(std::string_view x, std::string_view y);

}  // namespace bi_test::matchers_internal
