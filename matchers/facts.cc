#include "facts.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "base/safe_text.h"
#include "first_difference.h"

namespace bi_test::matchers_internal {
namespace {

constexpr std::size_t kMaxError = 400;

/// The value of that path, unless the cert lacks it.
template <typename T>
Fact<T> Known(const CellFacts& cell, std::string_view path, std::optional<T> value) {
  const Lack* lack = cell.LackOf(path);
  if (lack != nullptr) return Fact<T>::Absent(lack->why);
  return Fact<T>(std::move(value));
}

Fact<PairFact> PairOf(const CellFacts& cell, const char* name,
                      const std::optional<PairFacts>& counts, const PairReport* report) {
  const std::string path = std::string("divergence_report.") + name + ".";
  for (const char* key : {"n_compared", "n_divergent", "n_token_only"}) {
    if (const Lack* lack = cell.LackOf(path + key)) return Fact<PairFact>::Absent(lack->why);
  }
  if (!counts || report == nullptr) return {};
  const DriftReport& drift = report->logit_drift;
  return PairFact{name,
                  counts->n_compared,
                  counts->n_divergent,
                  counts->n_output_differs,
                  drift.n_ids_with_logprobs,
                  drift.n_ids_logprob_differ,
                  drift.n_ids_missing,
                  drift.n_sentinels};
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

/// The list, unless the cert cuts it.
Fact<std::vector<std::string>> DivergentIds(const CellFacts& cell) {
  const char* path = "divergence_report.AC.divergent_ids";
  const std::vector<std::string>& ids = cell.judgement.ac.divergent_ids;
  const std::int64_t more = cell.Total(path, 0);
  if (more == 0) return Known(cell, path, std::optional(ids));
  return Fact<std::vector<std::string>>::Absent("is cut on the cert: key `" + std::string(path) +
                                                "` lacks " + std::to_string(more) + " more");
}

void FillPairs(const CellFacts& cell, Facts& facts) {
  const Judgement& judgement = cell.judgement;
  const auto optional = [](const std::optional<PairReport>& report) {
    return report ? &*report : nullptr;
  };
  facts.ac = PairOf(cell, "AC", cell.ac, &judgement.ac);
  facts.aa2 = PairOf(cell, "AA2", cell.aa2, &judgement.aa2);
  facts.aa3 = PairOf(cell, "AA3", cell.aa3, optional(judgement.aa3));
  for (const Fact<PairFact>& pair :
       {PairOf(cell, "AB", cell.ab, &judgement.ab), PairOf(cell, "BC", cell.bc, &judgement.bc),
        PairOf(cell, "BB2", cell.bb2, optional(judgement.bb2))}) {
    if (pair.value) facts.controls.push_back(*pair.value);
  }
}

void FillOverlap(const CellFacts& cell, Facts& facts) {
  const std::int64_t client = cell.judgement.client_max_overlap_depth;
  const std::int64_t server = cell.judgement.server_peak_busy_slots;
  for (const char* path : {"overlap.client_max_overlap_depth", "overlap.server_peak_busy_slots"}) {
    if (const Lack* lack = cell.LackOf(path)) {
      facts.overlap_depth = Fact<int>::Absent(lack->why);
      return;
    }
  }
  facts.overlap_depth = static_cast<int>(
      std::clamp<std::int64_t>(std::min(client, server), 0, std::numeric_limits<int>::max()));
  facts.overlap_sides = "client " + std::to_string(client) + ", server " + std::to_string(server);
}

}  // namespace

Facts FactsOf(const CellFacts& cell) {
  const Judgement& judgement = cell.judgement;
  Facts facts;
  facts.verdict = Known(cell, "status", std::optional(judgement.verdict));
  if (cell.error) {
    facts.verdict = Verdict::kUnverified;
    facts.broke_off = OneLine(cell.error->Text(), kMaxError);
  }
  if (cell.LackOf("reason_codes") == nullptr) facts.reason_codes = judgement.reason_codes;
  if (judgement.divergence_class || cell.LackOf("divergence_class") != nullptr) {
    facts.divergence_class = Known(cell, "divergence_class", judgement.divergence_class);
  }
  FillPairs(cell, facts);
  facts.n_uncertified =
      Known(cell, "uncertified_ids",
            std::optional(cell.Total("uncertified_ids", judgement.uncertified_ids.size())));
  facts.n_request_mismatch = Known(
      cell, "request_mismatch_ids",
      std::optional(cell.Total("request_mismatch_ids", judgement.request_mismatch_ids.size())));
  facts.divergent_ids = DivergentIds(cell);
  facts.first_difference =
      FirstDifference(judgement, std::nullopt, {&judgement.ac, &judgement.aa2, &judgement.ab});
  facts.first_difference_in_a = FirstDifference(judgement, Arm::kA, {&judgement.aa2});
  FillOverlap(cell, facts);
  facts.mean_width = Known(cell, "min_mean_width", judgement.min_mean_width);
  facts.coverage =
      Known(cell, "cobatch_coverage.coverage_fraction", judgement.coverage.coverage_fraction);
  const CompletionFloor& floor = judgement.floor;
  facts.floor_ok =
      Known(cell, "completion_floor.completion_floor_ok", std::optional(floor.completion_floor_ok));
  const auto count = [&cell](const char* key, std::int64_t n) {
    const bool known = cell.LackOf(std::string("completion_floor.") + key) == nullptr;
    return known ? std::to_string(n) : std::string("?");
  };
  facts.floor_counts = count("n_ok_a", floor.n_ok_a) + " ok in arm A and " +
                       count("n_ok_c", floor.n_ok_c) + " in arm C, " +
                       count("required_ok", floor.required_ok) + " needed in each";
  facts.rate_upper_bound =
      Known(cell, "statistics.rule_of_three", judgement.statistics.rule_of_three);
  facts.n_passes = judgement.n_passes;
  facts.n_passes_effective = judgement.n_passes_effective;
  return facts;
}

}  // namespace bi_test::matchers_internal
