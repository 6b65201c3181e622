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
    Head();
    Problems();
    if (sweep_.cells.empty()) {
      out_ += "<p class=\"box\">There is no cell to show: no cert and no refusal was found.</p>\n";
    } else {
      Rows();
      FilterForm();
      MatrixTable();
      FrontierTable();
      Sections();
    }
    Foot();
    return std::move(out_);
  }

 private:
  void Head() {
    const Totals totals = CountCells(sweep_.cells);
    out_ +=
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
        PagePolicy() +
        "\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
        "<link rel=\"icon\" href=\"data:,\"/>\n<title>Batch invariance: " +
        std::to_string(totals.passed) + " of " + Count(totals.tests, "cell") +
        " passed</title>\n<style>" + std::string(PageStyle()) +
        "</style>\n</head>\n<body>\n<header class=\"top\">\n<h1>Batch invariance</h1>\n"
        "<p>Does serving N requests at once give exactly the outputs that serving them one at a "
        "time gives?</p>\n<p><strong>" +
        std::to_string(totals.passed) + " of " + Count(totals.tests, "cell") +
        " passed</strong>, " + std::to_string(totals.failures) + " failed, " +
        Count(totals.errors, "error");
    if (totals.not_run > 0) out_ += " (" + std::to_string(totals.not_run) + " not run)";
    out_ += ", " + std::to_string(totals.skipped) + " skipped</p>\n<ul class=\"totals\">\n";
    const auto no_verdict =
        std::count_if(sweep_.cells.begin(), sweep_.cells.end(),
                      [](const CellResult& cell) { return cell.state == CellState::kError; });
    struct Chip {
      const char* word;
      const char* style;
      std::int64_t n;
    };
    for (const Chip& chip :
         std::array{Chip{"GREEN", "green", totals.green}, Chip{"RED", "red", totals.red},
                    Chip{"AMBER", "amber", totals.amber},
                    Chip{"UNVERIFIED", "unverified", totals.unverified},
                    Chip{"without verdict", "error", no_verdict},
                    Chip{"not run", "not-run", totals.not_run}}) {
      if (chip.n > 0) {
        out_ += std::string("<li class=\"v ") + chip.style + "\">" + std::to_string(chip.n) + " " +
                chip.word + "</li>\n";
      }
    }
    out_ += "</ul>\n<p class=\"dim\">";
    std::string about;
    const auto add = [&about](const std::string& text) {
      about += (about.empty() ? "" : " \u00b7 ") + text;
    };
    if (!sweep_.sweep_file.empty()) add("sweep <code>" + Html(sweep_.sweep_file) + "</code>");
    if (!sweep_.start_utc.empty()) add("from " + Html(sweep_.start_utc, 40));
    if (!sweep_.end_utc.empty()) {
      add("to " + Html(sweep_.end_utc, 40));
    } else if (!sweep_.start_utc.empty()) {
      add("<strong>still running</strong>");
    }
    for (std::size_t i = 0; i < std::min(sweep_.sources.size(), kMaxSources); ++i) {
      add("read from <code>" + Html(sweep_.sources[i], kMaxPath) + "</code>");
    }
    out_ += about + "</p>\n</header>\n<main>\n";
  }

  void Problems() {
    if (sweep_.problems.empty()) return;
    out_ +=
        "<section class=\"box bad\" aria-labelledby=\"problems\"><h2 id=\"problems\">Files that "
        "could not be read</h2><ul class=\"plain\">\n";
    const std::size_t shown = std::min(sweep_.problems.size(), kMaxProblems);
    for (std::size_t i = 0; i < shown; ++i) {
      out_ += "<li>" + Html(sweep_.problems[i], kMaxPath) + "</li>\n";
    }
    if (shown < sweep_.problems.size()) {
      out_ += "<li>and " + std::to_string(sweep_.problems.size() - shown) + " more</li>\n";
    }
    out_ += "</ul></section>\n";
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
    out_ +=
        "<h2 id=\"matrix\">Matrix</h2>\n<form class=\"filter\" id=\"filter\" hidden=\"\">\n"
        "<div><label for=\"f-model\">Model</label><select id=\"f-model\" name=\"model\"><option "
        "value=\"\">all</option>";
    for (const std::string& model : models) {
      out_ += "<option value=\"" + XmlAttribute(model, kMaxModel) + "\">" + Html(model, kMaxModel) +
              "</option>";
    }
    out_ +=
        "</select></div>\n<div><label for=\"f-verdict\">Verdict</label><select id=\"f-verdict\" "
        "name=\"verdict\"><option value=\"\">all</option><option value=\"not-passed\">what did "
        "not pass</option>";
    // All of them, so that a link with a filter means the same on every page.
    for (const auto& [slug, word] :
         {std::pair{"green", "GREEN"}, std::pair{"red", "RED"}, std::pair{"amber", "AMBER"},
          std::pair{"unverified", "UNVERIFIED"}, std::pair{"error", "ERROR"},
          std::pair{"damaged", "DAMAGED"}, std::pair{"not-run", "NOT RUN"},
          std::pair{"skipped", "SKIPPED"}}) {
      out_.append("<option value=\"").append(slug).append("\">").append(word).append("</option>");
    }
    out_ +=
        "</select></div>\n<div><label for=\"f-q\">Text</label><input id=\"f-q\" name=\"q\" "
        "type=\"search\" autocomplete=\"off\"/></div>\n<div><button "
        "type=\"reset\">Clear</button></div>\n<p class=\"dim\" id=\"shown\" role=\"status\" "
        "aria-live=\"polite\"></p>\n</form>\n";
  }

  void MatrixTable() {
    out_ +=
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"matrix\">\n<table>"
        "<thead><tr><th scope=\"col\">model, ctx</th>";
    for (const int n : columns_) {
      out_ += "<th scope=\"col\">N=" + std::to_string(n) + "</th>";
    }
    out_ += "</tr></thead>\n<tbody>\n";
    for (const Row& row : rows_) {
      std::string slugs;
      std::string cells;
      for (const int n : columns_) {
        cells += "<td>";
        const auto found = row.cells.find(n);
        if (found == row.cells.end()) {
          cells += "<span class=\"dim\" title=\"not in the sweep\">\u2013</span>";
        } else {
          for (const std::size_t i : found->second) {
            const CellResult& cell = sweep_.cells[i];
            const Outcome outcome = OutcomeOf(cell);
            slugs += VerdictSlug(cell) + " ";
            if (outcome == Outcome::kFail || outcome == Outcome::kError) slugs += "not-passed ";
            const std::string badge = VerdictBadge(cell);
            cells += i < kMaxSections
                         ? "<a href=\"#cell-" + std::to_string(i) + "\">" + badge + "</a> "
                         : badge + " ";
          }
        }
        cells += "</td>";
      }
      out_ += "<tr data-model=\"" + XmlAttribute(row.model, kMaxModel) + "\" data-verdict=\"" +
              slugs + "\"><th scope=\"row\">" + Html(row.title) + "</th>" + cells + "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
    if (shown_ < sweep_.cells.size()) {
      out_ += "<p class=\"box\">" + std::to_string(sweep_.cells.size() - shown_) +
              " more cells are left out of this page.</p>\n";
    }
  }

  void FrontierTable() {
    out_ +=
        "<h2 id=\"frontier\">How far to batch, and what staying serial costs</h2>\n<div "
        "class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"frontier\"><table><thead>"
        "<tr><th scope=\"col\">model, ctx</th><th scope=\"col\">frontier</th><th "
        "scope=\"col\">completion tokens per second, one at a time \u2192 N at once</th></tr>"
        "</thead><tbody>\n";
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
        rates += "<span class=\"rate\">N=" + std::to_string(n) + ": " + Html(Figure(*rate.serial)) +
                 " \u2192 " + Html(Figure(*rate.concurrent));
        if (const auto gain = rate.Gain()) rates += " (" + Html(Fixed(*gain, 2)) + "\u00d7)";
        rates += "</span> ";
      }
      out_ += "<tr data-model=\"" + XmlAttribute(rows_[i].model, kMaxModel) + "\" data-verdict=\"" +
              Slugs(rows_[i]) + "\"><th scope=\"row\">" + Html(rows_[i].title) +
              "</th><td class=\"text\">" + Html(Describe(frontiers[i])) +
              "</td><td class=\"text\">" + (rates.empty() ? "not measured" : rates) +
              "</td></tr>\n";
    }
    out_ += "</tbody></table></div>\n";
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
    out_ += "<h2>Cells</h2>\n";
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
      out_ += "<p class=\"box\">The page has reached its limit: " +
              Count(static_cast<std::int64_t>(cut), "cell") + " shown in short, " +
              std::to_string(shown_ - written) + " in the matrix only.</p>\n";
    }
  }

  void Foot() {
    out_ +=
        "</main>\n<footer>\n<p>Written by bi-test from the certs beside it. The digest of each "
        "cert was checked; <code>bi-test verify</code> recomputes one from its trace. A verdict "
        "is about one cell: it does not carry over to another model, ctx, N, build, flag or "
        "host.</p>\n</footer>\n";
    if (!sweep_.cells.empty()) out_ += "<script>" + std::string(PageScript()) + "</script>\n";
    out_ += "</body>\n</html>\n";
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
