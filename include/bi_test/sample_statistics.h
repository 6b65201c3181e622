#pragma once

#include <cstdint>
#include <optional>

namespace bi_test {

/// What the number of comparisons can and cannot say (statistics.h has the functions). Rates and
/// bounds are 0 to 1; those without a value would claim something that was not shown. A plain
/// value; `Judge` fills it, readers may share it between threads.
struct SampleStatistics {
  std::int64_t n_hot_trials = 0;           ///< Ids answered in A and C and co-batched in C.
  std::int64_t n_distinct_prompts = 0;     ///< Of arm A.
  std::int64_t n_effective_prompts = 0;    ///< Distinct prompts among the hot ones.
  std::int64_t n_comparisons = 0;          ///< Compared ids, summed over the effective passes.
  std::int64_t n_planned_comparisons = 0;  ///< Distinct prompts x planned passes.
  std::int64_t n_compared_prompts = 0;     ///< Prompts with a verdict of their own; base of the
                                           ///< intervals, divergent ones included.
  std::int64_t n_divergent_prompts = 0;
  std::optional<double> rule_of_three;  ///< 3 / n, at most 1; null unless clean and proven.
  std::optional<double> clopper_pearson_upper_95;          ///< Exact, one-sided; null as above.
  std::optional<double> wilson_lower_95, wilson_upper_95;  ///< Of the rate of divergent prompts.
  std::optional<double> exact_lower_95, exact_upper_95;    ///< The same by Clopper and Pearson.
  double planned_power_1_percent = 0.0;  ///< Chance to see a 1 % flip with this plan.
  std::int64_t comparisons_for_95 = 0;   ///< Comparisons that make that chance 0.95.
  friend bool operator==(const SampleStatistics&, const SampleStatistics&) = default;
};

}  // namespace bi_test
