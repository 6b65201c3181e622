// Thresholds may become stricter, never laxer.
#include "bi_test/policy.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PolicyTest, TheDefaultsAreUsable) { EXPECT_THAT(Validate(Policy{}), IsEmpty()); }

TEST(PolicyTest, StricterValuesAreUsable) {
  Policy policy;
  policy.logit_drift_eps = 0.5;
  policy.min_ok_fraction = 1.0;
  policy.min_coverage_fraction = 0.9;
  policy.min_width_fraction = 1.0;
  policy.min_effective_prompts = 48;
  policy.min_promotion_prompts = 100;
  policy.extra_invariant_fields = {"finish_reason", "token_ids"};
  EXPECT_THAT(Validate(policy), IsEmpty());
}

struct PolicyCase {
  const char* name;
  std::function<void(Policy&)> change;
  const char* line;
};

TEST(PolicyTest, EachWrongValueIsNamedWithWhatIsAllowed) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const PolicyCase cases[] = {
      {"78 NaN", [=](Policy& p) { p.min_ok_fraction = nan; },
       "min_ok_fraction: found NaN, allowed: a number from 0.8 to 1.0"},
      {"78 negative", [](Policy& p) { p.min_ok_fraction = -1.0; },
       "min_ok_fraction: found -1.0, allowed: a number from 0.8 to 1.0"},
      {"117 too large", [](Policy& p) { p.min_coverage_fraction = 2.0; },
       "min_coverage_fraction: found 2.0, allowed: a number from 0.8 to 1.0"},
      {"laxer coverage", [](Policy& p) { p.min_coverage_fraction = 0.5; },
       "min_coverage_fraction: found 0.5, allowed: a number from 0.8 to 1.0"},
      {"laxer width", [](Policy& p) { p.min_width_fraction = 0.5; },
       "min_width_fraction: found 0.5, allowed: a number from 0.75 to 1.0"},
      {"135 negative", [](Policy& p) { p.logit_drift_eps = -1.0; },
       "logit_drift_eps: found -1.0, allowed: a finite number, at least 0.0"},
      {"135 NaN", [=](Policy& p) { p.logit_drift_eps = nan; },
       "logit_drift_eps: found NaN, allowed: a finite number, at least 0.0"},
      {"135 infinite", [=](Policy& p) { p.logit_drift_eps = infinity; },
       "logit_drift_eps: found Infinity, allowed: a finite number, at least 0.0"},
      {"few prompts", [](Policy& p) { p.min_effective_prompts = 4; },
       "min_effective_prompts: found 4, allowed: a whole number, at least 5"},
      {"never expires", [](Policy& p) { p.expires_days = 0; },
       "expires_days: found 0, allowed: a whole number from 1 to 3650"},
      {"expires in another age", [](Policy& p) { p.expires_days = 3651; },
       "expires_days: found 3651, allowed: a whole number from 1 to 3650"},
      {"small sample", [](Policy& p) { p.min_promotion_prompts = 29; },
       "min_promotion_prompts: found 29, allowed: a whole number, at least 30"},
      {"field that is never compared", [](Policy& p) { p.extra_invariant_fields = {"wall_ms"}; },
       "extra_invariant_fields: found \"wall_ms\", allowed: content, reasoning_content, "
       "tool_calls, "
       "finish_reason, completion_tokens, token_ids, logprobs or prompt_tokens"},
  };
  for (const PolicyCase& one : cases) {
    Policy policy;
    one.change(policy);
    EXPECT_THAT(Validate(policy), ElementsAre(one.line)) << one.name;
  }
}

}  // namespace
}  // namespace bi_test
