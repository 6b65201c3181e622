#pragma once

#include <filesystem>
#include <string>

#include "config/sweep/expand.h"

namespace bi_test::config {

/// Where a program is: a name with `/` is a path, relative to `base`; any other name is looked for
/// in the folders of the variable PATH. Absolute, and an executable regular file; empty when there
/// is none.
[[nodiscard]] std::filesystem::path FindProgram(const std::string& name,
                                                const std::filesystem::path& base,
                                                const Environment& env);

}  // namespace bi_test::config
