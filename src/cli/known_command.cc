#include <algorithm>
#include <iostream>
#include <map>
#include <system_error>
#include <utility>

#include "bi_test/known_verdicts.h"
#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "config/sweep/known_verdicts.h"
#include "files/atomic_file.h"
#include "report/cell_word.h"
#include "run/provenance.h"
#include "session/page_maker.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxShown = 4000;
constexpr const char* kNoReason = "not looked into yet";

/// The build that the server of a cert reported, or nothing.
std::string BuildOf(const report::CellResult& row) {
  return row.detail == nullptr ? "" : SanitizeText(row.detail->facts.set_up.server_build, 200);
}

/// What the cell's cert says, or nothing when it says nothing to expect.
std::optional<KnownVerdict> Found(const report::CellResult& row) {
  if (row.state != report::CellState::kRan || row.damaged) return std::nullopt;
  if (row.verdict == Verdict::kUnverified || row.figures.transport_only) return std::nullopt;
  KnownVerdict found;
  found.cell = row.cell;
  found.verdict = row.verdict;
  if (row.verdict == Verdict::kRed) found.divergence_class = row.figures.divergence_class;
  found.seen = row.ts_utc;
  found.build = BuildOf(row);
  return found;
}

std::string Text(const KnownVerdict& known) {
  return config::VerdictWithClass(known.verdict, known.divergence_class);
}

bool Same(const KnownVerdict& a, const KnownVerdict& b) {
  return a.verdict == b.verdict && a.divergence_class == b.divergence_class;
}

/// One line of the comparison.
struct Line {
  Cell cell;
  std::string was;  ///< Empty: no entry.
  std::string now;
  std::string kind;  ///< `same`, `changed`, `new`, `expired`, `not run`, `no verdict`.
  std::string note;  ///< For people.
};

std::string When(const KnownVerdict& known) {
  std::string text = known.seen.empty() ? "" : " on " + known.seen.substr(0, 10);
  if (!known.build.empty()) text += " with build " + known.build;
  return text;
}

std::vector<Line> Compare(const KnownVerdicts& known, const report::SweepResult& result,
                          const std::string& today) {
  std::vector<Line> lines;
  std::map<Cell, bool> met;
  for (const report::CellResult& row : result.cells) {
    met[row.cell] = true;
    const KnownVerdict* entry = known.Find(row.cell);
    const std::optional<KnownVerdict> found = Found(row);
    Line line{row.cell, entry == nullptr ? "" : Text(*entry),
              found ? Text(*found) : report::CellWord(row), "", ""};
    if (!found) {
      line.kind = "no verdict";
      line.note = row.message;
    } else if (entry == nullptr) {
      line.kind = "new";
      line.note = "the file has no entry of this cell";
    } else if (!Same(*entry, *found)) {
      line.kind = "changed";
      line.note = "was " + Text(*entry) + When(*entry) + ", is " + Text(*found) + When(*found);
      if (!row.message.empty()) line.note += ": " + row.message;
    } else if (!entry->until.empty() && entry->until < today) {
      line.kind = "expired";
      line.note = "the entry held until " + entry->until;
    } else {
      line.kind = "same";
    }
    lines.push_back(std::move(line));
  }
  for (const KnownVerdict& entry : known.cells) {
    if (met.contains(entry.cell)) continue;
    lines.push_back({entry.cell, Text(entry), "", "not run", "no cert of this cell was found"});
  }
  return lines;
}

std::optional<report::SweepResult> ReadDirs(const KnownArguments& arguments) {
  session::PageMaker maker;
  report::SweepResult result = maker.Read({arguments.dirs.begin(), arguments.dirs.end()});
  std::string text;
  for (const std::string& problem : result.problems) text += problem + "\n";
  if (result.cells.empty() && text.empty()) {
    text =
        arguments.dirs.front() + ": found no cert (*__ctx*.json), expected the out dir of a run\n";
  }
  if (text.empty()) return result;
  text.pop_back();
  // Half of the certs would look like half of the cells gone.
  static_cast<void>(Fail("known", Error{ErrorCode::kIo, text, ""}, arguments.json, kExitError));
  return std::nullopt;
}

