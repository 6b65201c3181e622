#include "verdict/sample_statistics.h"

#include <unordered_set>

#include "bi_test/statistics.h"
#include "verdict/coverage.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

constexpr double kPlannedRate = 0.01;
constexpr double kPlannedPower = 0.95;

/// Distinct prompts among ids. An id without a prompt hash is a prompt of its own.
class PromptCounter {
 public:
  void Add(const Trial& trial) {
    if (const std::string* prompt = trial.prompt_sha256.if_string()) {
      known_.insert(*prompt);
    } else {
      ++n_unknown_;
    }
  }
  [[nodiscard]] std::int64_t count() const {
    return n_unknown_ + static_cast<std::int64_t>(known_.size());
  }

 private:
  std::int64_t n_unknown_ = 0;
  std::unordered_set<std::string_view> known_;
};

/// Both requests gave something that could have differed.
[[nodiscard]] bool Comparable(const Trial& serial, const Trial& row) {
  return !IsFault(serial) && !IsFault(row) && (IsOk(serial) || IsOk(row));
}

}  // namespace

SampleStatistics CountSample(const RecordIndex& index, const PassUnion& passes,
                             const std::vector<PassReport>& reports,
                             const std::vector<Occupancy>& occupancies, int n_passes_planned) {
  SampleStatistics out;
  std::vector<bool> divergent(index.ids.size(), false);
  for (const PassDifference& difference : passes.differences) {
    if (difference.kind == DifferenceKind::kField) divergent[difference.id] = true;
  }

  std::vector<bool> compared = divergent;
  std::vector<bool> co_batched(index.ids.size(), false);
  for (std::size_t p = 0; p < index.passes.size(); ++p) {
    if (reports[p].effective) {
      for (const std::uint32_t id : CoBatchedIds(occupancies[p])) co_batched[id] = true;
    }
    auto a = index.a.begin();
    for (const Row& row : index.passes[p]) {
      while (a != index.a.end() && a->id < row.id) ++a;
      if (a == index.a.end()) break;
      if (a->id != row.id || !Comparable(*a->trial, *row.trial)) continue;
      compared[row.id] = true;
      if (reports[p].effective) ++out.n_comparisons;
    }
  }

  PromptCounter all;
  PromptCounter hot;
  PromptCounter with_verdict;
  PromptCounter diverged;
  auto joined = passes.rows.begin();
  for (const Row& row : index.a) {
    all.Add(*row.trial);
    if (compared[row.id]) with_verdict.Add(*row.trial);
    if (divergent[row.id]) diverged.Add(*row.trial);
    while (joined != passes.rows.end() && joined->id < row.id) ++joined;
    const bool in_union = joined != passes.rows.end() && joined->id == row.id;
    if (!in_union || !co_batched[row.id] || !IsOk(*row.trial) || !IsOk(*joined->trial)) continue;
    ++out.n_hot_trials;
    hot.Add(*row.trial);
  }
  out.n_distinct_prompts = all.count();
  out.n_effective_prompts = hot.count();
  out.n_compared_prompts = with_verdict.count();
  out.n_divergent_prompts = diverged.count();
  out.n_planned_comparisons = out.n_distinct_prompts * n_passes_planned;
  out.planned_power_1_percent = PlannedPower(kPlannedRate, out.n_planned_comparisons).value_or(0.0);
  out.comparisons_for_95 = ComparisonsForPower(kPlannedRate, kPlannedPower).value_or(0);
  return out;
}

void FillBounds(SampleStatistics& statistics, Verdict verdict) {
  const std::int64_t n = statistics.n_compared_prompts;
  const std::int64_t k = statistics.n_divergent_prompts;
  if (const auto wilson = WilsonInterval(k, n)) {
    statistics.wilson_lower_95 = wilson->lower;
    statistics.wilson_upper_95 = wilson->upper;
  }
  if (const auto exact = ClopperPearsonInterval(k, n)) {
    statistics.exact_lower_95 = exact->lower;
    statistics.exact_upper_95 = exact->upper;
  }
  if (verdict != Verdict::kGreen && verdict != Verdict::kAmber) return;
  statistics.rule_of_three = RuleOfThree(statistics.n_effective_prompts);
  statistics.clopper_pearson_upper_95 = ClopperPearsonUpper(0, statistics.n_effective_prompts);
}

}  // namespace bi_test
