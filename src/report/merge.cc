#include "report/merge.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/utc_time.h"
#include "report/cell_word.h"
#include "report/clean_text.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxNotes = 5;
constexpr std::size_t kMaxDir = 200;

/// Greater counts before less.
std::tuple<bool, std::int64_t, int> Weight(const CellResult& row) {
  const std::int64_t written = ParseUtc(row.ts_utc).value_or(-1);
  const int badness = OutcomeOf(row) == Outcome::kPass ? 0 : 1;
  return {row.damaged, written, row.state == CellState::kError ? 2 : badness};
}

void AddNotes(const std::vector<FoundRow>& rows, CellResult& chosen) {
  if (rows.size() < 2) return;
  chosen.notes.push_back("The newest of " + std::to_string(rows.size()) +
                         " results of this cell counts; the others:");
  for (std::size_t i = 1; i < rows.size() && i <= kMaxNotes; ++i) {
    const CellResult& row = rows[i].row;
    chosen.notes.push_back(CellWord(row) + " of " +
                           (row.ts_utc.empty() ? "unknown time" : CleanLine(row.ts_utc, 40)) +
                           " in " + CleanLine(rows[i].dir, kMaxDir));
  }
  if (rows.size() - 1 > kMaxNotes) {
    chosen.notes.push_back("and " + std::to_string(rows.size() - 1 - kMaxNotes) + " more");
  }
}

}  // namespace

std::vector<CellResult> MergeRows(std::vector<FoundRow> found) {
  std::map<Cell, std::vector<FoundRow>> by_cell;
  for (FoundRow& one : found) {
    const Cell cell = one.row.cell;
    by_cell[cell].push_back(std::move(one));
  }
  std::vector<CellResult> out;
  for (auto& [cell, rows] : by_cell) {
    std::stable_sort(rows.begin(), rows.end(), [](const FoundRow& x, const FoundRow& y) {
      return Weight(x.row) > Weight(y.row);
    });
    CellResult chosen = rows.front().row;
    AddNotes(rows, chosen);
    out.push_back(std::move(chosen));
  }
  return out;
}

std::vector<CellResult> OverlayRows(std::vector<CellResult> own, std::vector<CellResult> read) {
  std::map<Cell, CellResult*> by_cell;
  for (CellResult& row : read) by_cell.emplace(row.cell, &row);
  for (CellResult& row : own) {
    const auto found = by_cell.find(row.cell);
    if (found == by_cell.end()) continue;
    CellResult& file = *found->second;
    if (file.damaged && row.state == CellState::kRan) {
      row = file;
    } else if (row.state == CellState::kRan) {
      row.detail = file.detail;
      row.ts_utc = file.ts_utc;
      row.notes = file.notes;
    } else if (row.state == CellState::kNotRun || row.state == CellState::kSkipped) {
      row.notes.push_back("An earlier run of this cell: " + CellWord(file) + " of " +
                          (file.ts_utc.empty() ? "unknown time" : CleanLine(file.ts_utc, 40)));
    }
  }
  std::map<Cell, bool> known;
  for (const CellResult& row : own) known[row.cell] = true;
  for (CellResult& row : read) {
    if (!known.contains(row.cell)) own.push_back(std::move(row));
  }
  return own;
}

}  // namespace bi_test::report
