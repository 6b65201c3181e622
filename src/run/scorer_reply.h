#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_limits.h"
#include "bi_test/scorer.h"
#include "run/answer_scorer.h"

/// The protocol between bi_test and a program that scores (docs/scorers.md): one JSON object per
/// line each way.
namespace bi_test::run {

/// Most bytes of one line of the program, without its end.
inline constexpr std::size_t kMaxScorerLine = kScorerLineLimits.max_bytes;

/// The question about one completion, without line end. Any bytes in the task give valid JSON in
/// ASCII.
[[nodiscard]] std::string ScorerQuestion(const ScoringTask& task, std::int64_t id);

/// What one line of the program says.
struct ScorerLine {
  /// Not set: the line cannot be trusted, `fault` says why.
  std::optional<ScoredReply> reply;
  std::string fault;
};

/// Reads the line that should answer question `id`. Total: any bytes give a reply or a fault. An
/// answer with `error` is a reply with `scorer_error`.
[[nodiscard]] ScorerLine ReadScorerLine(std::string_view line, std::int64_t id,
                                        const ScoringTask& task);

}  // namespace bi_test::run
