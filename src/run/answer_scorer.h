#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/scorer.h"

namespace bi_test::run {

/// One completion to be scored.
struct ScoringTask {
  std::string_view response;
  std::optional<std::int64_t> completion_tokens;
  const Json& expected_answer;
  const ScorerItem& item;  ///< With the tool calls of this completion.
};

/// The scorer of one cell: a scorer of this program, or a program of its own.
class AnswerScorer {
 public:
  virtual ~AnswerScorer() = default;
  /// Never fails: whatever goes wrong is a `scorer_error` with its reason.
  [[nodiscard]] virtual ScoredReply Score(const ScoringTask& task) = 0;
  /// Whether it may take so long that requests in flight would be kept waiting: then the answers of
  /// a pass are scored when its last request is done.
  [[nodiscard]] virtual bool after_the_pass() const = 0;
};

}  // namespace bi_test::run
