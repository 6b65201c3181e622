#include "make_model/make_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "unit/make_model_testing.h"

namespace bi_test::make_model {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

struct FileCase {
  const char* name;
  ModelSpec spec;
  std::uint32_t tensor_type;
  const char* file_type;
};

std::ostream& operator<<(std::ostream& out, const FileCase& file) { return out << file.name; }

std::vector<FileCase> FileCases() {
  const auto type = [](TensorType value) { return [=](ModelSpec& s) { s.type = value; }; };
  const auto wide = [](ModelSpec& s) { s.margin = Margin::kWide; };
  return {
      {"DenseF32", With(Tiny(), type(TensorType::kF32)), 0, "0"},
      {"DenseF16", With(Tiny(), type(TensorType::kF16)), 1, "1"},
      {"DenseQ8", With(Tiny(), type(TensorType::kQ8_0)), 8, "7"},
      {"DenseQ4", With(Tiny(), type(TensorType::kQ4_0)), 2, "2"},
      {"DenseQ8Wide", With(Tiny(), type(TensorType::kQ8_0), wide), 8, "7"},
      {"MoeF32", With(TinyMoe(), type(TensorType::kF32)), 0, "0"},
      {"MoeF16", With(TinyMoe(), type(TensorType::kF16)), 1, "1"},
      {"MoeQ8", With(TinyMoe(), type(TensorType::kQ8_0)), 8, "7"},
      {"MoeQ4Wide", With(TinyMoe(), type(TensorType::kQ4_0), wide), 2, "2"},
      {"OddSizesF16",
       With(Tiny(), type(TensorType::kF16),
            [](ModelSpec& s) {
              s.dim = 60;
              s.hidden = 33;
              s.heads = 6;
              s.vocab = 517;
              s.layers = 3;
            }),
       1, "1"},
  };
}

class FileTest : public ::testing::TestWithParam<FileCase> {};

TEST_P(FileTest, IsAWellFormedGguf) {
  const ModelSpec& spec = GetParam().spec;
  const std::string bytes = ToBytes(spec).value();
  const Gguf gguf = ReadGguf(bytes);
  EXPECT_EQ(gguf.version, 3U);

  const auto text = [](int value) { return std::to_string(value); };
  std::map<std::string, std::string> expected = {
      {"general.architecture", "llama"},
      {"general.alignment", "32"},
      {"general.file_type", GetParam().file_type},
      {"llama.context_length", text(spec.ctx)},
      {"llama.embedding_length", text(spec.dim)},
      {"llama.block_count", text(spec.layers)},
      {"llama.feed_forward_length", text(spec.hidden)},
      {"llama.attention.head_count", text(spec.heads)},
      {"llama.attention.head_count_kv", text(spec.kv_heads)},
      {"llama.attention.layer_norm_rms_epsilon", "1e-05"},
      {"llama.rope.dimension_count", text(spec.dim / spec.heads)},
      {"llama.vocab_size", text(spec.vocab)},
      {"tokenizer.ggml.model", "llama"},
      {"tokenizer.ggml.tokens", text(spec.vocab)},
      {"tokenizer.ggml.scores", text(spec.vocab)},
      {"tokenizer.ggml.token_type", text(spec.vocab)},
      {"tokenizer.ggml.bos_token_id", "1"},
      {"tokenizer.ggml.eos_token_id", "2"},
      {"tokenizer.ggml.unknown_token_id", "0"},
      {"tokenizer.ggml.add_bos_token", "true"},
      {"tokenizer.ggml.add_eos_token", "false"},
      {"bi_test.seed", "1"},
  };
  if (spec.arch == Arch::kMoe) {
    expected["llama.expert_count"] = text(spec.experts);
    expected["llama.expert_used_count"] = text(spec.experts_used);
  } else {
    EXPECT_EQ(gguf.values.count("llama.expert_count"), 0U);
  }
  for (const auto& [key, value] : expected) {
    const auto found = gguf.values.find(key);
    ASSERT_NE(found, gguf.values.end()) << key;
    EXPECT_EQ(found->second, value) << key;
  }

  EXPECT_THAT(gguf.tensor_names, SizeIs(3U + static_cast<std::size_t>(spec.layers) *
                                                 (spec.arch == Arch::kMoe ? 10U : 9U)));
  std::uint64_t end = 0;
  for (const std::string& name : gguf.tensor_names) {
    const GgufTensor& tensor = gguf.tensors.at(name);
    EXPECT_EQ(tensor.offset, (end + 31) / 32 * 32) << name;
    end = tensor.offset + BytesOf(tensor);
    const bool vector = name.find("norm") != std::string::npos;
    const bool router = name.find("gate_inp") != std::string::npos;
    EXPECT_EQ(tensor.type, vector || router ? 0U : GetParam().tensor_type) << name;
  }
  EXPECT_EQ(gguf.data_at % 32, 0U);
  EXPECT_EQ(bytes.size(), gguf.data_at + (end + 31) / 32 * 32);
}

TEST_P(FileTest, TensorsHaveTheShapesOfLlama) {
  const ModelSpec& spec = GetParam().spec;
  const Gguf gguf = ReadGguf(ToBytes(spec).value());
  const auto dim = static_cast<std::uint64_t>(spec.dim);
  const auto kv =
      dim / static_cast<std::uint64_t>(spec.heads) * static_cast<std::uint64_t>(spec.kv_heads);
  const auto hidden = static_cast<std::uint64_t>(spec.hidden);
  const auto vocab = static_cast<std::uint64_t>(spec.vocab);
  const auto experts = static_cast<std::uint64_t>(spec.experts);
  std::map<std::string, std::vector<std::uint64_t>> shapes = {
      {"token_embd", {dim, vocab}}, {"output_norm", {dim}},
      {"output", {dim, vocab}},     {"blk.0.attn_norm", {dim}},
      {"blk.0.attn_q", {dim, dim}}, {"blk.0.attn_k", {dim, kv}},
      {"blk.0.attn_v", {dim, kv}},  {"blk.0.attn_output", {dim, dim}},
      {"blk.0.ffn_norm", {dim}},
  };
  if (spec.arch == Arch::kMoe) {
    shapes["blk.0.ffn_gate_inp"] = {dim, experts};
    shapes["blk.0.ffn_gate_exps"] = {dim, hidden, experts};
    shapes["blk.0.ffn_up_exps"] = {dim, hidden, experts};
    shapes["blk.0.ffn_down_exps"] = {hidden, dim, experts};
  } else {
    shapes["blk.0.ffn_gate"] = {dim, hidden};
    shapes["blk.0.ffn_up"] = {dim, hidden};
    shapes["blk.0.ffn_down"] = {hidden, dim};
  }
  for (const auto& [name, shape] : shapes) {
    const auto found = gguf.tensors.find(name + ".weight");
    ASSERT_NE(found, gguf.tensors.end()) << name;
    EXPECT_EQ(found->second.dims, shape) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FileTest, ::testing::ValuesIn(FileCases()),
                         [](const auto& test) { return std::string(test.param.name); });

// A change of any of these means that every model ever pinned by its digest changes: a decision,
// not an accident.
TEST(ReproducibilityTest, BytesArePinned) {
  const ModelSpec wide = With(Tiny(), [](ModelSpec& s) {
    s.margin = Margin::kWide;
    s.type = TensorType::kF16;
    s.seed = 18446744073709551615U;
  });
  const ModelSpec moe = With(TinyMoe(), [](ModelSpec& s) { s.type = TensorType::kQ4_0; });
  EXPECT_EQ(Sha256(ToBytes(Tiny()).value()),
            "41eee9e5e49224631fe5a80ff5a1f6ff7ed24c829f12f2265b2b1cde38d07df9");
  EXPECT_EQ(Sha256(ToBytes(wide).value()),
            "cb6e64b26d64a0c9d12aaeb0538ea74d2f2757f8c02cc8da4f22fa618a992487");
  EXPECT_EQ(Sha256(ToBytes(moe).value()),
            "bd20840730aa7c9a1c5c5c2176f159053b21e21b0af427500187809b9973a936");
}

TEST(ReproducibilityTest, SameSpecSameBytes) {
  EXPECT_EQ(ToBytes(TinyMoe()).value(), ToBytes(TinyMoe()).value());
}

TEST(ReproducibilityTest, SeedChangesEveryMatrixAndNothingElse) {
  const std::string one = ToBytes(Tiny()).value();
  const std::string two = ToBytes(With(Tiny(), [](ModelSpec& s) { s.seed = 2; })).value();
  const Gguf gguf = ReadGguf(one);
  ASSERT_EQ(gguf.data_at, ReadGguf(two).data_at);
  for (const auto& [name, tensor] : gguf.tensors) {
    const bool same = one.substr(gguf.data_at + tensor.offset, BytesOf(tensor)) ==
                      two.substr(gguf.data_at + tensor.offset, BytesOf(tensor));
    EXPECT_EQ(same, tensor.dims.size() == 1) << name;
  }
}

TEST(ReproducibilityTest, TensorsDoNotDependOnTheNumberOfLayers) {
  const std::string one = ToBytes(Tiny()).value();
  const std::string two = ToBytes(With(Tiny(), [](ModelSpec& s) { s.layers = 2; })).value();
  const Gguf a = ReadGguf(one);
  const Gguf b = ReadGguf(two);
  for (const auto& [name, tensor] : a.tensors)
    EXPECT_EQ(Decode(one, a, name), Decode(two, b, name)) << name;
}

TEST(WeightsTest, VarianceIsOneOverFanIn) {
  const std::string bytes =
      ToBytes(With(Tiny(), [](ModelSpec& s) { s.type = TensorType::kF32; })).value();
  const Gguf gguf = ReadGguf(bytes);
  const std::map<std::string, double> deviations = {
      {"token_embd", 1 / std::sqrt(64)},        {"blk.0.attn_v", 1 / std::sqrt(64)},
      {"blk.0.attn_output", 1 / std::sqrt(64)}, {"blk.0.ffn_up", 1 / std::sqrt(64)},
      {"blk.0.ffn_down", 1 / std::sqrt(96)},    {"blk.0.attn_q", 2 / std::sqrt(64)},
      {"blk.0.attn_k", 2 / std::sqrt(64)},
  };
  for (const auto& [name, deviation] : deviations) {
    const std::vector<float> values = Decode(bytes, gguf, name + ".weight");
    const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(values.size())) / deviation, 1, 0.05)
        << name;
  }
  EXPECT_THAT(Decode(bytes, gguf, "output_norm.weight"), Each(1.0F));
}

