#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "config/worksets/items.h"
#include "server/dialect.h"

namespace bi_test::run {

/// One request of the work-set as every arm and pass sends it: the body is made once.
struct PreparedItem {
  config::Item item;
  std::string path;  ///< Where the body is posted.
  std::string body;
  std::string request_sha256;  ///< Of `body`.
  std::string prompt_sha256;   ///< Of all text that the model reads.
  int max_tokens = 0;          ///< Length limit of this answer.
  /// Tokens of the user prompt on the server that is up now; absent when it could not be counted.
  std::optional<std::int64_t> prompt_tokens_measured;
};

/// Digest of all text that the model reads of a row. Two rows with one digest are one prompt.
[[nodiscard]] std::string PromptSha256(const WorksetRow& row);

/// All items of a cell, in work-set order. Errors are those of `config::ExpandItems`, and rows that
/// a server of this kind cannot be asked.
[[nodiscard]] Result<std::vector<PreparedItem>> PrepareItems(const Sweep& sweep,
                                                             const SweepCell& cell,
                                                             const server::Dialect& dialect);

}  // namespace bi_test::run
