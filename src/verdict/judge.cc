#include "bi_test/judge.h"

#include <algorithm>

#include "verdict/census.h"
#include "verdict/coverage.h"
#include "verdict/divergence.h"
#include "verdict/judge_core.h"
#include "verdict/pair_report.h"
#include "verdict/pass_union.h"
#include "verdict/positive_control.h"
#include "verdict/reasons.h"
#include "verdict/sample.h"
#include "verdict/spots.h"
#include "verdict/survey.h"
#include "verdict/trial_fields.h"
#include "verdict/verdict_rows.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

/// One judging of one input. The steps fill the judgement in order; each reads what earlier ones
/// left.
class Bench {
 public:
  Bench(const JudgeInput& input, const Policy& policy)
      : input_(input), index_(input.index), policy_(policy), comparer_(policy) {}

  [[nodiscard]] Judgement Run(bool with_control) {
    union_ = BuildUnion(index_, comparer_);
    CompareArms();
    TakeSurvey();
    LookAtPasses();
    CountUncertified();
    out_.statistics = CountSample(index_, union_, co_batched_, effective_, input_.n_passes_planned);
    if (with_control) PlantControls();
    Decide(with_control);
    return std::move(out_);
  }

 private:
  [[nodiscard]] PairReport Compare(const RowMap& x, const RowMap& y, const char* label,
                                   bool sample) const {
    return BuildPairReport(x, y, index_.ids, comparer_, policy_, {label, false, sample});
  }

  void CompareArms() {
    out_.ac =
        BuildPairReport(index_.a, union_.rows, index_.ids, comparer_, policy_, {"AC", true, false});
    out_.ab = Compare(index_.a, index_.b, "AB", false);
    out_.bc = Compare(index_.b, union_.rows, "BC", false);
    out_.aa2 = Compare(index_.a, index_.a2, "AA2", A2IsSample());
    if (!index_.a3.empty()) out_.aa3 = Compare(index_.a, index_.a3, "AA3", true);
    if (!index_.b2.empty()) out_.bb2 = Compare(index_.b, index_.b2, "BB2", true);
    out_.floor =
        CheckFloor(index_.a, index_.b, union_.rows, out_.ac.n_compared, policy_.min_ok_fraction);
    out_.distinct_outputs = union_.distinct_outputs;
    out_.token_divergence_ids = out_.ac.token_divergence_ids;
    out_.serial_unstable_ids = out_.aa2.divergent_ids;
  }

  /// A stored baseline is re-measured on as many ids as the header announces.
  [[nodiscard]] bool A2IsSample() const {
    return input_.plan.a2_sample && *input_.plan.a2_sample > 0 &&
           static_cast<std::int64_t>(index_.a2.size()) == *input_.plan.a2_sample;
  }

  void TakeSurvey() {
    survey_ = SurveyTrials(index_);
    const auto named = [this](const std::vector<std::uint32_t>& ids) {
      std::vector<std::string> out;
      for (const std::uint32_t id : ids) out.emplace_back(index_.ids[id]);
      return out;
    };
    out_.request_mismatch_ids = named(survey_.request_mismatch);
    out_.prompt_truncated_ids = named(survey_.prompt_truncated);
    out_.cached_prompt_ids = named(survey_.cached_prompt);
    out_.status_counts = survey_.status_counts;
    out_.first_cause = survey_.first_cause;
  }

  void LookAtPasses() {
    SpotCollector spots(index_, union_, comparer_);
    co_batched_.assign(index_.ids.size(), false);
    std::size_t lowest = 0;
    CoverageReport lowest_report;
    for (std::size_t p = 0; p < index_.passes.size(); ++p) {
      const RowMap& rows = index_.passes[p];
      const ServiceView view(rows);
      const CoverageReport coverage = BuildCoverage(rows, view, policy_.min_coverage_fraction);
      PassReport pass = BuildPassReport(rows, input_.evidence[p], input_.cell.dispatch_n, view,
                                        coverage, policy_);
      if (!pass.effective && !input_.counters_doubt.empty()) {
        pass.why_not += "; " + input_.counters_doubt;
      }
      pass.ac_divergent = union_.divergent[p];
      pass.ac_token_only = union_.token_only[p];
      pass.n_missing = union_.missing[p];
      effective_.push_back(pass.effective);
      if (pass.effective) {
        for (const std::uint32_t id : CoBatchedIds(view)) co_batched_[id] = true;
      }
      spots.AddPass(static_cast<int>(p), view);
      if (p == 0 || IsLower(coverage, lowest_report)) {
        lowest = p;
        lowest_report = coverage;
      }
      AddPass(std::move(pass));
    }
    if (!index_.passes.empty()) {
      NameCoverageIds(lowest_report, index_.passes[lowest], ServiceView(index_.passes[lowest]),
                      index_.ids);
    }
    out_.coverage = std::move(lowest_report);
    AddControls(spots);
    spots.Store(out_);
    SumUpWidth();
  }

  [[nodiscard]] static bool IsLower(const CoverageReport& x, const CoverageReport& y) {
    if (x.coverage_fraction != y.coverage_fraction)
      return x.coverage_fraction < y.coverage_fraction;
    return !x.cobatch_coverage_ok && y.cobatch_coverage_ok;
  }

