#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bi_test {

/// What this program writes.
inline constexpr std::int64_t kCertSchemaVersion = 2;

/// The keys of a cert of schema version 2, sorted. Every cert has all of them, whatever the run
/// held.
[[nodiscard]] std::span<const std::string_view> CertKeys();

}  // namespace bi_test
