#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bi_test/sweep.h"
#include "server/model/gguf_header.h"

namespace bi_test::server {

/// `f32, f16, ...`: the KV cache types whose size is known.
[[nodiscard]] std::string KvLabels();

/// What a launch is expected to need. GiB.
struct Footprint {
  double weights = 0.0;
  /// Rule of thumb (KvTable), times slots and type.
  double kv_rule = 0.0;
  /// From the geometry in the model's header; 0 when that is not known.
  double kv_geometry = 0.0;
  double overhead = 1.5;

  /// The larger of the two figures: the rule stands for one class of models only.
  [[nodiscard]] double kv() const { return kv_rule > kv_geometry ? kv_rule : kv_geometry; }
  [[nodiscard]] double total() const { return weights + kv() + overhead; }
};

/// Nothing when the KV label is not known. `header` may be null. `ctx` tokens per slot.
[[nodiscard]] std::optional<Footprint> ProjectFootprint(double weights_gib,
                                                        const GgufHeader* header, int ctx,
                                                        int slots, std::string_view kv_label,
                                                        const KvTable& table = {});

/// The largest n in 1..slots whose footprint leaves `floor_gib` of `available_gib` free; 1 when
/// none does.
[[nodiscard]] int LargestFit(double weights_gib, const GgufHeader* header, int ctx, int slots,
                             std::string_view kv_label, double available_gib, double floor_gib,
                             const KvTable& table = {});

}  // namespace bi_test::server
