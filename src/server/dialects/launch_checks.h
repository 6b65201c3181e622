#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/result.h"
#include "server/launch_spec.h"
#include "server/server_identity.h"

/// What every dialect compares between a launch and what the server says of itself.
namespace bi_test::server {

/// The server reports something else than what was launched.
[[nodiscard]] Error NotAsLaunched(std::string message, const LaunchSpec& spec);

/// A reported context of one request: at least what was launched; nothing says nothing. Keeps the
/// smallest in `identity`.
[[nodiscard]] Status CheckContext(std::optional<std::int64_t> context, const LaunchSpec& spec,
                                  ServerIdentity& identity);

/// A reported number of slots: exactly what was launched.
[[nodiscard]] Status CheckSlotCount(std::int64_t count, const LaunchSpec& spec);

/// A reported model path: the launched file or folder, under whatever name; empty says nothing.
[[nodiscard]] Status CheckModelPath(const std::string& reported, const LaunchSpec& spec);

/// Words in a server's log, and what to do about them.
struct LogHint {
  std::string_view words;
  const char* hint;
};
/// The hint of the first entry whose words occur; empty when none does.
[[nodiscard]] std::string FirstHint(std::string_view log, std::initializer_list<LogHint> hints);

}  // namespace bi_test::server
