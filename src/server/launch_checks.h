#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "server/owned_server.h"

/// What every dialect compares between a launch and what the server says of itself.
namespace bi_test::server {

/// The server reports something else than what was launched.
[[nodiscard]] Error NotAsLaunched(std::string message, const LaunchSpec& spec);

/// A whole number; nothing for any other value and for null.
[[nodiscard]] std::optional<std::int64_t> WholeNumber(const Json* value);

/// A text; empty for any other value and for null.
[[nodiscard]] std::string TextOf(const Json* value);

/// A reported context of one request: at least what was launched. Keeps the smallest in
/// `identity`.
[[nodiscard]] std::optional<Error> CheckContext(std::int64_t context, const LaunchSpec& spec,
                                                ServerIdentity& identity);

/// A reported number of slots: exactly what was launched.
[[nodiscard]] std::optional<Error> CheckSlotCount(std::int64_t count, const LaunchSpec& spec);

/// A reported model path: the launched file or folder, under whatever name; empty says nothing.
[[nodiscard]] std::optional<Error> CheckModelPath(const std::string& reported,
                                                  const LaunchSpec& spec);

/// Words in a server's log, and what to do about them.
struct LogHint {
  std::string_view words;
  const char* hint;
};
/// The hint of the first entry whose words occur; empty when none does.
[[nodiscard]] std::string FirstHint(std::string_view log, std::span<const LogHint> hints);

/// The log says that somebody else had the port.
[[nodiscard]] bool LogSaysPortTaken(std::string_view log);

}  // namespace bi_test::server
