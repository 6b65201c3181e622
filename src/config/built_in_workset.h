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

/// Names of the built-in work-sets, sorted.
[[nodiscard]] std::vector<std::string> BuiltInWorksetNames();

/// The built-in work-set of that name, or an error with the known ones.
[[nodiscard]] Result<Workset> BuiltInWorkset(std::string_view name);

}  // namespace bi_test::config
