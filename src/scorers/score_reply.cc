#include "bi_test/scorer.h"

#include <cmath>
#include <exception>

#include "base/trim.h"

namespace bi_test {
namespace {

ScoredReply ScorerFault(const Scorer& scorer, std::string_view response, std::string_view what) {
  ScoredReply reply;
  reply.failure_mode = "scorer_error";
  reply.extracted_answer = std::string(response);
  reply.reason = "scorer \"" + std::string(scorer.name()) + "\" " + std::string(what);
  return reply;
}

}  // namespace

ScoredReply ScoreReply(const Scorer& scorer, std::string_view response,
                       std::optional<std::int64_t> completion_tokens, const Json& expected_answer,
                       const ScorerItem& item) {
  try {
    const std::optional<std::string> extracted = scorer.ExtractAnswer(response, item);
    ScoredReply reply;
    reply.failure_mode = scorer.ClassifyFailureMode(response, completion_tokens, extracted, item);
    if (Trim(reply.failure_mode).empty()) {
      return ScorerFault(scorer, response, "gave an empty failure label");
    }
    reply.score = scorer.Score(extracted, response, expected_answer, item);
    if (!(reply.score >= 0.0 && reply.score <= 1.0)) {  // also true for NaN
      return ScorerFault(
          scorer, response,
          "gave the score " + CompactText(Json(reply.score)) + ", allowed: a number from 0 to 1");
    }
    reply.passed = scorer.Passed(reply.score);
    reply.scored = scorer.WasScored(reply.failure_mode);
    reply.extracted_answer = extracted.value_or(std::string(response));
    return reply;
  } catch (const std::exception& error) {
    return ScorerFault(scorer, response, std::string("threw: ") + error.what());
  } catch (...) {
    return ScorerFault(scorer, response, "threw something that is no std::exception");
  }
}

}  // namespace bi_test
