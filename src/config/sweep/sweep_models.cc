#include <algorithm>
#include <system_error>
#include <utility>

#include "base/safe_text.h"
#include "config/name_match.h"
#include "config/sweep/hub_cache.h"
#include "config/sweep/kv_profiles.h"
#include "config/sweep/program_path.h"
#include "config/sweep/sweep_reader.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostIdBytes = 1'000;
constexpr std::string_view kIdAllowed =
    "an id of 1 to 1000 bytes, without \"|\" and control characters";
constexpr std::string_view kPathAllowed = "the path of a model file";
constexpr std::string_view kFolderAllowed =
    "the path of a model file or folder, or a name whose snapshot is in the hub cache";
constexpr std::string_view kLabelAllowed =
    "labels of 1 to 64 bytes, without \";\" and control characters";

bool NamesAFile(const SweepReader& reader) { return reader.sweep.server.kind == "llama.cpp"; }

bool IsModel(const SweepReader& reader, const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) || (!NamesAFile(reader) && fs::is_directory(path, error));
}

// What a server other than llama.cpp may be given: a file, a folder, or a name of the hub whose
// files are already on this machine. Nothing is ever fetched: a model that is not here cannot be
// digested.
void SetFolder(const SweepReader& reader, const std::string& written, int line,
               const std::string& key, ModelConfig& model) {
  model.path = reader.Resolve(written);
  if (IsModel(reader, model.path)) return;
  if (const auto snapshot = FindHubSnapshot(written, reader.env)) {
    model.path = *snapshot;
    return;
  }
  if (reader.use == SweepUse::kLook) return;
  const fs::path cache = HubCacheFolder(reader.env);
  reader.problems.Found(line, key,
                        Quoted(written, 400) + ", which is neither here nor in the hub cache" +
                            (cache.empty() ? "" : " " + Quoted(cache.string(), 400)),
                        kFolderAllowed);
}

void SetPath(const SweepReader& reader, const std::string& written, int line,
             const std::string& key, ModelConfig& model) {
  if (!NamesAFile(reader)) {
    SetFolder(reader, written, line, key, model);
    return;
  }
  const fs::path path = reader.Resolve(written);
  model.path = path;
  if (IsModel(reader, path) || reader.use == SweepUse::kLook) return;
  std::error_code error;
  const bool exists = fs::exists(path, error);
  reader.problems.Found(
      line, key,
      Quoted(path.string(), 400) + (exists ? ", which is no file" : ", which does not exist"),
      kPathAllowed);
}

// `{MODELS_DIR}/<id>.gguf`, or for other servers the folder `{MODELS_DIR}/<id>` before the id
// itself, without looking for variables in the id.
void SetPathFromId(const SweepReader& reader, int line, const std::string& key,
                   ModelConfig& model) {
  const Result<std::string> folder = Expand("{MODELS_DIR}", reader.env);
  if (!NamesAFile(reader)) {
    const fs::path below = folder.ok() ? reader.Resolve(*folder) / model.id : fs::path();
    if (folder.ok() && IsModel(reader, below)) {
      model.path = below;
    } else {
      SetFolder(reader, model.id, line, key, model);
    }
    return;
  }
  if (!folder.ok()) {
    if (reader.use == SweepUse::kLook) return;
    reader.problems.Add(line, key,
                        "found no path, and no folder {MODELS_DIR} for " + Quoted(model.id) +
                            ", allowed: a path, or the environment variable MODELS_DIR");
    return;
  }
  SetPath(reader, *folder + "/" + model.id + ".gguf", line, key, model);
}

bool ReadId(const SweepReader& reader, const YamlNode& node, const std::string& key,
            ModelConfig& model) {
  const ScalarReader scalar(node, key, reader.problems);
  const auto id = scalar.Text(kIdAllowed);
  if (!id) return false;
  if (id->size() > kMostIdBytes || id->find('|') != id->npos) {
    scalar.Refuse(kIdAllowed);
    return false;
  }
  const auto same = std::ranges::find(reader.sweep.models, *id, &ModelConfig::id);
  if (same != reader.sweep.models.end()) {
    reader.problems.Found(
        node.line, key, Quoted(*id) + " a second time",
        "each id once, the first is on line " + std::to_string(same->location.line));
    return false;
  }
  model.id = *id;
  return true;
}

