#include "run/prepared_item.h"

#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "config/worksets/row_sampling.h"

namespace bi_test::run {
namespace {

/// Chats of one question keep the form that older certs have.
std::string TextOf(const WorksetRow& row) {
  if (row.completion) return std::string("completion") + '\0' + row.prompt;
  if (row.messages.empty()) return row.system.value_or("") + '\0' + row.prompt;
  std::string text = "messages";
  for (const ChatMessage& message : row.messages) {
    text.append(1, '\0').append(message.role).append(1, '\0').append(message.content);
  }
  return text;
}

}  // namespace

std::string PromptSha256(const WorksetRow& row) { return Sha256Hex(TextOf(row)); }

Result<std::vector<PreparedItem>> PrepareItems(const Sweep& sweep, const SweepCell& cell,
                                               const server::Dialect& dialect) {
  BI_TRY_SET(std::vector<config::Item> items,
             config::ExpandItems(sweep.workset, cell.cell.model, cell.cell.ctx, sweep.run.reps));
  for (std::size_t row = 0; row < sweep.workset.rows.size(); ++row) {
    const Status status = dialect.CheckRow(sweep.workset.rows[row]);
    if (status.ok()) continue;
    return Error{status.error().code, status.error().message,
                 sweep.workset.name + ": row " + std::to_string(row) + ": " + status.error().where};
  }
  std::vector<PreparedItem> out;
  out.reserve(items.size());
  for (config::Item& item : items) {
    const WorksetRow& row = sweep.workset.rows[item.row];
    PreparedItem& prepared = out.emplace_back();
    prepared.path = dialect.PathOf(row);
    prepared.body = dialect.RequestBody(row, item.seed, sweep.run);
    prepared.request_sha256 = Sha256Hex(prepared.body);
    prepared.prompt_sha256 = PromptSha256(row);
    prepared.max_tokens = config::MaxTokens(row, sweep.run);
    prepared.item = std::move(item);
  }
  return out;
}

}  // namespace bi_test::run
