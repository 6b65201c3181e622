#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace bi_test::process {

/// Memory that this process and its children may still take, bytes: the smallest of `MemAvailable`
/// and the room left in the control group and in each group above it (version 2 or 1). Inactive
/// page cache charged to a group counts as room, because the kernel gives it back. Nothing when no
/// `MemAvailable` can be read. `root` stands in for `/` in tests.
[[nodiscard]] std::optional<std::uint64_t> AvailableMemory(const std::filesystem::path& root = "/");

}  // namespace bi_test::process
