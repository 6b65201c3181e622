#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::report {

/// Two texts cut to the same window around their first difference, one line each, cleaned.
struct MarkedPair {
  std::string x;
  std::string y;
  friend bool operator==(const MarkedPair&, const MarkedPair&) = default;
};

/// Puts `>>>` and `<<<` around the first character that differs (around nothing where a text ends
/// there) and keeps at most `radius` bytes on each side of it; `...` stands for what was cut. Equal
/// texts carry no mark.
[[nodiscard]] MarkedPair MarkFirstDifference(std::string_view x, std::string_view y,
                                             std::size_t radius);

}  // namespace bi_test::report
