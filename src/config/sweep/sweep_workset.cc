#include <system_error>

#include "config/name_match.h"
#include "config/sweep/sweep_reader.h"
#include "config/sweep/workset_profile.h"
#include "config/worksets/built_in_workset.h"
#include "config/worksets/workset.h"
#include "config/yaml/yaml_json.h"

namespace bi_test::config {
namespace {

constexpr std::string_view kFileAllowed = "the path of a work-set file";
constexpr std::string_view kAllowed =
    "the path of a work-set file, a mapping with the key file, builtin or profile, or a list of "
    "rows";

void ReadFile(const SweepReader& reader, const YamlNode& node, const std::string& key) {
  const auto path = reader.ExpandedText(node, key, kFileAllowed);
  if (!path) return;
  Result<Workset> workset = LoadWorkset(reader.Resolve(*path));
  if (workset.ok()) {
    reader.sweep.workset = *std::move(workset);
  } else {
    reader.problems.AddEach(node.line, key, workset.error().Text());
  }
}

// `{builtin: fragile}`, perhaps with `pool: FILE` and `size: K`.
void ReadFragile(const SweepReader& reader, const Section& section) {
  constexpr int kFewest = 5;  // effective prompts that a GREEN needs
  MadeWorkset made{.kind = MadeWorkset::Kind::kFragile, .pool = PoolWorkset()};
  section.Read("size", made.size, kFewest, static_cast<int>(kMostRows));
  if (const YamlNode* pool = section.Find("pool")) {
    const auto path = reader.ExpandedText(*pool, section.PathOf("pool"), kFileAllowed);
    if (!path) return;
    Result<Workset> rows = LoadWorkset(reader.Resolve(*path));
    if (!rows.ok()) {
      reader.problems.AddEach(pool->line, section.PathOf("pool"), rows.error().Text());
      return;
    }
    made.pool = *std::move(rows);
  }
  reader.sweep.workset.name = "built-in fragile";
  reader.sweep.made = std::move(made);
}

// `{profile: NAME, ...}`; the rows are made later, for each cell.
void ReadProfile(const SweepReader& reader, const YamlNode& node, const YamlNode& name) {
  const ScalarReader scalar(name, "workset.profile", reader.problems);
  const auto text = scalar.Text(AllowedProfiles());
  if (!text) return;
  if (const WorksetProfile* profile = FindProfile(*text)) {
    profile->read(reader, node);
  } else if (reader.use != SweepUse::kLook) {  // Cells can be named without their prompts.
    scalar.Refuse(AllowedProfiles());
  }
}

void ReadMapping(const SweepReader& reader, const YamlNode& node) {
  if (const YamlNode* profile = node.Find("profile")) return ReadProfile(reader, node, *profile);
  const Section section(&node, "workset", {"file", "builtin", "profile", "pool", "size"},
                        reader.problems);
  const YamlNode* file = section.Find("file");
  const YamlNode* builtin = section.Find("builtin");
  if ((file != nullptr) == (builtin != nullptr)) {
    reader.problems.Found(node.line, "workset", file != nullptr ? "file and builtin" : "nothing",
                          "one of file, builtin, profile");
    return;
  }
  std::optional<std::string> name;
  if (builtin != nullptr) {
    name = section.Reader("builtin").Text(Joined(BuiltInWorksetNames()));
    if (!name) return;
  }
  if (name == "fragile") return ReadFragile(reader, section);
  for (const char* key : {"pool", "size"}) {
    if (section.Find(key) == nullptr) continue;
    reader.problems.Add(section.LineOf(key), section.PathOf(key),
                        "found a key that only builtin: fragile has");
    return;
  }
  if (file != nullptr) {
    ReadFile(reader, *file, section.PathOf("file"));
  } else if (name == "lengths") {
    reader.sweep.made.emplace();
    reader.sweep.workset.name = "built-in lengths";
  } else {
    Result<Workset> workset = BuiltInWorkset(*name);
    if (workset.ok()) {
      reader.sweep.workset = *std::move(workset);
    } else {
      reader.problems.Add(section.LineOf("builtin"), section.PathOf("builtin"),
                          workset.error().message);
    }
  }
}

void ReadInlineRows(const SweepReader& reader, const YamlNode& node) {
  if (node.items.empty() || node.items.size() > kMostRows) {
    reader.problems.Found(node.line, "workset", std::to_string(node.items.size()) + " rows",
                          "1 to " + std::to_string(kMostRows) + " rows");
    return;
  }
  std::vector<RowProblem> problems;
  std::vector<WorksetRow> rows = ReadRows(*ToJson(node).if_array(), problems);
  for (const RowProblem& problem : problems) {
    const YamlNode& row = node.items[problem.row];
    // Of a key inside a key, the line of the outer one.
    const YamlNode* value = row.Find(problem.key.substr(0, problem.key.find_first_of(".[")));
    std::string key = "workset[" + std::to_string(problem.row) + "]";
    if (!problem.key.empty()) key += "." + problem.key;
    reader.problems.Add(value == nullptr ? row.line : value->line, std::move(key), problem.text);
  }
  if (problems.empty()) reader.sweep.workset = MakeWorkset(std::move(rows), "inline rows");
}

}  // namespace

void ReadWorkset(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  switch (node->kind) {
    case YamlNode::Kind::kNothing:
      reader.problems.Found(node->line, "workset", "nothing", kAllowed);
      return;
    case YamlNode::Kind::kText:
      ReadFile(reader, *node, "workset");
      return;
    case YamlNode::Kind::kList:
      ReadInlineRows(reader, *node);
      return;
    case YamlNode::Kind::kMap:
      ReadMapping(reader, *node);
      return;
  }
}

}  // namespace bi_test::config
