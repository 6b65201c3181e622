#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test::http {

/// Everything an OpenAI-style chat reply says, streamed or not. Null and missing are the same.
struct ChatReply {
  /// Joined pieces. Bytes that are not UTF-8 are kept; a lone surrogate has its three-byte form.
  std::string content;
  std::optional<std::string> reasoning_content;
  /// Array of `{"type","function":{"name","arguments"}}` in the order of their index, or null. The
  /// id of a call is left out: servers draw it at random.
  Json tool_calls;
  std::optional<std::string> finish_reason;
  /// Of `usage`, else of `timings`. When both tell the cached tokens, the larger figure.
  std::optional<std::int64_t> prompt_tokens, completion_tokens, cached_tokens;
  /// Ids sent as such, else those of the log-probability entries; absent when any lacks one.
  std::optional<std::vector<std::int64_t>> token_ids;
  std::optional<std::vector<double>> logprobs;  ///< Chosen tokens; absent when any is null.
  /// Best minus second best alternative; absent unless each token came with two.
  std::optional<std::vector<double>> margins;
  std::optional<double> prompt_ms, predicted_ms;
  std::optional<std::int64_t> slot;
  bool truncated = false;
  std::optional<std::string> model, system_fingerprint;
};

/// Why a 200 reply could not be used.
struct ReplyFault {
  enum class Kind {
    kMalformed,      ///< Not JSON, or not the shape of a chat reply.
    kErrorObject,    ///< The server sent an error in place of (the rest of) the answer.
    kCutShort,       ///< The stream ended early.
    kTooLarge,       ///< More bytes than allowed, in all or in one line.
    kTooManyTokens,  ///< More tokens than allowed.
  } kind = Kind::kMalformed;
  std::string text;  ///< With byte offset where that makes sense. Safe to print.
};

}  // namespace bi_test::http
