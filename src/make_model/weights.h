#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "make_model/model_spec.h"
#include "make_model/tensor_plan.h"
#include "make_model/tokenizer_vocab.h"

namespace bi_test::make_model {

/// For each token the one that a wide model makes most likely after it: always a word. The words
/// form one cycle in an order chosen by `seed`; all other tokens (characters, pieces, bytes, begin,
/// end) lead into it, spread evenly.
[[nodiscard]] std::vector<int> Successors(const Vocab& vocab, std::uint64_t seed);

/// Computes the values of a model, one row at a time and in any order.
class Weights {
 public:
  Weights(const ModelSpec& spec, const Vocab& vocab);

  /// Fills `values` with row `row` of `tensor`.
  ///
  /// Output matrix, plain: normal values like any matrix, but the rows of tokens that are not text
  /// (unknown, begin, end, bytes) are almost zero: greedy text stays visible, valid UTF-8 and does
  /// not end early. Nothing else about a plain model is arranged. Output matrix, wide: the row of
  /// token t is the sum of the embeddings of all tokens whose successor is t, so that it stands out
  /// after exactly those. REQUIRES: row < tensor.rows(), values.size() == tensor.row_length().
  void FillRow(const Tensor& tensor, std::uint64_t row, std::span<float> values) const;

 private:
  void FillOutputRow(const Tensor& tensor, std::uint64_t row, std::span<float> values) const;

  std::uint64_t seed_;
  Margin margin_;
  /// Per token those that it follows; empty for a plain model.
  std::vector<std::vector<int>> predecessors_;
};

}  // namespace bi_test::make_model
