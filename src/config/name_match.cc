#include "config/name_match.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/split.h"

namespace bi_test::config {
namespace {

constexpr std::size_t kMostBytes = 128;
constexpr std::size_t kMostCandidates = 1'000;

std::string Lowered(std::string_view text) { return LowerText(text.substr(0, kMostBytes)); }

bool IsNear(std::size_t distance, std::string_view word, std::string_view candidate) {
  return distance <= std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
}

bool MatchesAny(std::string_view text, std::string_view patterns) {
  return std::ranges::any_of(SplitAt(patterns, ':'), [text](std::string_view pattern) {
    return !pattern.empty() && MatchesWildcard(text, pattern);
  });
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

std::size_t EditDistance(std::string_view a_text, std::string_view b_text) {
  const std::string a = Lowered(a_text);
  const std::string b = Lowered(b_text);
  // Three rows of the table: i - 2, i - 1 and i.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string NearestName(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (IsNear(distance, word, candidate) && (best == nullptr || distance < best_distance)) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = NearestName(word, candidates);
  return near.empty() || near == word ? std::string() : " (did you mean \"" + near + "\"?)";
}

std::vector<std::string> NearNames(std::string_view word,
                                   const std::vector<std::string>& candidates, std::size_t most) {
  const std::string lowered = Lowered(word);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
    const std::string& candidate = candidates[i];
    const std::string other = Lowered(candidate);
    const std::size_t distance = EditDistance(word, candidate);
    const bool contained =
        !lowered.empty() && !other.empty() &&
        (other.find(lowered) != std::string::npos || lowered.find(other) != std::string::npos);
    if (contained || IsNear(distance, word, candidate)) near.emplace_back(distance, candidate);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> names;
  for (auto& [distance, name] : near) {
    if (names.size() == most) break;
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace bi_test::config
