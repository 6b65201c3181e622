#include "report/next_step.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/clean_text.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxHint = 400;

struct Advice {
  std::string_view code;
  std::string_view text;
};

/// By reason code of the judgement; the first that applies is given.
constexpr Advice kAdvice[] = {
    {"SELF_IDENTITY",
     "Serving one at a time is not repeatable on this server, so nothing can be said about "
     "batching: "
     "look for sampling, a cache or a busy neighbour, then run again."},
    {"RESTART_UNSTABLE",
     "A restarted server answers otherwise one at a time, so nothing can be said about batching: "
     "pin "
     "down what changes between launches, then run again."},
    {"REQUEST_MISMATCH",
     "The arms did not send the same bodies; this is a fault of the harness or of an edited trace. "
     "Record the cell again."},
    {"ARM_MISSING", "One arm returned nothing: read the server log, then run the cell again."},
    {"LEAK",
     "A request got the answer of a neighbour: do not batch on this server build at all, and "
     "report "
     "it with the trace."},
    {"PROMPT_TRUNCATED",
     "The server cut prompts in some arm, so the arms did not run the same experiment: give each "
     "slot "
     "the whole context, then run again."},
    {"AC_DIVERGED",
     "Serve this model one request at a time at this ctx, or at a smaller N that is GREEN. The "
     "trace "
     "holds both texts in full."},
    {"AC_AB_DIVERGED",
     "Outputs change as soon as the server has N slots, before anything is batched: look at the "
     "context per slot and the slot flags first, then at batching."},
    {"A2_MISSING",
     "Arm A was not repeated, so its outputs may waver by themselves: record the cell again with "
     "A2."},
    {"INVALID_INPUT", "Nothing could be compared: check that the trace holds arms A and C."},
    {"TRACE_INCOMPLETE", "The trace ends before its closing record: run the cell again."},
    {"NO_OVERLAP",
     "The server never had enough requests in service at once: check its slot count, that "
     "continuous "
     "batching is on, and that the work-set has at least N items with answers long enough to "
     "overlap."},
    {"FLOOR",
     "Too many requests failed: read the server log, raise the request timeout or lower N, then "
     "run "
     "again."},
    {"WIDTH",
     "The server did not keep N requests in service: check its slot count and continuous batching, "
     "use more items or longer answers, keep other work off the machine, then run again."},
    {"COVERAGE",
     "Too little of the work was served side by side: use more items or longer answers, keep other "
     "work off the machine, then run again."},
    {"CACHED_PROMPT",
     "The server took prompt tokens from a cache: switch prompt caching off for the experiment."},
    {"POSITIVE_CONTROL",
     "A planted difference was not found, so this judgement proves nothing: report it with the "
     "trace."},
    {"FEW_PROMPTS", "Use a work-set with more distinct prompts, then run again."},
    {"UNCERTIFIED_IDS",
     "Some ids failed in every arm, so nothing is known about them: mend or remove these items, or "
     "sign the cell off by name."},
    {"FRAMING",
     "The same words came back framed differently (reasoning apart or inline): settle the chat "
     "template, or sign the cell off by name."},
    {"FINISH_REASON",
     "Only the finish reason differs: look at the token limit and stop words, or sign the cell off "
     "by "
     "name."},
    {"B_DISAGREES",
     "N slots used one at a time differ from one slot although the batched arm agrees: run again "
     "with "
     "more passes before relying on it."},
    {"B2_DISAGREES",
     "The server answers otherwise after it has batched: state is left behind. Restart it between "
     "uses, or do not batch."},
    {"CONTROL_TOKEN", "A control arm gave other tokens: run again with more passes."},
    {"SERIAL_TOKEN", "Arm A gave other tokens on its repeat: find out why before batching."},
    {"LOGIT_ONLY",
     "Tokens agree, log-probabilities do not: sign the cell off by name if that is acceptable."},
};

constexpr std::string_view kScorer =
    "The scorer failed, not the server: mend it, then run again; `bi-test show` of the cert tells "
    "its first fault.";

constexpr std::string_view kInfrastructure =
    "A server or transport fault, not a numeric difference: read the server log, mend the cause, "
    "then "
    "run the cell again.";

std::string_view ByVerdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGreen:
      return "`bi-test promote` tells whether it may be deployed; the cert licenses this cell "
             "only.";
    case Verdict::kRed:
      return "Serve this model one request at a time at this ctx.";
    case Verdict::kAmber:
      return "Read the differences, then sign the cell off by name in the sweep file or keep "
             "serving "
             "one at a time.";
    case Verdict::kUnverified:
      return "Add the missing evidence and run the cell again.";
  }
  return "";
}

std::string_view ByError(ErrorCode code) {
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
      return "Run the cell again; what was recorded is in the trace.";
  }
  return "";
}

/// The server showed nothing of its width in some pass, and its dialect knows what would help.
std::string WidthAdvice(const CellRun& run) {
  const std::vector<PassReport>& passes = run.judgement.passes;
  const bool blind = std::any_of(passes.begin(), passes.end(), [](const PassReport& pass) {
    return !pass.mean_busy_slots && !pass.sampled_peak_busy_slots && !pass.counter_reset;
  });
  const Json* server = run.record.header.Find("server");
  const Json* hint = server == nullptr ? nullptr : server->Find("width_hint");
  if (!blind || hint == nullptr || hint->if_string() == nullptr) return {};
  return "The server did not show how many requests it served at once: " +
         CleanLine(*hint->if_string(), kMaxHint) + ".";
}

bool OnlyTheScorerFailed(const Judgement& judgement) {
  return judgement.status_counts.contains("scorer_error") &&
         std::ranges::all_of(judgement.status_counts, [](const auto& count) {
           return count.first == "scorer_error" || count.first == "ok";
         });
}

}  // namespace

std::string NextStep(const CellRun& run) {
  if (run.error) return std::string(ByError(run.error->code));
  const Judgement& judgement = run.judgement;
  if (judgement.transport_only) return std::string(kInfrastructure);
  for (const Advice& advice : kAdvice) {
    if (std::find(judgement.reason_codes.begin(), judgement.reason_codes.end(), advice.code) !=
        judgement.reason_codes.end()) {
      if (advice.code == "NO_OVERLAP" || advice.code == "WIDTH") {
        if (std::string width = WidthAdvice(run); !width.empty()) return width;
      }
      // Below N = 2 there is nothing smaller to try.
      if (advice.code == "AC_DIVERGED" && run.cell.dispatch_n <= 2) {
        return std::string(ByVerdict(Verdict::kRed));
      }
      if (advice.code == "FLOOR" && OnlyTheScorerFailed(judgement)) return std::string(kScorer);
      return std::string(advice.text);
    }
  }
  return std::string(ByVerdict(judgement.verdict));
}

}  // namespace bi_test::report
