#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "config/sweep/expand.h"

namespace bi_test::config {

/// The folder in which the hub's own tools keep what they fetched: HF_HUB_CACHE, else `hub` below
/// HF_HOME, else below the user's cache folder. Empty when the environment does not say.
[[nodiscard]] std::filesystem::path HubCacheFolder(const Environment& env);

/// The snapshot of a model name (`org/name`) in that folder: the one that `main` points to, else
/// the only one. Nothing when there is none or the choice would be a guess. Fetches nothing.
[[nodiscard]] std::optional<std::filesystem::path> FindHubSnapshot(std::string_view name,
                                                                   const Environment& env);

}  // namespace bi_test::config
