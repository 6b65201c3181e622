#include "run/scorer_reply.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "base/safe_text.h"
#include "base/trim.h"

namespace bi_test::run {
namespace {

constexpr std::size_t kMaxLabel = 64;

constexpr std::array<std::string_view, 7> kKeys = {
    "id", "score", "passed", "failure_mode", "extracted_answer", "reason", "error"};
/// What only bi_test itself may say of a request: a program's word would pass for a server's fault.
constexpr std::array<std::string_view, 10> kReserved = {
    "oom",       "http_timeout", "http_4xx",  "http_5xx", "error_other",
    "bad_reply", "arm_deadline", "truncated", "not_sent", "scorer_error"};

std::string Found(const Json& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return Printable(CompactText(value), 80);
}

std::optional<double> AsNumber(const Json& value) {
  if (const double* real = value.if_double()) return *real;
  if (const std::int64_t* whole = value.if_int64()) return static_cast<double>(*whole);
  return std::nullopt;
}

bool IsLabel(const Json& value) {
  const std::string* text = value.if_string();
  return text != nullptr && !text->empty() && text->size() <= kMaxLabel &&
         text->find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text->npos &&
         std::ranges::find(kReserved, *text) == kReserved.end();
}

std::string DefaultLabel(const ScoringTask& task) {
  if (!Trim(task.response).empty()) return "ok";
  return task.completion_tokens == 0 ? "premature_eos" : "empty";
}

/// Reads the members of one answer; the first fault counts.
class LineReader {
 public:
  LineReader(const Json& json, std::int64_t id, const ScoringTask& task)
      : json_(json), id_(id), task_(task) {}

  ScorerLine Read() {
    for (const auto& [key, value] : *json_.if_object()) {
      if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
      Fault("the key " + Quoted(key),
            "id, score, passed, failure_mode, extracted_answer, reason, error");
    }
    const Json* id = Value("id");
    if (id == nullptr || !(*id == Json(id_))) {
      Fault("the id " + (id == nullptr ? "nothing" : Found(*id)), std::to_string(id_));
    }
    if (Value("error") != nullptr) {
      ReadError();
    } else {
      ReadScore();
    }
    if (!fault_.empty()) return {std::nullopt, fault_};
    return {std::move(reply_), {}};
  }

 private:
  const Json* Value(std::string_view key) const {
    const Json* value = json_.Find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  void Fault(const std::string& found, const std::string& allowed) {
    if (fault_.empty()) fault_ = "found " + found + ", allowed: " + allowed;
  }

  void ReadError() {
    const std::string* text = Value("error")->if_string();
    if (text == nullptr || text->empty()) {
      Fault("the error " + Found(*Value("error")), "a text that is not empty");
      return;
    }
    reply_.failure_mode = "scorer_error";
    reply_.extracted_answer = std::string(task_.response);
    reply_.reason = "the scorer says: " + *text;
  }

  void ReadScore() {
    const Json* score = Value("score");
    const std::optional<double> number = score == nullptr ? std::nullopt : AsNumber(*score);
    if (!number || !(*number >= 0.0 && *number <= 1.0)) {
      Fault("the score " + (score == nullptr ? "nothing" : Found(*score)), "a number from 0 to 1");
      return;
    }
    reply_.score = *number;
    reply_.passed = *number >= 0.5;
    if (const Json* passed = Value("passed")) {
      if (!passed->is_bool()) Fault("passed " + Found(*passed), "true or false");
      reply_.passed = passed->is_bool() && *passed->if_bool();
    }
    reply_.failure_mode = DefaultLabel(task_);
    if (const Json* label = Value("failure_mode")) {
      if (IsLabel(*label)) {
        reply_.failure_mode = *label->if_string();
      } else {
        Fault("the failure_mode " + Found(*label),
              "1 to 64 of a-z, 0-9 and \"_\", and none of bi_test's own labels");
      }
    }
    reply_.extracted_answer = std::string(task_.response);
    if (const Json* answer = Value("extracted_answer")) {
      if (answer->is_string()) {
        reply_.extracted_answer = *answer->if_string();
      } else {
        Fault("the extracted_answer " + Found(*answer), "a text or null");
      }
    }
    if (const Json* reason = Value("reason"); reason != nullptr && !reason->is_string()) {
      Fault("the reason " + Found(*reason), "a text or null");
    }
  }

  const Json& json_;
  const std::int64_t id_;
  const ScoringTask& task_;
  ScoredReply reply_;
  std::string fault_;
};

}  // namespace

std::string ScorerQuestion(const ScoringTask& task, std::int64_t id) {
  Json out;
  out["id"] = id;
  out["test_id"] = task.item.test_id;
  out["prompt"] = task.item.prompt;
  out["system"] = task.item.system ? Json(*task.item.system) : Json();
  out["family"] = task.item.family;
  out["position"] = task.item.position;
  out["rep"] = task.item.rep;
  out["fill_ratio"] = task.item.fill_ratio;
  out["expected_answer"] = task.expected_answer;
  out["response"] = std::string(task.response);
  out["tool_calls"] = task.item.tool_calls;
  out["completion_tokens"] = task.completion_tokens ? Json(*task.completion_tokens) : Json();
  return CompactText(out);
}

ScorerLine ReadScorerLine(std::string_view line, std::int64_t id, const ScoringTask& task) {
  if (line.size() > kMaxScorerLine) {
    return {std::nullopt, "found a line of more than " + std::to_string(kMaxScorerLine) +
                              " bytes, allowed: one JSON object"};
  }
  const Result<Json> json = ParseJson(line, kScorerLineLimits);
  if (!json.ok() || !json->is_object()) {
    return {std::nullopt, "found " + Quoted(line) + ", allowed: one JSON object in one line" +
                              (json.ok() ? "" : " (" + Printable(json.error().message, 200) + ")")};
  }
  return LineReader(*json, id, task).Read();
}

}  // namespace bi_test::run
