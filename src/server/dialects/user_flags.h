#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "server/launch_spec.h"

/// The flags a sweep file gives to a server, and what they may not say. Shared by all dialects.
namespace bi_test::server {

/// One element of `server.flags` or `models[].flags`.
struct UserFlag {
  std::string text;   ///< As written.
  std::string where;  ///< `server.flags[2]`: for messages.
  std::string name;   ///< Normal form of the flag's name; empty for a value.
};

/// Flags that are refused, all for the same reason.
struct ForbiddenFlags {
  std::vector<std::string_view> names;  ///< In normal form.
  const char* why;                      ///< Where that setting comes from instead.
};

/// How a program reads its command line.
enum class FlagStyle {
  kExact,        ///< A long flag is written out.
  kAbbreviated,  ///< Any unambiguous beginning of a long flag stands for it (Python's argparse),
                 ///< and `--name.key` sets a part of it.
};

/// `--Ctx_size=1` and `--ctx-size` are the same flag to most servers: `_` counts as `-`, a value
/// after `=` is cut off. Empty for what does not begin with `-`.
[[nodiscard]] std::string NormalFlag(std::string_view flag);

/// All flags of a launch, the server's before the model's. Refused: empty ones, zero bytes, and
/// flags of `forbidden`, in all spellings of `style`.
[[nodiscard]] Result<std::vector<UserFlag>> AllowedFlags(
    const LaunchSpec& spec, const std::vector<ForbiddenFlags>& forbidden, FlagStyle style);

/// A refusal that names the flag.
[[nodiscard]] Error FlagRefused(const UserFlag& flag, const std::string& message);

/// The value of the flag at `index`: after `=`, or the next element; nothing when it is missing.
[[nodiscard]] std::optional<std::string> FlagValue(const std::vector<UserFlag>& flags,
                                                   std::size_t index);

/// Whether one of the flags has one of these names.
[[nodiscard]] bool HasFlag(const std::vector<UserFlag>& flags,
                           std::initializer_list<std::string_view> names);

/// A command line: `ours`, then the user's as written, so that a value missing at their end cannot
/// swallow one of ours.
[[nodiscard]] std::vector<std::string> WithUserFlags(std::vector<std::string> ours,
                                                     const std::vector<UserFlag>& flags);

}  // namespace bi_test::server
