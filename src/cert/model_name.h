#pragma once

#include <string_view>

namespace bi_test {

/// True when a model's name says it is a mixture of experts: one of its parts (between characters
/// that are neither letters nor digits) is `moe`, `mixtral`, `a3b`-like or `8x7b`-like. Only used
/// where the expert count of the model file is not known.
[[nodiscard]] bool LooksLikeMixtureOfExperts(std::string_view model);

}  // namespace bi_test
