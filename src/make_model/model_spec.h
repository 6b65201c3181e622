#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace bi_test::make_model {

/// Feed-forward part of each block: one network, or a router over several (mixture of experts).
enum class Arch { kDense, kMoe };

/// How matrices are stored. Vectors (norms) and the router are always f32, as llama.cpp expects.
enum class TensorType { kF32, kF16, kQ8_0, kQ4_0 };

/// How far apart the best and the second best next token are.
enum class Margin {
  kPlain,  ///< An ordinary random model: often close, so rounding can change the text.
  kWide,   ///< The next token follows from the last one by a fixed map, far above rounding.
};

/// Everything a model file depends on. The names are those of the flags of `bi-test make-model`.
struct ModelSpec {
  std::uint64_t seed = 1;
  Arch arch = Arch::kDense;
  TensorType type = TensorType::kQ8_0;
  Margin margin = Margin::kPlain;
  int dim = 256;
  int hidden = 512;
  int layers = 4;
  int heads = 8;
  int kv_heads = 4;
  int ctx = 4096;
  int vocab = 1024;
  /// Used by `Arch::kMoe` only.
  int experts = 8;
  int experts_used = 2;

  friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

/// Largest sum of all tensors that `Write` makes.
inline constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{4} << 30;

/// Values per block of the quantised types; their rows must be made of whole blocks.
inline constexpr int kQuantBlock = 32;

/// The spelling used by flags and in model files: "dense", "moe", "f32", "q8_0", "plain", ...
[[nodiscard]] std::string_view Name(Arch arch);
[[nodiscard]] std::string_view Name(TensorType type);
[[nodiscard]] std::string_view Name(Margin margin);

/// `seed=1 arch=dense type=q8_0 ...`: one line, flag names and values, experts only for MoE.
std::ostream& operator<<(std::ostream& out, const ModelSpec& spec);

}  // namespace bi_test::make_model