// The cache types of llama.cpp; other servers have their own, and take the model's by default.
void ReadKv(const SweepReader& reader, const Section& section, ModelConfig& model) {
  if (section.Find("kv") == nullptr) return;
  std::vector<std::string> known = LlamaKvLabels();
  if (reader.sweep.server.kind == "openai") {
    known.insert(known.end(), {"auto", "fp8"});  // What an unknown server calls it; not checked.
  } else if (!NamesAFile(reader)) {
    known = {"auto", "bf16", "fp8", "fp8_e4m3", "fp8_e5m2"};
  }
  if (const auto kv = section.Reader("kv").Word(known)) model.kv = *kv;
}

void ReadLabels(const SweepReader& reader, const Section& section, ModelConfig& model) {
  const YamlNode* node = section.Find("labels");
  if (node == nullptr) return;
  const std::vector<YamlNode>& entries =
      reader.Entries(*node, section.PathOf("labels"), "a list of texts");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ScalarReader scalar(entries[i], section.PathOf("labels") + "[" + std::to_string(i) + "]",
                              reader.problems);
    const auto label = scalar.Text(kLabelAllowed);
    if (!label) continue;
    if (label->size() > 64 || label->find(';') != label->npos) {
      scalar.Refuse(kLabelAllowed);
    } else {
      model.labels.push_back(*label);
    }
  }
}

// What the registry knows of the model, where its entry in the sweep file does not say it itself.
void UseAlias(const SweepReader& reader, const Section* section, int line, const std::string& key,
              ModelConfig& model) {
  const auto says = [section](std::string_view name) {
    return section != nullptr && section->Find(name) != nullptr;
  };
  const RegistryModel* entry = reader.registry->Find(model.id);
  if (entry == nullptr) {
    // The path says all there is to know; and a registry that could not be read was reported.
    if (says("path") || reader.registry->models.empty()) return;
    const std::vector<std::string> aliases = reader.registry->Aliases();
    reader.problems.Found(
        line, key, Quoted(model.id),
        "a path, or an alias of the registry: " + Joined(aliases) + DidYouMean(model.id, aliases));
    return;
  }
  if (!says("path")) {
    SetPath(reader, entry->gguf.string(), line, key, model);
    model.sha256 = entry->sha256;
  }
  if (!says("kv") && entry->kv) model.kv = *entry->kv;
  if (!says("flags") && reader.sweep.server.flags.empty()) model.flags = entry->flags;
}

void ReadModel(const SweepReader& reader, const YamlNode& node, const std::string& key) {
  ModelConfig model;
  model.location = {reader.sweep.file, node.line};
  if (!NamesAFile(reader)) model.kv = "auto";
  if (node.kind != YamlNode::Kind::kMap) {
    if (!ReadId(reader, node, key, model)) return;
    if (reader.registry != nullptr) {
      UseAlias(reader, nullptr, node.line, key, model);
    } else {
      SetPathFromId(reader, node.line, key, model);
    }
  } else {
    const Section section(&node, key, {"id", "path", "flags", "kv", "labels"}, reader.problems);
    section.Require("id", kIdAllowed);
    const bool named = section.Find("id") != nullptr &&
                       ReadId(reader, *section.Find("id"), section.PathOf("id"), model);
    if (const YamlNode* path = section.Find("path")) {
      const auto text = reader.ExpandedText(*path, section.PathOf("path"), kPathAllowed);
      if (text) SetPath(reader, *text, path->line, section.PathOf("path"), model);
    } else if (named && reader.registry == nullptr) {
      SetPathFromId(reader, node.line, section.PathOf("path"), model);
    }
    if (const YamlNode* flags = section.Find("flags")) {
      model.flags = reader.Flags(*flags, section.PathOf("flags"));
    }
    ReadKv(reader, section, model);
    if (named && reader.registry != nullptr) {
      UseAlias(reader, &section, node.line, section.PathOf("path"), model);
    }
    ReadLabels(reader, section, model);
    if (!named) return;
  }
  reader.sweep.models.push_back(std::move(model));
}

