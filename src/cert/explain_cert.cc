#include <algorithm>
#include <array>
#include <charconv>

#include "base/number_text.h"
#include "bi_test/cert.h"
#include "bi_test/sanitize.h"
#include "cert/advice.h"
#include "cert/cert_keys.h"
#include "cert/read_cert.h"
#include "verdict/pass_name.h"
#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

constexpr std::size_t kMaxShown = 160;
constexpr std::size_t kMaxEntriesShown = 3;
constexpr std::size_t kMaxReasonsShown = 8;
constexpr std::size_t kMaxIdsShown = 5;
constexpr std::size_t kColumns = 100;
constexpr std::int64_t kSchemaVersion = 2;

[[nodiscard]] std::string Clean(const std::string& text) {
  std::string out = SanitizeText(text, kMaxShown);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

[[nodiscard]] std::string Rounded(double value, int digits) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits);
  return std::string(buffer.data(), end.ptr);
}

/// A number as it stands on the cert, or six digits of it when that is long.
[[nodiscard]] std::string Short(double value) {
  constexpr std::size_t kLong = 9;
  std::string text = DoubleText(value);
  return text.size() < kLong ? text : Rounded(value, 6);
}

[[nodiscard]] std::string InWords(std::int64_t value) { return std::to_string(value); }
[[nodiscard]] std::string InWords(int value) { return std::to_string(value); }
[[nodiscard]] std::string InWords(double value) { return Short(value); }
[[nodiscard]] std::string InWords(const std::string& text) { return Clean(text); }

class Explanation {
 public:
  explicit Explanation(const CellFacts& facts) : facts_(facts), judgement_(facts.judgement) {}

  [[nodiscard]] std::string Take() {
    Head();
    Kind();
    Why();
    Evidence();
    Divergences();
    Line(
        "does not license: any other ctx, N, model, KV type, sampler, build or host; anything "
        "about mixture-of-experts routing from a dense model; a rate below the bound above");
    Line("next: " + Advice(facts_));
    return std::move(out_);
  }

 private:
  /// The value of that path in words; what stands there instead when it has none.
  template <typename T>
  [[nodiscard]] std::string Shown(const std::string& path, const T& value) const {
    const Lack* lack = facts_.LackOf(path);
    return lack == nullptr ? InWords(value) : Clean(lack->shown);
  }
  template <typename T>
  [[nodiscard]] std::string Shown(const std::string& path, const std::optional<T>& value) const {
    return value ? InWords(*value) : Shown(path, std::string("?"));
  }

  [[nodiscard]] std::string Rate(const std::optional<double>& rate) const {
    return rate ? Rounded(*rate, 4) : "?";
  }

  void Line(const std::string& text) { out_ += text + "\n"; }

  [[nodiscard]] std::string ShownVerdict() const {
    return facts_.LackOf("status") != nullptr ? "?" : VerdictName(judgement_.verdict);
  }

  void Head() {
    const Cell& cell = facts_.cell;
    Line(ShownVerdict() + "  " + Shown("model", cell.model) + " ctx=" + Shown("ctx", cell.ctx) +
         " N=" + Shown("dispatch_n", cell.dispatch_n) + " kv=" + Shown("kv_label", cell.kv_label) +
         "  (" + Shown("source", facts_.source) + ", " + Shown("ts_utc", facts_.ts_utc) + ")");
  }

