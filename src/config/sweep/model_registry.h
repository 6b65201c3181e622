#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "config/sweep/expand.h"
#include "config/yaml/file_problems.h"

namespace bi_test::config {

/// One model of a registry.
struct RegistryModel {
  std::string alias;
  std::filesystem::path gguf;  ///< `{MODELS_DIR}` replaced; relative to the registry's folder.
  std::optional<std::string> kv;
  std::string server_bin;          ///< Its own or the default one; empty: none.
  std::vector<std::string> flags;  ///< The default ones and its own, each flag once.
  std::string sha256;              ///< Expected digest of the file, lower case; empty: any.
  bool dense_smoke = false;
  int line = 0;
};

/// `models.yaml`: names for the models of a site, and how each is served (docs/spark.md).
struct ModelRegistry {
  std::filesystem::path file;
  std::vector<RegistryModel> models;

  /// The model of that alias, or null.
  [[nodiscard]] const RegistryModel* Find(std::string_view alias) const;
  [[nodiscard]] std::vector<std::string> Aliases() const;
};

/// Reads the text of a registry. Every mistake is added to `problems`.
[[nodiscard]] ModelRegistry ReadModelRegistry(std::string_view text,
                                              const std::filesystem::path& file,
                                              const Environment& env, FileProblems& problems);

/// Reads a registry file: at most 1 MiB, 16 levels. The error holds every mistake in it, one per
/// line, as `{file}:{line}: {key}: found ..., allowed: ...`. Opens no model.
[[nodiscard]] Result<ModelRegistry> LoadModelRegistry(const std::filesystem::path& file,
                                                      const Environment& env);

}  // namespace bi_test::config
