#include "verdict/trial_fields.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"

namespace bi_test {
namespace {

constexpr std::array kInvariants = {
    InvariantField{"score", &Trial::score},
    InvariantField{"passed", &Trial::passed},
    InvariantField{"extracted_answer", &Trial::extracted_answer},
    InvariantField{"expected_answer", &Trial::expected_answer},
    InvariantField{"prompt_tokens_measured", &Trial::prompt_tokens_measured},
    InvariantField{"failure_mode", &Trial::failure_mode},
};

constexpr std::array kExtraJsonFields = {
    InvariantField{"content", &Trial::content},
    InvariantField{"reasoning_content", &Trial::reasoning_content},
    InvariantField{"tool_calls", &Trial::tool_calls},
    InvariantField{"finish_reason", &Trial::finish_reason},
    InvariantField{"completion_tokens", &Trial::completion_tokens},
};

constexpr std::array<std::string_view, 3> kExtraOtherFields = {"token_ids", "logprobs",
                                                               "prompt_tokens"};

// Nothing came that a rule could look at.
constexpr std::array<std::string_view, 3> kNothingToScore = {"empty", "premature_eos", "truncated"};

constexpr std::array<std::string_view, 9> kFaults = {"http_timeout", "oom",          "error_other",
                                                     "arm_deadline", "scorer_error", "bad_reply",
                                                     "http_4xx",     "http_5xx",     "server_died"};

template <typename T>
[[nodiscard]] Json ListJson(const std::optional<std::vector<T>>& list) {
  if (!list) return {};
  return Json(Json::Array(list->begin(), list->end()));
}

[[nodiscard]] std::string TextOf(const Json& value) {
  const std::string* text = value.if_string();
  return text != nullptr ? *text : CompactText(value);
}

[[nodiscard]] bool IsScoredOtherwise(const Trial& trial) {
  const std::string* label = trial.failure_mode.if_string();
  return trial.scored == Json(true) && label != nullptr && !label->empty() && !IsFault(trial) &&
         !trial.malformed_row && trial.phase.empty() &&
         std::find(kNothingToScore.begin(), kNothingToScore.end(), *label) == kNothingToScore.end();
}

}  // namespace

std::span<const InvariantField> Invariants() { return kInvariants; }

bool IsExtraInvariant(std::string_view name) {
  const auto named = [name](const InvariantField& field) { return field.name == name; };
  return std::any_of(kExtraJsonFields.begin(), kExtraJsonFields.end(), named) ||
         std::find(kExtraOtherFields.begin(), kExtraOtherFields.end(), name) !=
             kExtraOtherFields.end();
}

std::string ExtraInvariantList() {
  std::string out;
  for (const InvariantField& field : kExtraJsonFields) out += std::string(field.name) + ", ";
  out += std::string(kExtraOtherFields[0]) + ", " + std::string(kExtraOtherFields[1]) + " or " +
         std::string(kExtraOtherFields[2]);
  return out;
}

Json ExtraInvariantValue(const Trial& trial, std::string_view name) {
  for (const InvariantField& field : kExtraJsonFields) {
    if (field.name == name) return trial.*field.member;
  }
  if (name == "token_ids") return ListJson(trial.token_ids);
  if (name == "logprobs") return ListJson(trial.logprobs);
  if (name == "prompt_tokens" && trial.prompt_tokens) return *trial.prompt_tokens;
  return {};
}

bool IsOk(const Trial& trial) {
  const std::string* label = trial.failure_mode.if_string();
  if (IsScoredOtherwise(trial)) return true;
  return label != nullptr && *label == "ok" && !trial.malformed_row;
}

bool IsFault(const Trial& trial) {
  const std::string* label = trial.failure_mode.if_string();
  return label != nullptr && !trial.malformed_row &&
         std::find(kFaults.begin(), kFaults.end(), *label) != kFaults.end();
}

std::string OutputText(const Trial& trial) {
  if (!trial.content.is_null()) return TextOf(trial.content);
  return trial.response_first_200.is_null() ? std::string() : TextOf(trial.response_first_200);
}

std::string ContentSha(const Trial& trial) { return ShortSha(OutputText(trial)); }

std::string OutputSha(const Trial& trial) {
  return ShortSha(
      CompactText(Json::Array{OutputText(trial), trial.reasoning_content, trial.tool_calls,
                              trial.finish_reason, trial.completion_tokens}));
}

Json RowJson(const Trial& trial) {
  if (trial.malformed_row) return *trial.malformed_row;
  Json out = Json::Object{};
  for (const InvariantField& field : kInvariants) {
    if (!(trial.*field.member).is_null()) out[field.name] = trial.*field.member;
  }
  return out;
}

}  // namespace bi_test
