#include "cert/cell_facts.h"

#include <algorithm>
#include <set>

#include "cert/read_cert.h"

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

CellFacts FactsOf(const Judgement& judgement) {
  CellFacts facts;
  facts.judgement = judgement;
  facts.ac = PairFactsOf(judgement.ac);
  facts.ab = PairFactsOf(judgement.ab);
  facts.bc = PairFactsOf(judgement.bc);
  facts.aa2 = PairFactsOf(judgement.aa2);
  if (judgement.aa3) facts.aa3 = PairFactsOf(*judgement.aa3);
  if (judgement.bb2) facts.bb2 = PairFactsOf(*judgement.bb2);
  return facts;
}

CellFacts FactsOf(const CellRun& run) {
  CellFacts facts = FactsOf(run.judgement);
  facts.cell = run.cell;
  facts.error = run.error;
  facts.source = run.record.source;
  facts.throughput = MeasureThroughput(run.record);
  ReadHeader(run.record.header, facts);
  facts.wall_s = run.wall_s;
  facts.files = {run.cert_path, run.refusal_path, run.trace_path, run.server_logs};
  return facts;
}

}  // namespace bi_test
