#include "report/html_cell.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "report/attachments.h"
#include "report/cell_word.h"
#include "report/clean_text.h"
#include "report/difference.h"
#include "report/escape.h"
#include "report/markup.h"
#include "report/numbers.h"
#include "report/svg_plots.h"
#include "verdict/pass_name.h"
#include "verdict/reason_codes.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxDifferences = 12;
constexpr std::size_t kMaxOutputs = 20;
constexpr std::size_t kMaxIds = 20;
constexpr std::size_t kMaxReasons = 16;
constexpr std::size_t kMaxAttempts = 20;
constexpr std::size_t kMaxPasses = 32;
constexpr std::size_t kMaxCompanions = 8;
constexpr std::size_t kMaxId = 120;
constexpr std::size_t kMaxPath = 1024;
constexpr std::size_t kRadius = 160;

std::string Paragraph(const std::string& content) { return Tag("p", content, Lines::kAfter); }

/// A paragraph of less weight.
std::string Dim(const std::string& content) {
  return Tag("p class=\"dim\"", content, Lines::kAfter);
}

std::string Code(std::string_view text, std::size_t max_bytes) {
  return Tag("code", Html(text, max_bytes));
}

constexpr const char* kPlainList = "ul class=\"plain\"";

/// A table that may be wider than the page.
class Table {
 public:
  Table(std::string& out, const std::string& label, const std::string& head)
      : region_(out,
                "div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" + label + "\"",
                Lines::kAfter),
        table_(out, "table"),
        body_(out += Tag("thead", Tag("tr", head)), "tbody", Lines::kWithin) {}

 private:
  Element region_, table_, body_;
};

std::string HeadCell(const std::string& text, bool number) {
  return Tag(number ? "th scope=\"col\" class=\"num\"" : "th scope=\"col\"", text);
}

std::string NumberCell(const std::string& text) { return Tag("td class=\"num\"", Html(text)); }

/// Name and value in one line of a list of facts.
void Fact(std::string& out, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  constexpr std::size_t kLong = 24;
  out += Tag(value.size() > kLong ? "div class=\"long\"" : "div",
             Tag("dt", Html(name)) + Tag("dd", Html(value)), Lines::kAfter);
}

std::string OrUnknown(const std::optional<double>& value, int decimals) {
  return value ? Fixed(*value, decimals) : "not measured";
}

std::string Percent(double share, int decimals) { return Fixed(100.0 * share, decimals) + " %"; }

std::string PercentOr(const std::optional<double>& share, int decimals) {
  return share ? Percent(*share, decimals) : "not measured";
}

void LeftOut(std::string& out, std::size_t shown, std::int64_t all, const char* what) {
  const auto rest = all - static_cast<std::int64_t>(shown);
  if (rest > 0) {
    out += Dim(Count(rest, what) + " more left out here; the trace has all.");
  }
}

/// A link below the page's folder, with every byte that a URL may not hold percent-encoded.
std::string RelativeUrl(const std::string& path, const std::string& page_dir) {
  const std::filesystem::path relative =
      std::filesystem::path(path).lexically_relative(std::filesystem::path(page_dir));
  if (page_dir.empty() || relative.empty()) return {};
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "./";  // so that no first segment can be taken for a scheme
  for (const char c : relative.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80U && std::isalnum(byte) != 0) ||
        std::string_view("-._~/").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    }
  }
  return out;
}

class Section {
 public:
  Section(const CellResult& cell, const std::string& page_dir) : cell_(cell), page_dir_(page_dir) {}