TEST(WeightsTest, QuantisedModelsAreTheSameModelRounded) {
  const std::string exact =
      ToBytes(With(Tiny(), [](ModelSpec& s) { s.type = TensorType::kF32; })).value();
  const Gguf exact_gguf = ReadGguf(exact);
  const std::vector<std::pair<TensorType, double>> allowed = {
      {TensorType::kF16, 0.0003}, {TensorType::kQ8_0, 0.006}, {TensorType::kQ4_0, 0.11}};
  for (const auto& [type, relative] : allowed) {
    const std::string bytes =
        ToBytes(With(Tiny(), [t = type](ModelSpec& s) { s.type = t; })).value();
    const Gguf gguf = ReadGguf(bytes);
    for (const std::string& name : gguf.tensor_names) {
      const std::vector<float> before = Decode(exact, exact_gguf, name);
      const std::vector<float> after = Decode(bytes, gguf, name);
      ASSERT_EQ(before.size(), after.size());
      double error = 0;
      double squares = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        error += std::pow(static_cast<double>(before[i]) - after[i], 2);
        squares += std::pow(static_cast<double>(before[i]), 2);
      }
      EXPECT_LE(std::sqrt(error / squares), relative) << Name(type) << " " << name;
    }
  }
}

}  // namespace
}  // namespace bi_test::make_model
