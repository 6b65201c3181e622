#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/result.h"

namespace bi_test::spark {

/// Tokens of a text; nothing when it could not be counted.
using TokenCounter = std::function<std::optional<std::int64_t>(std::string_view)>;

/// ceil(bytes / 3.6): what stands in where no tokenizer is at hand.
[[nodiscard]] std::int64_t EstimatedTokens(std::string_view text);

/// How long a prompt is to be.
struct Budget {
  std::int64_t nominal = 1;  ///< round(ctx * fill), at least 1.
  std::int64_t cap = 1;      ///< What the slot leaves for it.

  [[nodiscard]] std::int64_t target() const { return nominal < cap ? nominal : cap; }
  /// 3 % of the target, at least 1.
  [[nodiscard]] std::int64_t tolerance() const;
};

/// round(ctx * fill), at least 1.
[[nodiscard]] std::int64_t NominalTokens(int ctx, int fill_hundredths);

/// A prompt whose length has been fitted.
struct FittedPrompt {
  std::size_t filler_bytes = 0;
  std::int64_t tokens = 0;
  bool capped = false;  ///< The cap, not the fill, limited it.
};

/// A prompt with that many bytes of filler.
using PromptBuilder = std::function<Result<std::string>(std::size_t filler_bytes)>;

enum class FitFault {
  kUncountable,  ///< The counter gave nothing.
  kTooLong,      ///< The question alone is longer than the target.
  kBuilder,      ///< The builder failed; see `error`.
};

struct FitFailure {
  FitFault fault = FitFault::kUncountable;
  std::int64_t tokens = 0;  ///< Of kTooLong: of the prompt without filler.
  Error error;              ///< Of kBuilder.
};

/// Finds how much filler makes a prompt of the target's length, counting whole prompts: at most 12
/// steps of a search between none and as much as is needed, the first where the ratio of bytes to
/// tokens points. A count within the tolerance and the cap ends it; else the nearest one that is
/// within the cap.
[[nodiscard]] std::optional<FitFailure> FitPrompt(const Budget& budget, const PromptBuilder& build,
                                                  const TokenCounter& count, FittedPrompt& out);

}  // namespace bi_test::spark
