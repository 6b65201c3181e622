#pragma once

#include <string_view>

namespace bi_test::config {

/// Letters, digits and `_`, no digit first.
[[nodiscard]] bool IsVariableName(std::string_view name);

}  // namespace bi_test::config
