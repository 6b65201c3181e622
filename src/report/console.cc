#include "report/console.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "report/cell_word.h"
#include "report/clean_text.h"
#include "report/frontier.h"
#include "report/numbers.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxModel = 40;
constexpr std::size_t kMaxLine = 299;
constexpr std::size_t kMaxPath = 4096;

/// Columns a cleaned text takes, counting one per character.
std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string Pad(std::string text, std::size_t columns) {
  const std::size_t have = Columns(text);
  if (have < columns) text.append(columns - have, ' ');
  return text;
}

/// The first `columns` characters.
std::string Clip(std::string_view text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (seen++ == columns) return std::string(text.substr(0, i));
  }
  return std::string(text);
}

std::string Painted(const CellResult& cell, std::string_view text, const Palette& palette) {
  switch (cell.state) {
    case CellState::kNotRun:
    case CellState::kError:
      return palette.PaintError(text);
    case CellState::kSkipped:
      return palette.PaintDim(text);
    case CellState::kRan:
      break;
  }
  return palette.Paint(cell.verdict, text);
}

std::string Title(const Cell& cell) {
  std::string title = CleanLine(cell.model, kMaxModel) + " ctx=" + std::to_string(cell.ctx);
  if (cell.kv_label != "f16") title += " kv=" + CleanLine(cell.kv_label, 20);
  return title;
}

/// The verdict with what the matrix has to add to it.
std::string MatrixWord(const CellResult& cell) {
  std::string word = CellWord(cell);
  if (cell.state != CellState::kRan) return word;
  if (cell.figures.transport_only) word += "(infra)";
  if (!cell.accepted.empty()) word += "*";
  if (cell.verdict == Verdict::kGreen && !cell.passed) word += "!";
  return word;
}

/// The cells of a sweep by row (model, ctx, KV type) and column (N).
struct Matrix {
  std::vector<std::string> titles;
  std::vector<std::map<int, std::vector<const CellResult*>>> rows;
  std::set<int> columns;
};

Matrix MatrixOf(const std::vector<CellResult>& cells) {
  Matrix matrix;
  std::map<std::tuple<std::string, int, std::string>, std::size_t> index;
  for (const CellResult& cell : cells) {
    const auto [found, is_new] =
        index.try_emplace({cell.cell.model, cell.cell.ctx, cell.cell.kv_label}, matrix.rows.size());
    if (is_new) {
      matrix.titles.push_back(Title(cell.cell));
      matrix.rows.emplace_back();
    }
    matrix.rows[found->second][cell.cell.dispatch_n].push_back(&cell);
    matrix.columns.insert(cell.cell.dispatch_n);
  }
  return matrix;
}

void AppendMatrix(const Matrix& matrix, const Palette& palette, std::string& out) {
  std::size_t title_width = 0;
  for (const std::string& title : matrix.titles)
    title_width = std::max(title_width, Columns(title));
  std::map<int, std::size_t> widths;
  for (const int n : matrix.columns) {
    std::size_t width = Columns("N=" + std::to_string(n));
    for (const auto& row : matrix.rows) {
      const auto found = row.find(n);
      if (found == row.end()) continue;
      std::size_t joined = found->second.size() - 1;
      for (const CellResult* cell : found->second) joined += Columns(MatrixWord(*cell));
      width = std::max(width, joined);
    }
    widths[n] = width;
  }

  std::string head = Pad("", title_width);
  for (const int n : matrix.columns) head += "  " + Pad("N=" + std::to_string(n), widths[n]);
  out += head.substr(0, head.find_last_not_of(' ') + 1) + "\n";
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    out += Pad(matrix.titles[i], title_width);
    std::size_t gap = 0;
    for (const int n : matrix.columns) {
      const auto found = matrix.rows[i].find(n);
      out.append(gap + 2, ' ');
      std::size_t used = 1;
      if (found == matrix.rows[i].end()) {
        out += "-";
      } else {
        used = 0;
        for (const CellResult* cell : found->second) {
          if (used > 0) {
            out += "/";
            ++used;
          }
          const std::string word = MatrixWord(*cell);
          out += Painted(*cell, word, palette);
          used += Columns(word);
        }
      }
      gap = widths[n] - used;
    }
    out += "\n";
  }
}

void AppendNotes(const std::vector<CellResult>& cells, std::string& out) {
  const auto any = [&cells](auto holds) { return std::any_of(cells.begin(), cells.end(), holds); };
  if (any([](const CellResult& c) { return !c.accepted.empty(); })) {
    out += "* accepted by the sweep file or the known verdicts\n";
  }
  if (any([](const CellResult& c) {
        return c.state == CellState::kRan && c.verdict == Verdict::kGreen && !c.passed;
      })) {
    out += "! GREEN, but the test asked for more\n";
  }
}