  std::string Body(SectionSize size) {
    if (!cell_.accepted.empty()) {
      out_ += Paragraph(Tag("strong", "Accepted:") + " " + Html(cell_.accepted));
    }
    for (const std::string& note : cell_.notes) out_ += Dim(Html(note));
    if (size == SectionSize::kShort) {
      out_ += Dim("The rest of this cell was left out: the page has reached its limit. " +
                  Tag("code", "bi-test report") + " on its folder alone shows it, " +
                  Tag("code", "bi-test show") + " its cert.");
    } else if (cell_.detail != nullptr) {
      Why(cell_.detail->facts.judgement);
      NextStepBox();
      Differences(cell_.detail->facts.judgement);
      Evidence(cell_.detail->facts.judgement);
      Passes(cell_.detail->facts.judgement);
      Plots(*cell_.detail);
      Outputs(cell_.detail->facts.judgement);
      Statistics(cell_.detail->facts.judgement);
      Speed();
      History(cell_.detail->facts);
      Subject(cell_.detail->facts);
      License(cell_.detail->facts);
    } else {
      if (!cell_.explanation.empty()) {
        out_ += Tag("pre", XmlText(cell_.explanation, std::size_t{4} << 10U), Lines::kAfter);
      }
      NextStepBox();
    }
    Files();
    return std::move(out_);
  }

 private:
  void Title(const char* text) { out_ += Tag("h4", text, Lines::kAfter); }

  void NextStepBox() {
    if (cell_.next_step.empty()) return;
    out_ += Tag("p class=\"box\"", Tag("strong", "Next:") + " " + Html(cell_.next_step, 800),
                Lines::kAfter);
  }

  void Why(const Judgement& judgement) {
    Title("Why");
    if (judgement.transport_only) {
      out_ +=
          Paragraph(Tag("strong", "Infrastructure, not a numeric difference.") + " First cause: " +
                    Html(judgement.first_cause.empty() ? "not recorded" : judgement.first_cause));
    }
    std::size_t shown = 0;
    {
      const Element list(out_, kPlainList, Lines::kBoth);
      for (const std::string& code : judgement.reason_codes) {
        if (shown++ == kMaxReasons) break;
        out_ += Tag("li", Code(code, 40) + " " + Html(MeaningOf(code)), Lines::kAfter);
      }
    }
    const bool floor = HasCode(judgement, ReasonCode::kFloor);
    if (floor && !judgement.transport_only && !judgement.first_cause.empty()) {
      out_ += Paragraph("First fault: " + Html(judgement.first_cause, 800));
    }
    if (judgement.decision_reasons.empty()) return;
    const Element details(out_, "details", Lines::kAfter);
    out_ += Tag("summary", "How the verdict was reached");
    shown = 0;
    {
      const Element list(out_, kPlainList, Lines::kBoth);
      for (const std::string& reason : judgement.decision_reasons) {
        if (shown == kMaxReasons) break;
        ++shown;
        out_ += Tag("li", Html(reason, 600), Lines::kAfter);
      }
    }
    LeftOut(out_, shown, static_cast<std::int64_t>(judgement.decision_reasons.size()), "line");
  }

  void Side(const std::string& caption, const DifferenceWindow& window, bool differ) {
    const Element figure(out_, "figure", Lines::kAfter);
    out_ += Tag("figcaption", Html(caption));
    const Element text(out_, "pre");
    if (window.cut_before) out_ += "\u2026";
    out_ += XmlText(window.before, 4096);
    if (differ) {
      out_ += window.at.empty() ? Tag("mark class=\"none\" title=\"ends here\"", "")
                                : Tag("mark", XmlText(window.at, 64));
      out_ += XmlText(window.behind, 4096);
    }
    if (window.cut_behind) out_ += "\u2026";
  }

  /// The texts around the difference, else the compared values.
  DifferencePair TextsOf(const Judgement& judgement, const Divergence& divergence) {
    if (!divergence.x_around.empty() || !divergence.y_around.empty()) {
      return SplitAtFirstDifference(divergence.x_around, divergence.y_around, kRadius);
    }
    for (const PairReport* pair : {&judgement.ac, &judgement.ab, &judgement.aa2}) {
      for (const FieldDifference& values : pair->per_id) {
        if (values.test_id != divergence.test_id || values.field != divergence.field) continue;
        const auto text = [](const Json& value) {
          return value.if_string() != nullptr ? *value.if_string() : CompactText(value);
        };
        return SplitAtFirstDifference(text(values.x), text(values.y), kRadius);
      }
    }
    return {};
  }

