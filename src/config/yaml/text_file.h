#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::config {

/// The text of a file that a person has named, at most `max_bytes`. Where no regular file is, the
/// error says what was found in its place and that `allowed` is.
[[nodiscard]] Result<std::string> ReadTextFile(const std::filesystem::path& file,
                                               std::size_t max_bytes, std::string_view allowed);

}  // namespace bi_test::config
