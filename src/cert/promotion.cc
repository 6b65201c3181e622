#include <algorithm>
#include <utility>

#include "base/utc_time.h"
#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "cert/cert_keys.h"
#include "cert/cert_reader.h"
#include "cert/earlier_reds.h"
#include "verdict/completion_floor.h"
#include "verdict/coverage.h"
#include "verdict/trial_fields.h"
#include "verdict/width.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 120;

/// Collects the points a cert does not meet. Every check asks for one exact type: what is absent or
/// of another type is not met.
class Promotion {
 public:
  Promotion(const Cert& cert, const Cell& cell, const Policy& policy, std::string_view now_utc)
      : cert_(cert), read_(cert.document), cell_(cell), policy_(policy), now_utc_(now_utc) {}

  [[nodiscard]] std::vector<std::string> Take() {
    if (!cert_.document.is_object()) {
      return {"NOT_A_CERT: found " + Shown(&cert_.document) + ", expected a JSON object"};
    }
    CheckIdentity();
    CheckVerdict();
    CheckOverlap();
    CheckFloor();
    CheckCoverage();
    CheckPasses();
    CheckReports();
    CheckSample();
    CheckRun();
    CheckExpiry();
    CheckAttempts();
    return std::move(unmet_);
  }

 private:
  [[nodiscard]] static std::string Shown(const Json* value) { return ShownValue(value, kMaxShown); }

  void Unmet(const char* code, const std::string& text) {
    unmet_.push_back(std::string(code) + ": " + text);
  }

  void Expect(const char* code, const char* path, const Json& expected) {
    const Json* found = read_.At(path);
    if (found != nullptr && *found == expected) return;
    Unmet(code, std::string(path) + ": found " + Shown(found) + ", expected " + Shown(&expected));
  }

  void ExpectEmpty(const char* code, const std::string& path) {
    const Json* found = read_.At(path);
    if (found != nullptr && found->is_array() && found->if_array()->empty()) return;
    Unmet(code, path + ": found " + Shown(found) + ", expected an empty list");
  }

  void ExpectText(const char* code, const char* path) {
    const std::optional<std::string> found = read_.TextAt(path);
    if (found && !found->empty()) return;
    Unmet(code, std::string(path) + ": found " + Shown(read_.At(path)) + ", expected a text");
  }

  void CheckIdentity() {
    Expect("SCHEMA", "schema_version", kCertSchemaVersion);
    const std::optional<std::string> digest = read_.TextAt("cert_digest");
    if (!digest || *digest != CertDigest(cert_)) {
      Unmet("DIGEST", "cert_digest: found " + Shown(read_.At("cert_digest")) +
                          ", which is not the digest of this cert; it was edited or damaged");
    }
    for (const char* prefix : {"", "promotion_scope.valid_for."}) {
      Expect("CELL", (std::string(prefix) + "model").c_str(), cell_.model);
      Expect("CELL", (std::string(prefix) + "ctx").c_str(), cell_.ctx);
      Expect("CELL", (std::string(prefix) + "dispatch_n").c_str(), cell_.dispatch_n);
    }
    Expect("CELL", "kv_label", cell_.kv_label);
    Expect("SCOPE", "promotion_scope.generalizes", false);
    if (FileStem(cell_).empty()) {
      Unmet("CELL", "asked for " + Describe(cell_) + ", which is no cell");
    }
  }

  void CheckVerdict() {
    Expect("STATUS", "status", VerdictStatus(Verdict::kGreen));
    Expect("SOURCE", "source", "live");
    Expect("GATE", "gate", "abc_union");
    for (const char* key : {"mismatch", "divergence_class", "anomaly"}) {
      Expect("VERDICT", key, Json());
    }
    Expect("VERDICT", "reason_codes", Json(Json::Array{"CLEAN"}));
    Expect("VERDICT", "transport_only", false);
    Expect("POSITIVE_CONTROL", "positive_control.ok", true);
    const Json* fields = read_.At("invariant_fields");
    for (const InvariantField& field : Invariants()) {
      const Json::Array* list = fields == nullptr ? nullptr : fields->if_array();
      const Json name = field.name;
      if (list != nullptr && std::find(list->begin(), list->end(), name) != list->end()) continue;
      Unmet("INVARIANTS", "invariant_fields: found " + Shown(fields) + ", \"" +
                              std::string(field.name) + "\" is missing");
    }
    const Json* policy = read_.At("policy");
    if (policy == nullptr || policy->is_null() || !ParsePolicyJson(*policy).ok()) {
      Unmet("POLICY",
            "policy: found " + Shown(policy) + ", expected thresholds no laxer than the defaults");
    }
  }