  void AddPass(PassReport pass) {
    out_.client_max_overlap_depth =
        std::max(out_.client_max_overlap_depth, pass.client_max_overlap_depth);
    out_.server_peak_busy_slots =
        std::max(out_.server_peak_busy_slots, pass.server_peak_busy_slots);
    if (pass.effective) ++out_.n_passes_effective;
    if (pass.mean_busy_slots) {
      out_.min_mean_width =
          std::min(out_.min_mean_width.value_or(*pass.mean_busy_slots), *pass.mean_busy_slots);
    }
    out_.passes.push_back(std::move(pass));
  }

  void AddControls(SpotCollector& spots) {
    spots.AddControl(Arm::kA, 1, index_.a, index_.a2, out_.aa2);
    if (out_.aa3) spots.AddControl(Arm::kA, 2, index_.a, index_.a3, *out_.aa3);
    spots.AddControl(Arm::kB, 0, index_.a, index_.b, out_.ab);
    if (out_.bb2) spots.AddControl(Arm::kB, 1, index_.b, index_.b2, *out_.bb2);
  }

  void SumUpWidth() {
    out_.n_passes = input_.n_passes_planned;
    const std::int64_t n = input_.cell.dispatch_n;
    out_.effective_n =
        static_cast<int>(std::min({n, static_cast<std::int64_t>(out_.client_max_overlap_depth),
                                   out_.server_peak_busy_slots}));
    const std::int64_t required_peak = std::max<std::int64_t>(2, (3 * n + 3) / 4);
    const bool slots_ok = !input_.plan.total_slots || *input_.plan.total_slots == n;
    out_.overlap_ok = out_.client_max_overlap_depth >= 2 &&
                      out_.server_peak_busy_slots >= required_peak && slots_ok &&
                      static_cast<std::int64_t>(index_.a.size()) >= n;
  }

  void CountUncertified() {
    for (const Row& row : index_.a) {
      const Trial* joined = FindRow(union_.rows, row.id);
      if (joined == nullptr || (IsOk(*row.trial) && IsOk(*joined))) continue;
      const bool alike = !comparer_.Compare(*row.trial, *joined).divergent();
      failed_alike_ = failed_alike_ || alike;
      const std::string reason = alike
                                     ? "failed alike in A and C: " + FaultText(*joined)
                                     : "A " + FaultText(*row.trial) + ", C pass " +
                                           std::to_string(joined->pass) + " " + FaultText(*joined);
      out_.uncertified_ids.push_back({std::string(index_.ids[row.id]), reason});
    }
  }

  void PlantControls() {
    const ControlResult control = RunPositiveControl(input_, union_, survey_, policy_, comparer_);
    out_.positive_controls = control.n_planted;
    out_.positive_control_ok = control.n_planted > 0 && control.n_found == control.n_planted;
  }

  /// All AC differences are faults; rows that a broken-off trace does not hold are the harness's
  /// fault.
  [[nodiscard]] bool DifferencesAre(bool truncated_too) const {
    const bool broken_off = input_.complete && !*input_.complete;
    return !union_.differences.empty() &&
           std::all_of(union_.differences.begin(), union_.differences.end(),
                       [&](const PassDifference& difference) {
                         switch (difference.kind) {
                           case DifferenceKind::kOutput:
                           case DifferenceKind::kFault:
                             return true;
                           case DifferenceKind::kMissing:
                             return broken_off;
                           case DifferenceKind::kField:
                             return truncated_too &&
                                    std::binary_search(survey_.prompt_truncated.begin(),
                                                       survey_.prompt_truncated.end(),
                                                       difference.id);
                         }
                         return false;
                       });
  }

  [[nodiscard]] bool ControlFaultsOnly() const {
    const bool a2_ok =
        out_.aa2.n_divergent == 0 || OnlyFaultsDiffer(index_.a, index_.a2, comparer_, A2IsSample());
    const bool a3_ok = !out_.aa3 || out_.aa3->n_divergent == 0 ||
                       OnlyFaultsDiffer(index_.a, index_.a3, comparer_, true);
    return a2_ok && a3_ok;
  }

  void GatherDrift(VerdictInputs& in) const {
    const DriftReport& drift = out_.ac.logit_drift;
    if (!drift.armed) return;
    for (const std::string& id : drift.logit_drift_ids) {
      const auto holds = [&id](const std::vector<std::string>& ids) {
        return std::binary_search(ids.begin(), ids.end(), id);
      };
      if (holds(out_.ac.token_divergence_ids)) {
        in.token_only_drifted = true;
      } else if (!holds(out_.ac.divergent_ids)) {
        in.identical_drifted = true;
      }
    }
  }

