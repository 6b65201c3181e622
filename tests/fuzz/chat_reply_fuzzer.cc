// Any bytes give a reply or a fault, and the same one wherever they are cut.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "http/chat_reply_reader.h"

namespace {

using bi_test::http::ChatReply;
using bi_test::http::ChatReplyReader;
using bi_test::http::ReplyFault;

std::variant<ChatReply, ReplyFault> Read(std::string_view text, std::size_t piece) {
  ChatReplyReader::Limits limits;
  limits.max_line = 4096;
  limits.max_tokens = 100;
  ChatReplyReader reader(limits);
  while (!text.empty()) {
    const std::size_t n = std::min(piece, text.size());
    if (!reader.Feed(text.substr(0, n))) break;
    text.remove_prefix(n);
  }
  return reader.Finish();
}

void Check(bool same) {
  if (!same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] % 16;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto whole = Read(text, text.size() + 1);
  const auto pieces = Read(text, piece);
  Check(whole.index() == pieces.index());
  if (const auto* x = std::get_if<ChatReply>(&whole)) {
    const auto& y = std::get<ChatReply>(pieces);
    Check(x->content == y.content && x->reasoning_content == y.reasoning_content &&
          x->tool_calls == y.tool_calls && x->finish_reason == y.finish_reason &&
          x->token_ids == y.token_ids && x->logprobs == y.logprobs && x->margins == y.margins &&
          x->prompt_tokens == y.prompt_tokens && x->cached_tokens == y.cached_tokens);
  } else {
    Check(std::get<ReplyFault>(whole).text == std::get<ReplyFault>(pieces).text);
  }
  return 0;
}
