#pragma once

#include <cstdint>

#include "bi_test/json.h"
#include "bi_test/sweep.h"

/// The parts of a chat request that every dialect writes alike.
namespace bi_test::server {

/// The model's name in every request, and the one servers are told to serve it under.
inline constexpr const char* kServedName = "local";

/// Adds messages, length limit, seed, and log-probabilities when asked for.
void AddQuestion(const WorksetRow& row, std::uint64_t seed, const RunConfig& run,
                 Json::Object& body);

/// Adds the smallest question, for the readiness check.
void AddProbe(Json::Object& body);

/// The fields that the OpenAI interface has: model, streaming with usage, greedy sampling. What a
/// request leaves out, servers take from the model's own defaults.
[[nodiscard]] Json::Object GreedyOpenAiRequest();

}  // namespace bi_test::server
