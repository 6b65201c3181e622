#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/prepared_item.h"
#include "run/run_clock.h"
#include "server/dialect.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// Room for the chat template and special tokens around a prompt.
inline constexpr int kTemplateRoom = 64;

/// Tokens of a text by the server's own tokenizer, at most 30 s; nothing when it does not say.
/// REQUIRES: the dialect has a tokenizer.
[[nodiscard]] std::optional<std::int64_t> CountTokens(const server::Dialect& dialect,
                                                      const server::ServerIdentity& identity,
                                                      const std::string& text,
                                                      const RunClock& clock);

/// Fills `prompt_tokens_measured` of every item, one tokenizer call per work-set row, on the server
/// that is up; one more for a row with other text beside its prompt (system text, earlier messages,
/// tools), which takes room too. What cannot be counted stays absent. Refuses an item that does not
/// fit the slot: count + its own max_tokens + 64 > ctx would give the same error in both arms and
/// compare equal. Each message after the first needs 8 tokens more.
[[nodiscard]] Status MeasurePromptTokens(const server::Dialect& dialect,
                                         const server::ServerIdentity& identity, const Sweep& sweep,
                                         const Cell& cell, const RunClock& clock,
                                         std::vector<PreparedItem>& items);

}  // namespace bi_test::run
