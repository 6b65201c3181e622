#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/scorer.h"

namespace bi_test {

// Options that WrongOption let through. REQUIRES: `options` holds one of that name and kind.
[[nodiscard]] bool FlagOption(const Json& options, std::string_view name);
[[nodiscard]] double NumberOption(const Json& options, std::string_view name);
[[nodiscard]] std::string TextOption(const Json& options, std::string_view name);

/// An option that is true or false.
[[nodiscard]] ScorerOption Flag(std::string name, bool fallback);
/// An option that is a text. Without a fallback it has to be set.
[[nodiscard]] ScorerOption Text(std::string name, Json fallback = {});
/// An option that is one of these words; the first is its default.
[[nodiscard]] ScorerOption Word(std::string name, std::vector<std::string> words);

}  // namespace bi_test
