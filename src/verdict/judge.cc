#include "bi_test/judge.h"

#include <algorithm>

#include "verdict/classify.h"
#include "verdict/examine.h"
#include "verdict/positive_control.h"

namespace bi_test {
namespace {

[[nodiscard]] Judgement JudgeOnce(const JudgeInput& input, const Policy& policy) {
  Findings findings = Examine(input, policy);
  const ControlResult control = RunPositiveControl(input, policy, findings);
  findings.judgement.positive_controls = control.n_planted;
  findings.judgement.positive_control_ok =
      control.n_planted > 0 && control.n_found == control.n_planted;
  Classify(input, policy, true, findings);
  return std::move(findings.judgement);
}

/// True when a pass that was run differs from arm A, so that the passes not run are not missing but
/// spared.
[[nodiscard]] bool StoppedForCause(const Judgement& judgement) {
  return std::any_of(judgement.passes.begin(), judgement.passes.end(),
                     [](const PassReport& pass) { return pass.ac_divergent > pass.n_missing; });
}

}  // namespace

Judgement Judge(const Record& record, const Policy& policy) {
  // Thresholds nobody may set are replaced; the record is then invalid input whatever they would
  // say.
  const Policy usable = Validate(policy).empty() ? policy : Policy{};
  JudgeInput input = PrepareInput(record, policy);
  Judgement out = JudgeOnce(input, usable);
  const auto planned = static_cast<std::size_t>(input.n_passes_planned);
  if (input.index.passes.size() < planned && !StoppedForCause(out)) {
    ExtendPasses(input, planned);
    out = JudgeOnce(input, usable);
  }
  return out;
}

}  // namespace bi_test