  void Difference(const Judgement& judgement, const Divergence& divergence) {
    const std::string label = ArmPassName(divergence.arm, divergence.pass);
    const Element element(out_, "div class=\"diff\"", Lines::kAfter);
    out_ += Paragraph(Tag("strong", Code(divergence.test_id, kMaxId)) + " in " + Html(label) +
                      ", field " + Code(divergence.field, 40));
    std::string where;
    const auto add = [&where](const std::string& text) {
      where += (where.empty() ? "" : " \u00b7 ") + text;
    };
    if (divergence.token_index) {
      std::string token = "token " + std::to_string(*divergence.token_index);
      if (divergence.x_token && divergence.y_token) {
        token += " (id " + std::to_string(*divergence.x_token) + " became " +
                 std::to_string(*divergence.y_token) + ")";
      }
      add(token);
    }
    if (divergence.byte_offset) add("byte " + std::to_string(*divergence.byte_offset));
    if (divergence.slot) add("slot " + std::to_string(*divergence.slot));
    if (divergence.observed_width) {
      add(std::to_string(*divergence.observed_width) + " in service");
    }
    add(divergence.margin ? "best token led by " + Figure(*divergence.margin) + " nats"
                          : std::string("margin not measured"));
    out_ += Dim(Html(where));
    if (divergence.not_explained_by_rounding) {
      out_ += Tag("p class=\"flag\"", "A lead above 0.25 nats: rounding does not explain it.",
                  Lines::kAfter);
    }
    if (!divergence.leak_donor.empty()) {
      out_ += Tag("p class=\"flag\"",
                  "Leak: this is the answer of " + Code(divergence.leak_donor, kMaxId) +
                      ", which was in flight.",
                  Lines::kAfter);
    }
    if (!divergence.cause.empty()) out_ += Paragraph(Html(divergence.cause));
    const DifferencePair texts = TextsOf(judgement, divergence);
    {
      const Element pair(out_, "div class=\"pair\"", Lines::kAfter);
      Side("A: one at a time", texts.x, texts.differ);
      Side(label + (divergence.arm == Arm::kC ? ": N at once" : ""), texts.y, texts.differ);
    }
    if (divergence.companions.empty()) return;
    std::string companions;
    for (std::size_t i = 0; i < std::min(divergence.companions.size(), kMaxCompanions); ++i) {
      companions += (i == 0 ? "" : ", ") + Code(divergence.companions[i], kMaxId);
    }
    if (divergence.companions.size() > kMaxCompanions) companions += " and more";
    out_ += Tag(
        "details",
        Tag("summary", Count(static_cast<std::int64_t>(divergence.companions.size()), "companion") +
                           " in service") +
            Tag("p", companions),
        Lines::kAfter);
  }

  void Differences(const Judgement& judgement) {
    if (judgement.divergences.empty()) return;
    Title("Where the outputs part");
    constexpr std::size_t kMaxOpen = 3;
    const std::size_t shown = std::min(judgement.divergences.size(), kMaxDifferences);
    for (std::size_t i = 0; i < std::min(shown, kMaxOpen); ++i) {
      Difference(judgement, judgement.divergences[i]);
    }
    if (shown > kMaxOpen) {
      const Element details(out_, "details", Lines::kAfter);
      out_ += Tag("summary", Count(static_cast<std::int64_t>(shown - kMaxOpen), "more difference"),
                  Lines::kAfter);
      for (std::size_t i = kMaxOpen; i < shown; ++i) {
        Difference(judgement, judgement.divergences[i]);
      }
    }
    LeftOut(out_, shown,
            std::max<std::int64_t>(judgement.n_divergences,
                                   static_cast<std::int64_t>(judgement.divergences.size())),
            "difference");
  }

