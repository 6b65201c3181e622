#include "make_model/tensor_plan.h"

#include <cmath>

#include "make_model/quantize.h"

namespace bi_test::make_model {
namespace {

// Gain of the matrices that write into the residual stream of a wide model: small enough that the
// last token decides the next one, large enough that the blocks are still computed for something.
constexpr float kWideGain = 0.2F;

// Gain of the query and key matrices. With 1, attention is almost uniform and averages small errors
// away; trained models attend sharply. With 2, a random model does so as well (scores have a
// standard deviation of 4), and rounding that differs reaches the text about as readily as in a
// large model.
constexpr float kAttentionGain = 2.0F;

// Adds tensors one after another.
class Planner {
 public:
  explicit Planner(const ModelSpec& spec)
      : spec_(spec),
        dim_(static_cast<std::uint64_t>(spec.dim)),
        hidden_(static_cast<std::uint64_t>(spec.hidden)),
        vocab_(static_cast<std::uint64_t>(spec.vocab)),
        experts_(static_cast<std::uint64_t>(spec.experts)),
        write_gain_(spec.margin == Margin::kWide ? kWideGain : 1.0F),
        embedding_scale_(spec.margin == Margin::kWide ? 1.0F : PerFanIn(dim_)) {}

  std::vector<Tensor> Plan() && {
    Add({kEmbeddingName, {dim_, vocab_}, spec_.type, Fill::kGaussian, embedding_scale_});
    for (int layer = 0; layer < spec_.layers; ++layer) Block("blk." + std::to_string(layer) + ".");
    Norm("output_norm.weight");
    Add({"output.weight", {dim_, vocab_}, spec_.type, Fill::kOutput, PerFanIn(dim_)});
    return std::move(tensors_);
  }

 private:
  // std::sqrt is correctly rounded everywhere.
  static float PerFanIn(std::uint64_t fan_in) {
    return 1.0F / std::sqrt(static_cast<float>(fan_in));
  }

  void Add(Tensor tensor) { tensors_.push_back(std::move(tensor)); }
  void Norm(std::string name) {
    Add({std::move(name), {dim_}, TensorType::kF32, Fill::kOnes, 1.0F});
  }

  void Matrix(std::string name, std::vector<std::uint64_t> dims, float gain = 1.0F) {
    const float scale = gain * PerFanIn(dims.front());
    Add({std::move(name), std::move(dims), spec_.type, Fill::kGaussian, scale});
  }

  void Block(const std::string& prefix) {
    const std::uint64_t kv_dim =
        dim_ / static_cast<std::uint64_t>(spec_.heads) * static_cast<std::uint64_t>(spec_.kv_heads);
    Norm(prefix + "attn_norm.weight");
    Matrix(prefix + "attn_q.weight", {dim_, dim_}, kAttentionGain);
    Matrix(prefix + "attn_k.weight", {dim_, kv_dim}, kAttentionGain);
    Matrix(prefix + "attn_v.weight", {dim_, kv_dim});
    Matrix(prefix + "attn_output.weight", {dim_, dim_}, write_gain_);
    Norm(prefix + "ffn_norm.weight");
    switch (spec_.arch) {
      case Arch::kDense:
        Matrix(prefix + "ffn_gate.weight", {dim_, hidden_});
        Matrix(prefix + "ffn_up.weight", {dim_, hidden_});
        Matrix(prefix + "ffn_down.weight", {hidden_, dim_}, write_gain_);
        return;
      case Arch::kMoe:
        Add({prefix + "ffn_gate_inp.weight",
             {dim_, experts_},
             TensorType::kF32,
             Fill::kGaussian,
             PerFanIn(dim_)});
        Matrix(prefix + "ffn_gate_exps.weight", {dim_, hidden_, experts_});
        Matrix(prefix + "ffn_up_exps.weight", {dim_, hidden_, experts_});
        Matrix(prefix + "ffn_down_exps.weight", {hidden_, dim_, experts_}, write_gain_);
        return;
    }
  }

  const ModelSpec& spec_;
  const std::uint64_t dim_;
  const std::uint64_t hidden_;
  const std::uint64_t vocab_;
  const std::uint64_t experts_;
  const float write_gain_;
  const float embedding_scale_;
  std::vector<Tensor> tensors_;
};

}  // namespace

std::uint64_t Tensor::rows() const {
  std::uint64_t count = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) count *= dims[i];
  return count;
}

std::uint64_t Tensor::bytes() const {
  return rows() * RowBytes(type, static_cast<std::size_t>(row_length()));
}

std::vector<Tensor> PlanTensors(const ModelSpec& spec) { return Planner(spec).Plan(); }

std::uint64_t TensorBytes(const ModelSpec& spec) {
  std::uint64_t bytes = 0;
  for (const Tensor& tensor : PlanTensors(spec)) bytes += Aligned(tensor.bytes());
  return bytes;
}

}  // namespace bi_test::make_model
