#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json_limits.h"
#include "bi_test/json.h"
#include "bi_test/result.h"

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

/// Reads one chat reply piece by piece: SSE in every legal shape (CR, LF, CRLF, comments, `data:`
/// with and without space, multi-line data, split anywhere, role-only and null deltas, a usage-only
/// event, `[DONE]` or none after a finish reason) or one plain JSON document; which of the two is
/// told by the first byte that is no white space, whatever the Content-Type said. Only choice 0 is
/// read. Total: any bytes give a reply or a fault. Bounded: line, event, depth, token and total
/// limits.
class ChatReplyReader {
 public:
  struct Limits {
    std::size_t max_bytes = kReplyLimits.max_bytes;
    std::size_t max_line = 4u << 20;
    std::size_t max_tokens = 1u << 20;
  };
  ChatReplyReader();
  explicit ChatReplyReader(Limits limits);
  ~ChatReplyReader();
  ChatReplyReader(ChatReplyReader&&) noexcept;
  ChatReplyReader& operator=(ChatReplyReader&&) noexcept;

  /// Takes the next bytes. False once a fault is certain; reading on is then pointless.
  bool Feed(std::string_view bytes);
  /// True once the first piece of generated output (content, reasoning, tool call, token) was seen.
  /// Of a plain document, whose first byte comes after the last token, only after Finish().
  [[nodiscard]] bool saw_output() const;
  /// Ends the reply: no more bytes will come. To be called once.
  [[nodiscard]] std::variant<ChatReply, ReplyFault> Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::http
