#include "verdict/reasons.h"

#include <algorithm>

#include "base/number_text.h"
#include "bi_test/sanitize.h"
#include "verdict/reason_codes.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxRendered = 200;
constexpr std::size_t kMaxNamed = 5;
constexpr std::int64_t kMaxPassLines = 16;

/// The first ids of a list, for a sentence.
[[nodiscard]] std::string Named(const std::vector<std::string>& ids) {
  std::string out;
  for (std::size_t i = 0; i < ids.size() && i < kMaxNamed; ++i) {
    if (i > 0) out += ", ";
    out += SanitizeText(ids[i], 120);
  }
  if (ids.size() > kMaxNamed) out += " and " + std::to_string(ids.size() - kMaxNamed) + " more";
  return out;
}

[[nodiscard]] std::string Number(std::int64_t value) { return std::to_string(value); }

[[nodiscard]] std::string YesNo(bool value) { return value ? "true" : "false"; }

[[nodiscard]] std::string FirstEntry(const PairReport& report, const char* x, const char* y) {
  if (report.per_id.empty()) {
    Json::Array only;
    for (const auto* side : {&report.only_x, &report.only_y}) {
      for (const std::string& id : *side) {
        if (only.size() < kMaxNamed) only.emplace_back(id);
      }
    }
    return "only=" + RenderValue(Json(std::move(only)));
  }
  const FieldDifference& first = report.per_id.front();
  return "e.g. test_id=" + RenderValue(Json(first.test_id)) +
         " field=" + RenderValue(Json(first.field)) + " " + x + "=" + RenderValue(first.x) + " " +
         y + "=" + RenderValue(first.y);
}

[[nodiscard]] std::string AcMismatch(const PairReport& ac) {
  const std::string n = Number(ac.n_divergent);
  if (ac.per_id.empty())
    return "AC id-set differs; " + n + " divergent id(s); " + FirstEntry(ac, "A", "C");
  return "AC divergent on " + n + " id(s); " + FirstEntry(ac, "A", "C");
}

class Lines {
 public:
  Lines(const Judgement& judgement, const Cell& cell) : j_(judgement), cell_(cell) {}

  [[nodiscard]] std::vector<std::string> Take() { return std::move(lines_); }
  void Add(std::string line) { lines_.push_back(std::move(line)); }

  void Counts() {
    Add("n_divergent: AC=" + Number(j_.ac.n_divergent) + " AB=" + Number(j_.ab.n_divergent) +
        " BC=" + Number(j_.bc.n_divergent));
  }

  void Overlap() {
    Add("overlap: client depth " + Number(j_.client_max_overlap_depth) +
        " (at least 2), busy slots " + Number(j_.server_peak_busy_slots) + " (at least " +
        Number(RequiredBusySlots(cell_.dispatch_n)) + "), " + Number(j_.n_passes_effective) +
        " of " + Number(j_.n_passes) + " passes at width " + Number(cell_.dispatch_n) +
        ", overlap_ok=" + YesNo(j_.overlap_ok));
    std::int64_t n_doubted = 0;
    for (const PassReport& pass : j_.passes) {
      if (pass.effective || ++n_doubted > kMaxPassLines) continue;
      // Not PassName: the texts of a cert keep their bytes, and count passes from 0 as its keys do.
      Add("pass " + Number(pass.pass) + " does not count: " + pass.why_not);
    }
    if (n_doubted > kMaxPassLines) {
      Add(Number(n_doubted - kMaxPassLines) + " more passes do not count");
    }
  }

  void Floor() {
    const CompletionFloor& floor = j_.floor;
    Add("completion floor: ok in A " + Number(floor.n_ok_a) + ", ok in C " + Number(floor.n_ok_c) +
        ", required " + Number(floor.required_ok) + " (" + FixedText(floor.min_ok_fraction, 2) +
        " of " + Number(j_.ac.n_compared) +
        "), completion_floor_ok=" + YesNo(floor.completion_floor_ok));
  }

  void Coverage() {
    const CoverageReport& coverage = j_.coverage;
    Add("co-batch coverage: " + Number(coverage.n_co_batched) + "/" + Number(coverage.n_ids) +
        " = " + FixedText(coverage.coverage_fraction.value_or(0.0), 3) + ", required " +
        Number(coverage.required_co_batched) + " (fraction " +
        FixedText(coverage.min_coverage_fraction, 2) + "), " + coverage.interval_kind +
        " intervals, attribution_certain=" + YesNo(coverage.attribution_certain) + ", missing " +
        Number(coverage.n_missing_interval) + ", busy slots " + Number(j_.server_peak_busy_slots) +
        ", cobatch_coverage_ok=" + YesNo(coverage.cobatch_coverage_ok));
  }

