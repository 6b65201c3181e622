#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/sweep.h"

namespace bi_test::config {

/// Takes one mistake: the key inside `sampling` (`stop[1]`; empty: the whole), what was found there
/// and what is allowed.
using SamplingProblem = std::function<void(const std::string& key, const std::string& found,
                                           const std::string& allowed)>;

/// A value as `found ...` names it: a text in quotes, `an array`, `an object`, else its JSON.
[[nodiscard]] std::string Found(const Json& value);

/// Reads `sampling` of a row: what its request asks for beside its text. Only what leaves a request
/// greedy is allowed: with any randomness of its own two serial answers would differ already. Gives
/// the canonical form (nulls left out, `stop` always a list, biases as doubles, in the order of
/// their tokens), or null when nothing is asked for. `completion`: the row is a plain text
/// completion, which has no tools.
[[nodiscard]] Json ReadSampling(const Json& sampling, bool completion,
                                const SamplingProblem& problem);

/// The length limit of this row's answer: its own, else that of the run.
[[nodiscard]] int MaxTokens(const WorksetRow& row, const RunConfig& run);

}  // namespace bi_test::config
