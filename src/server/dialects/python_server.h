#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/dialects/model_list.h"
#include "server/launch_spec.h"

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
                                              std::initializer_list<std::string_view> known);

/// The fields of a greedy request, with the settings that no request may leave to the model's own
/// generation_config.json.
[[nodiscard]] Json::Object GreedyTorchRequest();
/// The body of one item on top of those fields.
[[nodiscard]] std::string TorchRequest(Json::Object greedy, const WorksetRow& row,
                                       std::uint64_t seed, const RunConfig& run);

/// The entry of a /v1/models page that was launched; an error when it is not listed.
[[nodiscard]] Result<ListedModel> FindServedModel(std::string_view page, const LaunchSpec& spec);

}  // namespace bi_test::server
