#pragma once

#include <cstdint>
#include <optional>

#include "bi_test/result.h"
#include "server/footprint.h"
#include "server/launch_spec.h"

namespace bi_test::server {

/// What the guards found, for plans and messages.
struct GuardReport {
  Footprint footprint;
  double available_gib = 0.0;
  std::uint64_t model_bytes = 0;
  std::optional<GgufHeader> header;  ///< Nothing when the model has no readable description.
};

/// The guards before a launch, in order: numbers in range, model file there, KV label known,
/// context ceiling, S0 footprint against the cap, S4 memory left free, S7 every slot fits.
/// `available_bytes` is the memory reading, nothing when there is none. Starts nothing.
[[nodiscard]] Result<GuardReport> CheckGuards(const LaunchSpec& spec,
                                              std::optional<std::uint64_t> available_bytes);

}  // namespace bi_test::server
