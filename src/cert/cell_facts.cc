#include "cert/cell_facts.h"

#include <algorithm>
#include <set>

namespace bi_test {
namespace {

/// So that sums of what an edited cert says do not overflow.
constexpr std::int64_t kMaxCount = std::int64_t{1} << 53U;

/// Divergent ids all of whose listed differences say that the output itself was the same: the
/// scorer is at fault.
[[nodiscard]] std::int64_t SameOutputIds(const std::vector<FieldDifference>& per_id) {
  std::set<std::string_view> same;
  std::set<std::string_view> other;
  for (const FieldDifference& one : per_id) {
    (one.token_identical ? same : other).insert(one.test_id);
  }
  return std::ranges::count_if(same, [&other](std::string_view id) { return !other.contains(id); });
}

}  // namespace

const Lack* CellFacts::LackOf(std::string_view path) const {
  const auto found = lacks.find(path);
  return found == lacks.end() ? nullptr : &found->second;
}

std::int64_t CellFacts::Total(const std::string& path, std::size_t listed) const {
  const auto found = left_out.find(path);
  const std::int64_t more = found == left_out.end() ? 0 : found->second;
  return static_cast<std::int64_t>(listed) + std::clamp<std::int64_t>(more, 0, kMaxCount);
}

PairFacts PairFactsOf(const PairReport& report) {
  PairFacts pair;
  pair.n_compared = report.n_compared;
  pair.n_divergent = report.n_divergent;
  pair.n_token_only = static_cast<std::int64_t>(report.token_divergence_ids.size());
  pair.n_output_differs =
      std::clamp<std::int64_t>(report.n_divergent, 0, kMaxCount) - SameOutputIds(report.per_id);
  pair.n_output_differs = std::max<std::int64_t>(pair.n_output_differs, 0) + pair.n_token_only;
  return pair;
}

}  // namespace bi_test