  /// What kind of document this is, when it is no cert of the present schema.
  void Kind() {
    switch (facts_.kind) {
      case CertKind::kPresent:
        return;
      case CertKind::kOther:
        return Line("schema_version is " + Clean(facts_.schema_version) + ", this program knows " +
                    std::to_string(kSchemaVersion) + ": what follows may be incomplete");
      case CertKind::kNone:
        return Line("this is no cert: it has neither a schema_version nor a status");
      case CertKind::kOlder:
        break;
    }
    Line(
        "a cert of an older kind: no schema_version, so it can be shown but never promoted; it "
        "lacks " +
        std::to_string(facts_.absent_keys.size()) + " of " + std::to_string(CertKeys().size()) +
        " keys:");
    Wrapped(facts_.absent_keys);
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
    for (const std::string& code : judgement_.reason_codes) codes += " " + Clean(code);
    Line("why:" + (codes.empty() ? " ?" : codes));
    for (std::size_t i = 0; i < judgement_.reason_codes.size() && i < kMaxReasonsShown; ++i) {
      const std::string& code = judgement_.reason_codes[i];
      Line("  " + Clean(code) + ": " + std::string(MeaningOf(code)));
    }
    const auto line = [this](const char* key, const std::string& text) {
      Line("  " + std::string(key) + ": " + SanitizeText(text, 4 * kMaxShown));
    };
    if (judgement_.divergence_class) line("divergence_class", *judgement_.divergence_class);
    if (judgement_.anomaly) line("anomaly", *judgement_.anomaly);
    if (judgement_.mismatch) line("mismatch", *judgement_.mismatch);
    if (facts_.LackOf("first_cause") == nullptr) line("first_cause", judgement_.first_cause);
    if (!codes.empty()) return;
    // Without codes the reason lines are all there is.
    const std::vector<std::string>& lines = judgement_.decision_reasons;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == kMaxReasonsShown) {
        Line("  and " + std::to_string(lines.size() - i) + " more lines");
        break;
      }
      Line("  " + Clean(lines[i]));
    }
  }

  /// The figures that certs of the older kind have.
  void OlderEvidence() {
    Line("evidence:");
    Line("  differing ids " + Differing());
    Line("  client depth " +
         Shown("overlap.client_max_overlap_depth", judgement_.client_max_overlap_depth) +
         ", busy slots " +
         Shown("overlap.server_peak_busy_slots", judgement_.server_peak_busy_slots) + ", N " +
         Shown("dispatch_n", facts_.cell.dispatch_n) + ", passes " +
         Shown("n_passes", judgement_.n_passes));
    Line("  rate bound " + Rate(facts_.hot_rate_bound) +
         " (three over the hot trials, repeated prompts included)");
  }

  [[nodiscard]] std::string Differing() const {
    return Shown("divergence_report.AC.n_divergent", facts_.ac.n_divergent) + " of " +
           Shown("divergence_report.AC.n_compared", facts_.ac.n_compared);
  }

  void Evidence() {
    if (facts_.kind == CertKind::kOlder) return OlderEvidence();
    const SampleStatistics& sample = judgement_.statistics;
    Line("evidence:");
    Line("  prompts compared " +
         Shown("statistics.n_effective_prompts", sample.n_effective_prompts) + ", comparisons " +
         Shown("statistics.n_comparisons", sample.n_comparisons) + ", differing ids " +
         Differing());
    Line("  width " + Shown("effective_n", judgement_.effective_n) + " of " +
         Shown("dispatch_n", facts_.cell.dispatch_n) + ", lowest mean " +
         Shown("min_mean_width", judgement_.min_mean_width) + ", passes that count " +
         Shown("n_passes_effective", judgement_.n_passes_effective) + " of " +
         Shown("n_passes", judgement_.n_passes));
    Line("  rate of differing prompts, 95 %: " + Rate(sample.exact_lower_95) + " to " +
         Rate(sample.exact_upper_95) + "; " + CleanBound());
    const bool power = facts_.LackOf("statistics.planned_power_1_percent") == nullptr;
    Line("  this plan sees a 1 % flip with probability " +
         (power ? Rounded(sample.planned_power_1_percent, 4) : "?") + "; " +
         Shown("statistics.comparisons_for_95", sample.comparisons_for_95) +
         " comparisons needed for 0.95");
    std::size_t shown = 0;
    for (std::size_t i = 0; i < judgement_.passes.size() && shown < kMaxEntriesShown; ++i) {
      const PassReport& pass = judgement_.passes[i];
      if (pass.effective) continue;
      ++shown;
      const std::string path = "passes." + std::to_string(i) + ".";
      Line("  " + Shown(path + "pass", PassName(pass.pass)) +
           " does not count: " + Shown(path + "why_not", pass.why_not));
    }
    ListLine("  batching not judged for", judgement_.serial_unstable_ids);
    std::vector<std::string> unknown;
    for (const UncertifiedId& id : judgement_.uncertified_ids) unknown.push_back(id.test_id);
    ListLine("  nothing known about", unknown);
    if (facts_.n_earlier != 0) {
      Line("  earlier runs of this cell " + std::to_string(facts_.n_earlier) +
           ", RED with this set-up " + std::to_string(facts_.n_earlier_reds) +
           (facts_.n_earlier_reds == 0 ? "" : ": a clean run does not erase them"));
    }
  }

  /// The bound that a clean sample gives, or why there is none.
  [[nodiscard]] std::string CleanBound() const {
    const SampleStatistics& sample = judgement_.statistics;
    const Lack* lack = facts_.LackOf("statistics.clopper_pearson_upper_95");
    if (lack == nullptr) return "clean bound " + Rate(sample.clopper_pearson_upper_95);
    if (lack->shown != "?") return "clean bound ?";
    if (sample.n_divergent_prompts > 0) {
      return "no clean bound: " + std::to_string(sample.n_divergent_prompts) + " prompt(s) differ";
    }
    if (!facts_.has_statistics) return "no clean bound: the cert has no statistics";
    if (facts_.LackOf("statistics.n_effective_prompts") == nullptr &&
        sample.n_effective_prompts == 0) {
      return "no clean bound: no prompt was compared beside others";
    }
    return "no clean bound: a verdict of " + ShownVerdict() + " bears none";
  }

  void ListLine(const std::string& what, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    std::string line = what + ":";
    for (std::size_t i = 0; i < ids.size() && i < kMaxIdsShown; ++i) line += " " + Clean(ids[i]);
    if (ids.size() > kMaxIdsShown) {
      line += " and " + std::to_string(ids.size() - kMaxIdsShown) + " more";
    }
    Line(line);
  }

  void Divergences() {
    const std::vector<bi_test::Divergence>& all = judgement_.divergences;
    if (all.empty()) return;
    Line("where outputs part (" + Shown("n_divergences", judgement_.n_divergences) + " in all):");
    for (std::size_t i = 0; i < all.size() && i < kMaxEntriesShown; ++i) {
      Divergence(all[i], "divergences." + std::to_string(i) + ".");
    }
  }

  void Divergence(const bi_test::Divergence& one, const std::string& path) {
    std::string line = "  " + Shown(path + "test_id", one.test_id) + ": in " +
                       Shown(path + (facts_.LackOf(path + "arm") == nullptr ? "pass" : "arm"),
                             ArmPassName(one.arm, one.pass)) +
                       ", " + Shown(path + "field", one.field);
    const auto add = [&](const char* label, const auto& value) {
      if (value) line += label + InWords(*value);
    };
    add(", token ", one.token_index);
    add(", byte ", one.byte_offset);
    add(", width ", one.observed_width);
    add(", slot ", one.slot);
    add(", margin ", one.margin);
    if (!one.leak_donor.empty()) line += ", text of " + Clean(one.leak_donor);
    if (!one.cause.empty()) line += ", " + Clean(one.cause);
    if (one.not_explained_by_rounding) line += " (not rounding)";
    Line(line);
    if (!one.byte_offset) return;
    Line("    serial:     " + Shown(path + "x_around", one.x_around));
    Line("    concurrent: " + Shown(path + "y_around", one.y_around));
  }

  const CellFacts& facts_;
  const Judgement& judgement_;
  std::string out_;
};

}  // namespace

std::string ExplainCert(const Cert& cert) { return Explanation(ReadCert(cert.document)).Take(); }

}  // namespace bi_test
