#include "text_window.h"

#include <algorithm>

#include "base/safe_text.h"
#include "base/utf8.h"

namespace bi_test::matchers_internal {
namespace {

constexpr std::size_t kBefore = 40;
constexpr std::size_t kShown = 80;

std::string Quoted(std::string_view text, std::size_t difference) {
  std::size_t begin = difference > kBefore ? difference - kBefore : 0;
  if (begin < text.size()) begin = SequenceStart(text, begin);
  return std::string("\"") + (begin > 0 ? "..." : "") + OneLine(text.substr(begin), kShown) + "\"";
}

}  // namespace

std::string AroundFirstDifference(std::string_view x, std::string_view y) {
  const auto [x_end, y_end] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  const auto difference = static_cast<std::size_t>(x_end - x.begin());
  return Quoted(x, difference) + " against " + Quoted(y, difference);
}

}  // namespace bi_test::matchers_internal
