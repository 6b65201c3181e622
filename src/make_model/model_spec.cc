#include "make_model/model_spec.h"

#include <ostream>

namespace bi_test::make_model {

std::string_view Name(Arch arch) {
  switch (arch) {
    case Arch::kDense:
      return "dense";
    case Arch::kMoe:
      return "moe";
  }
  return "";
}

std::string_view Name(TensorType type) {
  switch (type) {
    case TensorType::kF32:
      return "f32";
    case TensorType::kF16:
      return "f16";
    case TensorType::kQ8_0:
      return "q8_0";
    case TensorType::kQ4_0:
      return "q4_0";
  }
  return "";
}

std::string_view Name(Margin margin) {
  switch (margin) {
    case Margin::kPlain:
      return "plain";
    case Margin::kWide:
      return "wide";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, const ModelSpec& spec) {
  out << "seed=" << spec.seed << " arch=" << Name(spec.arch) << " type=" << Name(spec.type)
      << " margin=" << Name(spec.margin) << " dim=" << spec.dim << " hidden=" << spec.hidden
      << " layers=" << spec.layers << " heads=" << spec.heads << " kv_heads=" << spec.kv_heads
      << " ctx=" << spec.ctx << " vocab=" << spec.vocab;
  if (spec.arch == Arch::kMoe) {
    out << " experts=" << spec.experts << " experts_used=" << spec.experts_used;
  }
  return out;
}

}  // namespace bi_test::make_model
