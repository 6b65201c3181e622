#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"

namespace bi_test::config {

/// Forty questions with known answers in prompts of 5 to 300 words, all different.
[[nodiscard]] Workset SmokeWorkset();

/// Forty prompts of 20 to 300 words, each with a code word that no other has and that is to be
/// repeated. A neighbour's text in an answer shows at sight, whatever the model is worth.
[[nodiscard]] Workset CanaryWorkset();

/// A hundred and twenty passages of 1 to 17 notes, each with a question that one of them answers.
[[nodiscard]] Workset PassageWorkset();

/// Two hundred prompts of 5 to 400 words to choose from: the rows of smoke and canary, and further
/// passages with a question.
[[nodiscard]] Workset PoolWorkset();

/// Names of the built-in work-sets, sorted: canary, fragile, lengths, smoke.
[[nodiscard]] std::vector<std::string> BuiltInWorksetNames();

/// The built-in work-set of that name, or an error with the known ones, and for one that is made
/// with the server.
[[nodiscard]] Result<Workset> BuiltInWorkset(std::string_view name);

}  // namespace bi_test::config
