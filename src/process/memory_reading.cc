#include "process/memory_reading.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "base/split.h"
#include "files/pseudo_file.h"

namespace bi_test::process {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 20;

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> ReadNumber(const std::filesystem::path& file) {
  const std::optional<std::string> text = files::ReadPseudoFile(file.string(), kMaxFile);
  return text ? ParseNumber(*text) : std::nullopt;  // "max" means no limit.
}

// The number after `key` at the start of a line.
std::optional<std::uint64_t> Field(std::string_view text, std::string_view key) {
  for (const std::string_view line : SplitLines(text)) {
    const std::vector<std::string_view> fields = SplitFields(line);
    if (fields.size() >= 2 && fields[0] == key) return ParseNumber(fields[1]);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Room(const std::filesystem::path& group, const char* limit_file,
                                  const char* usage_file, const char* cache_key) {
  const std::optional<std::uint64_t> limit = ReadNumber(group / limit_file);
  const std::optional<std::uint64_t> usage = ReadNumber(group / usage_file);
  if (!limit || !usage) return std::nullopt;
  const std::optional<std::string> stat =
      files::ReadPseudoFile((group / "memory.stat").string(), kMaxFile);
  const std::uint64_t cache = stat ? Field(*stat, cache_key).value_or(0) : 0;
  const std::uint64_t needed = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, needed);
}

// The smallest room in `path` and all groups above it, below the mount point.
void LowerToGroups(const std::filesystem::path& mount, std::filesystem::path path,
                   const char* limit_file, const char* usage_file, const char* cache_key,
                   std::uint64_t& available) {
  path = path.relative_path();
  for (int depth = 0; depth < 64; ++depth) {
    if (const auto room = Room(mount / path, limit_file, usage_file, cache_key)) {
      available = std::min(available, *room);
    }
    if (path.empty()) return;
    path = path.parent_path();
  }
}

}  // namespace

std::optional<std::uint64_t> AvailableMemory(const std::filesystem::path& root) {
  const std::optional<std::string> meminfo =
      files::ReadPseudoFile((root / "proc/meminfo").string(), kMaxFile);
  if (!meminfo) return std::nullopt;
  const std::optional<std::uint64_t> kib = Field(*meminfo, "MemAvailable:");
  if (!kib) return std::nullopt;
  std::uint64_t available = *kib * 1'024;

  const std::optional<std::string> groups =
      files::ReadPseudoFile((root / "proc/self/cgroup").string(), kMaxFile);
  for (const std::string_view line : SplitLines(groups ? std::string_view(*groups) : "")) {
    // hierarchy:controllers:path; version 2 has hierarchy 0 and no controllers.
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    std::string controllers = ",";
    controllers.append(line.substr(first + 1, second - first - 1)).append(",");
    const std::filesystem::path path(line.substr(second + 1));
    if (controllers == ",,") {
      LowerToGroups(root / "sys/fs/cgroup", path, "memory.max", "memory.current", "inactive_file",
                    available);
    } else if (controllers.find(",memory,") != std::string::npos) {
      LowerToGroups(root / "sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                    "memory.usage_in_bytes", "total_inactive_file", available);
    }
  }
  return available;
}

}  // namespace bi_test::process