  void Evidence(const Judgement& judgement) {
    const CellFigures& figures = cell_.figures;
    Title("Evidence");
    {
      const Element facts_list(out_, "dl class=\"facts\"", Lines::kBoth);
      Fact(out_, "ids compared", std::to_string(figures.n_compared));
      Fact(out_, "ids that differ", std::to_string(figures.n_divergent));
      Fact(out_, "differ below the score", std::to_string(figures.n_token_only));
      Fact(out_, "nothing known of", Count(figures.n_uncertified, "id"));
      Fact(out_, "width shown",
           std::to_string(figures.effective_n) + " of " + std::to_string(cell_.cell.dispatch_n));
      Fact(out_, "most in flight (client)", std::to_string(figures.client_overlap_depth));
      Fact(out_, "most busy slots (server)", std::to_string(figures.server_peak_busy_slots));
      Fact(out_, "lowest mean width", OrUnknown(figures.min_mean_width, 2));
      Fact(out_, "passes that count",
           std::to_string(figures.n_passes_effective) + " of " + std::to_string(figures.n_passes));
      Fact(out_, "co-batch coverage", PercentOr(figures.coverage_fraction, 1));
      Fact(out_, "positive control",
           judgement.positive_controls == 0
               ? "none could be planted"
               : (judgement.positive_control_ok ? "found" : "NOT FOUND"));
      const CompletionFloor& floor = judgement.floor;
      Fact(out_, "answered",
           std::to_string(floor.n_ok_a) + " in A, " + std::to_string(floor.n_ok_b) + " in B, " +
               std::to_string(floor.n_ok_c) + " in C; " + std::to_string(floor.required_ok) +
               " needed");
    }
    if (judgement.status_counts.size() > 1) {
      std::string outcomes = "Requests by outcome:";
      std::size_t shown = 0;
      for (const auto& [mode, count] : judgement.status_counts) {
        if (shown++ == kMaxIds) break;
        outcomes += " " + Code(mode, 60) + " " + std::to_string(count);
      }
      out_ += Dim(outcomes);
    }
    if (!judgement.uncertified_ids.empty()) {
      const Element details(out_, "details", Lines::kAfter);
      out_ += Tag("summary", "Ids nothing is known of");
      std::size_t shown = 0;
      {
        const Element list(out_, kPlainList, Lines::kBoth);
        for (const UncertifiedId& id : judgement.uncertified_ids) {
          if (shown == kMaxIds) break;
          ++shown;
          out_ += Tag("li", Code(id.test_id, kMaxId) + " " + Html(id.reason), Lines::kAfter);
        }
      }
      LeftOut(out_, shown, figures.n_uncertified, "id");
    }
  }

  void Passes(const Judgement& judgement) {
    if (judgement.passes.empty()) return;
    Title("Width per pass");
    out_ += WidthPlot(judgement.passes, cell_.cell.dispatch_n);
    out_ += Dim(
        "Bar: mean requests per decode step. Tick: most at one moment. A pass counts above 0.75 N "
        "with N at once at some moment; dashed bars do not count.");
    std::size_t shown = 0;
    {
      const Table table(out_, "Passes",
                        HeadCell("pass", false) + HeadCell("mean", true) + HeadCell("peak", true) +
                            HeadCell("coverage", true) + HeadCell("ok", true) +
                            HeadCell("differ", true) + HeadCell("counts", false));
      for (const PassReport& pass : judgement.passes) {
        if (shown == kMaxPasses) break;
        ++shown;
        out_ +=
            Tag("tr",
                Tag("td", PassName(pass.pass)) +
                    NumberCell(pass.mean_busy_slots ? Fixed(*pass.mean_busy_slots, 2) : "?") +
                    NumberCell(std::to_string(pass.server_peak_busy_slots)) +
                    NumberCell(Percent(pass.coverage_fraction, 0)) +
                    NumberCell(std::to_string(pass.n_ok) + "/" + std::to_string(pass.n_trials)) +
                    NumberCell(std::to_string(pass.ac_divergent)) +
                    Tag("td", pass.effective ? "yes" : "no: " + Html(pass.why_not)),
                Lines::kAfter);
      }
    }
    LeftOut(out_, shown, static_cast<std::int64_t>(judgement.passes.size()), "pass");
  }

