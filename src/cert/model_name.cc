#include "cert/model_name.h"

#include <string>

namespace bi_test {
namespace {

[[nodiscard]] bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// `b` after digits that start at `pos`.
[[nodiscard]] bool IsBillions(std::string_view part, std::size_t pos) {
  const std::size_t first = pos;
  while (pos < part.size() && IsDigit(part[pos])) ++pos;
  return pos > first && pos + 1 == part.size() && part[pos] == 'b';
}

[[nodiscard]] bool IsExpertPart(std::string_view part) {
  if (part == "moe" || part == "mixtral") return true;
  if (part.size() >= 3 && part[0] == 'a' && IsBillions(part, 1)) return true;  // a3b
  const std::size_t times = part.find('x');
  if (times == std::string_view::npos || times == 0) return false;
  for (std::size_t i = 0; i < times; ++i) {
    if (!IsDigit(part[i])) return false;
  }
  return IsBillions(part, times + 1);  // 8x7b
}

}  // namespace

bool LooksLikeMixtureOfExperts(std::string_view model) {
  std::string part;
  for (std::size_t i = 0; i <= model.size(); ++i) {
    const char c = i < model.size() ? model[i] : ' ';
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || IsDigit(lower)) {
      part += lower;
      continue;
    }
    if (IsExpertPart(part)) return true;
    part.clear();
  }
  return false;
}

}  // namespace bi_test
