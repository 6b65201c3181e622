#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/result.h"

namespace bi_test::server {

/// What the guards need of a GGUF file's metadata (or of a config.json: model_config.h). 0 means:
/// not stated.
struct GgufHeader {
  std::uint32_t version = 0;  ///< 2 or 3.
  std::uint64_t tensor_count = 0;
  std::string architecture;             ///< `general.architecture`.
  std::string name;                     ///< `general.name`; text of a stranger.
  std::uint64_t layers = 0;             ///< `block_count`.
  std::uint64_t embedding = 0;          ///< `embedding_length`.
  std::uint64_t heads = 0;              ///< `attention.head_count`; largest layer if it is a list.
  std::vector<std::uint64_t> kv_heads;  ///< `attention.head_count_kv`; one, or one per layer.
  std::uint64_t key_length = 0;         ///< `attention.key_length`, elements per head.
  std::uint64_t value_length = 0;
  std::uint64_t train_context = 0;  ///< `context_length`.
  std::uint64_t experts = 0;        ///< `expert_count`.

  /// Elements of K and V of one token over all layers; 0 when the header does not say.
  [[nodiscard]] double KeyElementsPerToken() const;
  [[nodiscard]] double ValueElementsPerToken() const;
};

/// Reads the metadata of a GGUF file. Bounded: at most 256 MiB of metadata, 65,536 keys, strings of
/// 16 MiB; nothing larger than what the file holds is ever allocated. A file that breaks a limit or
/// is cut off is an error that names the byte offset.
[[nodiscard]] Result<GgufHeader> ReadGgufHeader(const std::filesystem::path& file);

/// The same of bytes in memory.
[[nodiscard]] Result<GgufHeader> ParseGgufHeader(std::string_view bytes);

/// Bytes of a model: the file, or all files of a series `...-00001-of-00003.gguf` that exist.
[[nodiscard]] Result<std::uint64_t> ModelBytes(const std::filesystem::path& file);

}  // namespace bi_test::server
