#pragma once

#include <filesystem>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/server_identity.h"

namespace bi_test::server {

/// An error that tells how to name the program when none was found.
[[nodiscard]] Status RequireBinary(const ServerConfig& server);

/// Fills `binary`, `binary_bytes` and `binary_sha256`. Digests are kept per process by path, size,
/// modification time and inode.
[[nodiscard]] Status DescribeBinary(const std::filesystem::path& binary, ServerIdentity& identity);

/// Fills `program*` and `libraries_sha256` from the running process `pid`: its executable, or, when
/// that is the system's dynamic loader, the first file it has mapped as code that is no loader and
/// that is named on its command line. What cannot be read stays as `binary*`, or empty.
void DescribeProgram(int pid, ServerIdentity& identity);

}  // namespace bi_test::server
