#include "run/token_counts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/json_reader.h"
#include "base/try.h"
#include "bi_test/json.h"
#include "run/server_request.h"

namespace bi_test::run {
namespace {

/// Room for each further message of a conversation.
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
  const std::optional<std::string> reply =
      AskServer(identity, dialect.tokenize_path(), dialect.TokenizeBody(text), clock);
  return reply ? CountIn(*reply) : std::nullopt;
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
      BI_TRY(clock.MayGoOn("the prompts were being counted"));
      RowCount count;
      count.prompt = CountTokens(dialect, identity, row.prompt, clock);
      const std::string beside = TextBeside(row);
      if (!beside.empty()) count.beside = CountTokens(dialect, identity, beside, clock).value_or(0);
      it = by_row.emplace(prepared.item.row, count).first;
    }
    prepared.prompt_tokens_measured = it->second.prompt;
    BI_TRY(CheckFits(prepared, it->second, row.messages.size(), cell.ctx));
  }
  return {};
}

}  // namespace bi_test::run
