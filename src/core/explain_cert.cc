#include <algorithm>

#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "core/cert_reader.h"
#include "core/number_text.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 160;
constexpr std::size_t kMaxDivergencesShown = 3;

/// What to do next, by deciding reason code.
struct Advice {
  std::string_view code;
  std::string_view text;
};

constexpr Advice kAdvice[] = {
    {"CLEAN",
     "run `bi-test promote` for this cell; re-run after any change of build, model or flags"},
    {"AC_DIVERGED",
     "keep this model at one request at a time, or try a smaller N; compare the divergences below"},
    {"AC_AB_DIVERGED",
     "opening N slots alone changes answers: check slot context and KV type before blaming "
     "batching"},
    {"SELF_IDENTITY",
     "make the serial baseline repeatable first (sampling, prompt cache, hardware)"},
    {"RESTART_UNSTABLE", "find out what differs between two launches of the same server"},
    {"REQUEST_MISMATCH", "the harness sent different bodies; report it with the trace"},
    {"ARM_MISSING", "look at the server log: an arm returned nothing"},
    {"PROMPT_TRUNCATED", "raise the context of a slot; the server cut or re-counted prompts"},
    {"INVALID_INPUT", "record the run again; the lines marked `invalid` say what is wrong"},
    {"TRACE_INCOMPLETE", "run the cell again; the recording broke off"},
    {"CACHED_PROMPT", "turn the prompt cache off and run again"},
    {"CONTROL_FAULT", "read the server log: requests of arm B failed"},
    {"NO_OVERLAP", "check that the server has N slots and batches continuously"},
    {"FLOOR", "find out why requests fail; nothing can be said about the ones that did"},
    {"COVERAGE", "see the passes that do not count; use more or longer prompts, or a smaller N"},
    {"POSITIVE_CONTROL", "do not trust this judgement; report it with the trace"},
    {"FEW_PROMPTS", "use more distinct prompts"},
    {"UNCERTIFIED_IDS", "repair or remove the ids that fail in every arm"},
    {"B_DISAGREES",
     "look at the serial answers of the N-slot server, then sign off or keep serial"},
    {"B2_DISAGREES",
     "the server answers otherwise after concurrent work: restart it between loads, or report it"},
    {"FRAMING", "make the server treat reasoning alike in every arm, or sign off"},
    {"FINISH_REASON", "find out why the server stops for another reason, or sign off"},
};

class Explanation {
 public:
  explicit Explanation(const Cert& cert) : read_(cert.document) {}

  [[nodiscard]] std::string Take() {
    Head();
    Why();
    Evidence();
    Divergences();
    License();
    Next();
    return std::move(out_);
  }

 private:
  [[nodiscard]] static std::string Clean(const std::string& text) {
    std::string out = SanitizeText(text, kMaxShown);
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
  }

  /// The value in words; `?` when the cert does not say.
  [[nodiscard]] std::string Shown(std::string_view path) const { return Shown(read_.At(path)); }
  [[nodiscard]] static std::string Shown(const Json* value) {
    if (value == nullptr || value->is_null()) return "?";
    const std::string* text = value->if_string();
    return Clean(text != nullptr ? *text : CompactText(*value));
  }

  void Line(const std::string& text) { out_ += text + "\n"; }

  void Head() {
    Line(Shown("verdict") + "  " + Shown("model") + " ctx=" + Shown("ctx") +
         " N=" + Shown("dispatch_n") + " kv=" + Shown("kv_label") + "  (" + Shown("source") + ", " +
         Shown("ts_utc") + ")");
  }

  void Why() {
    std::string codes;
    if (const Json::Array* list = read_.ListAt("reason_codes")) {
      for (const Json& code : *list) codes += " " + Shown(&code);
    }
    Line("why:" + (codes.empty() ? " ?" : codes));
    for (const char* key : {"divergence_class", "anomaly", "mismatch", "first_cause"}) {
      if (const auto text = read_.TextAt(key)) {
        Line("  " + std::string(key) + ": " + SanitizeText(*text, 4 * kMaxShown));
      }
    }
  }

