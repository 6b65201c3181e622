#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bi_test::spark {

/// What the rule of a family said of an answer that it could not use.
enum class AnswerFault { kNone, kNoValidJson };

/// What a label is chosen from.
struct LabelInput {
  std::string_view text;
  std::optional<std::int64_t> completion_tokens;
  AnswerFault fault = AnswerFault::kNone;
  std::string_view error;   ///< Of a request that failed; else empty.
  std::string_view canary;  ///< Text that the answer had to hold; empty: none.
};

/// The first label that fits, in the order of the profile: `oom`, `http_timeout`, `error_other`,
/// `premature_eos`, `empty`, `reasoning_leak`, `runaway_repetition`, `no_valid_json`,
/// `instruction_fade`, `ok`.
[[nodiscard]] std::string_view FailureLabel(const LabelInput& input);

/// Whether an answer with that label was there to be scored, although the label is not `ok`.
[[nodiscard]] bool IsScoredLabel(std::string_view label);

/// Share of the runs of three words that are repetitions of an earlier one; 0 for fewer than six
/// words. Only the first 256 KiB count.
[[nodiscard]] double RepeatMass(std::string_view text);

/// A tag `<think`, `<thinking`, `<reason`, `<reasoning`, opening or closing, in any case.
[[nodiscard]] bool HasReasoningTag(std::string_view text);

}  // namespace bi_test::spark
