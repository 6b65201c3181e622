#include "make_model/gguf_writer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "make_model/quantize.h"
#include "make_model/tensor_plan.h"
#include "make_model/weights.h"

namespace bi_test::make_model {
namespace {

// Type numbers of the format.
enum class ValueType : std::uint32_t {
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
};

constexpr std::uint32_t kGgufVersion = 3;
constexpr float kRmsEpsilon = 1e-5F;
constexpr float kRopeBase = 10000.0F;

std::uint32_t TensorTypeNumber(TensorType type) {
  switch (type) {
    case TensorType::kF32:
      return 0;
    case TensorType::kF16:
      return 1;
    case TensorType::kQ4_0:
      return 2;
    case TensorType::kQ8_0:
      return 8;
  }
  return 0;
}

// "Mostly this type", for display by readers.
std::uint32_t FileTypeNumber(TensorType type) {
  switch (type) {
    case TensorType::kF32:
      return 0;
    case TensorType::kF16:
      return 1;
    case TensorType::kQ4_0:
      return 2;
    case TensorType::kQ8_0:
      return 7;
  }
  return 0;
}

// Little-endian encoding of the format's primitives.
class Encoder {
 public:
  void Raw(std::string_view bytes) { bytes_.append(bytes); }
  void U8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void U32(std::uint32_t value) { Number(value, 4); }
  void U64(std::uint64_t value) { Number(value, 8); }
  void F32(float value) { U32(std::bit_cast<std::uint32_t>(value)); }
  void String(std::string_view text) {
    U64(text.size());
    Raw(text);
  }
  void Type(ValueType type) { U32(static_cast<std::uint32_t>(type)); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void Number(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8) U8(static_cast<std::uint8_t>(value & 0xFF));
  }
  std::string bytes_;
};

// Key-value pairs and their count, which the file states before them.
class Metadata {
 public:
  void String(std::string_view key, std::string_view value) {
    Key(key, ValueType::kString);
    body_.String(value);
  }
  void U32(std::string_view key, std::uint32_t value) {
    Key(key, ValueType::kU32);
    body_.U32(value);
  }
  void U32(std::string_view key, int value) { U32(key, static_cast<std::uint32_t>(value)); }
  void U64(std::string_view key, std::uint64_t value) {
    Key(key, ValueType::kU64);
    body_.U64(value);
  }
  void F32(std::string_view key, float value) {
    Key(key, ValueType::kF32);
    body_.F32(value);
  }
  void Bool(std::string_view key, bool value) {
    Key(key, ValueType::kBool);
    body_.U8(value ? 1 : 0);
  }
  // Starts an array of `count` elements, which the caller appends to the result.
  Encoder& Array(std::string_view key, ValueType type, std::uint64_t count) {
    Key(key, ValueType::kArray);
    body_.Type(type);
    body_.U64(count);
    return body_;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::string& bytes() const { return body_.bytes(); }

 private:
  void Key(std::string_view key, ValueType type) {
    ++count_;
    body_.String(key);
    body_.Type(type);
  }
  std::uint64_t count_ = 0;
  Encoder body_;
};

void DescribeModel(const ModelSpec& spec, Metadata& metadata) {
  std::ostringstream description;
  description << "random weights: " << spec;
  metadata.String("general.architecture", "llama");
  metadata.String("general.name", "bi-test " + std::string(Name(spec.arch)) + " " +
                                      std::string(Name(spec.type)) + " " +
                                      std::string(Name(spec.margin)));
  metadata.String("general.description", description.str());
  metadata.U32("general.alignment", static_cast<std::uint32_t>(kAlignment));
  metadata.U32("general.file_type", FileTypeNumber(spec.type));
  metadata.U32("general.quantization_version", 2);
  metadata.U64("bi_test.seed", spec.seed);
  metadata.U32("llama.context_length", spec.ctx);
  metadata.U32("llama.embedding_length", spec.dim);
  metadata.U32("llama.block_count", spec.layers);
  metadata.U32("llama.feed_forward_length", spec.hidden);
  metadata.U32("llama.attention.head_count", spec.heads);
  metadata.U32("llama.attention.head_count_kv", spec.kv_heads);
  metadata.F32("llama.attention.layer_norm_rms_epsilon", kRmsEpsilon);
  metadata.U32("llama.rope.dimension_count", spec.dim / spec.heads);
  metadata.F32("llama.rope.freq_base", kRopeBase);
  metadata.U32("llama.vocab_size", spec.vocab);
  if (spec.arch == Arch::kMoe) {
    metadata.U32("llama.expert_count", spec.experts);
    metadata.U32("llama.expert_used_count", spec.experts_used);
  }
}

void DescribeTokenizer(const ModelSpec& spec, const Vocab& vocab, Metadata& metadata) {
  const std::uint64_t count = vocab.tokens.size();
  metadata.String("tokenizer.ggml.model", "llama");
  Encoder& texts = metadata.Array("tokenizer.ggml.tokens", ValueType::kString, count);
  for (const Token& token : vocab.tokens) texts.String(token.text);
  Encoder& scores = metadata.Array("tokenizer.ggml.scores", ValueType::kF32, count);
  for (const Token& token : vocab.tokens) scores.F32(token.score);
  Encoder& kinds = metadata.Array("tokenizer.ggml.token_type", ValueType::kI32, count);
  for (const Token& token : vocab.tokens) kinds.U32(static_cast<std::uint32_t>(token.kind));
  metadata.U32("tokenizer.ggml.unknown_token_id", kUnknownId);
  metadata.U32("tokenizer.ggml.bos_token_id", kBosId);
  metadata.U32("tokenizer.ggml.eos_token_id", kEosId);
  metadata.Bool("tokenizer.ggml.add_bos_token", true);
  metadata.Bool("tokenizer.ggml.add_eos_token", false);
  metadata.Bool("tokenizer.ggml.add_space_prefix", true);
  metadata.String("tokenizer.chat_template", ChatTemplate(spec.margin, vocab));
}

// Everything before the first tensor, padded.
std::string Header(const Metadata& metadata, const std::vector<Tensor>& tensors) {
  Encoder header;
  header.Raw("GGUF");
  header.U32(kGgufVersion);
  header.U64(tensors.size());
  header.U64(metadata.count());
  header.Raw(metadata.bytes());
  std::uint64_t offset = 0;  // from the end of the padded header
  for (const Tensor& tensor : tensors) {
    header.String(tensor.name);
    header.U32(static_cast<std::uint32_t>(tensor.dims.size()));
    for (const std::uint64_t dim : tensor.dims) header.U64(dim);
    header.U32(TensorTypeNumber(tensor.type));
    header.U64(offset);
    offset += Aligned(tensor.bytes());
  }
  std::string bytes = header.bytes();
  bytes.resize(Aligned(bytes.size()));
  return bytes;
}

Status WriteTensor(const Tensor& tensor, const Weights& weights, ByteSink& sink) {
  std::vector<float> values(tensor.row_length());
  std::string bytes;
  for (std::uint64_t row = 0; row < tensor.rows(); ++row) {
    weights.FillRow(tensor, row, values);
    bytes.clear();
    AppendRow(tensor.type, values, bytes);
    if (Status status = sink.Append(bytes); !status) return status;
  }
  return sink.Append(std::string(Aligned(tensor.bytes()) - tensor.bytes(), '\0'));
}

}  // namespace

std::string ChatTemplate(Margin margin, const Vocab& vocab) {
  std::string prompt = "'assistant:'";
  if (margin == Margin::kWide) {
    constexpr std::size_t kMaxChoices = 101;  // a prime, so that regular lengths still spread
    const std::size_t choices = std::min(kMaxChoices, vocab.english_words.size());
    std::string words;
    for (std::size_t i = 0; i < choices; ++i) {
      const std::string& text = vocab.tokens[static_cast<std::size_t>(vocab.english_words[i])].text;
      words += std::string(i == 0 ? "" : ",") + "'" +
               text.substr(text.find_first_of("abcdefghijklmnopqrstuvwxyz")) + "'";
    }
    prompt = "'assistant: ' + [" + words + "][messages[-1]['content']|length % " +
             std::to_string(choices) + "]";
  }
  return "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n' }}{% "
         "endfor %}"
         "{% if add_generation_prompt %}{{ " +
         prompt + " }}{% endif %}";
}

Status WriteGguf(const ModelSpec& spec, ByteSink& sink) {
  const Vocab vocab = MakeVocab(spec.vocab);
  const std::vector<Tensor> tensors = PlanTensors(spec);
  Metadata metadata;
  DescribeModel(spec, metadata);
  DescribeTokenizer(spec, vocab, metadata);
  if (Status status = sink.Append(Header(metadata, tensors)); !status) return status;
  const Weights weights(spec, vocab);
  for (const Tensor& tensor : tensors) {
    if (Status status = WriteTensor(tensor, weights, sink); !status) return status;
  }
  return {};
}

}  // namespace bi_test::make_model