  void Plots(const CellDetail& detail) {
    const Judgement& judgement = detail.facts.judgement;
    Title("Log-probability drift");
    const DriftReport& ac = judgement.ac.logit_drift;
    if (ac.n_ids_with_logprobs == 0) {
      out_ += Dim("Not measured: the server gave no log-probabilities.");
    } else {
      out_ += Paragraph(
          "Largest difference at one token, before outputs part, in nats: A against C " +
          Html(Figure(ac.max_token_delta)) + " (" + std::to_string(ac.n_ids_logprob_differ) +
          " of " + Count(ac.n_ids_with_logprobs, "id") + "), A against its repeat " +
          Html(Figure(judgement.aa2.logit_drift.max_token_delta)) + ", A against B " +
          Html(Figure(judgement.ab.logit_drift.max_token_delta)) + ".");
      const std::string plot = DriftPlot(detail.drift);
      out_ += plot;
      if (!plot.empty()) {
        out_ += Dim(
            "One bar per id, A against the worst pass of C; red where the output differs in the "
            "end.");
      } else if (!detail.no_trace.empty() && ac.max_token_delta > 0.0) {
        out_ += Dim("No plot per id: " + Html(detail.no_trace) + ".");
      }
    }
    if (judgement.divergences.empty()) return;
    Title("Margins where outputs part");
    const std::string margins = MarginPlot(judgement.divergences);
    if (margins.empty()) {
      out_ += Dim("Not measured: the answers carry no second-best token (" +
                  Tag("code", "run.n_probs: 2") + " asks for it).");
      return;
    }
    out_ += margins +
            Dim("Lead of the best token over the next in arm A, nats. Beyond 0.25 rounding does "
                "not explain a flip.");
  }

  void Outputs(const Judgement& judgement) {
    if (judgement.distinct_outputs.empty()) return;
    std::vector<std::pair<std::string, int>> ids(judgement.distinct_outputs.begin(),
                                                 judgement.distinct_outputs.end());
    std::stable_sort(ids.begin(), ids.end(),
                     [](const auto& x, const auto& y) { return x.second > y.second; });
    Title("Distinct outputs per id");
    const std::size_t shown = std::min(ids.size(), kMaxOutputs);
    {
      const Table table(
          out_, "Distinct outputs",
          HeadCell("id", false) + HeadCell("outputs over A and all passes of C", true));
      for (std::size_t i = 0; i < shown; ++i) {
        out_ += Tag(
            "tr", Tag("td", Code(ids[i].first, kMaxId)) + NumberCell(std::to_string(ids[i].second)),
            Lines::kAfter);
      }
    }
    LeftOut(out_, shown, static_cast<std::int64_t>(ids.size()), "id");
  }

  void Statistics(const Judgement& judgement) {
    const SampleStatistics& statistics = judgement.statistics;
    Title("What the sample can say");
    {
      const Element facts_list(out_, "dl class=\"facts\"", Lines::kBoth);
      Fact(out_, "effective prompts", std::to_string(statistics.n_effective_prompts));
      Fact(out_, "comparisons",
           std::to_string(statistics.n_comparisons) + " of " +
               std::to_string(statistics.n_planned_comparisons) + " planned");
      Fact(out_, "prompts that differ",
           std::to_string(statistics.n_divergent_prompts) + " of " +
               std::to_string(statistics.n_compared_prompts));
      if (statistics.rule_of_three) {
        Fact(out_, "rate at most (rule of three)", Percent(*statistics.rule_of_three, 2));
      }
      if (statistics.clopper_pearson_upper_95) {
        Fact(out_, "rate at most (exact, 95 %)", Percent(*statistics.clopper_pearson_upper_95, 2));
      }
      if (statistics.exact_lower_95 && statistics.exact_upper_95) {
        Fact(out_, "rate (exact, 95 %)",
             Percent(*statistics.exact_lower_95, 2) + " to " +
                 Percent(*statistics.exact_upper_95, 2));
      }
      if (statistics.wilson_lower_95 && statistics.wilson_upper_95) {
        Fact(out_, "rate (Wilson, 95 %)",
             Percent(*statistics.wilson_lower_95, 2) + " to " +
                 Percent(*statistics.wilson_upper_95, 2));
      }
      Fact(out_, "chance to see a 1 % flip", Percent(statistics.planned_power_1_percent, 0));
      Fact(out_, "comparisons for 95 %", std::to_string(statistics.comparisons_for_95));
    }
  }

