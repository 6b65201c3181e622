#include "cert/cert_reports.h"

#include "bi_test/statistics.h"

namespace bi_test {
namespace {

[[nodiscard]] Json DriftJson(const std::string& path, const DriftReport& drift,
                             CertTrimmer& trimmer) {
  Json out;
  out["eps"] = drift.eps;
  out["armed"] = drift.armed;
  out["max_logit_delta"] = drift.max_logit_delta;
  out["max_token_delta"] = drift.max_token_delta;
  out["per_id_delta"] = trimmer.Map(path + ".per_id_delta", drift.per_id_delta,
                                    [](double delta) { return Json(delta); });
  out["logit_drift_ids"] = trimmer.Ids(path + ".logit_drift_ids", drift.logit_drift_ids);
  out["n_ids_with_logprobs"] = drift.n_ids_with_logprobs;
  out["n_ids_logprob_differ"] = drift.n_ids_logprob_differ;
  out["n_ids_missing"] = drift.n_ids_missing;
  out["n_sentinels"] = drift.n_sentinels;
  out["n_tokens_compared"] = drift.n_tokens_compared;
  return out;
}

[[nodiscard]] Json FieldJson(const FieldDifference& difference, const CertTrimmer& trimmer) {
  Json out;
  out["test_id"] = trimmer.Text(difference.test_id);
  out["field"] = difference.field;
  out["x"] = trimmer.Value(difference.x);
  out["y"] = trimmer.Value(difference.y);
  out["x_content_sha"] = difference.x_content_sha;
  out["y_content_sha"] = difference.y_content_sha;
  out["x_output_sha"] = difference.x_output_sha;
  out["y_output_sha"] = difference.y_output_sha;
  out["token_identical"] = difference.token_identical;
  return out;
}

}  // namespace

Json WidthJson(const std::map<int, std::int64_t>& by_width) {
  Json out = Json::Object{};
  for (const auto& [width, count] : by_width) out[std::to_string(width)] = count;
  return out;
}

Json ReportJson(const std::string& path, const PairReport& report, CertTrimmer& trimmer) {
  Json out;
  out["pair"] = report.pair;
  out["n_compared"] = report.n_compared;
  out["n_divergent"] = report.n_divergent;
  out["divergence_rate"] = report.divergence_rate;
  out["only_x"] = trimmer.Ids(path + ".only_x", report.only_x);
  out["only_y"] = trimmer.Ids(path + ".only_y", report.only_y);
  out["divergent_ids"] = trimmer.Ids(path + ".divergent_ids", report.divergent_ids);
  Json::Array per_id;
  for (const FieldDifference& difference : report.per_id) {
    if (per_id.size() == trimmer.limits().list) break;
    per_id.push_back(FieldJson(difference, trimmer));
  }
  trimmer.NoteLeftOut(path + ".per_id", per_id.size(), static_cast<std::size_t>(report.n_per_id));
  out["per_id"] = std::move(per_id);
  out["n_token_only"] = report.token_divergence_ids.size();
  out["token_divergence_ids"] =
      trimmer.Ids(path + ".token_divergence_ids", report.token_divergence_ids);
  out["n_framing"] = report.framing_ids.size();
  out["n_finish_reason"] = report.finish_reason_ids.size();
  out["n_truncated_content"] = report.n_truncated_content;
  out["by_family"] =
      trimmer.Map(path + ".by_family", report.by_family, [](const BucketCount& bucket) {
        Json count;
        count["n"] = bucket.n;
        count["divergent"] = bucket.divergent;
        return count;
      });
  out["by_fill"] = trimmer.Map(path + ".by_fill", report.by_fill,
                               [](std::int64_t divergent) { return Json(divergent); });
  out["logit_drift"] = DriftJson(path + ".logit_drift", report.logit_drift, trimmer);
  return out;
}

Json PassJson(const PassReport& pass) {
  Json out;
  out["pass"] = pass.pass;
  out["effective"] = pass.effective;
  out["why_not"] = pass.why_not.empty() ? Json() : Json(pass.why_not);
  out["client_max_overlap_depth"] = pass.client_max_overlap_depth;
  out["server_peak_busy_slots"] = pass.server_peak_busy_slots;
  out["sampled_peak_busy_slots"] = OptionalJson(pass.sampled_peak_busy_slots);
  out["mean_busy_slots"] = OptionalJson(pass.mean_busy_slots);
  out["decode_calls"] =
      pass.decode_calls ? Json(static_cast<std::int64_t>(*pass.decode_calls)) : Json();
  out["tokens_decoded"] = OptionalJson(pass.tokens_decoded);
  out["polls"] = OptionalJson(pass.polls);
  out["missed_polls"] = OptionalJson(pass.missed_polls);
  out["counter_reset"] = pass.counter_reset;
  out["coverage_fraction"] = pass.coverage_fraction;
  out["coverage_ok"] = pass.coverage_ok;
  out["width_ok"] = pass.width_ok;
  out["median_width"] = OptionalJson(pass.median_width);
  out["comparisons_by_width"] = WidthJson(pass.comparisons_by_width);
  out["n_trials"] = pass.n_trials;
  out["n_ok"] = pass.n_ok;
  out["n_missing"] = pass.n_missing;
  out["ac_divergent"] = pass.ac_divergent;
  out["ac_token_only"] = pass.ac_token_only;
  return out;
}

Json CoverageJson(const Judgement& judgement, CertTrimmer& trimmer) {
  const CoverageReport& coverage = judgement.coverage;
  Json out;
  out["coverage_checked"] = coverage.coverage_checked;
  out["cobatch_coverage_ok"] = coverage.cobatch_coverage_ok;
  out["coverage_fraction"] = OptionalJson(coverage.coverage_fraction);
  out["n_ids"] = coverage.n_ids;
  out["n_co_batched"] = coverage.n_co_batched;
  out["n_with_interval"] = coverage.n_with_interval;
  out["n_missing_interval"] = coverage.n_missing_interval;
  out["missing_interval_ids"] =
      trimmer.Ids("cobatch_coverage.missing_interval_ids", coverage.missing_interval_ids);
  out["attribution_certain"] = coverage.attribution_certain;
  out["required_co_batched"] = coverage.required_co_batched;
  out["min_coverage_fraction"] = coverage.min_coverage_fraction;
  out["interval_kind"] = coverage.interval_kind.empty() ? Json() : Json(coverage.interval_kind);
  out["server_peak_busy_slots_floor"] = judgement.server_peak_busy_slots;
  return out;
}

Json FloorJson(const CompletionFloor& floor) {
  Json out;
  out["n_ok_a"] = floor.n_ok_a;
  out["n_failure_a"] = floor.n_failure_a;
  out["n_ok_b"] = floor.n_ok_b;
  out["n_failure_b"] = floor.n_failure_b;
  out["n_ok_c"] = floor.n_ok_c;
  out["n_failure_c"] = floor.n_failure_c;
  out["required_ok"] = floor.required_ok;
  out["min_ok_fraction"] = floor.min_ok_fraction;
  out["completion_floor_ok"] = floor.completion_floor_ok;
  return out;
}

Json DivergenceJson(const Divergence& divergence, CertTrimmer& trimmer) {
  Json out;
  out["test_id"] = trimmer.Text(divergence.test_id);
  out["arm"] = ArmName(divergence.arm);
  out["pass"] = divergence.pass;
  out["field"] = divergence.field;
  out["token_index"] = OptionalJson(divergence.token_index);
  out["x_token"] = OptionalJson(divergence.x_token);
  out["y_token"] = OptionalJson(divergence.y_token);
  out["byte_offset"] = OptionalJson(divergence.byte_offset);
  out["code_point_offset"] = OptionalJson(divergence.code_point_offset);
  out["x_around"] = divergence.x_around;
  out["y_around"] = divergence.y_around;
  out["margin"] = OptionalJson(divergence.margin);
  out["not_explained_by_rounding"] = divergence.not_explained_by_rounding;
  out["leak_donor"] = divergence.leak_donor.empty() ? Json() : trimmer.Text(divergence.leak_donor);
  out["slot"] = OptionalJson(divergence.slot);
  out["observed_width"] = OptionalJson(divergence.observed_width);
  out["transport"] = divergence.transport;
  out["cause"] = divergence.cause.empty() ? Json() : trimmer.Text(divergence.cause);
  Json::Array companions;
  for (const std::string& id : divergence.companions) {
    if (companions.size() == trimmer.limits().companions) break;
    companions.push_back(trimmer.Text(id));
  }
  out["n_companions"] = divergence.companions.size();
  out["companions"] = std::move(companions);
  return out;
}

Json StatisticsJson(const SampleStatistics& statistics) {
  Json out;
  out["n_distinct_prompts"] = statistics.n_distinct_prompts;
  out["n_effective_prompts"] = statistics.n_effective_prompts;
  out["n_compared_prompts"] = statistics.n_compared_prompts;
  out["n_divergent_prompts"] = statistics.n_divergent_prompts;
  out["n_comparisons"] = statistics.n_comparisons;
  out["n_planned_comparisons"] = statistics.n_planned_comparisons;
  out["planned_power_1_percent"] = statistics.planned_power_1_percent;
  out["comparisons_for_95"] = statistics.comparisons_for_95;
  out["rule_of_three"] = OptionalJson(statistics.rule_of_three);
  out["clopper_pearson_upper_95"] = OptionalJson(statistics.clopper_pearson_upper_95);
  out["wilson_lower_95"] = OptionalJson(statistics.wilson_lower_95);
  out["wilson_upper_95"] = OptionalJson(statistics.wilson_upper_95);
  out["exact_lower_95"] = OptionalJson(statistics.exact_lower_95);
  out["exact_upper_95"] = OptionalJson(statistics.exact_upper_95);
  return out;
}

Json SensitivityJson(const Judgement& judgement) {
  const bool clean = judgement.ac.n_divergent == 0 &&
                     (judgement.verdict == Verdict::kGreen || judgement.verdict == Verdict::kAmber);
  Json out;
  out["n_hot_trials"] = judgement.statistics.n_hot_trials;
  out["n_ac_divergent"] = judgement.ac.n_divergent;
  out["rate_upper_bound_95"] =
      clean ? OptionalJson(RuleOfThree(judgement.statistics.n_hot_trials)) : Json();
  out["rate_upper_bound_95_distinct"] =
      clean ? OptionalJson(RuleOfThree(judgement.statistics.n_effective_prompts)) : Json();
  out["interpretation"] =
      "GREEN means that no difference was detected in this sample; the true rate of differing "
      "answers "
      "is bounded by the sample size, it is not proven to be zero. Repetitions of one prompt count "
      "once "
      "in rate_upper_bound_95_distinct.";
  return out;
}

Json ThroughputJson(const Throughput& throughput, CertTrimmer& trimmer) {
  Json::Array passes;
  for (const PassThroughput& pass : throughput.passes) {
    if (passes.size() == trimmer.limits().list) break;
    Json one;
    one["arm"] = ArmName(pass.arm);
    one["pass"] = pass.pass;
    one["n_requests"] = pass.n_requests;
    one["completion_tokens"] = pass.completion_tokens;
    one["seconds"] = pass.seconds;
    passes.push_back(std::move(one));
  }
  trimmer.NoteLeftOut("throughput.passes", passes.size(), throughput.passes.size());
  Json out;
  out["serial_tokens_per_s"] = OptionalJson(throughput.serial);
  out["concurrent_tokens_per_s"] = OptionalJson(throughput.concurrent);
  out["passes"] = std::move(passes);
  return out;
}

}  // namespace bi_test
