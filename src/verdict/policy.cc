#include "bi_test/policy.h"

#include <cmath>

#include "base/number_text.h"
#include "bi_test/sanitize.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

constexpr int kMostExpiresDays = 3650;

void CheckFraction(const char* key, double value, double least, std::vector<std::string>& out) {
  if (std::isfinite(value) && value >= least && value <= 1.0) return;
  out.push_back(std::string(key) + ": found " + DoubleText(value) + ", allowed: a number from " +
                DoubleText(least) + " to 1.0");
}

void CheckCount(const char* key, int value, int least, std::vector<std::string>& out) {
  if (value >= least) return;
  out.push_back(std::string(key) + ": found " + std::to_string(value) +
                ", allowed: a whole number, at least " + std::to_string(least));
}

}  // namespace

std::vector<std::string> Validate(const Policy& policy) {
  const Policy kFloor;
  std::vector<std::string> out;
  if (!std::isfinite(policy.logit_drift_eps) || policy.logit_drift_eps < 0.0) {
    out.push_back("logit_drift_eps: found " + DoubleText(policy.logit_drift_eps) +
                  ", allowed: a finite number, at least 0.0");
  }
  CheckFraction("min_ok_fraction", policy.min_ok_fraction, kFloor.min_ok_fraction, out);
  CheckFraction("min_coverage_fraction", policy.min_coverage_fraction, kFloor.min_coverage_fraction,
                out);
  CheckFraction("min_width_fraction", policy.min_width_fraction, kFloor.min_width_fraction, out);
  CheckCount("min_effective_prompts", policy.min_effective_prompts, kFloor.min_effective_prompts,
             out);
  CheckCount("min_promotion_prompts", policy.min_promotion_prompts, kFloor.min_promotion_prompts,
             out);
  if (policy.expires_days < 1 || policy.expires_days > kMostExpiresDays) {
    out.push_back("expires_days: found " + std::to_string(policy.expires_days) +
                  ", allowed: a whole number from 1 to " + std::to_string(kMostExpiresDays));
  }
  for (const std::string& field : policy.extra_invariant_fields) {
    if (IsExtraInvariant(field)) continue;
    out.push_back("extra_invariant_fields: found \"" + SanitizeText(field, 80) +
                  "\", allowed: " + ExtraInvariantList());
  }
  return out;
}

}  // namespace bi_test
