#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bi_test/spark.h"

namespace bi_test::spark {

/// `fixed`, `jitter`, `adaptive`; nothing for any other word.
[[nodiscard]] std::optional<NeedleStrategy> NeedleStrategyNamed(std::string_view name);
[[nodiscard]] std::string_view NameOf(NeedleStrategy strategy);

/// `coherent`, `whitespace`, `masked_repeat`; nothing for any other word.
[[nodiscard]] std::optional<FillerVariant> FillerVariantNamed(std::string_view name);
[[nodiscard]] std::string_view NameOf(FillerVariant variant);

/// The position moved by up to 0.08 either way, from 0 to 1. Draws from a generator of its own, so
/// that the content of the item stays what it is.
[[nodiscard]] int Jittered(int position_millionths, std::uint64_t content_seed);

/// Sizes of one prompt, in tokens.
struct PromptSizes {
  std::int64_t needle = 0;
  std::int64_t haystack = 0;  ///< Needle included.
  std::int64_t tail = 0;      ///< Question, and what the chat template adds.
};

/// The last tokens a model with a sliding window looks back at are the nearest ones, so a needle
/// that stands too far ahead of the answer has to move back. The earliest position at which the
/// window holds the whole needle: 0 when it holds everything anyway, nothing when it cannot hold
/// needle and question at all. `window` 0: none.
[[nodiscard]] std::optional<int> EarliestInWindow(std::int64_t window, const PromptSizes& sizes);

}  // namespace bi_test::spark
