#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::files {

/// Replaces `file` in one durable step: exclusive temporary file (`.cert-XXXX.tmp`) in the same
/// directory, write, fsync, rename, fsync of the directory; mode 0666 minus umask. Parent
/// directories are made. On any failure the old file stays and the temporary one is removed.
[[nodiscard]] Status WriteFileAtomically(const std::filesystem::path& file,
                                         std::string_view content);

/// Whole file, at most `max_bytes`; larger is an error.
[[nodiscard]] Result<std::string> ReadFile(const std::filesystem::path& file,
                                           std::size_t max_bytes);

/// SHA-256 hex of a file, streamed.
[[nodiscard]] Result<std::string> FileSha256(const std::filesystem::path& file);

}  // namespace bi_test::files
