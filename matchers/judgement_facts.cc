#include <algorithm>
#include <initializer_list>
#include <optional>

#include "facts.h"
#include "first_difference.h"
#include "text_window.h"

namespace bi_test::matchers_internal {
namespace {

PairFacts PairOf(const PairReport& report, const char* name) {
  PairFacts pair;
  pair.name = name;
  pair.n_compared = report.n_compared;
  pair.n_divergent = report.n_divergent;
  // A field may differ although the output is the same, when the scorer is at fault; such an id has
  // entries, and all of them say so. Entries of one id stand together.
  std::int64_t same_output = 0;
  for (auto entry = report.per_id.begin(); entry != report.per_id.end();) {
    const auto end = std::find_if(entry, report.per_id.end(), [&entry](const FieldDifference& d) {
      return d.test_id != entry->test_id;
    });
    if (std::all_of(entry, end, [](const FieldDifference& d) { return d.token_identical; })) {
      ++same_output;
    }
    entry = end;
  }
  pair.n_output_differs = std::max<std::int64_t>(report.n_divergent - same_output, 0) +
                          static_cast<std::int64_t>(report.token_divergence_ids.size());
  pair.n_with_logprobs = report.logit_drift.n_ids_with_logprobs;
  pair.n_logprob_differs = report.logit_drift.n_ids_logprob_differ;
  pair.n_logprob_missing = report.logit_drift.n_ids_missing;
  pair.n_sentinels = report.logit_drift.n_sentinels;
  return pair;
}

/// Of one arm, or of any where `arm` is null; the judgement has the weightiest first.
std::string FirstDifference(const Judgement& judgement, std::optional<Arm> arm,
                            std::initializer_list<const PairReport*> pairs) {
  for (const Divergence& divergence : judgement.divergences) {
    if (!arm || divergence.arm == *arm) return Describe(divergence);
  }
  for (const PairReport* pair : pairs) {
    if (!pair->per_id.empty()) return Describe(pair->per_id.front());
  }
  return "";
}

}  // namespace

Facts FactsOf(const Judgement& judgement) {
  Facts facts;
  facts.verdict = judgement.verdict;
  facts.reason_codes = judgement.reason_codes;
  if (judgement.divergence_class) facts.divergence_class = *judgement.divergence_class;

  facts.ac = PairOf(judgement.ac, "AC");
  facts.aa2 = PairOf(judgement.aa2, "AA2");
  facts.controls = {PairOf(judgement.ab, "AB"), PairOf(judgement.bc, "BC")};
  if (judgement.aa3) facts.aa3 = PairOf(*judgement.aa3, "AA3");
  if (judgement.bb2) facts.controls.push_back(PairOf(*judgement.bb2, "BB2"));
  facts.n_uncertified = static_cast<std::int64_t>(judgement.uncertified_ids.size());
  facts.divergent_ids = judgement.ac.divergent_ids;
  facts.first_difference =
      FirstDifference(judgement, std::nullopt, {&judgement.ac, &judgement.aa2, &judgement.ab});
  facts.first_difference_in_a = FirstDifference(judgement, Arm::kA, {&judgement.aa2});
  facts.n_request_mismatch = static_cast<std::int64_t>(judgement.request_mismatch_ids.size());

  facts.overlap_depth =
      ProvenDepth(judgement.client_max_overlap_depth, judgement.server_peak_busy_slots);
  facts.overlap_sides =
      OverlapSides(judgement.client_max_overlap_depth, judgement.server_peak_busy_slots);
  facts.mean_width = judgement.min_mean_width;
  facts.coverage = judgement.coverage.coverage_fraction;
  facts.floor_ok = judgement.floor.completion_floor_ok;
  facts.floor_counts = std::to_string(judgement.floor.n_ok_a) + " ok in arm A and " +
                       std::to_string(judgement.floor.n_ok_c) + " in arm C, " +
                       std::to_string(judgement.floor.required_ok) + " needed in each";
  facts.rate_upper_bound = judgement.statistics.rule_of_three;
  facts.n_passes = judgement.n_passes;
  facts.n_passes_effective = judgement.n_passes_effective;
  return facts;
}

Facts FactsOf(const CellRun& run) {
  Facts facts = FactsOf(run.judgement);
  if (run.error) {
    facts.verdict = Verdict::kUnverified;
    facts.broke_off = OneLine(run.error->Text(), 400);
  }
  return facts;
}

}  // namespace bi_test::matchers_internal
