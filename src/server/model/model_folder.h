#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bi_test/result.h"

namespace bi_test::server {

/// A model that is a folder: weights, configuration, tokenizer and templates together.
struct ModelFolder {
  std::uint64_t bytes = 0;  ///< Of all files.
  /// Hex digest over one line `name size sha256` per file, sorted by name: any file that is added,
  /// removed, renamed or changed makes another model.
  std::string sha256;
};

/// Digests all files of the folder and its subfolders, links to files followed, names that begin
/// with a dot left out. Bounded: 10,000 files, 8 levels.
[[nodiscard]] Result<ModelFolder> DigestModelFolder(const std::filesystem::path& folder);

/// Bytes of the weights a server would load from the folder: `*.safetensors`, else `*.bin`, else
/// `*.pt` and `*.pth`, else `*.gguf`, on the top level. An error when there are none.
[[nodiscard]] Result<std::uint64_t> ModelFolderWeights(const std::filesystem::path& folder);

}  // namespace bi_test::server
