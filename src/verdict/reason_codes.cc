#include "verdict/reason_codes.h"

#include <algorithm>

namespace bi_test {
namespace {

using enum ReasonCode;

constexpr Reason kReasons[] = {
    {kInfrastructure, "INFRASTRUCTURE", "every difference is a transport, deadline or server fault",
     "A server or transport fault, not a numeric difference: read the server log, mend the cause, "
     "then run the cell again."},
    {kRequestMismatch, "REQUEST_MISMATCH",
     "the request bodies of an id differ between arms; nothing was compared alike",
     "The arms did not send the same bodies; this is a fault of the harness or of an edited trace. "
     "Record the cell again."},
    {kSelfIdentity, "SELF_IDENTITY",
     "the serial baseline differs from its own repeat; batching was not judged",
     "Serving one at a time is not repeatable on this server, so nothing can be said about "
     "batching: look for sampling, a cache or a busy neighbour, then run again."},
    {kRestartUnstable, "RESTART_UNSTABLE",
     "a fresh launch of the serial server answers differently; batching was not judged",
     "A restarted server answers otherwise one at a time, so nothing can be said about batching: "
     "pin down what changes between launches, then run again."},
    {kArmMissing, "ARM_MISSING", "arm A or arm C returned no rows",
     "One arm returned nothing: read the server log, then run the cell again."},
    {kLeak, "LEAK", "a differing answer is a neighbour's text",
     "A request got the answer of a neighbour: do not batch on this server build at all, and "
     "report it with the trace."},
    {kAcAbDiverged, "AC_AB_DIVERGED",
     "scored outputs under concurrency differ from serial ones, and so do serial outputs of the "
     "N-slot server",
     "Outputs change as soon as the server has N slots, before anything is batched: look at the "
     "context per slot and the slot flags first, then at batching."},
    {kAcDiverged, "AC_DIVERGED",
     "scored outputs under concurrency differ from serial ones; serial outputs of the N-slot "
     "server agree",
     "Serve this model one request at a time at this ctx, or at a smaller N that is GREEN. The "
     "trace holds both texts in full."},
    {kPromptTruncated, "PROMPT_TRUNCATED",
     "the server counted another number of prompt tokens in another arm",
     "The server cut prompts in some arm, so the arms did not run the same experiment: give each "
     "slot the whole context, then run again."},
    {kA2Missing, "A2_MISSING", "the serial baseline was never repeated",
     "Arm A was not repeated, so its outputs may waver by themselves: record the cell again with "
     "A2."},
    {kInvalidInput, "INVALID_INPUT", "the record cannot carry a verdict",
     "Nothing could be compared: check that the trace holds arms A and C."},
    {kTraceIncomplete, "TRACE_INCOMPLETE", "the trace has no closing record",
     "The trace ends before its closing record: run the cell again."},
    {kCachedPrompt, "CACHED_PROMPT", "the server took prompt tokens from a cache",
     "The server took prompt tokens from a cache: switch prompt caching off for the experiment."},
    {kControlFault, "CONTROL_FAULT", "requests of arm B failed; nothing follows for the model",
     "Requests of arm B failed: read the server log, mend the cause, then run the cell again."},
    {kNoOverlap, "NO_OVERLAP", "nothing shows that N requests were in service at once",
     "The server never had enough requests in service at once: check its slot count, that "
     "continuous batching is on, and that the work-set has at least N items with answers long "
     "enough to overlap."},
    {kFloor, "FLOOR", "too few requests gave something to score",
     "Too many requests failed: read the server log, raise the request timeout or lower N, then "
     "run again."},
    {kWidth, "WIDTH", "the width N was not proven in every pass",
     "The server did not keep N requests in service: check its slot count and continuous batching, "
     "use more items or longer answers, keep other work off the machine, then run again."},
    {kCoverage, "COVERAGE", "a pass does not count as one at width N",
     "Too little of the work was served side by side: use more items or longer answers, keep other "
     "work off the machine, then run again."},
    {kPositiveControl, "POSITIVE_CONTROL",
     "a planted change was not found, or none could be planted",
     "A planted difference was not found, so this judgement proves nothing: report it with the "
     "trace."},
    {kBDisagrees, "B_DISAGREES", "A and C agree, B does not",
     "N slots used one at a time differ from one slot although the batched arm agrees: run again "
     "with more passes before relying on it."},
    {kB2Disagrees, "B2_DISAGREES",
     "after the concurrent passes the N-slot server answers serial requests differently",
     "The server answers otherwise after it has batched: state is left behind. Restart it between "
     "uses, or do not batch."},
    {kTokenAndLogit, "TOKEN_AND_LOGIT",
     "outputs differ below the scored fields, with drifting log-probabilities",
     "Read the differences, then sign the cell off by name in the sweep file or keep serving one "
     "at a time."},
    {kFraming, "FRAMING",
     "the reasoning stands inside the content in one arm and beside it in another",
     "The same words came back framed differently (reasoning apart or inline): settle the chat "
     "template, or sign the cell off by name."},
    {kFinishReason, "FINISH_REASON", "only the finish reason differs",
     "Only the finish reason differs: look at the token limit and stop words, or sign the cell off "
     "by name."},
    {kTokenOnly, "TOKEN_ONLY", "outputs differ below the scored fields",
     "Read the differences, then sign the cell off by name in the sweep file or keep serving one "
     "at a time."},
    {kLogitOnly, "LOGIT_ONLY", "log-probabilities differ while the tokens agree",
     "Tokens agree, log-probabilities do not: sign the cell off by name if that is acceptable."},
    {kControlToken, "CONTROL_TOKEN", "outputs of arm B differ below the scored fields",
     "A control arm gave other tokens: run again with more passes."},
    {kSerialToken, "SERIAL_TOKEN", "outputs of the serial repeat differ below the scored fields",
     "Arm A gave other tokens on its repeat: find out why before batching."},
    {kUncertifiedIds, "UNCERTIFIED_IDS",
     "some ids failed alike in every arm; nothing is known about them",
     "Some ids failed in every arm, so nothing is known about them: mend or remove these items, or "
     "sign the cell off by name."},
    {kFewPrompts, "FEW_PROMPTS", "too few distinct prompts were compared",
     "Use a work-set with more distinct prompts, then run again."},
    {kClean, "CLEAN", "no difference was seen, and the evidence suffices for this sample",
     "`bi-test promote` tells whether it may be deployed; the cert licenses this cell only."},
};

/// Each code stands at its own place, with all its words.
constexpr bool IsWhole() {
  std::size_t i = 0;
  for (const Reason& reason : kReasons) {
    if (static_cast<std::size_t>(reason.code) != i++) return false;
    if (reason.name.empty() || reason.meaning.empty() || reason.advice.empty()) return false;
  }
  return i == static_cast<std::size_t>(kClean) + 1;
}
static_assert(IsWhole());

}  // namespace

std::span<const Reason> Reasons() { return kReasons; }

const Reason& ReasonOf(ReasonCode code) { return kReasons[static_cast<std::size_t>(code)]; }

const Reason* FindReason(std::string_view name) {
  const auto found = std::ranges::find(kReasons, name, &Reason::name);
  return found == std::end(kReasons) ? nullptr : &*found;
}

std::string_view MeaningOf(std::string_view name) {
  const Reason* reason = FindReason(name);
  return reason == nullptr ? "a code that this version does not know" : reason->meaning;
}

const Reason* DecidingReason(const Judgement& judgement) {
  if (judgement.transport_only) return &ReasonOf(kInfrastructure);
  for (const Reason& reason : kReasons) {
    if (HasCode(judgement, reason.code)) return &reason;
  }
  return nullptr;
}

bool HasCode(const Judgement& judgement, ReasonCode code) {
  return std::ranges::find(judgement.reason_codes, ReasonOf(code).name) !=
         judgement.reason_codes.end();
}

}  // namespace bi_test
