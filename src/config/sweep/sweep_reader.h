#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/sweep.h"
#include "config/sweep/expand.h"
#include "config/sweep/model_registry.h"
#include "config/yaml/file_problems.h"
#include "config/yaml/section.h"
#include "config/yaml/yaml_document.h"
#include "scorers/scorer_registry.h"

/// The parts LoadSweep is made of: each reads one top-level key into the sweep and adds its
/// mistakes.
namespace bi_test::config {

struct SweepReader {
  std::filesystem::path folder;  ///< Of the sweep file, absolute; relative paths start here.
  const Environment& env;
  FileProblems& problems;
  Sweep& sweep;
  SweepUse use = SweepUse::kRun;
  ScorerRegistry scorers = {};              ///< What `scorer:` may name.
  const ModelRegistry* registry = nullptr;  ///< Of `registry:`, or null.

  /// A path relative to the sweep file's folder, made absolute, without `.` and `..`.
  [[nodiscard]] std::filesystem::path Resolve(const std::string& path) const;
  /// A text in which variables are replaced; `allowed` as in ScalarReader::Text.
  [[nodiscard]] std::optional<std::string> ExpandedText(const YamlNode& node,
                                                        const std::string& key,
                                                        std::string_view allowed,
                                                        bool may_be_empty = false) const;
  /// Arguments: a list with one argument per entry, or one text that is split at white space.
  [[nodiscard]] std::vector<std::string> Flags(const YamlNode& node, const std::string& key) const;
  /// Variables for a child process, from a mapping of their names.
  [[nodiscard]] std::map<std::string, std::string> Variables(const YamlNode& node,
                                                             const std::string& key) const;
  /// The entries of a list; a problem, and none, for any other node and for more than 1000 of them.
  [[nodiscard]] const std::vector<YamlNode>& Entries(const YamlNode& node, const std::string& key,
                                                     std::string_view allowed) const;
};

/// The whole file.
void ReadSweep(const YamlNode& root, const SweepReader& reader);

/// The registry whose aliases `models` may name; nothing without the key.
[[nodiscard]] std::optional<ModelRegistry> ReadRegistry(const SweepReader& reader,
                                                        const YamlNode* node);
void ReadServer(const SweepReader& reader, const YamlNode* node);
/// Needs the server section (a plain id names a .gguf file only for llama.cpp).
void ReadModels(const SweepReader& reader, const YamlNode* node);
/// What the registry says of the sweep as a whole: the program, and which model is the dense
/// baseline, where the sweep file and the environment do not. Needs server, models and
/// dense_baseline.
void ApplyRegistry(const SweepReader& reader, const YamlNode& root);
/// Needs the models.
void ReadDenseBaseline(const SweepReader& reader, const YamlNode* node);
/// Needs the models; makes the cells.
void ReadMatrix(const SweepReader& reader, const YamlNode* node);
void ReadWorkset(const SweepReader& reader, const YamlNode* node);
/// `workset: {profile: spark, ...}`; the rows are made later, for each cell.
void ReadSpark(const SweepReader& reader, const YamlNode& node);
/// Needs the work-set, for the warning about rows without an answer.
void ReadScorer(const SweepReader& reader, const YamlNode* node);
/// Needs work-set and scorer: the rules of the spark scorer need expected answers of their own
/// types.
void CheckSparkGolds(const SweepReader& reader, const YamlNode* workset);
void ReadRun(const SweepReader& reader, const YamlNode* node);
void ReadGuard(const SweepReader& reader, const YamlNode* node);
void ReadPolicy(const SweepReader& reader, const YamlNode* node);
/// Needs the cells.
void ReadSignOffs(const SweepReader& reader, const YamlNode* node);
void ReadKnownVerdicts(const SweepReader& reader, const YamlNode* node);
void ReadOutput(const SweepReader& reader, const YamlNode* node);

}  // namespace bi_test::config
