#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bi_test/scorer.h"
#include "config/name_match.h"
#include "config/sweep/program_path.h"
#include "config/sweep/sweep_reader.h"
#include "config/worksets/workset.h"
#include "config/yaml/yaml_json.h"
#include "scorers/built_in_scorers.h"

namespace bi_test::config {
namespace {

constexpr std::string_view kAllowed =
    "the name of a scorer, a mapping with the key name and its options, or one with the key "
    "command";
constexpr std::size_t kMostArguments = 100;

/// A scorer that only another program registers will do for looking and planning.
bool MayBeElsewhere(const SweepReader& reader, const std::string& name) {
  return reader.use != SweepUse::kRun && reader.scorers.OptionsOf(name) == nullptr;
}

void UseFromElsewhere(const SweepReader& reader, const std::string& name) {
  reader.sweep.scorer = name;
  if (reader.use == SweepUse::kPlan) {
    reader.sweep.warnings.push_back(
        reader.sweep.file + ": scorer \"" + name +
        "\" is not built in: only a program that registers it can run these cells");
  }
}

/// Checks a name, and gives it when there is such a scorer, or may be.
std::optional<std::string> ReadName(const SweepReader& reader, const YamlNode& node,
                                    const std::string& key) {
  const std::vector<std::string> names = reader.scorers.Names();
  const ScalarReader scalar(node, key, reader.problems);
  std::optional<std::string> name = scalar.Text(Joined(names));
  if (!name || reader.scorers.OptionsOf(*name) != nullptr || MayBeElsewhere(reader, *name)) {
    return name;
  }
  scalar.Refuse(Joined(names) + ", or one that the program which runs the cells registers" +
                DidYouMean(*name, names));
  return std::nullopt;
}

std::string Shown(const YamlNode& node, const Json& value) {
  return node.kind == YamlNode::Kind::kText && !value.is_string() ? CompactText(value)
                                                                  : Describe(node);
}

/// The options of one kind of scorer. Nothing after a mistake.
std::optional<Json> ReadOptions(const SweepReader& reader, const Section& section,
                                const std::vector<ScorerOption>& options) {
  const std::size_t before = reader.problems.size();
  Json out = Json::Object{};
  for (const ScorerOption& option : options) {
    const YamlNode* node = section.Find(option.name);
    if (node == nullptr) {
      if (option.fallback.is_null()) {
        section.Require(option.name, *WrongOption(option, Json()));
      }
      continue;
    }
    const Json value = ToJson(*node);
    if (const auto allowed = WrongOption(option, value)) {
      reader.problems.Found(node->line, section.PathOf(option.name), Shown(*node, value), *allowed);
    }
    out[option.name] = value;
  }
  if (reader.problems.size() > before) return std::nullopt;
  return out;
}

/// What is left to go wrong is known to the scorer alone, such as a pattern that is none.
std::shared_ptr<const Scorer> Make(const SweepReader& reader, const Section* section, int line,
                                   const std::string& name, const Json& options) {
  Result<std::shared_ptr<const Scorer>> scorer = reader.scorers.Make(name, options);
  if (scorer.ok()) {
    reader.sweep.scorer = name;
    reader.sweep.scorer_options = reader.scorers.Complete(name, options);
    return *std::move(scorer);
  }
  const Error& error = scorer.error();
  if (section == nullptr) {
    // A plain name whose scorer needs an option.
    reader.problems.Add(line, "scorer." + error.where, error.message);
  } else {
    reader.problems.Add(section->LineOf(error.where), section->PathOf(error.where), error.message);
  }
  return nullptr;
}

std::shared_ptr<const Scorer> ReadNamed(const SweepReader& reader, const YamlNode& node) {
  const YamlNode* name_node = node.Find("name");
  const auto name = ReadName(reader, *name_node, "scorer.name");
  if (!name) return nullptr;
  if (MayBeElsewhere(reader, *name)) {  // which options it has is not known here
    UseFromElsewhere(reader, *name);
    return nullptr;
  }
  const std::vector<ScorerOption>& known = *reader.scorers.OptionsOf(*name);
  std::vector<std::string> keys = {"name"};
  for (const ScorerOption& option : known) keys.push_back(option.name);
  const std::size_t before = reader.problems.size();
  const Section section(&node, "scorer", keys, reader.problems);
  const std::optional<Json> options = ReadOptions(reader, section, known);
  if (!options || reader.problems.size() > before) return nullptr;
  return Make(reader, &section, node.line, *name, *options);
}

void ReadCommand(const SweepReader& reader, const YamlNode& node) {
  const Section section(&node, "scorer", {"command", "timeout", "max_restarts", "env"},
                        reader.problems);
  ScorerCommand& command = reader.sweep.scorer_command;
  const YamlNode& argv = *section.Find("command");
  command.argv = reader.Flags(argv, section.PathOf("command"));
  if (command.argv.size() > kMostArguments || (command.argv.empty() && reader.problems.empty())) {
    reader.problems.Found(argv.line, section.PathOf("command"),
                          std::to_string(command.argv.size()) + " arguments",
                          "a program and its arguments, at most 100");
  }
  section.Read("timeout", command.timeout);
  section.Read("max_restarts", command.max_restarts, 0, 1000);
  if (const YamlNode* env = section.Find("env")) {
    command.env = reader.Variables(*env, section.PathOf("env"));
  }
  if (command.argv.empty()) return;
  command.folder = reader.folder;
  command.program = FindProgram(command.argv.front(), reader.folder, reader.env);
  reader.sweep.scorer = kCommandScorer;
}

void WarnOfUnscorableRows(const SweepReader& reader, const Scorer& scorer) {
  // It is the default, and whole answers are compared: prompts alone are what it is for.
  if (scorer.name() == "exact") return;
  const Workset& workset = reader.sweep.workset;
  const std::size_t unscorable = UnscorableRows(workset, scorer);
  if (unscorable == 0) return;
  reader.sweep.warnings.push_back(
      reader.sweep.file + ": workset: " + std::to_string(unscorable) + " of " +
      std::to_string(workset.rows.size()) + " rows have no expected answer, and scorer \"" +
      reader.sweep.scorer +
      "\" gives them 0 in every arm: add answers, or rely on tokens and text");
}

}  // namespace

void ReadScorer(const SweepReader& reader, const YamlNode* node) {
  std::shared_ptr<const Scorer> scorer;
  if (node == nullptr) {
    scorer = Make(reader, nullptr, 0, reader.sweep.scorer, {});
  } else if (node->kind == YamlNode::Kind::kMap) {
    const bool named = node->Find("name") != nullptr;
    const bool command = node->Find("command") != nullptr;
    if (named == command) {
      reader.problems.Found(node->line, "scorer", named ? "name and command" : "neither of them",
                            "one of name, command");
    } else if (named) {
      scorer = ReadNamed(reader, *node);
    } else {
      ReadCommand(reader, *node);
    }
  } else if (node->kind == YamlNode::Kind::kList) {
    reader.problems.Found(node->line, "scorer", Describe(*node), kAllowed);
  } else if (const auto name = ReadName(reader, *node, "scorer");
             name && MayBeElsewhere(reader, *name)) {
    UseFromElsewhere(reader, *name);
  } else if (name) {
    scorer = Make(reader, nullptr, node->line, *name, {});
  }
  if (scorer != nullptr) WarnOfUnscorableRows(reader, *scorer);
}

}  // namespace bi_test::config