  void Speed() {
    Title("Throughput");
    const Throughput& rate = cell_.throughput;
    if (!rate.serial || !rate.concurrent) {
      out_ += Dim("Not measured: tokens or times are missing.");
      return;
    }
    std::string text = Html(Figure(*rate.serial)) +
                       " completion tokens per second one at a time, " +
                       Html(Figure(*rate.concurrent)) + " with " +
                       std::to_string(cell_.cell.dispatch_n) + " at once";
    if (const auto gain = rate.Gain()) text += ": " + Html(Fixed(*gain, 2)) + " times as much";
    out_ += Paragraph(text + ".");
  }

  void History(const CellFacts& facts) {
    if (facts.n_earlier <= 0) return;
    Title("History");
    out_ +=
        Paragraph(Count(facts.n_earlier, "earlier finished run") + " of this cell in its folder.");
    if (facts.earlier.empty()) return;
    std::size_t shown = 0;
    {
      const Element list(out_, kPlainList, Lines::kBoth);
      const auto or_unknown = [](const std::string& text) { return text.empty() ? "?" : text; };
      for (const EarlierRun& run : facts.earlier) {
        if (shown == kMaxAttempts) break;
        ++shown;
        std::string text =
            Html(or_unknown(run.ts_utc), 40) + ": " + Code(or_unknown(run.status), 40);
        if (run.n_divergent.value_or(0) > 0) {
          text += ", " + Count(*run.n_divergent, "id") + " differed";
        }
        out_ += Tag("li", text, Lines::kAfter);
      }
    }
    LeftOut(out_, shown, facts.n_earlier, "run");
  }

  /// What was tested, as far as the cert names it in single values.
  void Subject(const CellFacts& facts) {
    Title("What was tested");
    {
      const Element facts_list(out_, "dl class=\"facts\"", Lines::kBoth);
      Fact(out_, "source", facts.source);
      const SetUp& set_up = facts.set_up;
      Fact(out_, "server", set_up.server_kind);
      Fact(out_, "server program", set_up.server_binary);
      Fact(out_, "server build", set_up.server_build);
      Fact(out_, "program SHA-256", set_up.binary_sha256);
      Fact(out_, "model file", set_up.model_path);
      Fact(out_, "model SHA-256", set_up.model_sha256);
      Fact(out_, "work-set", set_up.workset_profile);
      Fact(out_, "items", set_up.workset_items);
      Fact(out_, "max tokens", set_up.max_tokens);
      Fact(out_, "scorer", set_up.scorer);
      Fact(out_, "run", set_up.run_id);
      Fact(out_, "started", set_up.started_utc);
      Fact(out_, "finished", set_up.finished_utc);
      Fact(out_, "tool", set_up.tool_version);
      Fact(out_, "expires", facts.expires_utc);
    }
  }

