#pragma once

#include <filesystem>
#include <string>

namespace bi_test::config {

/// What stands at a path where a regular file is expected, for error texts: `no such file`, `a
/// folder`, or `something that is no regular file` (a pipe, a device).
[[nodiscard]] std::string KindOfFile(const std::filesystem::path& file);

}  // namespace bi_test::config