  void GatherControls(VerdictInputs& in) const {
    in.request_mismatch = !survey_.request_mismatch.empty();
    in.self_identity_missing = index_.a2.empty() && !index_.a.empty();
    in.self_identity_failed = !index_.a.empty() && !index_.a2.empty() && out_.aa2.n_divergent > 0;
    in.restart_failed = out_.aa3 && out_.aa3->n_divergent > 0;
    in.control_faults_only = ControlFaultsOnly();
    in.b_faults_only =
        out_.ab.n_divergent > 0 && OnlyFaultsDiffer(index_.a, index_.b, comparer_, false);
    const bool b2_differs = out_.bb2 && out_.bb2->n_divergent > 0;
    const bool b2_faults_only =
        b2_differs && OnlyFaultsDiffer(index_.b, index_.b2, comparer_, true);
    in.control_fault = in.b_faults_only || b2_faults_only;
    in.b2_disagrees = b2_differs && !b2_faults_only;
    const auto drifts = [](const PairReport& report) {
      return !report.token_divergence_ids.empty();
    };
    in.control_token_drift = drifts(out_.ab) || drifts(out_.bc) || (out_.bb2 && drifts(*out_.bb2));
    in.serial_token_drift = drifts(out_.aa2) || (out_.aa3 && drifts(*out_.aa3));
  }

  [[nodiscard]] VerdictInputs Gather(bool with_control) const {
    VerdictInputs in;
    GatherControls(in);
    GatherDrift(in);
    in.ac_divergent = out_.ac.n_divergent;
    in.ab_divergent = out_.ab.n_divergent;
    in.bc_divergent = out_.bc.n_divergent;
    in.ac_compared = out_.ac.n_compared;
    in.arm_missing = index_.a.empty() || union_.rows.empty();
    in.faults_only = DifferencesAre(false);
    in.truncated_only = DifferencesAre(true);
    in.leak = out_.n_leaks > 0;
    in.invalid_input = !input_.problems.empty();
    in.trace_incomplete = input_.complete && !*input_.complete;
    in.cached_prompt = !survey_.cached_prompt.empty();
    in.prompt_truncated = !survey_.prompt_truncated.empty();
    in.overlap_ok = out_.overlap_ok;
    in.floor_ok = out_.floor.completion_floor_ok;
    const auto all_passes = [this](bool PassReport::*flag) {
      return static_cast<int>(out_.passes.size()) == input_.n_passes_planned &&
             std::all_of(out_.passes.begin(), out_.passes.end(),
                         [flag](const PassReport& pass) { return pass.*flag; });
    };
    in.coverage_ok = all_passes(&PassReport::coverage_ok);
    in.width_ok = all_passes(&PassReport::width_ok);
    in.positive_control_failed = with_control && !out_.positive_control_ok;
    in.ac_token_only = static_cast<std::int64_t>(out_.ac.token_divergence_ids.size());
    in.framing_only = out_.ac.framing_ids.size() == out_.ac.token_divergence_ids.size();
    in.finish_reason_only = out_.ac.finish_reason_ids.size() == out_.ac.token_divergence_ids.size();
    in.uncertified_ids = failed_alike_;
    in.few_prompts = out_.statistics.n_effective_prompts < policy_.min_effective_prompts;
    return in;
  }

  void Decide(bool with_control) {
    const VerdictInputs in = Gather(with_control);
    VerdictRow row = DecideVerdict(in);
    out_.verdict = row.verdict;
    out_.divergence_class = std::move(row.divergence_class);
    out_.anomaly = std::move(row.anomaly);
    out_.reason_codes = std::move(row.reason_codes);
    out_.transport_only = row.transport_only;
    FillBounds(out_.statistics, out_.verdict);
    out_.mismatch = MismatchText(out_, in, index_.a.empty());
    out_.decision_reasons = DecisionReasons(out_, input_.cell, input_.problems, policy_);
    if (!survey_.truncation.empty()) out_.decision_reasons.push_back(survey_.truncation);
  }

  const JudgeInput& input_;
  const RecordIndex& index_;
  const Policy& policy_;
  const RowComparer comparer_;
  PassUnion union_;
  Survey survey_;
  std::vector<bool> co_batched_;
  std::vector<bool> effective_;
  bool failed_alike_ = false;
  Judgement out_;
};

/// True when a pass that was run differs from arm A, so that the passes not run are not missing but
/// spared.
[[nodiscard]] bool StoppedForCause(const Judgement& judgement) {
  return std::any_of(judgement.passes.begin(), judgement.passes.end(),
                     [](const PassReport& pass) { return pass.ac_divergent > pass.n_missing; });
}

}  // namespace

Judgement JudgeInputOnce(const JudgeInput& input, const Policy& policy, bool with_control) {
  return Bench(input, policy).Run(with_control);
}

Judgement Judge(const Record& record, const Policy& policy) {
  // Thresholds nobody may set are replaced; the record is then invalid input whatever they would
  // say.
  const Policy usable = Validate(policy).empty() ? policy : Policy{};
  JudgeInput input = PrepareInput(record, policy);
  Judgement out = JudgeInputOnce(input, usable, true);
  const auto planned = static_cast<std::size_t>(input.n_passes_planned);
  if (input.index.passes.size() < planned && !StoppedForCause(out)) {
    ExtendPasses(input, planned);
    out = JudgeInputOnce(input, usable, true);
  }
  return out;
}

}  // namespace bi_test
