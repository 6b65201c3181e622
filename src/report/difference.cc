#include "report/difference.h"

#include <algorithm>

#include "report/clean_text.h"

namespace bi_test::report {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Byte offset `count` characters after `at`; any byte that is not a continuation starts one.
std::size_t Forward(std::string_view text, std::size_t at, std::size_t count) {
  while (count > 0 && at < text.size()) {
    ++at;
    while (at < text.size() && IsContinuation(text[at])) ++at;
    --count;
  }
  return at;
}

std::size_t Back(std::string_view text, std::size_t at, std::size_t count) {
  while (count > 0 && at > 0) {
    --at;
    while (at > 0 && IsContinuation(text[at])) --at;
    --count;
  }
  return at;
}

DifferenceWindow Window(std::string_view text, std::size_t at, std::size_t radius, bool differ) {
  // Four bytes a character, or four for each byte that has to be shown as \xNN.
  const std::size_t limit = 16 * radius + 16;
  const std::size_t begin = Back(text, at, radius);
  const std::size_t behind = Forward(text, at, 1);
  const std::size_t end = Forward(text, behind, radius);
  DifferenceWindow out;
  out.cut_before = begin > 0;
  out.cut_behind = end < text.size();
  if (differ) {
    out.before = CleanLine(text.substr(begin, at - begin), limit);
    out.at = CleanLine(text.substr(at, behind - at), limit);
    out.behind = CleanLine(text.substr(behind, end - behind), limit);
  } else {
    out.before = CleanLine(text.substr(begin, end - begin), limit);
  }
  return out;
}

std::string Marked(const DifferenceWindow& window, bool differ) {
  std::string out = window.cut_before ? "..." : "";
  out += window.before;
  if (differ) out += ">>>" + window.at + "<<<" + window.behind;
  return out + (window.cut_behind ? "..." : "");
}

}  // namespace

DifferencePair SplitAtFirstDifference(std::string_view x, std::string_view y, std::size_t radius) {
  const auto [x_end, y_end] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  const bool differ = x_end != x.end() || y_end != y.end();
  auto at = differ ? static_cast<std::size_t>(x_end - x.begin()) : std::size_t{0};
  // Back to the start of the character the first differing byte belongs to.
  while (at > 0 &&
         ((at < x.size() && IsContinuation(x[at])) || (at < y.size() && IsContinuation(y[at])))) {
    --at;
  }
  return {Window(x, at, radius, differ), Window(y, at, radius, differ), differ};
}

MarkedPair MarkFirstDifference(std::string_view x, std::string_view y, std::size_t radius) {
  const DifferencePair pair = SplitAtFirstDifference(x, y, radius);
  return {Marked(pair.x, pair.differ), Marked(pair.y, pair.differ)};
}

}  // namespace bi_test::report