  void Evidence() {
    Line("evidence:");
    Line("  prompts compared " + Shown("statistics.n_effective_prompts") + ", comparisons " +
         Shown("statistics.n_comparisons") + ", differing ids " +
         Shown("divergence_report.AC.n_divergent") + " of " +
         Shown("divergence_report.AC.n_compared"));
    Line("  width " + Shown("effective_n") + " of " + Shown("dispatch_n") + ", lowest mean " +
         Shown("min_mean_width") + ", passes that count " + Shown("n_passes_effective") + " of " +
         Shown("n_passes"));
    Line("  rate of differing prompts, 95 %: " + Rate("statistics.exact_lower_95") + " to " +
         Rate("statistics.exact_upper_95") + "; clean bound " +
         Rate("statistics.clopper_pearson_upper_95"));
    Line("  this plan sees a 1 % flip with probability " +
         Rate("statistics.planned_power_1_percent") + "; " +
         Shown("statistics.comparisons_for_95") + " comparisons needed for 0.95");
    const Json::Array* passes = read_.ListAt("passes");
    std::size_t shown = 0;
    for (std::size_t i = 0; passes != nullptr && i < passes->size(); ++i) {
      const CertReader pass((*passes)[i]);
      if (pass.BoolAt("effective").value_or(false) || shown == kMaxDivergencesShown) continue;
      ++shown;
      Line("  pass " + Shown(pass.At("pass")) + " does not count: " + Shown(pass.At("why_not")));
    }
    ListLine("  batching not judged for", "serial_unstable_ids");
    ListLine("  nothing known about", "uncertified_ids");
  }

  [[nodiscard]] std::string Rate(std::string_view path) const {
    const auto rate = read_.NumberAt(path);
    return rate ? FixedText(*rate, 4) : "?";
  }

  void ListLine(const std::string& what, std::string_view path) {
    const Json::Array* list = read_.ListAt(path);
    if (list == nullptr || list->empty()) return;
    std::string line = what + ":";
    for (std::size_t i = 0; i < list->size() && i < 5; ++i) line += " " + Shown(&(*list)[i]);
    if (list->size() > 5) line += " and " + std::to_string(list->size() - 5) + " more";
    Line(line);
  }

  void Divergences() {
    const Json::Array* list = read_.ListAt("divergences");
    if (list == nullptr || list->empty()) return;
    Line("where outputs part (" + Shown("n_divergences") + " in all):");
    for (std::size_t i = 0; i < list->size() && i < kMaxDivergencesShown; ++i) {
      Divergence(CertReader((*list)[i]));
    }
  }

  void Divergence(const CertReader& one) {
    std::string line = "  " + Shown(one.At("test_id")) + ": arm " + Shown(one.At("arm")) +
                       " pass " + Shown(one.At("pass")) + ", " + Shown(one.At("field"));
    const std::pair<const char*, const char*> places[] = {{"token_index", ", token "},
                                                          {"byte_offset", ", byte "},
                                                          {"observed_width", ", width "},
                                                          {"slot", ", slot "},
                                                          {"margin", ", margin "},
                                                          {"leak_donor", ", text of "},
                                                          {"cause", ", "}};
    for (const auto& [key, label] : places) {
      const Json* value = one.At(key);
      if (value != nullptr && !value->is_null()) line += label + Shown(value);
    }
    if (one.BoolAt("not_explained_by_rounding").value_or(false)) line += " (not rounding)";
    Line(line);
    if (!one.At("byte_offset") || one.At("byte_offset")->is_null()) return;
    Line("    serial:     " + Shown(one.At("x_around")));
    Line("    concurrent: " + Shown(one.At("y_around")));
  }

  void License() {
    Line(
        "does not license: any other ctx, N, model, KV type, sampler, build or host; anything "
        "about "
        "mixture-of-experts routing from a dense model; a rate below the bound above");
  }

  void Next() {
    const Json::Array* codes = read_.ListAt("reason_codes");
    const std::string code =
        codes == nullptr || codes->empty() ? std::string() : Shown(&codes->front());
    std::string_view text = "look at the divergences and the trace, then sign off or keep serial";
    for (const Advice& advice : kAdvice) {
      if (advice.code == code) text = advice.text;
    }
    if (read_.BoolAt("transport_only").value_or(false)) {
      text = "read the server log: requests failed, the model is not judged";
    }
    Line("next: " + std::string(text));
  }

  const CertReader read_;
  std::string out_;
};

}  // namespace

std::string ExplainCert(const Cert& cert) { return Explanation(cert).Take(); }

}  // namespace bi_test
