#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "server/owned_server.h"

/// What vLLM and SGLang share: Python programs on PyTorch that load a model folder.
namespace bi_test::server {

/// Variables that change numbers, kernels or what is downloaded, by prefix.
[[nodiscard]] std::vector<std::string> TorchEnvPrefixes();
/// Those of them that only say where things are.
[[nodiscard]] std::vector<std::string> TorchEnvPlaces();
/// Models are read from disk only: whatever a server would fetch is not what was digested.
[[nodiscard]] std::map<std::string, std::string> OfflineEnvironment();
/// Refuses the names that OfflineEnvironment sets.
[[nodiscard]] Status CheckOfflineEnvName(std::string_view name);

/// Whether the program is a Python interpreter, which needs to be told the module.
[[nodiscard]] bool IsPython(const LaunchSpec& spec);

/// The KV label as the server's own `--kv-cache-dtype`, refused unless it is one of `known`.
[[nodiscard]] Result<std::string> KvCacheType(const LaunchSpec& spec,
                                              const std::vector<std::string_view>& known);

}  // namespace bi_test::server
