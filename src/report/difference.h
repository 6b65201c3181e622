#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::report {

/// One of two texts, cut to a window around their first difference; every part on one line,
/// cleaned.
struct DifferenceWindow {
  std::string before;
  std::string at;  ///< The first character that differs; empty where this text ends there.
  std::string behind;
  bool cut_before = false;
  bool cut_behind = false;
  friend bool operator==(const DifferenceWindow&, const DifferenceWindow&) = default;
};

struct DifferencePair {
  DifferenceWindow x, y;
  bool differ = false;  ///< False for equal texts: all of the window is in `before`.
  friend bool operator==(const DifferencePair&, const DifferencePair&) = default;
};

/// Keeps at most `radius` characters on each side of the first one that differs.
[[nodiscard]] DifferencePair SplitAtFirstDifference(std::string_view x, std::string_view y,
                                                    std::size_t radius);

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
