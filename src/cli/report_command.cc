#include <iostream>
#include <map>
#include <utility>

#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/sweep_arguments.h"
#include "files/atomic_file.h"
#include "report/cell_word.h"
#include "report/console.h"
#include "report/junit.h"
#include "session/acceptance.h"
#include "session/page_maker.h"
#include "session/sweep_session.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxShown = 4000;

/// Test names, labels, places, sign-offs and known verdicts of the cells of a sweep; a cell without
/// a file counts as not run. Cells that the sweep does not name stay, behind the others.
void PutSweepOver(const session::SelectedSweep& selected, report::SweepResult& result) {
  std::map<Cell, report::CellResult> found;
  for (report::CellResult& row : result.cells) {
    const Cell cell = row.cell;
    found.emplace(cell, std::move(row));
  }
  const std::string today = session::Today();
  std::vector<report::CellResult> rows;
  for (const SweepCell& cell : selected.cells) {
    report::CellResult row = session::NewRow(*selected.sweep, cell);
    if (const auto at = found.find(cell.cell); at != found.end()) {
      at->second.test_name = std::move(row.test_name);
      at->second.file = std::move(row.file);
      at->second.line = row.line;
      at->second.labels = std::move(row.labels);
      row = std::move(at->second);
      found.erase(at);
    } else {
      row.message = "not run: there is no cert and no refusal of it in these folders";
    }
    session::ApplyRule(*selected.sweep, cell, today, row);
    rows.push_back(std::move(row));
  }
  for (auto& [cell, row] : found) rows.push_back(std::move(row));
  result.cells = std::move(rows);
  result.sweep_file = selected.sweep->file;
}

Json Document(const report::SweepResult& result, const std::filesystem::path& out,
              const std::filesystem::path& junit) {
  Json::Array cells;
  for (const report::CellResult& row : result.cells) {
    Json cell;
    cell["model"] = row.cell.model;
    cell["ctx"] = row.cell.ctx;
    cell["dispatch_n"] = row.cell.dispatch_n;
    cell["kv_label"] = row.cell.kv_label;
    cell["result"] = report::CellWord(row);
    const report::Outcome outcome = report::OutcomeOf(row);
    cell["passed"] = outcome == report::Outcome::kPass;
    cell["message"] = row.message;
    cell["accepted"] = row.accepted.empty() ? Json() : Json(row.accepted);
    cell["ts_utc"] = row.ts_utc.empty() ? Json() : Json(row.ts_utc);
    const std::string& file = row.cert_path.empty() ? row.refusal_path : row.cert_path;
    cell["file"] = file.empty() ? Json() : Json(file);
    cell["notes"] = Json(Json::Array(row.notes.begin(), row.notes.end()));
    cells.push_back(std::move(cell));
  }
  const report::Totals totals = report::CountCells(result.cells);
  Json document;
  document["cells"] = std::move(cells);
  document["problems"] = Json(Json::Array(result.problems.begin(), result.problems.end()));
  document["totals"]["cells"] = totals.tests;
  document["totals"]["passed"] = totals.passed;
  document["totals"]["failed"] = totals.failures;
  document["totals"]["errors"] = totals.errors;
  document["totals"]["green"] = totals.green;
  document["totals"]["red"] = totals.red;
  document["totals"]["amber"] = totals.amber;
  document["totals"]["unverified"] = totals.unverified;
  document["files"]["html"] = (out / "index.html").string();
  document["files"]["summary"] = (out / "summary.md").string();
  document["files"]["junit"] = junit.string();
  return document;
}

}  // namespace

int ReportCommand(const ReportArguments& arguments) {
  if (arguments.dirs.size() > 1 && arguments.out.empty()) {
    return Fail("report",
                Error{ErrorCode::kUsage,
                      "found several folders and no --out, expected the folder for the merged "
                      "files, such as --out merged",
                      ""},
                arguments.json, kExitUsage);
  }
  std::optional<session::SelectedSweep> selected;
  if (!arguments.sweep.empty()) {
    RunArguments of_sweep;
    of_sweep.sweep = arguments.sweep;
    of_sweep.json = arguments.json;
    selected = SelectSweep("report", of_sweep, SweepUse::kLook);
    if (!selected->errors.empty()) return selected->exit_code;
  }
  session::PageMaker maker;
  report::SweepResult result = maker.Read({arguments.dirs.begin(), arguments.dirs.end()});
  if (result.cells.empty() && result.problems.empty()) {
    result.problems.push_back(
        arguments.dirs.front() +
        ": found no cert (*__ctx*.json) and no refusal file, expected the out "
        "dir of a run");
  }
  if (selected) PutSweepOver(*selected, result);
  for (const std::string& problem : result.problems) {
    std::cerr << "bi-test report: " << SanitizeText(problem, kMaxShown) << '\n';
  }
  const std::filesystem::path out = arguments.out.empty() ? arguments.dirs.front() : arguments.out;
  const std::filesystem::path junit =
      arguments.junit.empty() ? out / "junit.xml" : std::filesystem::path(arguments.junit);
  Status written = session::PageMaker::Write(result, out);
  if (written.ok()) {
    written =
        files::WriteFileAtomically(junit, report::JunitXml(result, report::JunitFlavour::kFull));
  }
  if (!written.ok()) return Fail("report", written.error(), arguments.json, kExitError);
  if (arguments.json) {
    PrintJson(Document(result, out, junit));
  } else {
    std::cout << report::Summary(result, report::Palette(false)) << "page     "
              << SanitizeText((out / "index.html").string(), kMaxShown) << "\nsummary  "
              << SanitizeText((out / "summary.md").string(), kMaxShown) << "\njunit    "
              << SanitizeText(junit.string(), kMaxShown) << '\n';
  }
  if (!result.problems.empty()) return kExitError;
  const report::Totals totals = report::CountCells(result.cells);
  return totals.passed == totals.tests ? kExitOk : kExitNo;
}

}  // namespace bi_test::cli
