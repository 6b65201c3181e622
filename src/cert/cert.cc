#include "bi_test/cert.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/utc_time.h"
#include "cert/cert_keys.h"
#include "cert/cert_limits.h"
#include "cert/cert_reports.h"
#include "cert/model_name.h"
#include "verdict/row_compare.h"

namespace bi_test {
namespace {

constexpr const char* kGate = "abc_union";
constexpr const char* kDigestKey = "cert_digest";

[[nodiscard]] Json OptionalText(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

[[nodiscard]] Json Texts(const std::vector<std::string>& texts) {
  return Json(Json::Array(texts.begin(), texts.end()));
}

/// The expert count of the model file where the header has it, else the name.
[[nodiscard]] bool LooksMoe(const Record& record) {
  const Json* server = record.header.Find("server");
  const Json* experts = server == nullptr ? nullptr : server->Find("n_expert");
  const std::int64_t* count = experts == nullptr ? nullptr : experts->if_int64();
  return count != nullptr ? *count > 1 : LooksLikeMixtureOfExperts(record.cell.model);
}

/// The run's end plus the days of the policy; null when the trace does not say when it ended.
[[nodiscard]] Json ExpiryJson(const Record& record, const Policy& policy) {
  constexpr std::int64_t kDay = 24 * 3600;
  const Json* provenance = record.header.Find("provenance");
  const Json* finished = provenance == nullptr ? nullptr : provenance->Find("finished_utc");
  const std::string* text = finished == nullptr ? nullptr : finished->if_string();
  const auto end = text == nullptr ? std::nullopt : ParseUtc(*text);
  return end ? Json(UtcText(*end + policy.expires_days * kDay)) : Json();
}

/// The cell's model is the dense baseline that the header names, in whatever case.
[[nodiscard]] bool IsDenseBaseline(const Record& record) {
  const Json* baseline = record.header.Find("dense_baseline");
  const std::string* alias = baseline == nullptr ? nullptr : baseline->if_string();
  const auto same_letter = [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
    return lower(x) == lower(y);
  };
  return alias != nullptr && !alias->empty() &&
         std::equal(alias->begin(), alias->end(), record.cell.model.begin(),
                    record.cell.model.end(), same_letter);
}

[[nodiscard]] Json ScopeJson(const Record& record) {
  Json valid_for;
  valid_for["model"] = record.cell.model;
  valid_for["ctx"] = record.cell.ctx;
  valid_for["dispatch_n"] = record.cell.dispatch_n;
  Json out;
  out["valid_for"] = std::move(valid_for);
  out["generalizes"] = false;
  out["note"] =
      "Licenses this exact cell only: nothing follows for another ctx, N, model, KV cache type, "
      "sampler, "
      "server build or host. A result on a dense model says nothing about mixture-of-experts "
      "routing.";
  out["is_dense_smoke_model"] = IsDenseBaseline(record);
  out["tested_model_looks_moe"] = LooksMoe(record);
  return out;
}

[[nodiscard]] Json WorksetJson(const Record& record, const Judgement& judgement,
                               CertTrimmer& trimmer) {
  Json out = trimmer.PassThrough("workset", record.header);
  if (out.is_object() && out.Find("n_distinct_prompts") == nullptr) {
    out["n_distinct_prompts"] = judgement.statistics.n_distinct_prompts;
  }
  return out;
}

/// What the server offered, so that a reader knows what could not be compared.
[[nodiscard]] Json MeasuredJson(const Record& record) {
  const auto any = [&record](auto has) {
    return std::any_of(record.trials.begin(), record.trials.end(), has);
  };
  Json out;
  out["token_ids"] = any([](const Trial& trial) { return trial.token_ids.has_value(); });
  out["logprobs"] = any([](const Trial& trial) { return trial.logprobs.has_value(); });
  out["prompt_tokens_measured"] =
      any([](const Trial& trial) { return !trial.prompt_tokens_measured.is_null(); });
  out["request_sha256"] = any([](const Trial& trial) { return trial.request_sha256.is_string(); });
  out["prompt_sha256"] = any([](const Trial& trial) { return trial.prompt_sha256.is_string(); });
  out["cached_tokens"] = any([](const Trial& trial) { return trial.cached_tokens.has_value(); });
  return out;
}

void AddIdentity(Json& out, const Record& record, const Judgement& judgement, const Policy& policy,
                 const CertStamp& stamp) {
  out["schema_version"] = kCertSchemaVersion;
  out["model"] = record.cell.model;
  out["ctx"] = record.cell.ctx;
  out["dispatch_n"] = record.cell.dispatch_n;
  out["kv_label"] = record.cell.kv_label;
  out["status"] = VerdictStatus(judgement.verdict);
  out["verdict"] = VerdictName(judgement.verdict);
  out["source"] = record.source;
  out["gate"] = kGate;
  out["ts_utc"] = stamp.ts_utc;
  out["expires_utc"] = ExpiryJson(record, policy);
  out["trace_sha256"] = stamp.trace_sha256.empty() ? Json() : Json(stamp.trace_sha256);
  out["invariant_fields"] = Texts(RowComparer(policy).field_names());
  out["policy"] = PolicyJson(policy);
  out["promotion_scope"] = ScopeJson(record);
  out["ctx_sweep"] = Json();
}

void AddVerdict(Json& out, const Judgement& judgement, CertTrimmer& trimmer) {
  out["mismatch"] = OptionalText(judgement.mismatch);
  out["divergence_class"] = OptionalText(judgement.divergence_class);
  out["anomaly"] = OptionalText(judgement.anomaly);
  out["transport_only"] = judgement.transport_only;
  out["first_cause"] = judgement.first_cause.empty() ? Json() : Json(judgement.first_cause);
  out["reason_codes"] = Texts(judgement.reason_codes);
  // Lines are short, but one per pass may be there.
  out["decision_reasons"] = trimmer.Ids("decision_reasons", judgement.decision_reasons);
}

void AddEvidence(Json& out, const Judgement& judgement, CertTrimmer& trimmer) {
  Json overlap;
  overlap["client_max_overlap_depth"] = judgement.client_max_overlap_depth;
  overlap["server_peak_busy_slots"] = judgement.server_peak_busy_slots;
  overlap["overlap_ok"] = judgement.overlap_ok;
  out["overlap"] = std::move(overlap);
  out["overlap_ok"] = judgement.overlap_ok;
  out["completion_floor"] = FloorJson(judgement.floor);
  out["cobatch_coverage"] = CoverageJson(judgement, trimmer);
  out["effective_n"] = judgement.effective_n;
  out["min_mean_width"] = OptionalJson(judgement.min_mean_width);
  out["n_passes"] = judgement.n_passes;
  out["n_passes_effective"] = judgement.n_passes_effective;
  Json::Array divergent;
  Json::Array token_only;
  Json::Array passes;
  for (const PassReport& pass : judgement.passes) {
    divergent.emplace_back(pass.ac_divergent);
    token_only.emplace_back(pass.ac_token_only);
    if (passes.size() < trimmer.limits().list) passes.push_back(PassJson(pass));
  }
  out["per_pass_ac_divergent"] = std::move(divergent);
  out["per_pass_ac_token_only"] = std::move(token_only);
  trimmer.NoteLeftOut("passes", passes.size(), judgement.passes.size());
  out["passes"] = std::move(passes);
  out["status_counts"] = trimmer.Map("status_counts", judgement.status_counts,
                                     [](std::int64_t count) { return Json(count); });
}

void AddReports(Json& out, const Judgement& judgement, CertTrimmer& trimmer) {
  Json reports;
  const auto add = [&](const char* label, const PairReport& report) {
    reports[label] = ReportJson(std::string("divergence_report.") + label, report, trimmer);
  };
  add("AC", judgement.ac);
  add("AB", judgement.ab);
  add("BC", judgement.bc);
  add("AA2", judgement.aa2);
  if (judgement.aa3) add("AA3", *judgement.aa3);
  if (judgement.bb2) add("BB2", *judgement.bb2);
  out["divergence_report"] = std::move(reports);
  const auto passed = [](const PairReport& report) {
    return report.n_compared > 0 && report.n_divergent == 0;
  };
  Json arm_b;
  arm_b["ab_passed"] = passed(judgement.ab);
  arm_b["bc_passed"] = passed(judgement.bc);
  out["arm_b"] = std::move(arm_b);
}

void AddFindings(Json& out, const Judgement& judgement, CertTrimmer& trimmer) {
  Json::Array divergences;
  for (const Divergence& divergence : judgement.divergences) {
    if (divergences.size() == trimmer.limits().divergences) break;
    divergences.push_back(DivergenceJson(divergence, trimmer));
  }
  out["divergences"] = std::move(divergences);
  out["n_divergences"] = judgement.n_divergences;
  out["n_leaks"] = judgement.n_leaks;
  out["divergences_by_width"] = WidthJson(judgement.divergences_by_width);
  out["distinct_outputs"] = trimmer.Map("distinct_outputs", judgement.distinct_outputs,
                                        [](int count) { return Json(count); });
  out["token_divergence_ids"] = trimmer.Ids("token_divergence_ids", judgement.token_divergence_ids);
  out["serial_unstable_ids"] = trimmer.Ids("serial_unstable_ids", judgement.serial_unstable_ids);
  out["request_mismatch_ids"] = trimmer.Ids("request_mismatch_ids", judgement.request_mismatch_ids);
  out["prompt_truncated_ids"] = trimmer.Ids("prompt_truncated_ids", judgement.prompt_truncated_ids);
  out["cached_prompt_ids"] = trimmer.Ids("cached_prompt_ids", judgement.cached_prompt_ids);
  std::vector<std::string> uncertified;
  std::map<std::string, std::string> reasons;
  for (const UncertifiedId& one : judgement.uncertified_ids) {
    uncertified.push_back(one.test_id);
    reasons.emplace(one.test_id, one.reason);
  }
  out["uncertified_ids"] = trimmer.Ids("uncertified_ids", uncertified);
  out["uncertified_reasons"] =
      trimmer.Map("uncertified_reasons", reasons,
                  [&trimmer](const std::string& reason) { return trimmer.Text(reason); });
}

[[nodiscard]] Json BuildDocument(const Record& record, const Judgement& judgement,
                                 const Policy& policy, const CertStamp& stamp,
                                 const CertLimits& limits) {
  CertTrimmer trimmer(limits);
  Json out;
  AddIdentity(out, record, judgement, policy, stamp);
  AddVerdict(out, judgement, trimmer);
  AddEvidence(out, judgement, trimmer);
  AddReports(out, judgement, trimmer);
  AddFindings(out, judgement, trimmer);
  out["throughput"] = ThroughputJson(MeasureThroughput(record), trimmer);
  out["statistics"] = StatisticsJson(judgement.statistics);
  out["sensitivity"] = SensitivityJson(judgement);
  Json control;
  control["ok"] = judgement.positive_control_ok;
  control["planted"] = judgement.positive_controls;
  out["positive_control"] = std::move(control);
  out["workset"] = WorksetJson(record, judgement, trimmer);
  for (const char* key : {"server", "scorer", "request", "provenance", "retries", "reps", "plan",
                          "attempts", "baseline"}) {
    out[key] = trimmer.PassThrough(key, record.header);
  }
  out["measured"] = MeasuredJson(record);
  out["left_out"] = trimmer.LeftOut();
  return Portable(out);
}

}  // namespace

Cert BuildCert(const Record& record, const Judgement& judgement, const Policy& policy,
               const CertStamp& stamp) {
  CertLimits limits;
  Cert cert{BuildDocument(record, judgement, policy, stamp, limits)};
  while (limits.list > 0 && CertText(cert).size() > kMaxCertBytes) {
    limits = limits.Smaller();
    cert.document = BuildDocument(record, judgement, policy, stamp, limits);
  }
  cert.document[kDigestKey] = CertDigest(cert);
  return cert;
}

std::string CertText(const Cert& cert) { return PrettyText(cert.document); }

std::string CertDigest(const Cert& cert) {
  Json without = cert.document;
  if (Json::Object* object = without.if_object()) object->erase(kDigestKey);
  return Sha256Hex(PrettyText(without));
}

}  // namespace bi_test