  void CheckOverlap() {
    Expect("OVERLAP", "overlap_ok", true);
    Expect("OVERLAP", "overlap.overlap_ok", true);
    const std::int64_t n = cell_.dispatch_n;
    const auto depth = read_.IntAt("overlap.client_max_overlap_depth");
    const auto peak = read_.IntAt("overlap.server_peak_busy_slots");
    const std::int64_t required = RequiredBusySlots(n);
    if (!depth || *depth < 2 || !peak || *peak < required) {
      Unmet("OVERLAP", "overlap: found client depth " +
                           Shown(read_.At("overlap.client_max_overlap_depth")) +
                           " and busy slots " + Shown(read_.At("overlap.server_peak_busy_slots")) +
                           ", expected at least 2 and " + std::to_string(required));
    }
    Expect("WIDTH", "effective_n", n);
  }

  void CheckFloor() {
    Expect("FLOOR", "completion_floor.completion_floor_ok", true);
    const auto ok_a = read_.IntAt("completion_floor.n_ok_a");
    const auto ok_c = read_.IntAt("completion_floor.n_ok_c");
    const auto compared = read_.IntAt("divergence_report.AC.n_compared");
    const std::int64_t required =
        compared && *compared > 0 ? CeilOfFraction(policy_.min_ok_fraction, *compared) : 1;
    if (ok_a && ok_c && compared && *compared > 0 && *ok_a >= required && *ok_c >= required) return;
    Unmet("FLOOR", "completion_floor: found " + Shown(read_.At("completion_floor.n_ok_a")) +
                       " ok in A and " + Shown(read_.At("completion_floor.n_ok_c")) +
                       " ok in C of " + Shown(read_.At("divergence_report.AC.n_compared")) +
                       ", expected at least " + std::to_string(required));
  }

  void CheckCoverage() {
    Expect("COVERAGE", "cobatch_coverage.coverage_checked", true);
    Expect("COVERAGE", "cobatch_coverage.cobatch_coverage_ok", true);
    Expect("COVERAGE", "cobatch_coverage.attribution_certain", true);
    Expect("COVERAGE", "cobatch_coverage.n_missing_interval", 0);
    const auto ids = read_.IntAt("cobatch_coverage.n_ids");
    const auto co_batched = read_.IntAt("cobatch_coverage.n_co_batched");
    if (ids && co_batched && *ids >= 2 && *co_batched <= *ids &&
        *co_batched >= RequiredCoBatched(policy_.min_coverage_fraction, *ids)) {
      return;
    }
    Unmet("COVERAGE",
          "cobatch_coverage: found " + Shown(read_.At("cobatch_coverage.n_co_batched")) + " of " +
              Shown(read_.At("cobatch_coverage.n_ids")) + " ids, too few shared the server");
  }

  void CheckPasses() {
    const auto passes = read_.IntAt("n_passes");
    const auto effective = read_.IntAt("n_passes_effective");
    if (passes && effective && *passes >= 1 && *passes == *effective) return;
    Unmet("PASSES", "n_passes_effective: found " + Shown(read_.At("n_passes_effective")) + " of " +
                        Shown(read_.At("n_passes")) + ", expected every pass");
  }

  void CheckReports() {
    for (const char* pair : {"AC", "AB", "BC", "AA2"}) {
      const std::string base = std::string("divergence_report.") + pair + ".";
      Expect("DIVERGENCE", (base + "n_divergent").c_str(), 0);
      Expect("DIVERGENCE", (base + "n_token_only").c_str(), 0);
      ExpectEmpty("DIVERGENCE", base + "only_x");
      ExpectEmpty("DIVERGENCE", base + "only_y");
    }
    ExpectEmpty("DIVERGENCE", "token_divergence_ids");
    ExpectEmpty("UNCERTIFIED_IDS", "uncertified_ids");
    ExpectEmpty("CACHED_PROMPT", "cached_prompt_ids");
    ExpectEmpty("PROMPT_TRUNCATED", "prompt_truncated_ids");
    ExpectEmpty("REQUEST_MISMATCH", "request_mismatch_ids");
  }

