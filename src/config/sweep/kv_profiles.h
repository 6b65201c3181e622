#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "config/yaml/file_problems.h"

namespace bi_test::config {

/// The cache types of llama.cpp, as `kv` names them.
[[nodiscard]] const std::vector<std::string>& LlamaKvLabels();

/// `kv_profiles.yaml`: what the guards take a launch to need (docs/spark.md).
struct KvProfiles {
  KvTable table;
  double memory_floor_gib = 8.0;  ///< `hard_floor_gb`.
  int max_ctx = 131'072;          ///< `hard_ctx_cap`.
};

/// Reads the text of such a file. Every mistake is added to `problems`.
[[nodiscard]] KvProfiles ReadKvProfiles(std::string_view text, FileProblems& problems);

/// Reads the file: at most 1 MiB, 16 levels; errors as those of LoadModelRegistry.
[[nodiscard]] Result<KvProfiles> LoadKvProfiles(const std::filesystem::path& file);

}  // namespace bi_test::config
