#include <cmath>
#include <limits>

#include "bi_test/policy.h"

namespace bi_test {
namespace {

Error Wrong(const char* key, const Json& found, const char* allowed) {
  return Error{ErrorCode::kInvalidFile, "found " + CompactText(found) + ", allowed: " + allowed,
               std::string("policy.") + key};
}

bool ReadNumber(const Json& value, double& out) {
  if (const double* real = value.if_double()) {
    out = *real;
    return true;
  }
  if (const std::int64_t* integer = value.if_int64()) {
    out = static_cast<double>(*integer);
    return true;
  }
  return false;
}

bool ReadCount(const Json& value, int& out) {
  const std::int64_t* integer = value.if_int64();
  if (integer == nullptr || *integer < 0 || *integer > std::numeric_limits<int>::max())
    return false;
  out = static_cast<int>(*integer);
  return true;
}

}  // namespace

const char* LogprobPolicyName(LogprobPolicy policy) {
  switch (policy) {
    case LogprobPolicy::kRecord:
      return "record";
    case LogprobPolicy::kExact:
      return "exact";
    case LogprobPolicy::kEps:
      return "eps";
  }
  return "record";
}

Json PolicyJson(const Policy& policy) {
  Json out;
  out["logprobs"] = LogprobPolicyName(policy.logprobs);
  out["logit_drift_eps"] = policy.logit_drift_eps;
  out["min_ok_fraction"] = policy.min_ok_fraction;
  out["min_coverage_fraction"] = policy.min_coverage_fraction;
  out["min_width_fraction"] = policy.min_width_fraction;
  out["min_effective_prompts"] = policy.min_effective_prompts;
  out["min_promotion_prompts"] = policy.min_promotion_prompts;
  out["expires_days"] = policy.expires_days;
  out["extra_invariant_fields"] =
      Json(Json::Array(policy.extra_invariant_fields.begin(), policy.extra_invariant_fields.end()));
  return out;
}

Result<Policy> ParsePolicyJson(const Json& json) {
  Policy policy;
  if (json.is_null()) return policy;
  if (!json.is_object()) return Wrong("", json, "an object");
  if (const Json* value = json.Find("logprobs"); value != nullptr) {
    bool known = false;
    for (const LogprobPolicy one :
         {LogprobPolicy::kRecord, LogprobPolicy::kExact, LogprobPolicy::kEps}) {
      if (value->if_string() == nullptr || *value->if_string() != LogprobPolicyName(one)) continue;
      policy.logprobs = one;
      known = true;
    }
    if (!known) return Wrong("logprobs", *value, "record, exact or eps");
  }
  const struct {
    const char* key;
    double* out;
  } numbers[] = {{"logit_drift_eps", &policy.logit_drift_eps},
                 {"min_ok_fraction", &policy.min_ok_fraction},
                 {"min_coverage_fraction", &policy.min_coverage_fraction},
                 {"min_width_fraction", &policy.min_width_fraction}};
  for (const auto& [key, out] : numbers) {
    const Json* value = json.Find(key);
    if (value != nullptr && !ReadNumber(*value, *out)) return Wrong(key, *value, "a number");
  }
  const struct {
    const char* key;
    int* out;
  } counts[] = {{"min_effective_prompts", &policy.min_effective_prompts},
                {"min_promotion_prompts", &policy.min_promotion_prompts},
                {"expires_days", &policy.expires_days}};
  for (const auto& [key, out] : counts) {
    const Json* value = json.Find(key);
    if (value != nullptr && !ReadCount(*value, *out)) return Wrong(key, *value, "a whole number");
  }
  if (const Json* value = json.Find("extra_invariant_fields"); value != nullptr) {
    if (!value->is_array()) return Wrong("extra_invariant_fields", *value, "a list of texts");
    for (const Json& field : *value->if_array()) {
      if (!field.is_string()) return Wrong("extra_invariant_fields", field, "a text");
      policy.extra_invariant_fields.push_back(*field.if_string());
    }
  }
  const std::vector<std::string> problems = Validate(policy);
  if (!problems.empty()) return Error{ErrorCode::kInvalidFile, problems.front(), "policy"};
  return policy;
}

}  // namespace bi_test
