#include <algorithm>
#include <string>
#include <utility>

#include "base/safe_text.h"
#include "config/program_path.h"
#include "config/sweep/sweep_reader.h"

namespace bi_test::config {
namespace {

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
