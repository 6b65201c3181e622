#include "verdict/pass_reports.h"

#include <algorithm>

#include "verdict/coverage.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

[[nodiscard]] bool IsLower(const CoverageReport& x, const CoverageReport& y) {
  if (x.coverage_fraction != y.coverage_fraction) return x.coverage_fraction < y.coverage_fraction;
  return !x.cobatch_coverage_ok && y.cobatch_coverage_ok;
}

void SumUp(const JudgeInput& input, Judgement& out) {
  for (const PassReport& pass : out.passes) {
    out.client_max_overlap_depth =
        std::max(out.client_max_overlap_depth, pass.client_max_overlap_depth);
    out.server_peak_busy_slots = std::max(out.server_peak_busy_slots, pass.server_peak_busy_slots);
    if (pass.effective) ++out.n_passes_effective;
    if (pass.mean_busy_slots) {
      out.min_mean_width =
          std::min(out.min_mean_width.value_or(*pass.mean_busy_slots), *pass.mean_busy_slots);
    }
  }
  out.n_passes = input.n_passes_planned;
  const std::int64_t n = input.cell.dispatch_n;
  out.effective_n = static_cast<int>(std::min(
      {n, static_cast<std::int64_t>(out.client_max_overlap_depth), out.server_peak_busy_slots}));
  const bool slots_ok = !input.plan.total_slots || *input.plan.total_slots == n;
  out.overlap_ok = out.client_max_overlap_depth >= 2 &&
                   out.server_peak_busy_slots >= RequiredBusySlots(n) && slots_ok &&
                   static_cast<std::int64_t>(input.index.a.size()) >= n;
}

}  // namespace

void ReportPasses(const JudgeInput& input, const Policy& policy,
                  const std::vector<Occupancy>& occupancies, Findings& findings) {
  const RecordIndex& index = input.index;
  Judgement& out = findings.judgement;
  std::size_t lowest = 0;
  for (std::size_t p = 0; p < index.passes.size(); ++p) {
    const CoverageReport coverage =
        BuildCoverage(index.passes[p], occupancies[p], policy.min_coverage_fraction);
    PassReport pass = BuildPassReport(index.passes[p], input.evidence[p], input.cell.dispatch_n,
                                      occupancies[p], coverage, policy);
    if (!pass.effective && !input.counters_doubt.empty()) {
      pass.why_not += "; " + input.counters_doubt;
    }
    pass.ac_divergent = findings.passes.divergent[p];
    pass.ac_token_only = findings.passes.token_only[p];
    pass.n_missing = findings.passes.missing[p];
    out.passes.push_back(std::move(pass));
    if (p == 0 || IsLower(coverage, out.coverage)) {
      lowest = p;
      out.coverage = coverage;
    }
  }
  if (!index.passes.empty()) {
    NameCoverageIds(out.coverage, index.passes[lowest], occupancies[lowest], index.ids);
  }
  SumUp(input, out);
}

}  // namespace bi_test
