#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <variant>

#include "base/json_limits.h"
#include "http/chat_reply.h"

namespace bi_test::http {

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
