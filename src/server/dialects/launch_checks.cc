#include "server/dialects/launch_checks.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/safe_text.h"

namespace bi_test::server {

Error NotAsLaunched(std::string message, const LaunchSpec& spec) {
  return Error{ErrorCode::kServer, std::move(message), "server " + spec.role};
}

Status CheckContext(std::optional<std::int64_t> context, const LaunchSpec& spec,
                    ServerIdentity& identity) {
  if (!context) return {};
  if (*context < spec.ctx) {
    return NotAsLaunched("slot context " + std::to_string(*context) + " < " +
                             std::to_string(spec.ctx) +
                             "; the model is trained for less, or a flag divides the context: "
                             "lower ctx or check the flags",
                         spec);
  }
  const int reported = static_cast<int>(std::min<std::int64_t>(*context, INT32_MAX));
  identity.n_ctx_slot =
      identity.n_ctx_slot == 0 ? reported : std::min(identity.n_ctx_slot, reported);
  return {};
}

Status CheckSlotCount(std::int64_t count, const LaunchSpec& spec) {
  if (count == spec.slots) return {};
  return NotAsLaunched("the server reports " + std::to_string(count) + " slots, launched were " +
                           std::to_string(spec.slots) + "; check the program and its flags",
                       spec);
}

Status CheckModelPath(const std::string& reported, const LaunchSpec& spec) {
  if (reported.empty() || reported == spec.model->path.string()) return {};
  std::error_code failure;
  if (std::filesystem::equivalent(reported, spec.model->path, failure)) return {};
  return NotAsLaunched("the server has loaded `" + Printable(reported) + "`, launched was `" +
                           spec.model->path.string() + "`",
                       spec);
}

std::string FirstHint(std::string_view log, std::initializer_list<LogHint> hints) {
  for (const LogHint& known : hints) {
    if (log.find(known.words) != std::string_view::npos) return known.hint;
  }
  return {};
}

}  // namespace bi_test::server
