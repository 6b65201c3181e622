#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"

/// The parts of a request that every dialect writes alike.
namespace bi_test::server {

/// The model's name in every request, and the one servers are told to serve it under.
inline constexpr const char* kServedName = "local";

/// Adds messages (of a plain completion: the prompt), length limit, seed, log-probabilities when
/// asked for, and what the row's `sampling` says under the names it has there.
void AddQuestion(const WorksetRow& row, std::uint64_t seed, const RunConfig& run,
                 Json::Object& body);

/// Turns `json_schema`, a key of llama.cpp's, into the `response_format` that others know.
void SchemaAsResponseFormat(Json::Object& body);

/// Refuses a row with a grammar, for kinds that have no GBNF.
[[nodiscard]] Status NoGrammar(const WorksetRow& row, std::string_view kind);

/// The smallest question, for the readiness check, as the body of a request.
[[nodiscard]] std::string ProbeText(Json::Object body);

/// The fields that the OpenAI interface has: model, streaming with usage, greedy sampling. What a
/// request leaves out, servers take from the model's own defaults.
[[nodiscard]] Json::Object GreedyOpenAiRequest();

}  // namespace bi_test::server
