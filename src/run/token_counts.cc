#include "run/token_counts.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/json_reader.h"
#include "bi_test/json.h"
#include "http/http_multi.h"
#include "process/interrupt.h"

namespace bi_test::run {
namespace {

constexpr std::chrono::milliseconds kTokenizerTimeout{30'000};
/// Room for the chat template and special tokens around the prompt (workset-and-scorer 2.4).
constexpr std::int64_t kTemplateRoom = 64;
/// For each further message of a conversation.
constexpr std::int64_t kMessageRoom = 8;

/// The count in a tokenizer's answer; nothing for any shape that does not say one.
std::optional<std::int64_t> CountIn(const std::string& body) {
  const Result<Json> reply = ParseJson(body);
  if (!reply.ok()) return std::nullopt;
  std::optional<std::int64_t> count;
  if (const Json* tokens = reply->Find("tokens"); tokens != nullptr && tokens->if_array()) {
    count = static_cast<std::int64_t>(tokens->if_array()->size());
  } else {
    for (const char* key : {"count", "n_tokens", "num_tokens"}) {
      const Json* value = reply->Find(key);
      if (value == nullptr) continue;
      if (value->if_int64() != nullptr) count = *value->if_int64();
      if (const double* real = value->if_double();
          real != nullptr && *real >= 0 && *real < 1e9 &&
          *real == static_cast<double>(static_cast<std::int64_t>(*real))) {
        count = static_cast<std::int64_t>(*real);
      }
      if (count) break;
    }
  }
  if (count && *count <= 0) return std::nullopt;
  return count;
}

/// What the model reads beside the prompt itself: it takes room, but is no part of the figure that
/// arms compare.
std::string TextBeside(const WorksetRow& row) {
  std::string text;
  if (row.messages.empty() && row.system) text = *row.system;
  for (std::size_t i = 0; i + 1 < row.messages.size(); ++i) text += row.messages[i].content + '\n';
  if (const Json* tools = row.sampling.Find("tools")) text += CompactText(*tools);
  return text;
}

struct RowCount {
  std::optional<std::int64_t> prompt;
  std::int64_t beside = 0;  ///< 0 also when it could not be counted.
};

Status CheckFits(const PreparedItem& prepared, const RowCount& count, std::size_t n_messages,
                 int ctx) {
  if (!count.prompt) return {};
  const std::int64_t tokens = *count.prompt + count.beside;
  const std::int64_t room =
      kTemplateRoom +
      kMessageRoom * static_cast<std::int64_t>(std::max<std::size_t>(n_messages, 1) - 1);
  if (tokens + prepared.max_tokens + room <= ctx) return {};
  std::string text = "work-set row " + std::to_string(prepared.item.row) + " has " +
                     std::to_string(tokens) + " tokens";
  if (count.beside > 0) {
    text += " (" + std::to_string(count.beside) + " of them beside its prompt)";
  }
  text += "; with max_tokens " + std::to_string(prepared.max_tokens) + " and " +
          std::to_string(room) + " for the chat template it does not fit a slot of " +
          std::to_string(ctx) + ": use a larger ctx, a smaller max_tokens or a shorter prompt";
  return Error{ErrorCode::kRefused, std::move(text), prepared.item.test_id};
}

}  // namespace

std::optional<std::int64_t> CountTokens(const server::Dialect& dialect,
                                        const server::ServerIdentity& identity,
                                        const std::string& text, const RunClock& clock) {
  http::HttpRequest request;
  request.method = "POST";
  request.port = identity.port;
  request.path = dialect.tokenize_path();
  request.headers.emplace_back("Content-Type", "application/json");
  if (!identity.api_key.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + identity.api_key);
  }
  request.body = dialect.TokenizeBody(text);
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock.deadline - Clock::now());
  request.total_timeout = std::min(kTokenizerTimeout, std::max(left, std::chrono::milliseconds{1}));
  const http::HttpReply reply = http::HttpMulti::Fetch(request);
  if (reply.ending != http::Ending::kDone || reply.status != 200) return std::nullopt;
  return CountIn(reply.body);
}

Status MeasurePromptTokens(const server::Dialect& dialect, const server::ServerIdentity& identity,
                           const Sweep& sweep, const Cell& cell, const RunClock& clock,
                           std::vector<PreparedItem>& items) {
  if (dialect.tokenize_path().empty()) return {};
  std::map<std::size_t, RowCount> by_row;
  for (PreparedItem& prepared : items) {
    const WorksetRow& row = sweep.workset.rows[prepared.item.row];
    auto it = by_row.find(prepared.item.row);
    if (it == by_row.end()) {
      if (process::InterruptSignal() != 0) {
        return Error{ErrorCode::kInterrupted,
                     "interrupted by signal " + std::to_string(process::InterruptSignal()),
                     {}};
      }
      if (clock.deadline <= Clock::now()) {
        return Error{ErrorCode::kDeadline,
                     "the deadline of the whole run passed while the prompts "
                     "were being counted",
                     {}};
      }
      RowCount count;
      count.prompt = CountTokens(dialect, identity, row.prompt, clock);
      const std::string beside = TextBeside(row);
      if (!beside.empty()) count.beside = CountTokens(dialect, identity, beside, clock).value_or(0);
      it = by_row.emplace(prepared.item.row, count).first;
    }
    prepared.prompt_tokens_measured = it->second.prompt;
    const Status fits = CheckFits(prepared, it->second, row.messages.size(), cell.ctx);
    if (!fits.ok()) return fits;
  }
  return {};
}

}  // namespace bi_test::run
