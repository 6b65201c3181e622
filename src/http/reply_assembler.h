#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/chat_reply.h"

namespace bi_test::http {

/// Puts a ChatReply together from the JSON documents of a stream, or from the one of a plain body.
/// Each document is parsed once. Includes no RapidJSON, its values stay in the .cc file.
class ReplyAssembler {
 public:
  explicit ReplyAssembler(std::size_t max_tokens);
  ~ReplyAssembler();
  ReplyAssembler(ReplyAssembler&&) noexcept;
  ReplyAssembler& operator=(ReplyAssembler&&) noexcept;

  /// What was wrong with a document; `offset` counts from its own beginning.
  struct Fault {
    ReplyFault::Kind kind = ReplyFault::Kind::kMalformed;
    std::string text;
    std::optional<std::size_t> offset;  ///< Of a syntax error.
  };
  /// `streamed`: a piece with `delta`s, else a whole reply with a `message`.
  std::optional<Fault> Take(std::string_view json, bool streamed);

  [[nodiscard]] bool saw_output() const;
  [[nodiscard]] bool saw_choice() const;
  [[nodiscard]] bool saw_finish_reason() const;
  /// All that was taken. The assembler is spent afterwards.
  [[nodiscard]] ChatReply Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::http
