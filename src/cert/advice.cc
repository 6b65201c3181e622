#include "cert/advice.h"

#include <algorithm>

#include "base/safe_text.h"
#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxHint = 400;

/// Without a code that this version knows.
[[nodiscard]] std::string_view ByVerdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return ReasonOf(ReasonCode::kClean).advice;
    case Verdict::kRed:
      return "Serve this model one request at a time at this ctx.";
    case Verdict::kAmber:
      return ReasonOf(ReasonCode::kTokenOnly).advice;
    case Verdict::kUnverified:
      break;
  }
  return "Add the missing evidence and run the cell again.";
}

[[nodiscard]] std::string_view ByError(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kInvalidFile:
      return "Correct it and run again; nothing was measured.";
    case ErrorCode::kNotFound:
      return "Put the missing file in place and run again.";
    case ErrorCode::kRefused:
      return "A guard refused before anything was launched: free the resource or change the limit "
             "named above.";
    case ErrorCode::kServer:
      return "Read the server log; run again once the server starts and stays up.";
    case ErrorCode::kTransport:
      return "Read the server log and the trace, then run the cell again.";
    case ErrorCode::kDeadline:
      return "Raise the deadline named above or make the work smaller.";
    case ErrorCode::kIo:
      return "Make the path writable, with room on the disk, and run again.";
    case ErrorCode::kInterrupted:
      break;
  }
  return "Run the cell again; what was recorded is in the trace.";
}

/// The server showed nothing of its width in some pass, and its dialect knows what would help.
[[nodiscard]] std::string WidthHint(const CellFacts& facts) {
  const bool blind = std::ranges::any_of(facts.judgement.passes, [](const PassReport& pass) {
    return !pass.mean_busy_slots && !pass.sampled_peak_busy_slots && !pass.counter_reset;
  });
  if (!blind || facts.set_up.width_hint.empty()) return {};
  return "The server did not show how many requests it served at once: " +
         OneLine(facts.set_up.width_hint, kMaxHint) + ".";
}

[[nodiscard]] bool OnlyTheScorerFailed(const Judgement& judgement) {
  return judgement.status_counts.contains("scorer_error") &&
         std::ranges::all_of(judgement.status_counts, [](const auto& count) {
           return count.first == "scorer_error" || count.first == "ok";
         });
}

}  // namespace

std::string Advice(const CellFacts& facts) {
  if (facts.error) return std::string(ByError(facts.error->code));
  if (facts.kind == CertKind::kOlder) {
    return "Run the cell again: only a cert with a trace can be verified and promoted.";
  }
  const Reason* reason = DecidingReason(facts.judgement);
  if (reason == nullptr) return std::string(ByVerdict(facts.judgement.verdict));
  switch (reason->code) {
    case ReasonCode::kNoOverlap:
    case ReasonCode::kWidth:
      if (std::string hint = WidthHint(facts); !hint.empty()) return hint;
      break;
    case ReasonCode::kAcDiverged:
      // Below N = 2 there is nothing smaller to try.
      if (facts.cell.dispatch_n <= 2) return std::string(ByVerdict(Verdict::kRed));
      break;
    case ReasonCode::kFloor:
      if (!OnlyTheScorerFailed(facts.judgement)) break;
      return "The scorer failed, not the server: mend it, then run again; `bi-test show` of the "
             "cert tells its first fault.";
    default:
      break;
  }
  return std::string(reason->advice);
}

std::string AdviceOnDamage() {
  return "Nothing this file says counts. Run the cell again, or put the file back as it was "
         "written; `bi-test verify` names what differs from its trace.";
}

}  // namespace bi_test
