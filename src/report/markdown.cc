#include "report/markdown.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "report/attachments.h"
#include "report/cell_word.h"
#include "report/clean_text.h"
#include "report/difference.h"
#include "report/frontier.h"
#include "report/numbers.h"
#include "verdict/pass_name.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxModel = 80;
constexpr std::size_t kMaxMessage = 300;
constexpr std::size_t kMaxPath = 400;
constexpr std::size_t kMaxProblems = 20;
constexpr std::size_t kRadius = 60;
/// Bytes each part may take; together below kMaxMarkdownBytes.
constexpr std::size_t kMatrixBytes = std::size_t{14} << 10U;
constexpr std::size_t kFrontierBytes = std::size_t{10} << 10U;
constexpr std::size_t kTroubleBytes = std::size_t{24} << 10U;

bool IsPlain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80U || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z') || std::string_view(" .,-+/=%()").find(c) != std::string_view::npos;
}

std::string Code(std::string_view text, std::size_t max_bytes) {
  return "<code>" + MarkdownText(text, max_bytes) + "</code>";
}

std::string Title(const Cell& cell) {
  std::string out = Code(cell.model, kMaxModel) + " ctx=" + std::to_string(cell.ctx);
  if (cell.kv_label != "f16") out += " kv=" + Code(cell.kv_label, 20);
  return out;
}

/// `**RED**`, with what the matrix adds to it.
std::string Word(const CellResult& cell) {
  const Outcome outcome = OutcomeOf(cell);
  const bool plain = outcome == Outcome::kPass || outcome == Outcome::kSkip;
  std::string out = plain ? CellWord(cell) : "**" + CellWord(cell) + "**";
  if (cell.state == CellState::kRan && cell.figures.transport_only) out += " (infra)";
  if (!cell.accepted.empty()) out += " (accepted)";
  if (cell.state == CellState::kRan && cell.verdict == Verdict::kGreen && !cell.passed) {
    out += " (but failed)";
  }
  return out;
}

struct Row {
  std::string title;
  std::map<int, std::vector<const CellResult*>> cells;
};

class Summary {
 public:
  Summary(const SweepResult& sweep, const std::string& page_dir)
      : sweep_(sweep), page_dir_(page_dir) {}

  std::string Write() {
    Head();
    if (sweep_.cells.empty()) {
      out_ += "There is no cell to show: no cert and no refusal was found.\n";
    } else {
      Rows();
      Matrix();
      Frontiers();
      Trouble();
    }
    out_ += "\nThe whole story: `index.html` beside this file; per cell `bi-test show CERT`.\n";
    return std::move(out_);
  }

 private:
  void Head() {
    const Totals totals = CountCells(sweep_.cells);
    out_ += "## Batch invariance: " + std::to_string(totals.passed) + " of " +
            Count(totals.tests, "cell") + " passed\n\n" + std::to_string(totals.failures) +
            " failed, " + Count(totals.errors, "error");
    if (totals.not_run > 0) out_ += " (" + std::to_string(totals.not_run) + " not run)";
    out_ += ", " + std::to_string(totals.skipped) + " skipped; " + std::to_string(totals.green) +
            " GREEN, " + std::to_string(totals.red) + " RED, " + std::to_string(totals.amber) +
            " AMBER, " + std::to_string(totals.unverified) + " UNVERIFIED\n\n";
    if (sweep_.end_utc.empty() && !sweep_.start_utc.empty()) out_ += "The run is not finished.\n\n";
    const std::size_t shown = std::min(sweep_.problems.size(), kMaxProblems);
    for (std::size_t i = 0; i < shown; ++i) {
      out_ += "* could not be read: " + MarkdownText(sweep_.problems[i], kMaxMessage) + "\n";
    }
    if (shown < sweep_.problems.size()) {
      out_ += "* and " + std::to_string(sweep_.problems.size() - shown) + " more files\n";
    }
    if (shown > 0) out_ += "\n";
  }

  void Rows() {
    std::map<std::tuple<std::string, int, std::string>, std::size_t> index;
    for (const CellResult& cell : sweep_.cells) {
      const auto [found, is_new] =
          index.try_emplace({cell.cell.model, cell.cell.ctx, cell.cell.kv_label}, rows_.size());
      if (is_new) rows_.push_back({Title(cell.cell), {}});
      rows_[found->second].cells[cell.cell.dispatch_n].push_back(&cell);
      columns_.insert(cell.cell.dispatch_n);
    }
  }

  void LeftOut(std::size_t n, const char* what) {
    if (n > 0) out_ += "\n" + Count(static_cast<std::int64_t>(n), what) + " more left out here.\n";
  }

  void Matrix() {
    constexpr std::size_t kMaxColumns = 40;
    std::vector<int> columns(columns_.begin(), columns_.end());
    const std::size_t cut = columns.size() - std::min(columns.size(), kMaxColumns);
    columns.resize(columns.size() - cut);
    out_ += "| model |";
    for (const int n : columns) out_ += " N=" + std::to_string(n) + " |";
    out_ += "\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i) out_ += "---|";
    out_ += "\n";
    const std::size_t begin = out_.size();
    std::size_t written = 0;
    for (const Row& row : rows_) {
      std::string line = "| " + row.title + " |";
      for (const int n : columns) {
        const auto found = row.cells.find(n);
        std::string words;
        if (found != row.cells.end()) {
          for (const CellResult* cell : found->second) {
            if (words.size() > 200) break;
            words += (words.empty() ? "" : " / ") + Word(*cell);
          }
        }
        line += " " + (words.empty() ? "-" : words) + " |";
      }
      if (out_.size() - begin + line.size() > kMatrixBytes) break;
      out_ += line + "\n";
      ++written;
    }
    LeftOut(rows_.size() - written, "row");
    LeftOut(cut, "column");
  }

