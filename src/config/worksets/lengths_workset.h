#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"

namespace bi_test::config {

/// Tokens of a text by the tokenizer of the server under test, or nothing when it does not say.
using TokenCounter = std::function<std::optional<std::int64_t>(const std::string&)>;

/// The prompt lengths to be made, in tokens, ascending: 1, 2, 3, and each of 32, 64, 128, 256, 512,
/// 1024 and `batch_sizes` with the two below and the one above it. Kernels change their path there;
/// a start token that the server adds by itself shifts all lengths by one, and the length itself
/// and both its neighbours are met all the same. None above `longest`.
[[nodiscard]] std::vector<int> ProbeLengths(const std::vector<int>& batch_sizes, int longest);

/// One row per length: plain text cut where the tokenizer counts exactly that many tokens, or,
/// where no cut does, the next fewer. All texts differ. `completion`: rows are to be continued,
/// without a chat template, which would lengthen them. Fails when the tokenizer does not answer.
[[nodiscard]] Result<Workset> MakeLengthsWorkset(const std::vector<int>& lengths, bool completion,
                                                 const TokenCounter& count);

}  // namespace bi_test::config