void UseProgram(const SweepReader& reader, const YamlNode& root) {
  ServerConfig& server = reader.sweep.server;
  const YamlNode* section = root.Find("server");
  const bool named = section != nullptr && section->Find("binary") != nullptr;
  const auto variable = reader.env.find("BI_TEST_LLAMA_SERVER");
  if (named || (variable != reader.env.end() && !variable->second.empty())) return;
  std::string program;
  for (const ModelConfig& model : reader.sweep.models) {
    const RegistryModel* entry = reader.registry->Find(model.id);
    if (entry == nullptr || entry->server_bin.empty() || entry->server_bin == program) continue;
    if (!program.empty()) {
      reader.problems.Found(
          model.location.line, "models",
          "models of two programs, " + Quoted(program, 400) + " and " +
              Quoted(entry->server_bin, 400),
          "one program in a sweep (name it in server.binary, or write two sweeps)");
      return;
    }
    program = entry->server_bin;
  }
  if (program.empty()) return;
  server.binary_as_written = program;
  server.binary = FindProgram(program, reader.folder, reader.env);
}

void UseDenseBaseline(const SweepReader& reader) {
  if (!reader.sweep.dense_baseline.empty()) return;
  std::string dense;
  for (const ModelConfig& model : reader.sweep.models) {
    const RegistryModel* entry = reader.registry->Find(model.id);
    if (entry == nullptr || !entry->dense_smoke) continue;
    if (!dense.empty()) {
      reader.problems.Found(model.location.line, "models",
                            "two dense baselines, " + Quoted(dense) + " and " + Quoted(model.id),
                            "one (name it in dense_baseline)");
      return;
    }
    dense = model.id;
  }
  reader.sweep.dense_baseline = std::move(dense);
}

}  // namespace

void ReadModels(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  constexpr std::string_view kAllowed =
      "a list of models, each an id or a mapping with the keys "
      "id, path, flags, kv, labels";
  const std::vector<YamlNode>& entries = reader.Entries(*node, "models", kAllowed);
  if (node->kind == YamlNode::Kind::kList && node->items.empty()) {
    reader.problems.Found(node->line, "models", "an empty list", kAllowed);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ReadModel(reader, entries[i], "models[" + std::to_string(i) + "]");
  }
}

void ReadDenseBaseline(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  constexpr std::string_view kAllowed = "the id of a model of this sweep";
  const ScalarReader scalar(*node, "dense_baseline", reader.problems);
  const auto id = scalar.Text(kAllowed);
  if (!id) return;
  const std::vector<ModelConfig>& models = reader.sweep.models;
  if (std::ranges::find(models, *id, &ModelConfig::id) == models.end()) {
    scalar.Refuse(kAllowed);
    return;
  }
  reader.sweep.dense_baseline = *id;
}

std::optional<ModelRegistry> ReadRegistry(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return std::nullopt;
  const auto path = reader.ExpandedText(*node, "registry", "the path of a model registry");
  if (!path) return std::nullopt;
  if (reader.sweep.server.kind != "llama.cpp") {
    reader.problems.Found(node->line, "registry",
                          "a registry of files for kind " + reader.sweep.server.kind,
                          "one for kind llama.cpp");
    return std::nullopt;
  }
  Result<ModelRegistry> registry = LoadModelRegistry(reader.Resolve(*path), reader.env);
  if (registry.ok()) return *std::move(registry);
  reader.problems.AddEach(node->line, "registry", registry.error().Text());
  // Models that are its aliases would only be reported a second time.
  return ModelRegistry{};
}

void ApplyRegistry(const SweepReader& reader, const YamlNode& root) {
  UseProgram(reader, root);
  UseDenseBaseline(reader);
}

}  // namespace bi_test::config