  void Frontiers() {
    out_ +=
        "\n### How far to batch\n\n| model | frontier | tokens/s, one at a time to N at once "
        "|\n|---|---|---|\n";
    const std::vector<Frontier> frontiers = report::Frontiers(sweep_.cells);
    const std::size_t begin = out_.size();
    std::size_t written = 0;
    for (std::size_t i = 0; i < rows_.size() && i < frontiers.size(); ++i) {
      std::string rates;
      for (const auto& [n, cells] : rows_[i].cells) {
        const Throughput& rate = cells.back()->throughput;
        const CellResult& cell = *cells.back();
        if (cell.state != CellState::kRan || cell.figures.transport_only) continue;
        if (!rate.serial || !rate.concurrent) continue;
        if (rates.size() > 400) break;
        rates += (rates.empty() ? "" : "; ") + std::string("N=") + std::to_string(n) + " " +
                 Figure(*rate.serial) + " to " + Figure(*rate.concurrent);
        if (const auto gain = rate.Gain()) rates += " (" + Fixed(*gain, 2) + "x)";
      }
      const std::string line = "| " + rows_[i].title + " | " +
                               MarkdownText(Describe(frontiers[i]), kMaxMessage) + " | " +
                               (rates.empty() ? "not measured" : rates) + " |\n";
      if (out_.size() - begin + line.size() > kFrontierBytes) break;
      out_ += line;
      ++written;
    }
    LeftOut(rows_.size() - written, "row");
  }

  [[nodiscard]] std::string FirstDifference(const CellResult& cell) const {
    if (cell.detail == nullptr || cell.detail->facts.judgement.divergences.empty()) return {};
    const Divergence& divergence = cell.detail->facts.judgement.divergences.front();
    const std::string label = ArmPassName(divergence.arm, divergence.pass);
    std::string out = "  * first difference: id " + Code(divergence.test_id, 80) + " in " + label;
    if (divergence.token_index) out += ", token " + std::to_string(*divergence.token_index);
    if (divergence.margin) out += ", margin " + Figure(*divergence.margin) + " nats";
    if (divergence.not_explained_by_rounding) out += " (not explained by rounding)";
    if (!divergence.leak_donor.empty()) {
      out += ", **leak** of " + Code(divergence.leak_donor, 80);
    }
    out += "\n";
    const MarkedPair texts = MarkFirstDifference(divergence.x_around, divergence.y_around, kRadius);
    if (!texts.x.empty() || !texts.y.empty()) {
      out += "    * A: " + Code(texts.x, 4 * kRadius) + "\n    * " + label + ": " +
             Code(texts.y, 4 * kRadius) + "\n";
    }
    return out;
  }

  [[nodiscard]] std::string FileOf(const CellResult& cell) const {
    const std::vector<Attachment> files = AttachmentsOf(cell);
    if (files.empty()) return {};
    const std::filesystem::path path(files.front().path);
    const std::filesystem::path relative = path.lexically_relative(page_dir_);
    const bool inside = !page_dir_.empty() && !relative.empty();
    return "  * " + files.front().name + " " + Code((inside ? relative : path).string(), kMaxPath) +
           "\n";
  }

  /// RED first, then what else did not pass.
  void Trouble() {
    std::vector<const CellResult*> cells;
    for (const CellResult& cell : sweep_.cells) {
      const Outcome outcome = OutcomeOf(cell);
      if (outcome != Outcome::kPass && outcome != Outcome::kSkip) cells.push_back(&cell);
    }
    if (cells.empty()) return;
    std::stable_partition(cells.begin(), cells.end(), [](const CellResult* cell) {
      return cell->state == CellState::kRan && cell->verdict == Verdict::kRed &&
             !cell->figures.transport_only;
    });
    out_ += "\n### What did not pass\n\n";
    const std::size_t begin = out_.size();
    std::size_t written = 0;
    for (const CellResult* cell : cells) {
      std::string message = CleanLine(cell->message, kMaxMessage);
      const std::string word = CellWord(*cell);
      if (message.starts_with(word + ": ")) message.erase(0, word.size() + 2);
      const std::string first = FirstDifference(*cell);
      // The message tells it too, shorter.
      if (!first.empty()) message = message.substr(0, message.find("; first "));
      std::string text = "* " + Word(*cell) + " " + Title(cell->cell) +
                         " N=" + std::to_string(cell->cell.dispatch_n) + "\n";
      if (!message.empty()) text += "  * " + MarkdownText(message, kMaxMessage) + "\n";
      text += first;
      if (!cell->next_step.empty()) {
        text += "  * next: " + MarkdownText(cell->next_step, 400) + "\n";
      }
      text += FileOf(*cell);
      if (out_.size() - begin + text.size() > kTroubleBytes) break;
      out_ += text;
      ++written;
    }
    LeftOut(cells.size() - written, "cell");
  }

  const SweepResult& sweep_;
  const std::string& page_dir_;
  std::vector<Row> rows_;
  std::set<int> columns_;
  std::string out_;
};

}  // namespace

std::string MarkdownText(std::string_view text, std::size_t max_bytes) {
  const std::string clean = CleanLine(text, max_bytes);
  std::string out;
  out.reserve(clean.size() + clean.size() / 4);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    // `www.` alone makes a link in some viewers.
    const bool link = c == '.' && i > 0 && (clean[i - 1] == 'w' || clean[i - 1] == 'W');
    if (IsPlain(c) && !link) {
      out += c;
    } else {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    }
  }
  return out;
}

std::string MarkdownSummary(const SweepResult& sweep, const std::string& page_dir) {
  return Summary(sweep, page_dir).Write();
}

}  // namespace bi_test::report
