#include "config/suggest.h"

#include <algorithm>
#include <utility>

namespace bi_test::config {
namespace {

constexpr std::size_t kMostBytes = 128;
constexpr std::size_t kMostCandidates = 1'000;

std::string Lowered(std::string_view text) {
  std::string out(text.substr(0, kMostBytes));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool IsNear(std::size_t distance, std::string_view word, std::string_view candidate) {
  return distance <= std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
}

}  // namespace

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
