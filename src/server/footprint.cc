#include "server/footprint.h"

#include <array>
#include <string>

#include "base/ascii.h"

namespace bi_test::server {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kTolerance = 1e-9;
constexpr int kContextStep = 256;  // llama.cpp rounds the context of a slot up to a multiple.

struct KvType {
  std::string_view label;
  double rule_factor;  // Relative to q8_0 in the rule of thumb.
  double bytes;        // Per element; block types carry their scales.
};
constexpr std::array kTypes = {
    KvType{"f32", 4.0, 4.0},          KvType{"f16", 2.0, 2.0},
    KvType{"bf16", 2.0, 2.0},         KvType{"q8_0", 1.0, 34.0 / 32},
    KvType{"q5_1", 0.625, 24.0 / 32}, KvType{"q5_0", 0.625, 22.0 / 32},
    KvType{"q4_1", 0.5, 20.0 / 32},   KvType{"q4_0", 0.5, 18.0 / 32},
    KvType{"iq4_nl", 0.5, 18.0 / 32}, KvType{"auto", 2.0, 2.0},  // vLLM, SGLang: the model's type.
    KvType{"fp8", 1.0, 1.0},          KvType{"fp8_e4m3", 1.0, 1.0},
    KvType{"fp8_e5m2", 1.0, 1.0},
};

const KvType* FindType(std::string_view label) {
  const std::string lower = LowerText(label);
  for (const KvType& type : kTypes) {
    if (type.label == lower) return &type;
  }
  return nullptr;
}

// Labels of other servers stand in no table of llama.cpp types.
double RuleFactor(const KvType& type, const KvTable& table) {
  const auto it = table.factors.find(type.label);
  return it == table.factors.end() ? type.rule_factor : it->second;
}

}  // namespace

std::string KvLabels() {
  std::string labels;
  for (const KvType& type : kTypes) labels.append(labels.empty() ? "" : ", ").append(type.label);
  return labels;
}

std::optional<Footprint> ProjectFootprint(double weights_gib, const GgufHeader* header, int ctx,
                                          int slots, std::string_view kv_label,
                                          const KvTable& table) {
  const KvType* type = FindType(kv_label);
  if (type == nullptr) return std::nullopt;
  Footprint footprint;
  footprint.weights = weights_gib;
  footprint.overhead = table.overhead_gib;
  footprint.kv_rule = table.kv_gib * ctx / table.reference_ctx * slots * RuleFactor(*type, table);
  if (header != nullptr) {
    const double per_token =
        (header->KeyElementsPerToken() + header->ValueElementsPerToken()) * type->bytes;
    const double steps = (static_cast<double>(ctx) + kContextStep - 1) / kContextStep;
    const double tokens = static_cast<double>(static_cast<long>(steps)) * kContextStep;
    footprint.kv_geometry = per_token * tokens * slots / kGib;
  }
  return footprint;
}

int LargestFit(double weights_gib, const GgufHeader* header, int ctx, int slots,
               std::string_view kv_label, double available_gib, double floor_gib,
               const KvTable& table) {
  for (int n = slots; n > 1; --n) {
    const auto footprint = ProjectFootprint(weights_gib, header, ctx, n, kv_label, table);
    if (footprint && footprint->total() + floor_gib <= available_gib + kTolerance) return n;
  }
  return 1;
}

}  // namespace bi_test::server
