#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "make_model/model_spec.h"

namespace bi_test::make_model {

/// What a tensor is filled with.
enum class Fill {
  kOnes,      ///< 1 everywhere (norms).
  kGaussian,  ///< Independent normal values times `scale`.
  kOutput,  ///< Output matrix: depends on the margin and on which tokens are text (see weights.h).
};

struct Tensor {
  std::string name;
  /// As in GGUF: the first is the length of a row, the product of the others the number of rows.
  std::vector<std::uint64_t> dims;
  TensorType type = TensorType::kF32;
  Fill fill = Fill::kGaussian;
  float scale = 1;

  [[nodiscard]] std::uint64_t row_length() const { return dims.front(); }
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::uint64_t bytes() const;
};

inline constexpr char kEmbeddingName[] = "token_embd.weight";

/// Distance between the starts of tensors in the file is a multiple of this.
inline constexpr std::uint64_t kAlignment = 32;
[[nodiscard]] constexpr std::uint64_t Aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// All tensors of the model, in file order. REQUIRES: every size of `spec` within its range.
[[nodiscard]] std::vector<Tensor> PlanTensors(const ModelSpec& spec);

/// Bytes that all tensors take, padding included. REQUIRES: as `PlanTensors`.
[[nodiscard]] std::uint64_t TensorBytes(const ModelSpec& spec);

}  // namespace bi_test::make_model
