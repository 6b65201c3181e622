#include "verdict/examine.h"

#include "verdict/compare_arms.h"
#include "verdict/divergence_list.h"
#include "verdict/occupancy.h"
#include "verdict/pass_reports.h"
#include "verdict/sample_statistics.h"

namespace bi_test {

Findings Examine(const JudgeInput& input, const Policy& policy) {
  const RecordIndex& index = input.index;
  Findings out(policy);
  CompareArms(input, policy, out);

  out.requests = CheckRequests(index);
  const auto named = [&index](const std::vector<std::uint32_t>& ids) {
    std::vector<std::string> names;
    for (const std::uint32_t id : ids) names.emplace_back(index.ids[id]);
    return names;
  };
  out.judgement.request_mismatch_ids = named(out.requests.request_mismatch);
  out.judgement.prompt_truncated_ids = named(out.requests.prompt_truncated);
  out.judgement.cached_prompt_ids = named(out.requests.cached_prompt);
  out.judgement.status_counts = out.requests.status_counts;
  out.judgement.first_cause = out.requests.first_cause;

  const std::vector<Occupancy> occupancies(index.passes.begin(), index.passes.end());
  ReportPasses(input, policy, occupancies, out);
  ListDivergences(index, occupancies, out);
  out.judgement.statistics =
      CountSample(index, out.passes, out.judgement.passes, occupancies, input.n_passes_planned);
  return out;
}

}  // namespace bi_test
