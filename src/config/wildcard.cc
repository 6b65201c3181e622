#include "config/wildcard.h"

#include <cstddef>

namespace bi_test::config {
namespace {

bool MatchesAny(std::string_view text, std::string_view patterns) {
  for (std::size_t begin = 0; begin <= patterns.size();) {
    const std::size_t end = std::min(patterns.find(':', begin), patterns.size());
    const std::string_view pattern = patterns.substr(begin, end - begin);
    if (!pattern.empty() && MatchesWildcard(text, pattern)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

bool MatchesWildcard(std::string_view text, std::string_view pattern) {
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, and how much of the text it has eaten
  std::size_t eaten = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      eaten = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++eaten;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool MatchesGtestFilter(std::string_view full_name, std::string_view filter) {
  const std::size_t dash = filter.find('-');
  std::string_view positive = filter.substr(0, dash);
  const std::string_view negative =
      dash == std::string_view::npos ? std::string_view() : filter.substr(dash + 1);
  if (positive.empty()) positive = "*";
  return MatchesAny(full_name, positive) && !MatchesAny(full_name, negative);
}

}  // namespace bi_test::config