/// The file as it is; an empty one when there is none yet and that is fine.
std::optional<KnownVerdicts> ReadKnown(const KnownArguments& arguments, bool may_be_missing) {
  std::error_code code;
  if (may_be_missing && !std::filesystem::exists(arguments.file, code) && !code) {
    KnownVerdicts none;
    none.file = arguments.file;
    return none;
  }
  Result<KnownVerdicts> known = config::LoadKnownVerdicts(arguments.file);
  if (known.ok()) return *std::move(known);
  static_cast<void>(Fail("known", known.error(), arguments.json, kExitUsage));
  return std::nullopt;
}

void Print(const std::vector<Line>& lines, bool json) {
  if (json) {
    Json::Array cells;
    for (const Line& line : lines) {
      Json cell;
      cell["model"] = line.cell.model;
      cell["ctx"] = line.cell.ctx;
      cell["dispatch_n"] = line.cell.dispatch_n;
      cell["kv_label"] = line.cell.kv_label;
      cell["known"] = line.was.empty() ? Json() : Json(line.was);
      cell["found"] = line.now.empty() ? Json() : Json(line.now);
      cell["kind"] = line.kind;
      cell["note"] = line.note;
      cells.push_back(std::move(cell));
    }
    Json document;
    document["cells"] = std::move(cells);
    PrintJson(document);
    return;
  }
  for (const Line& line : lines) {
    std::string text = Describe(line.cell) + "  " + line.kind;
    if (line.kind == "same") text += "  " + line.now;
    if (line.kind == "new") text += "  " + line.now;
    if (!line.note.empty()) text += "  " + line.note;
    std::cout << SanitizeText(text, kMaxShown) << '\n';
  }
}

}  // namespace

int KnownCheckCommand(const KnownArguments& arguments) {
  const std::optional<KnownVerdicts> known = ReadKnown(arguments, false);
  if (!known) return kExitUsage;
  const std::optional<report::SweepResult> result = ReadDirs(arguments);
  if (!result) return kExitError;
  const std::vector<Line> lines = Compare(*known, *result, run::NowUtc().substr(0, 10));
  Print(lines, arguments.json);
  const bool same =
      std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.kind == "same"; });
  return same ? kExitOk : kExitNo;
}

int KnownWriteCommand(const KnownArguments& arguments) {
  const std::optional<KnownVerdicts> before = ReadKnown(arguments, true);
  if (!before) return kExitUsage;
  const std::optional<report::SweepResult> result = ReadDirs(arguments);
  if (!result) return kExitError;
  const std::vector<Line> lines = Compare(*before, *result, run::NowUtc().substr(0, 10));
  KnownVerdicts after = *before;
  for (const report::CellResult& row : result->cells) {
    std::optional<KnownVerdict> found = Found(row);
    if (!found) continue;  // what is known of it stays
    const auto entry =
        std::find_if(after.cells.begin(), after.cells.end(),
                     [&](const KnownVerdict& old) { return old.cell == found->cell; });
    const KnownVerdict* const old = before->Find(found->cell);
    if (old != nullptr && Same(*old, *found)) {
      found->reason = old->reason;
      found->until = old->until;
    } else if (found->verdict != Verdict::kGreen) {
      found->reason = kNoReason;
    }
    if (!arguments.reason.empty() && found->verdict != Verdict::kGreen &&
        (old == nullptr || !Same(*old, *found))) {
      found->reason = arguments.reason;
    }
    if (entry == after.cells.end()) {
      after.cells.push_back(*std::move(found));
    } else {
      *entry = *std::move(found);
    }
  }
  const Status written =
      files::WriteFileAtomically(arguments.file, config::KnownVerdictsText(after));
  if (!written.ok()) return Fail("known", written.error(), arguments.json, kExitError);
  if (!arguments.json) {
    std::cout << "wrote " << SanitizeText(arguments.file, kMaxShown)
              << "; against the file before:\n";
  }
  Print(lines, arguments.json);
  return kExitOk;
}

}  // namespace bi_test::cli
