#pragma once

#include <optional>
#include <string>

#include "bi_test/trial.h"
#include "config/worksets/items.h"
#include "http/chat_reply_reader.h"
#include "http/http_multi.h"
#include "run/answer_scorer.h"
#include "run/pass_stop.h"

namespace bi_test::run {

/// What is still to be done for a trial whose transfer has ended.
enum class AfterOutcome {
  kNothing,  ///< It failed, and says why.
  kScore,    ///< There is an answer: ScoreTrial has to follow.
  kSettle    ///< The cause is only known once it is clear whether the server died: SettleFault.
};

/// Turns one ended transfer into the observed fields of its trial.
[[nodiscard]] AfterOutcome FillOutcome(const http::HttpReply& reply, http::ChatReplyReader& reader,
                                       Trial& trial);

/// Scores the answer that FillOutcome found. Of one that was cut off at the end of its slot only
/// the extracted answer is kept.
void ScoreTrial(AnswerScorer& scorer, const config::Item& item, Trial& trial);

/// Gives a trial left open by FillOutcome its failure label: `oom` when the server was killed by
/// signal 9 or its log speaks of memory, else `error_other`.
void SettleFault(PassStop stop, const std::optional<std::string>& death,
                 const std::string& log_tail, Trial& trial);

/// Marks a trial whose request was never sent.
void MarkNotSent(PassStop stop, const std::string& why, const std::string& log_tail, Trial& trial);

/// Puts `sha256:<hex>` in the place of every text of the answer, so that equal answers stay equal
/// and no text is kept. Token ids stay: they alone then tell where two answers part.
void HideAnswer(Trial& trial);

/// The label of an HTTP error status with the body it came with: `oom`, `http_timeout`, `http_4xx`,
/// `http_5xx`.
[[nodiscard]] std::string LabelOfStatus(int status, const std::string& body);

}  // namespace bi_test::run