void AppendThroughput(const Matrix& matrix, std::string& out) {
  std::string lines;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    std::string line;
    for (const auto& [n, cells] : matrix.rows[i]) {
      const Throughput& rate = cells.back()->throughput;
      if (!rate.serial || !rate.concurrent || cells.back()->figures.transport_only) continue;
      line += (line.empty() ? "" : "; ") + std::string("N=") + std::to_string(n) + " " +
              Figure(*rate.serial) + " -> " + Figure(*rate.concurrent);
      if (const auto gain = rate.Gain()) line += " (" + Fixed(*gain, 2) + "x)";
    }
    if (!line.empty()) lines += "  " + matrix.titles[i] + ": " + line + "\n";
  }
  if (!lines.empty()) {
    out += "\nCompletion tokens per second, one at a time -> N at once:\n" + lines;
  }
}

std::string TotalsLine(const Totals& totals) {
  std::string line = Count(totals.tests, "cell") + ": " + std::to_string(totals.passed) +
                     " passed, " + std::to_string(totals.failures) + " failed, " +
                     Count(totals.errors, "error");
  if (totals.not_run > 0) line += " (" + std::to_string(totals.not_run) + " not run)";
  line += ", " + std::to_string(totals.skipped) + " skipped; " + std::to_string(totals.green) +
          " GREEN, " + std::to_string(totals.red) + " RED, " + std::to_string(totals.amber) +
          " AMBER, " + std::to_string(totals.unverified) + " UNVERIFIED; " +
          Fixed(totals.wall_s, 1) + " s\n";
  return line;
}

/// A step of a cell that is no pass: a launch, a wait. It has nothing to count. Passes are named by
/// a letter and a number.
bool IsStep(const ArmProgress& progress) {
  return progress.arm.size() > 1 && progress.arm[1] >= 'a' && progress.arm[1] <= 'z';
}

std::string Done(const ArmProgress& progress) {
  return std::to_string(progress.done) + "/" + std::to_string(progress.total);
}

}  // namespace

std::string LiveLine(const ArmProgress& progress, std::size_t columns) {
  const std::string text =
      CleanLine(progress.cell, kMaxLine) + "  " + CleanLine(progress.arm, kMaxModel) + "  " +
      (IsStep(progress) ? "" : Done(progress) + "  ") + Fixed(progress.elapsed_s, 0) + " s";
  // A full last column would wrap on some terminals.
  return std::string("\r") + Clip(text, columns > 0 ? columns - 1 : 0) + "\x1b[K";
}

std::string ArmLine(const ArmProgress& progress) {
  const std::string name = CleanLine(progress.arm, kMaxModel);
  return CleanLine(progress.cell, kMaxLine) + ": " +
         (IsStep(progress) ? name + " at " : "arm " + name + " " + Done(progress) + " after ") +
         Fixed(progress.elapsed_s, 1) + " s\n";
}

std::string CellLine(const CellResult& cell, const Palette& palette) {
  const std::string word = CellWord(cell);
  std::string message = CleanLine(cell.message, kMaxLine);
  // The message begins with the same word; what follows it may be `: ` or ` (code): `.
  if (message.starts_with(word + ":") || message.starts_with(word + " ")) {
    message.erase(0, message.find_first_not_of(": ", word.size()));
  }
  std::string line = Painted(cell, Pad(word, 10), palette) + "  " + Title(cell.cell) +
                     " N=" + std::to_string(cell.cell.dispatch_n);
  if (!message.empty()) line += "  " + message;
  if (!cell.accepted.empty()) line += "  (accepted: " + CleanLine(cell.accepted, kMaxLine) + ")";
  if (cell.wall_s > 0.0) line += "  " + Fixed(cell.wall_s, 1) + " s";
  const std::string& file = cell.cert_path.empty() ? cell.refusal_path : cell.cert_path;
  if (!file.empty()) line += "  " + CleanLine(file, kMaxPath);
  return line + "\n";
}

std::string Summary(const SweepResult& sweep, const Palette& palette) {
  std::string out;
  if (!sweep.cells.empty()) {
    const Matrix matrix = MatrixOf(sweep.cells);
    AppendMatrix(matrix, palette, out);
    AppendNotes(sweep.cells, out);
    out += "\nHow far to batch:\n";
    const std::vector<Frontier> frontiers = Frontiers(sweep.cells);
    for (std::size_t i = 0; i < frontiers.size(); ++i) {
      out += "  " + matrix.titles[i] + ": " + Describe(frontiers[i]) + "\n";
    }
    AppendThroughput(matrix, out);
    out += "\n";
  }
  return out + TotalsLine(CountCells(sweep.cells));
}

}  // namespace bi_test::report