  void Drift() {
    const DriftReport& drift = j_.ac.logit_drift;
    if (!drift.armed) return;
    Add("log-probabilities: eps " + DoubleText(drift.eps) + ", largest difference " +
        DoubleText(std::max(drift.max_logit_delta, drift.max_token_delta)) +
        ", drift ids: " + (drift.logit_drift_ids.empty() ? "none" : Named(drift.logit_drift_ids)));
  }

  void Widths() {
    if (j_.divergences_by_width.empty()) return;
    std::string line = "differences by width in service:";
    for (const auto& [width, count] : j_.divergences_by_width) {
      line += " " + Number(count) + " at " + Number(width);
    }
    Add(std::move(line));
  }

  void List(const char* what, const std::vector<std::string>& ids) {
    if (!ids.empty()) Add(std::string(what) + Named(ids));
  }

 private:
  const Judgement& j_;
  const Cell& cell_;
  std::vector<std::string> lines_;
};

/// The line of a reason code.
[[nodiscard]] std::string CodeLine(const std::string& name, const Judgement& j,
                                   const Policy& policy) {
  const Reason* reason = FindReason(name);
  if (reason == nullptr) return name;
  if (reason->code == ReasonCode::kFewPrompts) {
    return name + ": compared " + Number(j.statistics.n_effective_prompts) +
           " distinct prompts, at least " + Number(policy.min_effective_prompts) + " are needed";
  }
  return name + ": " + std::string(reason->meaning);
}

}  // namespace

std::string RenderValue(const Json& value) {
  std::string text = CompactText(value);
  if (text.size() <= kMaxRendered) return text;
  return text.substr(0, kMaxRendered) + "...";
}

std::optional<std::string> MismatchText(const Judgement& judgement, const VerdictInputs& inputs,
                                        bool arm_a_is_empty) {
  if (judgement.verdict != Verdict::kRed) return std::nullopt;
  const Reason* first = FindReason(judgement.reason_codes.front());
  const auto decides = [first](ReasonCode code) { return first != nullptr && first->code == code; };
  std::string out;
  if (decides(ReasonCode::kRequestMismatch)) {
    out = "request bodies differ between arms on " +
          Number(static_cast<std::int64_t>(judgement.request_mismatch_ids.size())) +
          " id(s); e.g. test_id=" + RenderValue(Json(judgement.request_mismatch_ids.front()));
  } else if (decides(ReasonCode::kSelfIdentity)) {
    out = "A differs from its own repeat on " + Number(judgement.aa2.n_divergent) + " id(s); " +
          FirstEntry(judgement.aa2, "A", "A2");
  } else if (decides(ReasonCode::kRestartUnstable) && judgement.aa3) {
    out = "A differs from a fresh launch of its server on " + Number(judgement.aa3->n_divergent) +
          " id(s); " + FirstEntry(*judgement.aa3, "A", "A3");
  } else if (decides(ReasonCode::kArmMissing)) {
    out = std::string("arm ") + (arm_a_is_empty ? "A" : "C") + " returned no rows";
  } else {
    out = AcMismatch(judgement.ac);
  }
  const bool faults = judgement.transport_only || inputs.arm_missing;
  if (faults && !judgement.first_cause.empty()) out += "; first cause: " + judgement.first_cause;
  return out;
}

std::vector<std::string> DecisionReasons(const Judgement& judgement, const Cell& cell,
                                         const std::vector<std::string>& problems,
                                         const Policy& policy) {
  Lines lines(judgement, cell);
  lines.Counts();
  lines.Overlap();
  lines.Floor();
  lines.Coverage();
  lines.Drift();
  for (const std::string& code : judgement.reason_codes) {
    lines.Add(CodeLine(code, judgement, policy));
  }
  for (const std::string& problem : problems) lines.Add("invalid: " + problem);
  lines.Widths();
  lines.List("batching was not judged for: ", judgement.serial_unstable_ids);
  lines.List("prompt token counts differ for: ", judgement.prompt_truncated_ids);
  lines.List("request bodies differ for: ", judgement.request_mismatch_ids);
  lines.List("cached prompt tokens for: ", judgement.cached_prompt_ids);
  if (!judgement.first_cause.empty()) lines.Add("first fault: " + judgement.first_cause);
  return lines.Take();
}

}  // namespace bi_test
