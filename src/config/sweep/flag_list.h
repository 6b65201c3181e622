#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::config {

/// Arguments of which later ones replace earlier ones with the same meaning, so that the list says
/// nothing twice: `base` without the flags that `later` sets, then `later`. A flag takes with it
/// what follows up to the next one; `--x=1`, `--X_y` and the short names of common flags are
/// understood.
[[nodiscard]] std::vector<std::string> MergedFlags(const std::vector<std::string>& base,
                                                   const std::vector<std::string>& later);

/// The value of the last flag of that meaning; nothing when there is none, or none with a value.
[[nodiscard]] std::optional<std::string> LastFlagValue(const std::vector<std::string>& flags,
                                                       std::string_view name);

/// Whether the flag belongs to bi_test itself in every launch (address, model, context, slots).
[[nodiscard]] bool IsReservedFlag(std::string_view argument);

}  // namespace bi_test::config
