#include "report/reason_text.h"

namespace bi_test::report {
namespace {

constexpr ReasonText kTexts[] = {
    {"CLEAN", "No answer differed, and the evidence suffices for this sample."},
    {"REQUEST_MISMATCH",
     "The arms did not send the same request bodies, so their answers cannot be compared."},
    {"SELF_IDENTITY",
     "Serving one at a time gave other answers when it was repeated, so batching was not judged."},
    {"RESTART_UNSTABLE",
     "A freshly started server, serving one at a time, gave other answers than before."},
    {"ARM_MISSING", "The serial or the concurrent arm has no answers at all."},
    {"AC_DIVERGED",
     "Answers given N at a time differ from those given one at a time; N slots alone change "
     "nothing."},
    {"AC_AB_DIVERGED", "Answers change as soon as the server has N slots, even one at a time."},
    {"LEAK", "A request got the text that another request in flight should have got."},
    {"INFRASTRUCTURE",
     "Every difference is a fault of the server, the connection or a deadline; nothing follows for "
     "the model."},
    {"PROMPT_TRUNCATED",
     "The server counted other prompt tokens in another arm, so the arms did not run the same "
     "experiment."},
    {"INVALID_INPUT", "What was recorded cannot carry a verdict."},
    {"A2_MISSING", "Serving one at a time was never repeated, so its answers may waver."},
    {"TRACE_INCOMPLETE", "The recording ends before its closing line: the run broke off."},
    {"CACHED_PROMPT", "The server took prompt tokens from a cache instead of computing them."},
    {"CONTROL_FAULT", "Requests failed on the N-slot server serving one at a time."},
    {"NO_OVERLAP", "Nothing shows that N requests were ever in service at once."},
    {"FLOOR", "Too few requests gave an answer that could be scored."},
    {"COVERAGE",
     "A pass does not count: too few of its requests met another one, or it was not as wide as N."},
    {"WIDTH", "The server did not show N requests in service in every pass."},
    {"POSITIVE_CONTROL", "A planted difference was not found, so this judgement proves nothing."},
    {"FEW_PROMPTS", "Too few distinct prompts were compared."},
    {"UNCERTIFIED_IDS", "Some prompts failed alike in every arm; nothing is known about them."},
    {"B_DISAGREES",
     "Serial and concurrent answers agree, but the N-slot server one at a time does not."},
    {"B2_DISAGREES", "After batching, the server answers one at a time otherwise than before."},
    {"TOKEN_ONLY", "The scores agree, but the text or the tokens differ."},
    {"TOKEN_AND_LOGIT", "The scores agree, but tokens and log-probabilities differ."},
    {"FRAMING", "The same words came back with the reasoning in another place."},
    {"FINISH_REASON", "Only the reason why the server stopped differs."},
    {"LOGIT_ONLY", "The tokens agree, the log-probabilities do not."},
    {"CONTROL_TOKEN", "The N-slot server one at a time gave other tokens with the same score."},
    {"SERIAL_TOKEN", "The serial repeat gave other tokens with the same score."},
};

}  // namespace

std::span<const ReasonText> ReasonTexts() { return kTexts; }

std::string_view TextOfReason(std::string_view code) {
  for (const ReasonText& reason : kTexts) {
    if (reason.code == code) return reason.text;
  }
  return "A code that this version does not know.";
}

}  // namespace bi_test::report
