#include "report/cell_word.h"

#include "report/clean_text.h"

namespace bi_test::report {
namespace {

constexpr std::size_t kMaxModel = 80;
constexpr std::size_t kMaxKv = 20;

}  // namespace

std::string CellWord(const CellResult& cell) {
  switch (cell.state) {
    case CellState::kNotRun:
      return "NOT RUN";
    case CellState::kError:
      return cell.damaged ? "DAMAGED" : "ERROR";
    case CellState::kSkipped:
      return "SKIPPED";
    case CellState::kRan:
      break;
  }
  return VerdictName(cell.verdict);
}

std::string RowTitle(const Cell& cell) {
  std::string title = CleanLine(cell.model, kMaxModel) + " ctx=" + std::to_string(cell.ctx);
  if (cell.kv_label != "f16") title += " kv=" + CleanLine(cell.kv_label, kMaxKv);
  return title;
}

}  // namespace bi_test::report
