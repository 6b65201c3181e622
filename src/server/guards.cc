#include "server/guards.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/number_text.h"
#include "base/safe_text.h"
#include "base/try.h"
#include "server/model/model_config.h"
#include "server/model/model_folder.h"

namespace bi_test::server {
namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kTolerance = 1e-9;
constexpr int kMaxSlots = 256;  // Of llama.cpp; also keeps ctx * slots far from overflow.

Error Refused(std::string message, const LaunchSpec& spec) {
  return Error{ErrorCode::kRefused, std::move(message), spec.model->id};
}

std::string Gib(double value) { return FixedText(value, 2) + " GiB"; }

std::string FootprintText(const Footprint& footprint, const LaunchSpec& spec) {
  return "projected footprint " + Gib(footprint.total()) + " (weights " + Gib(footprint.weights) +
         " + KV " + Gib(footprint.kv()) + " + overhead " + Gib(footprint.overhead) + ") for " +
         std::to_string(spec.slots) + " slots of " + std::to_string(spec.ctx) + " tokens in " +
         spec.model->kv;
}

Status CheckNumbers(const LaunchSpec& spec) {
  const GuardConfig& guard = *spec.guard;
  if (spec.ctx < 1 || spec.slots < 1 || spec.slots > kMaxSlots) {
    return Refused("found ctx " + std::to_string(spec.ctx) + " and " + std::to_string(spec.slots) +
                       " slots; ctx must be at least 1, slots 1 to " + std::to_string(kMaxSlots),
                   spec);
  }
  if (!std::isfinite(guard.max_footprint_gib) || guard.max_footprint_gib <= 0) {
    return Refused("guard.max_footprint_gib: found " + FixedText(guard.max_footprint_gib, 2) +
                       "; it must be a number above 0",
                   spec);
  }
  if (!std::isfinite(guard.memory_floor_gib) || guard.memory_floor_gib < 0) {
    return Refused("guard.memory_floor_gib: found " + FixedText(guard.memory_floor_gib, 2) +
                       "; it must be a number, 0 or more",
                   spec);
  }
  if (spec.ctx > guard.max_ctx) {
    return Refused("ctx " + std::to_string(spec.ctx) + " is above the ceiling of " +
                       std::to_string(guard.max_ctx) +
                       " tokens per slot; lower ctx or raise guard.max_ctx",
                   spec);
  }
  return {};
}

}  // namespace

Result<GuardReport> CheckGuards(const LaunchSpec& spec,
                                std::optional<std::uint64_t> available_bytes) {
  const GuardConfig& guard = *spec.guard;
  const ModelConfig& model = *spec.model;
  BI_TRY(CheckNumbers(spec));

  GuardReport report;
  std::error_code failure;
  const bool folder = std::filesystem::is_directory(model.path, failure);
  BI_TRY_SET(report.model_bytes, folder ? ModelFolderWeights(model.path) : ModelBytes(model.path));
  // A description we cannot read is the server's to judge; the rule of thumb then stands alone.
  if (Result<GgufHeader> header = folder ? ReadModelConfig(model.path) : ReadGgufHeader(model.path);
      header.ok()) {
    report.header = std::move(*header);
  }
  const GgufHeader* header = report.header ? &*report.header : nullptr;
  const double weights = static_cast<double>(report.model_bytes) / kGib;
  const std::optional<Footprint> footprint =
      ProjectFootprint(weights, header, spec.ctx, spec.slots, model.kv, guard.kv_table);
  if (!footprint) {
    return Refused("kv: found `" + Printable(model.kv) + "`; known are " + KvLabels(), spec);
  }
  report.footprint = *footprint;

  if (footprint->total() > guard.max_footprint_gib + kTolerance) {
    return Refused("guard S0: " + FootprintText(*footprint, spec) + " is above the cap of " +
                       Gib(guard.max_footprint_gib) +
                       "; lower ctx or parallel, or raise guard.max_footprint_gib",
                   spec);
  }
  if (!available_bytes) {
    if (guard.allow_unknown_memory) return report;
    return Refused(
        "guard S4: the available memory cannot be read on this system; set "
        "guard.allow_unknown_memory to launch all the same",
        spec);
  }
  report.available_gib = static_cast<double>(*available_bytes) / kGib;
  if (footprint->total() + guard.memory_floor_gib > report.available_gib + kTolerance) {
    const int fit = LargestFit(weights, header, spec.ctx, spec.slots, model.kv,
                               report.available_gib, guard.memory_floor_gib, guard.kv_table);
    std::string text = "guard S4: " + FootprintText(*footprint, spec) + " plus the floor of " +
                       Gib(guard.memory_floor_gib) + " is above the available " +
                       Gib(report.available_gib);
    if (fit > 1) {
      text += "; guard S7: at most " + std::to_string(fit) + " of " + std::to_string(spec.slots) +
              " slots fit, and the number is never lowered silently";
    }
    return Refused(text + "; free memory, lower ctx or parallel, or lower guard.memory_floor_gib",
                   spec);
  }
  return report;
}

}  // namespace bi_test::server
