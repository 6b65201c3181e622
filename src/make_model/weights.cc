#include "make_model/weights.h"

#include <algorithm>
#include <utility>

#include "make_model/random.h"

namespace bi_test::make_model {
namespace {

// Logits of tokens that are not text have this share of the spread of the others.
constexpr float kNotTextGain = 0.05F;

void Gaussian(std::uint64_t seed, std::string_view tensor, std::uint64_t row, float scale,
              std::span<float> values) {
  Random random(seed, tensor, row);
  for (float& value : values) value = random.Normal() * scale;
}

}  // namespace

std::vector<int> Successors(const Vocab& vocab, std::uint64_t seed) {
  std::vector<int> cycle = vocab.words;
  Random random(seed, "successors");
  for (std::size_t left = cycle.size(); left > 1; --left) {
    std::swap(cycle[left - 1], cycle[static_cast<std::size_t>(random.Below(left))]);
  }
  std::vector<int> successors(vocab.tokens.size(), -1);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    successors[static_cast<std::size_t>(cycle[i])] = cycle[(i + 1) % cycle.size()];
  }
  std::size_t next = 0;
  for (int& successor : successors) {
    if (successor < 0) successor = cycle[next++ % cycle.size()];
  }
  return successors;
}

Weights::Weights(const ModelSpec& spec, const Vocab& vocab)
    : seed_(spec.seed), margin_(spec.margin) {
  if (margin_ == Margin::kPlain) return;
  predecessors_.resize(vocab.tokens.size());
  const std::vector<int> successors = Successors(vocab, seed_);
  for (std::size_t token = 0; token < successors.size(); ++token) {
    predecessors_[static_cast<std::size_t>(successors[token])].push_back(static_cast<int>(token));
  }
}

void Weights::FillRow(const Tensor& tensor, std::uint64_t row, std::span<float> values) const {
  switch (tensor.fill) {
    case Fill::kOnes:
      std::fill(values.begin(), values.end(), 1.0F);
      return;
    case Fill::kGaussian:
      Gaussian(seed_, tensor.name, row, tensor.scale, values);
      return;
    case Fill::kOutput:
      FillOutputRow(tensor, row, values);
      return;
  }
}

void Weights::FillOutputRow(const Tensor& tensor, std::uint64_t row,
                            std::span<float> values) const {
  if (margin_ == Margin::kPlain) {
    const bool text = row >= static_cast<std::uint64_t>(kFirstTextId);
    Gaussian(seed_, tensor.name, row, text ? tensor.scale : tensor.scale * kNotTextGain, values);
    return;
  }
  std::fill(values.begin(), values.end(), 0.0F);
  std::vector<float> embedding(values.size());
  for (const int token : predecessors_[static_cast<std::size_t>(row)]) {
    Gaussian(seed_, kEmbeddingName, static_cast<std::uint64_t>(token), tensor.scale, embedding);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += embedding[i];
  }
}

}  // namespace bi_test::make_model
