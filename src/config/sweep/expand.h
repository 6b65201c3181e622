#pragma once

#include <map>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::config {

using Environment = std::map<std::string, std::string>;

/// Letters, digits and `_`, no digit first.
[[nodiscard]] bool IsVariableName(std::string_view name);

/// `text` with `${NAME}` replaced by that variable, `{MODELS_DIR}` by the variable MODELS_DIR
/// (which must not be empty), and `$$` by `$`. What was put in is not looked at again. The error
/// says `found ..., allowed: ...`: a variable that is not set, a `$` that stands alone, a `${`
/// without an end or without a name.
[[nodiscard]] Result<std::string> Expand(std::string_view text, const Environment& env);

}  // namespace bi_test::config
