#include <algorithm>
#include <array>
#include <charconv>

#include "base/number_text.h"
#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "bi_test/verdict.h"
#include "cert/cert_keys.h"
#include "cert/cert_reader.h"
#include "cert/earlier_reds.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 160;
constexpr std::size_t kMaxDivergencesShown = 3;
constexpr std::size_t kMaxReasonsShown = 8;
constexpr std::size_t kColumns = 100;
constexpr std::int64_t kSchemaVersion = 2;

/// What to do next, by deciding reason code.
struct Advice {
  std::string_view code;
  std::string_view text;
};

constexpr Advice kAdvice[] = {
    {"CLEAN",
     "run `bi-test promote` for this cell; re-run after any change of build, model or flags"},
    {"AC_DIVERGED",
     "keep this model at one request at a time, or try a smaller N; compare the divergences above"},
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
    {"COVERAGE",
     "see the passes that do not count; use more items or longer answers, or a smaller N, and keep "
     "other work off the machine"},
    {"WIDTH",
     "see the passes that do not count; use more items or longer answers, or a smaller N, and keep "
     "other work off the machine"},
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
    Kind();
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
    if (const double* real = value->if_double()) return Short(*real);
    const std::string* text = value->if_string();
    return Clean(text != nullptr ? *text : CompactText(*value));
  }

  /// A number as it stands on the cert, or six digits of it when that is long.
  [[nodiscard]] static std::string Short(double value) {
    constexpr std::size_t kLong = 9;
    std::string text = DoubleText(value);
    return text.size() < kLong ? text : Rounded(value, 6);
  }

  [[nodiscard]] static std::string Rounded(double value, int digits) {
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits);
    return std::string(buffer.data(), end.ptr);
  }

  void Line(const std::string& text) { out_ += text + "\n"; }

  /// The verdict; certs of the older kind have the status alone.
  [[nodiscard]] std::string ShownVerdict() const {
    if (read_.At("verdict") != nullptr) return Shown("verdict");
    const std::optional<std::string> status = read_.TextAt("status");
    for (const Verdict verdict :
         {Verdict::kGreen, Verdict::kRed, Verdict::kAmber, Verdict::kUnverified}) {
      if (status == VerdictStatus(verdict)) return VerdictName(verdict);
    }
    return "?";
  }

  void Head() {
    Line(ShownVerdict() + "  " + Shown("model") + " ctx=" + Shown("ctx") +
         " N=" + Shown("dispatch_n") + " kv=" + Shown("kv_label") + "  (" + Shown("source") + ", " +
         Shown("ts_utc") + ")");
  }

  /// What kind of document this is, when it is no cert of the present schema.
  void Kind() {
    const Json* version = read_.At("schema_version");
    if (version != nullptr && *version == Json(kSchemaVersion)) return;
    if (version != nullptr) {
      Line("schema_version is " + Shown(version) + ", this program knows " +
           std::to_string(kSchemaVersion) + ": what follows may be incomplete");
      return;
    }
    if (!IsOlder()) {
      Line("this is no cert: it has neither a schema_version nor a status");
      return;
    }
    std::vector<std::string_view> absent;
    for (const std::string_view key : CertKeys()) {
      if (read_.At(key) == nullptr) absent.push_back(key);
    }
    Line(
        "a cert of an older kind: no schema_version, so it can be shown but never promoted; it "
        "lacks " +
        std::to_string(absent.size()) + " of " + std::to_string(CertKeys().size()) + " keys:");
    Wrapped(absent);
  }

  /// Words separated by commas, in lines that fit a screen.
  void Wrapped(const std::vector<std::string_view>& words) {
    std::string line = " ";
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string word = std::string(words[i]) + (i + 1 < words.size() ? "," : "");
      if (line.size() + 1 + word.size() > kColumns) {
        Line(line);
        line = " ";
      }
      line += " " + word;
    }
    Line(line);
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
    // Without codes the reason lines are all there is.
    const Json::Array* lines = codes.empty() ? read_.ListAt("decision_reasons") : nullptr;
    for (std::size_t i = 0; lines != nullptr && i < lines->size(); ++i) {
      if (i == kMaxReasonsShown) {
        Line("  and " + std::to_string(lines->size() - i) + " more lines");
        break;
      }
      Line("  " + Shown(&(*lines)[i]));
    }
  }

  /// A cert of the kind that came before schema versions.
  [[nodiscard]] bool IsOlder() const {
    return read_.At("schema_version") == nullptr && read_.At("status") != nullptr;
  }

  /// The figures that certs of the older kind have.
  void OlderEvidence() {
    Line("evidence:");
    Line("  differing ids " + Shown("divergence_report.AC.n_divergent") + " of " +
         Shown("divergence_report.AC.n_compared"));
    Line("  client depth " + Shown("overlap.client_max_overlap_depth") + ", busy slots " +
         Shown("overlap.server_peak_busy_slots") + ", N " + Shown("dispatch_n") + ", passes " +
         Shown("n_passes"));
    Line("  rate bound " + Rate("sensitivity.rate_upper_bound_95") +
         " (three over the hot trials, repeated prompts included)");
  }

  void Evidence() {
    if (IsOlder()) return OlderEvidence();
    Line("evidence:");
    Line("  prompts compared " + Shown("statistics.n_effective_prompts") + ", comparisons " +
         Shown("statistics.n_comparisons") + ", differing ids " +
         Shown("divergence_report.AC.n_divergent") + " of " +
         Shown("divergence_report.AC.n_compared"));
    Line("  width " + Shown("effective_n") + " of " + Shown("dispatch_n") + ", lowest mean " +
         Shown("min_mean_width") + ", passes that count " + Shown("n_passes_effective") + " of " +
         Shown("n_passes"));
    Line("  rate of differing prompts, 95 %: " + Rate("statistics.exact_lower_95") + " to " +
         Rate("statistics.exact_upper_95") + "; " + CleanBound());
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
    History();
  }

  /// Earlier runs of the cell, and whether one of them forbids promotion.
  void History() {
    const Json* earlier = read_.At("attempts.earlier");
    if (earlier == nullptr || read_.IntAt("attempts.n_earlier").value_or(0) == 0) return;
    const Json* subject = read_.At("attempts.subject");
    const std::size_t reds = EarlierReds(*earlier, subject == nullptr ? Json() : *subject).size();
    Line("  earlier runs of this cell " + Shown("attempts.n_earlier") + ", RED with this set-up " +
         std::to_string(reds) + (reds == 0 ? "" : ": a clean run does not erase them"));
  }

  [[nodiscard]] std::string Rate(std::string_view path) const {
    const auto rate = read_.NumberAt(path);
    return rate ? Rounded(*rate, 4) : "?";
  }

  /// The bound that a clean sample gives, or why there is none.
  [[nodiscard]] std::string CleanBound() const {
    const char* path = "statistics.clopper_pearson_upper_95";
    const Json* bound = read_.At(path);
    if (bound != nullptr && !bound->is_null()) return "clean bound " + Rate(path);
    const auto divergent = read_.IntAt("statistics.n_divergent_prompts");
    if (divergent.value_or(0) > 0) {
      return "no clean bound: " + std::to_string(*divergent) + " prompt(s) differ";
    }
    if (bound == nullptr) return "no clean bound: the cert has no statistics";
    if (read_.IntAt("statistics.n_effective_prompts") == 0) {
      return "no clean bound: no prompt was compared beside others";
    }
    return "no clean bound: a verdict of " + ShownVerdict() + " bears none";
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
    if (IsOlder())
      text = "run the cell again: only a cert with a trace can be verified and promoted";
    Line("next: " + std::string(text));
    if ((code == "NO_OVERLAP" || code == "COVERAGE") && !ServerShowedItsWidth()) {
      const auto hint = read_.TextAt("server.width_hint");
      if (hint) Line("  so that the server proves its width: " + Clean(*hint));
    }
  }

  /// Whether counters or samples of the server are known for every pass.
  [[nodiscard]] bool ServerShowedItsWidth() const {
    const Json::Array* passes = read_.ListAt("passes");
    return passes != nullptr && !passes->empty() &&
           std::ranges::all_of(*passes, [](const Json& pass) {
             const Json* mean = pass.Find("mean_busy_slots");
             const Json* peak = pass.Find("sampled_peak_busy_slots");
             return (mean != nullptr && !mean->is_null()) || (peak != nullptr && !peak->is_null());
           });
  }

  const CertReader read_;
  std::string out_;
};

}  // namespace

std::string ExplainCert(const Cert& cert) { return Explanation(cert).Take(); }

}  // namespace bi_test
