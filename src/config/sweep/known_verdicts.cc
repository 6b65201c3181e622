#include "config/sweep/known_verdicts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/try.h"
#include "bi_test/json.h"
#include "config/yaml/file_problems.h"
#include "config/yaml/scalar.h"
#include "config/yaml/section.h"
#include "config/yaml/text_file.h"
#include "config/yaml/yaml_document.h"

namespace bi_test::config {
namespace {

constexpr std::size_t kMostEntries = 10'000;
constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr std::string_view kDay = "a date such as 2030-12-31";
constexpr std::string_view kClasses =
    "the divergence class of the cert (co_batching, slot_allocation(+co_batching), "
    "harness_nondeterminism, request_mismatch or leak); infrastructure is a fault, not a verdict "
    "to expect";
constexpr std::array<std::string_view, 5> kClassNames = {
    "co_batching", "slot_allocation(+co_batching)", "harness_nondeterminism", "request_mismatch",
    "leak"};

std::optional<Verdict> VerdictOf(std::string_view name) {
  for (const Verdict verdict : {Verdict::kGreen, Verdict::kRed, Verdict::kAmber}) {
    if (name == VerdictName(verdict)) return verdict;
  }
  return std::nullopt;
}

void ReadEntry(const YamlNode& node, const std::string& path, FileProblems& problems,
               KnownVerdict& known) {
  const Section section(
      &node, path,
      {"model", "ctx", "parallel", "kv", "verdict", "class", "reason", "until", "seen", "build"},
      problems);
  if (node.kind != YamlNode::Kind::kMap) return;
  known.line = node.line;
  section.Require("model", "the id of a model");
  section.Require("ctx", "the context of one slot, in tokens");
  section.Require("parallel", "N, the requests in flight");
  section.Require("verdict", "GREEN, RED or AMBER");
  section.ReadText("model", "the id of a model", known.cell.model);
  section.Read("ctx", known.cell.ctx, 1, kMostInt);
  section.Read("parallel", known.cell.dispatch_n, 2, kMostInt);
  section.ReadText("kv", "a KV cache type such as f16", known.cell.kv_label);
  std::string verdict;
  section.ReadText("verdict", "GREEN, RED or AMBER", verdict);
  if (const auto read = VerdictOf(verdict)) {
    known.verdict = *read;
  } else if (!verdict.empty()) {
    section.Reader("verdict").Refuse(
        "GREEN, RED or AMBER; UNVERIFIED is no result to expect: leave the cell out");
  }
  section.ReadText("class", kClasses, known.divergence_class);
  // A misspelt class would never be met, and the cell fail for a reason that nobody sees.
  if (!known.divergence_class.empty() &&
      std::ranges::find(kClassNames, known.divergence_class) == kClassNames.end()) {
    section.Reader("class").Refuse(kClasses);
  }
  if (known.verdict == Verdict::kRed) {
    section.Require("class", kClasses);
  } else if (!known.divergence_class.empty()) {
    section.Reader("class").Refuse("no class, as the verdict is not RED");
  }
  if (known.verdict != Verdict::kGreen) section.Require("reason", "why this is lived with");
  section.ReadText("reason", "why this is lived with", known.reason);
  section.ReadText("until", kDay, known.until);
  if (!known.until.empty() && !IsDate(known.until)) section.Reader("until").Refuse(kDay);
  section.ReadText("seen", "when the cert was written", known.seen);
  section.ReadText("build", "the build that the server reported", known.build);
}

void ReadAll(const YamlNode& root, FileProblems& problems, KnownVerdicts& known) {
  const Section top(&root, "", {"version", "cells"}, problems);
  if (root.kind != YamlNode::Kind::kMap) return;
  int version = 0;
  top.Require("version", "1");
  top.Read("version", version, 1, 1);
  top.Require("cells", "a list of mappings, or [] for none");
  const YamlNode* cells = top.Find("cells");
  if (cells == nullptr) return;
  if (cells->kind != YamlNode::Kind::kList) {
    problems.Found(cells->line, "cells", Describe(*cells), "a list of mappings, or [] for none");
    return;
  }
  if (cells->items.size() > kMostEntries) {
    problems.Found(cells->line, "cells", std::to_string(cells->items.size()) + " entries",
                   "at most " + std::to_string(kMostEntries));
    return;
  }
  std::map<Cell, int> lines;
  for (std::size_t i = 0; i < cells->items.size(); ++i) {
    const std::string path = "cells[" + std::to_string(i) + "]";
    KnownVerdict entry;
    const std::size_t before = problems.size();
    ReadEntry(cells->items[i], path, problems, entry);
    if (problems.size() != before) continue;
    if (const auto [at, fresh] = lines.emplace(entry.cell, entry.line); !fresh) {
      problems.Found(
          entry.line, path, "a second entry of " + Describe(entry.cell),
          "one entry per cell (the first is in line " + std::to_string(at->second) + ")");
      continue;
    }
    known.cells.push_back(std::move(entry));
  }
}

/// JSON's quotes are YAML's double quotes; escapes keep every text on its line.
std::string Quoted(const std::string& text) { return CompactText(Json(text)); }

}  // namespace

Result<KnownVerdicts> LoadKnownVerdicts(const std::filesystem::path& file) {
  const YamlLimits limits;
  BI_TRY_SET(const std::string text,
             ReadTextFile(
                 file, limits.max_bytes,
                 "the path of a known-verdicts file; `bi-test known write` makes one from certs"));
  KnownVerdicts known;
  known.file = file.string();
  FileProblems problems;
  YamlNode root;
  if (ParseYaml(text, limits, root, problems)) ReadAll(root, problems, known);
  if (!problems.empty()) return problems.ToError(known.file);
  return known;
}

std::string KnownVerdictsText(const KnownVerdicts& known) {
  std::vector<KnownVerdict> cells = known.cells;
  std::sort(cells.begin(), cells.end(),
            [](const KnownVerdict& a, const KnownVerdict& b) { return a.cell < b.cell; });
  std::string out =
      "# Verdicts this repository knows and lives with. A cell that ends otherwise, better or "
      "worse,\n"
      "# fails. `bi-test known write` renews the entries; reasons and dates are kept.\n"
      "version: 1\n";
  out += cells.empty() ? "cells: []\n" : "cells:\n";
  for (const KnownVerdict& entry : cells) {
    out += "  - model: " + Quoted(entry.cell.model) + "\n";
    out += "    ctx: " + std::to_string(entry.cell.ctx) + "\n";
    out += "    parallel: " + std::to_string(entry.cell.dispatch_n) + "\n";
    out += "    kv: " + Quoted(entry.cell.kv_label) + "\n";
    out += std::string("    verdict: ") + VerdictName(entry.verdict) + "\n";
    const auto optional = [&out](const char* key, const std::string& value) {
      if (!value.empty()) out += std::string("    ") + key + ": " + Quoted(value) + "\n";
    };
    optional("class", entry.divergence_class);
    optional("reason", entry.reason);
    optional("until", entry.until);
    optional("seen", entry.seen);
    optional("build", entry.build);
  }
  return out;
}

std::string VerdictWithClass(Verdict verdict, std::string_view divergence_class) {
  std::string text = VerdictName(verdict);
  if (!divergence_class.empty()) text += " (" + std::string(divergence_class) + ")";
  return text;
}

}  // namespace bi_test::config