  void License(const CellFacts& facts) {
    Title("What this does not license");
    std::string text =
        "It is about this cell only: " + Code(cell_.cell.model, kMaxId) + ", ctx " +
        std::to_string(cell_.cell.ctx) + ", N = " + std::to_string(cell_.cell.dispatch_n) +
        ", KV type " + Html(cell_.cell.kv_label, 40) +
        ", with this server build, these flags, this work-set and this host. Nothing follows for "
        "another N, smaller ones included.";
    if (cell_.verdict == Verdict::kGreen) {
      text +=
          " GREEN means that no difference was seen in this sample; the bounds above say how rare "
          "one may still be.";
    }
    if (cell_.figures.source != "live") text += " It is no live run and can never be promoted.";
    out_ += Paragraph(text);
    if (!facts.left_out.empty()) {
      out_ += Dim("The cert itself is cut in " +
                  Count(static_cast<std::int64_t>(facts.left_out.size()), "list") +
                  "; its trace has all.");
    }
  }

  void Files() {
    const std::vector<Attachment> files = AttachmentsOf(cell_);
    if (files.empty()) return;
    Title("Files");
    {
      const Element list(out_, kPlainList, Lines::kBoth);
      for (const Attachment& file : files) {
        const std::string url = RelativeUrl(file.path, page_dir_);
        const std::string name = std::filesystem::path(file.path).filename().string();
        out_ += Tag("li",
                    Html(file.name) + ": " +
                        (url.empty() || url.size() > 4 * kMaxPath
                             ? Code(file.path, kMaxPath)
                             : Tag("a href=\"" + url + "\"", Html(name, kMaxPath))),
                    Lines::kAfter);
      }
    }
    if (cell_.detail != nullptr && !cell_.detail->no_trace.empty()) {
      out_ += Dim("Shown without the trace: " + Html(cell_.detail->no_trace) + ".");
    }
  }

  const CellResult& cell_;
  const std::string& page_dir_;
  std::string out_;
};

}  // namespace

std::string Html(std::string_view text, std::size_t max_bytes) {
  return XmlText(CleanLine(text, max_bytes), max_bytes);
}

std::string VerdictSlug(const CellResult& cell) {
  std::string slug = CellWord(cell);
  for (char& c : slug) c = c == ' ' ? '-' : static_cast<char>(c | 0x20);
  return slug;
}

std::string VerdictBadge(const CellResult& cell) {
  std::string out = CellWord(cell);
  if (cell.state == CellState::kRan && cell.figures.transport_only) {
    out += " " + Tag("small", "infra");
  }
  if (!cell.accepted.empty()) out += " " + Tag("small", "accepted");
  if (cell.state == CellState::kRan && cell.verdict == Verdict::kGreen && !cell.passed) {
    out += " " + Tag("small", "but failed");
  }
  return Tag("span class=\"v " + VerdictSlug(cell) + "\"", out);
}

std::string CellSection(const CellResult& cell, std::size_t index, bool open,
                        const std::string& page_dir, SectionSize size) {
  const Outcome outcome = OutcomeOf(cell);
  const bool passes = outcome == Outcome::kPass || outcome == Outcome::kSkip;
  std::string out;
  {
    const Element details(out,
                          "details class=\"cell " + VerdictSlug(cell) + "\" id=\"cell-" +
                              std::to_string(index) + "\" data-model=\"" +
                              XmlAttribute(CleanLine(cell.cell.model, kMaxId), kMaxId) +
                              "\" data-verdict=\"" + VerdictSlug(cell) +
                              (passes ? "" : " not-passed") + "\"" + (open ? " open=\"\"" : ""),
                          Lines::kBoth);
    std::string message = CleanLine(cell.message, 600);
    const std::string word = CellWord(cell);
    if (message.starts_with(word + ": ")) message.erase(0, word.size() + 2);
    out += Tag(
        "summary",
        VerdictBadge(cell) + " " +
            Tag("h3", Html(RowTitle(cell.cell)) + " N=" + std::to_string(cell.cell.dispatch_n)) +
            (message.empty() ? "" : Tag("p", Html(message, 600))),
        Lines::kAfter);
    out += Tag("div", Section(cell, page_dir).Body(size), Lines::kBoth);
  }
  return out;
}

}  // namespace bi_test::report
