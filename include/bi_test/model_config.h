#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/source_location.h"

namespace bi_test {

/// One entry of `models:` of a sweep file. A plain value.
struct ModelConfig {
  std::string id;                   ///< Name in cells, files and certs; never a path.
  std::filesystem::path path;       ///< Absolute: a .gguf file, or a folder for other servers.
  std::vector<std::string> flags;   ///< Passed to its launches, after those of the server.
  std::string kv = "f16";           ///< KV cache type label, both K and V.
  std::string sha256;               ///< Digest that the file must have; empty: any.
  std::vector<std::string> labels;  ///< For ctest.
  SourceLocation location;
  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

}  // namespace bi_test
