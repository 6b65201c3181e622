#include "report/html.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "report/cell_word.h"
#include "report/clean_text.h"
#include "report/escape.h"
#include "report/frontier.h"
#include "report/html_assets.h"
#include "report/html_cell.h"
#include "report/markup.h"
#include "report/numbers.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxModel = 120;
constexpr std::size_t kMaxPath = 1024;
constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxSources = 50;
/// Cells of which the page says more than one line of the matrix.
constexpr std::size_t kMaxSections = 5000;
/// Cells the matrix shows.
constexpr std::size_t kMaxCells = 20000;
/// Beyond so many cells all sections start closed.
constexpr std::size_t kMaxOpen = 24;
/// Room for full sections; short ones get what is left below `kMaxPageBytes`.
constexpr std::size_t kFullBytes = std::size_t{8} << 20U;
constexpr std::size_t kAllSectionBytes = std::size_t{10} << 20U;

struct Row {
  std::string title;
  std::string model;
  std::map<int, std::vector<std::size_t>> cells;  ///< Indexes by N.
};

class Page {
 public:
  Page(const SweepResult& sweep, const std::string& page_dir)
      : sweep_(sweep), page_dir_(page_dir), shown_(std::min(sweep.cells.size(), kMaxCells)) {}

  std::string Write() {
    const Totals totals = CountCells(sweep_.cells);
    out_ = "<!DOCTYPE html>\n";
    {
      const Element html(out_, "html lang=\"en\"", Lines::kBoth);
      Head(totals);
      const Element body(out_, "body", Lines::kBoth);
      Top(totals);
      {
        const Element main(out_, "main", Lines::kBoth);
        Problems();
        if (sweep_.cells.empty()) {
          out_ += Box("There is no cell to show: no cert and no refusal was found.");
        } else {
          Rows();
          FilterForm();
          MatrixTable();
          FrontierTable();
          Sections();
        }
      }
      Foot();
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] static std::string Box(const std::string& content) {
    return Tag("p class=\"box\"", content, Lines::kAfter);
  }

  void Head(const Totals& totals) {
    const Element head(out_, "head", Lines::kBoth);
    out_ +=
        "<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
        PagePolicy() +
        "\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
        "<link rel=\"icon\" href=\"data:,\"/>\n" +
        Tag("title",
            "Batch invariance: " + std::to_string(totals.passed) + " of " +
                Count(totals.tests, "cell") + " passed",
            Lines::kAfter) +
        Tag("style", PageStyle(), Lines::kAfter);
  }

  void Top(const Totals& totals) {
    const Element header(out_, "header class=\"top\"", Lines::kBoth);
    out_ += Tag("h1", "Batch invariance", Lines::kAfter);
    out_ += Tag("p",
                "Does serving N requests at once give exactly the outputs that serving them one at "
                "a time gives?",
                Lines::kAfter);
    out_ += Tag(
        "p",
        Tag("strong",
            std::to_string(totals.passed) + " of " + Count(totals.tests, "cell") + " passed") +
            ", " + std::to_string(totals.failures) + " failed, " + Count(totals.errors, "error") +
            (totals.not_run > 0 ? " (" + std::to_string(totals.not_run) + " not run)" : "") + ", " +
            std::to_string(totals.skipped) + " skipped",
        Lines::kAfter);
    Chips(totals);
    About();
  }

  void Chips(const Totals& totals) {
    const auto no_verdict =
        std::count_if(sweep_.cells.begin(), sweep_.cells.end(),
                      [](const CellResult& cell) { return cell.state == CellState::kError; });
    struct Chip {
      const char* word;
      const char* style;
      std::int64_t n;
    };
    const Element list(out_, "ul class=\"totals\"", Lines::kBoth);
    for (const Chip& chip :
         std::array{Chip{"GREEN", "green", totals.green}, Chip{"RED", "red", totals.red},
                    Chip{"AMBER", "amber", totals.amber},
                    Chip{"UNVERIFIED", "unverified", totals.unverified},
                    Chip{"without verdict", "error", no_verdict},
                    Chip{"not run", "not-run", totals.not_run}}) {
      if (chip.n > 0) {
        out_ += Tag(std::string("li class=\"v ") + chip.style + "\"",
                    std::to_string(chip.n) + " " + chip.word, Lines::kAfter);
      }
    }
  }

  void About() {
    std::string about;
    const auto add = [&about](const std::string& text) {
      about += (about.empty() ? "" : " \u00b7 ") + text;
    };
    if (!sweep_.sweep_file.empty()) add("sweep " + Tag("code", Html(sweep_.sweep_file)));
    if (!sweep_.start_utc.empty()) add("from " + Html(sweep_.start_utc, 40));
    if (!sweep_.end_utc.empty()) {
      add("to " + Html(sweep_.end_utc, 40));
    } else if (!sweep_.start_utc.empty()) {
      add(Tag("strong", "still running"));
    }
    for (std::size_t i = 0; i < std::min(sweep_.sources.size(), kMaxSources); ++i) {
      add("read from " + Tag("code", Html(sweep_.sources[i], kMaxPath)));
    }
    out_ += Tag("p class=\"dim\"", about, Lines::kAfter);
  }

  void Problems() {
    if (sweep_.problems.empty()) return;
    const Element section(out_, "section class=\"box bad\" aria-labelledby=\"problems\"",
                          Lines::kAfter);
    out_ += Tag("h2 id=\"problems\"", "Files that could not be read");
    const Element list(out_, "ul class=\"plain\"", Lines::kWithin);
    const std::size_t shown = std::min(sweep_.problems.size(), kMaxProblems);
    for (std::size_t i = 0; i < shown; ++i) {
      out_ += Tag("li", Html(sweep_.problems[i], kMaxPath), Lines::kAfter);
    }
    if (shown < sweep_.problems.size()) {
      out_ += Tag("li", "and " + std::to_string(sweep_.problems.size() - shown) + " more",
                  Lines::kAfter);
    }
  }

  void Rows() {
    std::map<std::tuple<std::string, int, std::string>, std::size_t> index;
    for (std::size_t i = 0; i < shown_; ++i) {
      const Cell& cell = sweep_.cells[i].cell;
      const auto [found, is_new] =
          index.try_emplace({cell.model, cell.ctx, cell.kv_label}, rows_.size());
      if (is_new) rows_.push_back({RowTitle(cell), CleanLine(cell.model, kMaxModel), {}});
      rows_[found->second].cells[cell.dispatch_n].push_back(i);
      columns_.insert(cell.dispatch_n);
    }
  }

  void FilterForm() {
    std::set<std::string> models;
    for (const Row& row : rows_) models.insert(row.model);
    const auto option = [](const std::string& value, const std::string& text) {
      return Tag("option value=\"" + value + "\"", text);
    };
    const auto select = [](const char* id, const char* name, const char* label,
                           const std::string& options) {
      return Tag("div",
                 Tag(std::string("label for=\"") + id + "\"", label) +
                     Tag(std::string("select id=\"") + id + "\" name=\"" + name + "\"", options),
                 Lines::kAfter);
    };
    std::string of_models = option("", "all");
    for (const std::string& model : models) {
      of_models += option(XmlAttribute(model, kMaxModel), Html(model, kMaxModel));
    }
    // All of them, so that a link with a filter means the same on every page.
    std::string of_verdicts = option("", "all") + option("not-passed", "what did not pass");
    for (const auto& [slug, word] :
         {std::pair{"green", "GREEN"}, std::pair{"red", "RED"}, std::pair{"amber", "AMBER"},
          std::pair{"unverified", "UNVERIFIED"}, std::pair{"error", "ERROR"},
          std::pair{"damaged", "DAMAGED"}, std::pair{"not-run", "NOT RUN"},
          std::pair{"skipped", "SKIPPED"}}) {
      of_verdicts += option(slug, word);
    }
    out_ += Tag("h2 id=\"matrix\"", "Matrix", Lines::kAfter);
    const Element form(out_, "form class=\"filter\" id=\"filter\" hidden=\"\"", Lines::kBoth);
    out_ += select("f-model", "model", "Model", of_models);
    out_ += select("f-verdict", "verdict", "Verdict", of_verdicts);
    out_ += Tag("div",
                Tag("label for=\"f-q\"", "Text") +
                    "<input id=\"f-q\" name=\"q\" type=\"search\" autocomplete=\"off\"/>",
                Lines::kAfter);
    out_ += Tag("div", Tag("button type=\"reset\"", "Clear"), Lines::kAfter);
    out_ +=
        Tag("p class=\"dim\" id=\"shown\" role=\"status\" aria-live=\"polite\"", "", Lines::kAfter);
  }

  void MatrixTable() {
    std::string head = ColumnHead("model, ctx");
    for (const int n : columns_) head += ColumnHead("N=" + std::to_string(n));
    {
      const Element region(out_, WideRegion("matrix"), Lines::kBoth);
      const Element table(out_, "table");
      out_ += Tag("thead", Tag("tr", head)) + "\n";
      const Element body(out_, "tbody", Lines::kWithin);
      for (const Row& row : rows_) MatrixRow(row);
    }
    if (shown_ < sweep_.cells.size()) {
      out_ += Box(std::to_string(sweep_.cells.size() - shown_) +
                  " more cells are left out of this page.");
    }
  }

  void MatrixRow(const Row& row) {
    std::string slugs;
    std::string columns;
    for (const int n : columns_) {
      const auto found = row.cells.find(n);
      if (found == row.cells.end()) {
        columns += Tag("td", Tag("span class=\"dim\" title=\"not in the sweep\"", "\u2013"));
        continue;
      }
      std::string badges;
      for (const std::size_t i : found->second) {
        const CellResult& cell = sweep_.cells[i];
        const Outcome outcome = OutcomeOf(cell);
        slugs += VerdictSlug(cell) + " ";
        if (outcome == Outcome::kFail || outcome == Outcome::kError) slugs += "not-passed ";
        const std::string badge = VerdictBadge(cell);
        badges +=
            (i < kMaxSections ? Tag("a href=\"#cell-" + std::to_string(i) + "\"", badge) : badge) +
            " ";
      }
      columns += Tag("td", badges);
    }
    out_ +=
        Tag(RowOf(row, slugs), Tag("th scope=\"row\"", Html(row.title)) + columns, Lines::kAfter);
  }

  [[nodiscard]] static std::string ColumnHead(const std::string& text) {
    return Tag("th scope=\"col\"", text);
  }

  /// Of a table that may be wider than the page; `title` is the id of its heading.
  [[nodiscard]] static std::string WideRegion(const std::string& title) {
    return "div class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"" + title + "\"";
  }

  /// A row that the filter can hide.
  [[nodiscard]] static std::string RowOf(const Row& row, const std::string& slugs) {
    return "tr data-model=\"" + XmlAttribute(row.model, kMaxModel) + "\" data-verdict=\"" + slugs +
           "\"";
  }

  void FrontierTable() {
    out_ +=
        Tag("h2 id=\"frontier\"", "How far to batch, and what staying serial costs", Lines::kAfter);
    const Element region(out_, WideRegion("frontier"), Lines::kAfter);
    const Element table(out_, "table");
    out_ += Tag(
        "thead",
        Tag("tr", ColumnHead("model, ctx") + ColumnHead("frontier") +
                      ColumnHead("completion tokens per second, one at a time \u2192 N at once")));
    const Element body(out_, "tbody", Lines::kWithin);
    const std::vector<CellResult> cells(sweep_.cells.begin(),
                                        sweep_.cells.begin() + static_cast<std::ptrdiff_t>(shown_));
    const std::vector<Frontier> frontiers = Frontiers(cells);
    for (std::size_t i = 0; i < rows_.size() && i < frontiers.size(); ++i) {
      std::string rates;
      for (const auto& [n, indexes] : rows_[i].cells) {
        const CellResult& cell = sweep_.cells[indexes.back()];
        const Throughput& rate = cell.throughput;
        if (cell.state != CellState::kRan || cell.figures.transport_only) continue;
        if (!rate.serial || !rate.concurrent) continue;
        std::string text = "N=" + std::to_string(n) + ": " + Html(Figure(*rate.serial)) +
                           " \u2192 " + Html(Figure(*rate.concurrent));
        if (const auto gain = rate.Gain()) text += " (" + Html(Fixed(*gain, 2)) + "\u00d7)";
        rates += Tag("span class=\"rate\"", text) + " ";
      }
      out_ += Tag(RowOf(rows_[i], Slugs(rows_[i])),
                  Tag("th scope=\"row\"", Html(rows_[i].title)) +
                      Tag("td class=\"text\"", Html(Describe(frontiers[i]))) +
                      Tag("td class=\"text\"", rates.empty() ? "not measured" : rates),
                  Lines::kAfter);
    }
  }

  [[nodiscard]] std::string Slugs(const Row& row) const {
    std::set<std::string> slugs;
    for (const auto& [n, indexes] : row.cells) {
      for (const std::size_t i : indexes) {
        const Outcome outcome = OutcomeOf(sweep_.cells[i]);
        slugs.insert(VerdictSlug(sweep_.cells[i]));
        if (outcome == Outcome::kFail || outcome == Outcome::kError) slugs.insert("not-passed");
      }
    }
    std::string out;
    for (const std::string& slug : slugs) out += slug + " ";
    return out;
  }

  void Sections() {
    out_ += Tag("h2", "Cells", Lines::kAfter);
    const std::size_t begin = out_.size();
    const std::size_t n = std::min(shown_, kMaxSections);
    std::size_t cut = 0;
    std::size_t written = 0;
    for (; written < n && out_.size() - begin < kAllSectionBytes; ++written) {
      const CellResult& cell = sweep_.cells[written];
      const Outcome outcome = OutcomeOf(cell);
      const bool open = shown_ <= kMaxOpen && cell.state != CellState::kNotRun &&
                        (outcome == Outcome::kFail || outcome == Outcome::kError);
      const bool full = out_.size() - begin < kFullBytes;
      if (!full) ++cut;
      out_ += CellSection(cell, written, open, page_dir_,
                          full ? SectionSize::kFull : SectionSize::kShort);
    }
    if (cut > 0 || written < shown_) {
      out_ +=
          Box("The page has reached its limit: " + Count(static_cast<std::int64_t>(cut), "cell") +
              " shown in short, " + std::to_string(shown_ - written) + " in the matrix only.");
    }
  }

  void Foot() {
    out_ += Tag("footer",
                Tag("p",
                    "Written by bi-test from the certs beside it. The digest of each cert was "
                    "checked; " +
                        Tag("code", "bi-test verify") +
                        " recomputes one from its trace. A verdict is about one cell: it does not "
                        "carry over to another model, ctx, N, build, flag or host.",
                    Lines::kAfter),
                Lines::kBoth);
    if (!sweep_.cells.empty()) out_ += Tag("script", PageScript(), Lines::kAfter);
  }

  const SweepResult& sweep_;
  const std::string& page_dir_;
  std::size_t shown_;
  std::vector<Row> rows_;
  std::set<int> columns_;
  std::string out_;
};

}  // namespace

std::string HtmlPage(const SweepResult& sweep, const std::string& page_dir) {
  return Page(sweep, page_dir).Write();
}

}  // namespace bi_test::report
