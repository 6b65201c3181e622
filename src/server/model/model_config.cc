#include "server/model/model_config.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/json_reader.h"
#include "files/atomic_file.h"
#include "server/json_facts.h"

namespace bi_test::server {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::int64_t kMostSensible = std::int64_t{1} << 24;

// The first of these names that has a sensible number; 0 when none has.
std::uint64_t Number(const Json& config, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const std::optional<std::int64_t> value = WholeNumber(config.Find(name));
    if (value && *value > 0 && *value <= kMostSensible) return static_cast<std::uint64_t>(*value);
  }
  return 0;
}

}  // namespace

Result<GgufHeader> ReadModelConfig(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "config.json";
  const Result<std::string> text = files::ReadFile(file, kMaxBytes);
  if (!text.ok()) {
    return Error{ErrorCode::kNotFound,
                 "the model's config.json cannot be read; check the model's path", file.string()};
  }
  Result<GgufHeader> header = ParseModelConfig(*text);
  if (!header.ok()) return Error{header.error().code, header.error().message, file.string()};
  return header;
}

Result<GgufHeader> ParseModelConfig(std::string_view text) {
  const Result<Json> parsed = ParseJson(text);
  if (!parsed.ok()) return Error{ErrorCode::kInvalidFile, parsed.error().message, {}};
  if (!parsed->is_object()) {
    return Error{ErrorCode::kInvalidFile, "expected an object with the model's settings", {}};
  }
  const Json* inner = parsed->Find("text_config");
  if (inner == nullptr || !inner->is_object()) inner = parsed->Find("llm_config");
  const Json& config = inner != nullptr && inner->is_object() ? *inner : *parsed;

  GgufHeader header;
  header.architecture = TextOf(config.Find("model_type"));
  header.layers = Number(config, {"num_hidden_layers", "n_layer", "num_layers"});
  header.embedding = Number(config, {"hidden_size", "n_embd", "d_model"});
  header.heads = Number(config, {"num_attention_heads", "n_head", "num_heads"});
  const std::uint64_t kv_heads = Number(config, {"num_key_value_heads", "num_kv_heads"});
  header.kv_heads = {kv_heads > 0 ? kv_heads : header.heads};
  header.key_length = Number(config, {"head_dim"});
  header.value_length = header.key_length;
  header.train_context =
      Number(config, {"max_position_embeddings", "n_positions", "max_sequence_length"});
  header.experts = Number(config, {"num_local_experts", "num_experts", "n_routed_experts"});
  return header;
}

}  // namespace bi_test::server
