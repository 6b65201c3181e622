#include "run/trial_outcome.h"

#include <string_view>
#include <utility>
#include <variant>

#include "base/ascii.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "bi_test/sanitize.h"

namespace bi_test::run {
namespace {

constexpr std::size_t kMaxReason = 600;
constexpr const char* kTruncated = "truncated";

/// `oom` as a word of its own: not the one inside "room" or "zoom".
bool HasWordOom(std::string_view text) {
  const auto is_word = [](char c) { return IsLetter(c) || IsDigit(c); };
  for (std::size_t at = text.find("oom"); at != std::string_view::npos;
       at = text.find("oom", at + 1)) {
    const bool left = at == 0 || !is_word(text[at - 1]);
    const bool right = at + 3 >= text.size() || !is_word(text[at + 3]);
    if (left && right) return true;
  }
  return false;
}

bool SpeaksOfMemory(std::string_view text) {
  const std::string lower = LowerText(text);
  return lower.find("out of memory") != std::string::npos ||
         lower.find("cuda error") != std::string::npos || HasWordOom(lower);
}

bool DiedOfMemory(std::string_view death, std::string_view log_tail) {
  return death.find("signal 9") != std::string_view::npos || SpeaksOfMemory(log_tail);
}

/// Of a long reason the beginning, which says what happened, and the end, where a dying server's
/// last words are.
std::string ShortReason(std::string_view reason) {
  if (reason.size() <= kMaxReason) return SanitizeText(reason, kMaxReason);
  constexpr std::size_t kHalf = kMaxReason / 2;
  const std::size_t begin = SequenceStart(reason, kHalf);
  const std::size_t end = SequenceStart(reason, reason.size() - kHalf);
  return SanitizeText(reason.substr(0, begin), kMaxReason) + " [...] " +
         SanitizeText(reason.substr(end), kMaxReason);
}

void Fail(Trial& trial, std::string label, std::string phase, std::string_view reason) {
  trial.failure_mode = std::move(label);
  trial.score = 0.0;
  trial.passed = false;
  trial.scored = Json();
  trial.phase = std::move(phase);
  trial.reason = ShortReason(reason);
}

std::string PhaseOf(const http::HttpReply& reply) {
  if (reply.ending == http::Ending::kConnectFailed) return "connect";
  if (reply.status == 0) return "headers";
  return reply.body_bytes == 0 ? "first_byte" : "body";
}

void FillFromReply(http::ChatReply&& reply, Trial& trial) {
  trial.content = std::move(reply.content);
  if (reply.reasoning_content) trial.reasoning_content = std::move(*reply.reasoning_content);
  trial.tool_calls = std::move(reply.tool_calls);
  if (reply.finish_reason) trial.finish_reason = std::move(*reply.finish_reason);
  if (reply.completion_tokens) trial.completion_tokens = *reply.completion_tokens;
  trial.token_ids = std::move(reply.token_ids);
  trial.logprobs = std::move(reply.logprobs);
  trial.margins = std::move(reply.margins);
  trial.prompt_ms = reply.prompt_ms;
  trial.predicted_ms = reply.predicted_ms;
  trial.slot = reply.slot;
  trial.cached_tokens = reply.cached_tokens;
  trial.prompt_tokens = reply.prompt_tokens;
}

void HideText(Json& text) {
  if (text.is_null()) return;
  const std::string plain = text.is_string() ? *text.if_string() : CompactText(text);
  text = "sha256:" + Sha256Hex(plain);
}

}  // namespace

void ScoreTrial(AnswerScorer& scorer, const config::Item& item, Trial& trial) {
  std::optional<std::int64_t> tokens;
  if (const std::int64_t* count = trial.completion_tokens.if_int64()) tokens = *count;
  ScorerItem about = item.ForScorer();
  about.tool_calls = trial.tool_calls;
  ScoredReply scored =
      scorer.Score({*trial.content.if_string(), tokens, item.expected_answer, about});
  trial.extracted_answer = std::move(scored.extracted_answer);
  if (trial.failure_mode == kTruncated) return;
  trial.score = scored.score;
  trial.passed = scored.passed;
  // Of `ok` it goes without saying; most trials then need no further key.
  if (scored.scored && scored.failure_mode != "ok") trial.scored = true;
  trial.failure_mode = std::move(scored.failure_mode);
  if (!scored.reason.empty()) {
    trial.phase = "score";
    trial.reason = ShortReason(scored.reason);
  }
}

void HideAnswer(Trial& trial) {
  for (Json* text :
       {&trial.content, &trial.reasoning_content, &trial.tool_calls, &trial.extracted_answer}) {
    HideText(*text);
  }
}

std::string LabelOfStatus(int status, const std::string& body) {
  if (SpeaksOfMemory(body)) return "oom";
  if (status == 408 || status == 504) return "http_timeout";
  return status >= 500 ? "http_5xx" : "http_4xx";
}

AfterOutcome FillOutcome(const http::HttpReply& reply, http::ChatReplyReader& reader,
                         Trial& trial) {
  if (reply.status != 0) trial.http_status = reply.status;
  if (reply.ending == http::Ending::kDeadline) {
    Fail(trial, "http_timeout", PhaseOf(reply), reply.error);
    return AfterOutcome::kNothing;
  }
  if (reply.ending == http::Ending::kDone && reply.status != 200) {
    Fail(trial, LabelOfStatus(reply.status, reply.body), "headers",
         "HTTP " + std::to_string(reply.status) + ": " + reply.body);
    return AfterOutcome::kNothing;
  }
  std::variant<http::ChatReply, http::ReplyFault> parsed = reader.Finish();
  if (const auto* fault = std::get_if<http::ReplyFault>(&parsed)) {
    using Kind = http::ReplyFault::Kind;
    // A stream that ends short is a transport matter: whether the server died decides its label.
    const bool transport = reply.ending != http::Ending::kDone &&
                           reply.ending != http::Ending::kCancelled &&
                           reply.ending != http::Ending::kTooLarge;
    if (transport || fault->kind == Kind::kCutShort) {
      Fail(trial, "error_other", PhaseOf(reply),
           reply.ending == http::Ending::kDone ? fault->text : reply.error);
      return AfterOutcome::kSettle;
    }
    const bool memory = fault->kind == Kind::kErrorObject && SpeaksOfMemory(fault->text);
    Fail(trial, memory ? "oom" : "bad_reply", "parse", fault->text);
    return AfterOutcome::kNothing;
  }
  if (reply.ending != http::Ending::kDone) {
    Fail(trial, "error_other", PhaseOf(reply), reply.error);
    return AfterOutcome::kSettle;
  }
  auto& chat = std::get<http::ChatReply>(parsed);
  const bool truncated = chat.truncated;
  FillFromReply(std::move(chat), trial);
  if (truncated) {
    // The slot was full: where the text ends says nothing about what would have come next.
    Fail(trial, kTruncated, "context", "the server cut the answer off at the end of its slot");
  }
  return AfterOutcome::kScore;
}

void SettleFault(PassStop stop, const std::optional<std::string>& death,
                 const std::string& log_tail, Trial& trial) {
  if (stop == PassStop::kDeadline) trial.failure_mode = "http_timeout";
  if (!death) return;
  if (DiedOfMemory(*death, log_tail)) trial.failure_mode = "oom";
  trial.reason = ShortReason(trial.reason + "; the server died: " + *death);
}

void MarkNotSent(PassStop stop, const std::string& why, const std::string& log_tail, Trial& trial) {
  const char* label = "error_other";
  if (stop == PassStop::kDeadline) label = "arm_deadline";
  if (stop == PassStop::kServerDied && DiedOfMemory(why, log_tail)) label = "oom";
  Fail(trial, label, "not_sent", "never sent: " + why);
}

}  // namespace bi_test::run
