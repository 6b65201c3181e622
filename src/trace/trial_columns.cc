#include "trace/trial_columns.h"

#include <unordered_map>

namespace bi_test::trace {
namespace {

constexpr TrialColumn kColumns[] = {
    {.name = "family", .json = &Trial::family},
    {.name = "fill_ratio", .json = &Trial::fill_ratio},
    {.name = "score", .json = &Trial::score},
    {.name = "passed", .json = &Trial::passed},
    {.name = "extracted_answer", .json = &Trial::extracted_answer},
    {.name = "expected_answer", .json = &Trial::expected_answer},
    {.name = "prompt_tokens_measured", .json = &Trial::prompt_tokens_measured},
    {.name = "failure_mode", .json = &Trial::failure_mode},
    {.name = "scored", .json = &Trial::scored},
    {.name = "content", .json = &Trial::content},
    {.name = "reasoning_content", .json = &Trial::reasoning_content},
    {.name = "tool_calls", .json = &Trial::tool_calls},
    {.name = "finish_reason", .json = &Trial::finish_reason},
    {.name = "completion_tokens", .json = &Trial::completion_tokens},
    {.name = "response_first_200", .json = &Trial::response_first_200},
    {.name = "token_ids", .integers = &Trial::token_ids, .strict = true},
    {.name = "logprobs", .numbers = &Trial::logprobs, .strict = true},
    {.name = "margins", .numbers = &Trial::margins, .strict = true},
    {.name = "logit_sum", .json = &Trial::logit_sum},
    {.name = "logprob_sum", .json = &Trial::logprob_sum},
    {.name = "mean_logprob", .json = &Trial::mean_logprob},
    {.name = "logit_mean", .json = &Trial::logit_mean},
    {.name = "dispatch_ts", .number = &Trial::dispatch_ts},
    {.name = "first_token_ts", .number = &Trial::first_token_ts},
    {.name = "complete_ts", .number = &Trial::complete_ts},
    {.name = "prompt_ms", .number = &Trial::prompt_ms},
    {.name = "predicted_ms", .number = &Trial::predicted_ms},
    {.name = "slot", .integer = &Trial::slot},
    {.name = "cached_tokens", .integer = &Trial::cached_tokens, .strict = true},
    {.name = "prompt_tokens", .integer = &Trial::prompt_tokens, .strict = true},
    {.name = "prompt_sha256", .json = &Trial::prompt_sha256, .strict = true},
    {.name = "request_sha256", .json = &Trial::request_sha256, .strict = true},
    {.name = "http_status", .integer = &Trial::http_status},
    {.name = "phase", .words = &Trial::phase},
    {.name = "reason", .words = &Trial::reason},
};

std::unordered_map<std::string_view, TrialKeyMeaning> MakeMeanings() {
  std::unordered_map<std::string_view, TrialKeyMeaning> meanings{
      {"arm", {TrialKey::kArm, 0}},
      {"pass", {TrialKey::kPass, 0}},
      {"test_id", {TrialKey::kTestId, 0}},
      {"retry_attempts", {TrialKey::kRetries, 0}},
      {"row", {TrialKey::kRow, 0}},
      {"record", {TrialKey::kOtherLine, 0}},
      {"evidence", {TrialKey::kOtherLine, 0}},
      {"end", {TrialKey::kOtherLine, 0}},
  };
  for (std::size_t i = 0; i < std::size(kColumns); ++i) {
    meanings[kColumns[i].name] = {TrialKey::kColumn, i};
  }
  return meanings;
}

}  // namespace

std::span<const TrialColumn> TrialColumns() { return kColumns; }

TrialKeyMeaning MeaningOf(std::string_view key) {
  static const auto meanings = MakeMeanings();
  const auto it = meanings.find(key);
  return it == meanings.end() ? TrialKeyMeaning{} : it->second;
}

}  // namespace bi_test::trace
