#include "verdict/compare_arms.h"

#include "verdict/completion_floor.h"
#include "verdict/divergence.h"
#include "verdict/pair_report.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Ids that failed in A or in C.
void ListUncertified(const RecordIndex& index, Findings& findings) {
  for (const Row& row : index.a) {
    const Trial* joined = FindRow(findings.passes.rows, row.id);
    if (joined == nullptr || (IsOk(*row.trial) && IsOk(*joined))) continue;
    const bool alike = !findings.comparer.Compare(*row.trial, *joined).divergent();
    findings.failed_alike = findings.failed_alike || alike;
    const std::string reason = alike ? "failed alike in A and C: " + FaultText(*joined)
                                     : "A " + FaultText(*row.trial) + ", C pass " +
                                           std::to_string(joined->pass) + " " + FaultText(*joined);
    findings.judgement.uncertified_ids.push_back({std::string(index.ids[row.id]), reason});
  }
}

}  // namespace

void CompareArms(const JudgeInput& input, const Policy& policy, Findings& findings) {
  const RecordIndex& index = input.index;
  findings.passes = BuildUnion(index, findings.comparer);
  const RowMap& c = findings.passes.rows;
  const auto compare = [&](const RowMap& x, const RowMap& y, const PairKind& kind) {
    return BuildPairReport(x, y, index.ids, findings.comparer, policy, kind);
  };
  Judgement& out = findings.judgement;
  out.ac = compare(index.a, c, {"AC", true, false});
  out.ab = compare(index.a, index.b, {"AB", false, false});
  out.bc = compare(index.b, c, {"BC", false, false});
  out.aa2 = compare(index.a, index.a2, {"AA2", false, A2IsSample(input)});
  if (!index.a3.empty()) out.aa3 = compare(index.a, index.a3, {"AA3", false, true});
  if (!index.b2.empty()) out.bb2 = compare(index.b, index.b2, {"BB2", false, true});
  out.floor = CheckFloor(index.a, index.b, c, out.ac.n_compared, policy.min_ok_fraction);
  out.distinct_outputs = findings.passes.distinct_outputs;
  out.token_divergence_ids = out.ac.token_divergence_ids;
  out.serial_unstable_ids = out.aa2.divergent_ids;
  ListUncertified(index, findings);
}

}  // namespace bi_test
