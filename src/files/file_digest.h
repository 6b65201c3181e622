#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bi_test/result.h"

namespace bi_test::files {

/// Size and SHA-256 (hex) of a file.
struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// Digests a file, links followed. Digests are kept per process by path, size, modification time
/// and inode: each launch asks again for the same large files. Thread safe.
[[nodiscard]] Result<FileDigest> DigestFile(const std::filesystem::path& file);

}  // namespace bi_test::files