  void CheckSample() {
    // The strictest of what the asker, the cell's own sweep file and the product demand.
    const std::int64_t required =
        std::max<std::int64_t>({policy_.min_promotion_prompts, Policy{}.min_promotion_prompts,
                                read_.IntAt("policy.min_promotion_prompts").value_or(0)});
    const auto prompts = read_.IntAt("statistics.n_effective_prompts");
    if (!prompts || *prompts < required) {
      Unmet("SAMPLE_TOO_SMALL", "statistics.n_effective_prompts: found " +
                                    Shown(read_.At("statistics.n_effective_prompts")) +
                                    ", expected at least " + std::to_string(required) +
                                    " distinct prompts");
    }
  }

  /// Every count in `retries` is a number and zero.
  [[nodiscard]] static bool AllZero(const Json& value) {
    if (const Json::Object* object = value.if_object()) {
      return !object->empty() &&
             std::all_of(object->begin(), object->end(),
                         [](const auto& member) { return AllZero(member.second); });
    }
    if (const Json::Array* array = value.if_array()) {
      return !array->empty() && std::all_of(array->begin(), array->end(), AllZero);
    }
    return value == Json(0);
  }

  void CheckRun() {
    const Json* retries = read_.At("retries");
    if (retries == nullptr || !retries->is_object() || !AllZero(*retries)) {
      Unmet("RETRIED", "retries: found " + Shown(retries) + ", expected zero in every arm");
    }
    Expect("PID_NOT_VERIFIED", "server.pid_verified", true);
    Expect("SERVER", "server.total_slots", cell_.dispatch_n);
    const auto slot_ctx = read_.IntAt("server.n_ctx_slot");
    if (!slot_ctx || *slot_ctx < cell_.ctx) {
      Unmet("SERVER", "server.n_ctx_slot: found " + Shown(read_.At("server.n_ctx_slot")) +
                          ", expected at least " + std::to_string(cell_.ctx));
    }
    ExpectText("WORKSET", "workset.sha256");
    ExpectText("SCORER", "scorer.name");
    ExpectText("SCORER", "scorer.version");
    ExpectText("TRACE", "trace_sha256");
  }

  void CheckExpiry() {
    const std::optional<std::string> text = read_.TextAt("expires_utc");
    const auto expires = text ? ParseUtc(*text) : std::nullopt;
    if (!expires) {
      Unmet("EXPIRED", "expires_utc: found " + Shown(read_.At("expires_utc")) +
                           ", expected a time such as 2030-12-31T23:59:59Z");
      return;
    }
    if (now_utc_.empty()) return;
    const auto now = ParseUtc(now_utc_);
    if (now && *now < *expires) return;
    Unmet("EXPIRED", "expires_utc: " + *text + " is past, now is " +
                         SanitizeText(std::string(now_utc_), kMaxShown) + "; run the cell again");
  }

  void CheckAttempts() {
    Expect("ATTEMPTS", "attempts.readable", true);
    ExpectText("ATTEMPTS", "attempts.subject");
    const Json* earlier = read_.At("attempts.earlier");
    if (earlier == nullptr || !earlier->is_array()) {
      Unmet("ATTEMPTS", "attempts.earlier: found " + Shown(earlier) + ", expected a list");
      return;
    }
    const Json* subject = read_.At("attempts.subject");
    for (std::string& red : EarlierReds(*earlier, subject == nullptr ? Json() : *subject)) {
      unmet_.push_back(std::move(red));
    }
  }

  const Cert& cert_;
  const CertReader read_;
  const Cell& cell_;
  const Policy& policy_;
  const std::string_view now_utc_;
  std::vector<std::string> unmet_;
};

}  // namespace

std::vector<std::string> UnmetPromotionPoints(const Cert& cert, const Cell& cell,
                                              const Policy& policy, std::string_view now_utc) {
  return Promotion(cert, cell, policy, now_utc).Take();
}

}  // namespace bi_test
