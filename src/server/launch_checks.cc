#include "server/launch_checks.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "process/text.h"

namespace bi_test::server {

Error NotAsLaunched(std::string message, const LaunchSpec& spec) {
  return Error{ErrorCode::kServer, std::move(message), "server " + spec.role};
}

std::optional<std::int64_t> WholeNumber(const Json* value) {
  if (value == nullptr || value->if_int64() == nullptr) return std::nullopt;
  return *value->if_int64();
}

std::string TextOf(const Json* value) {
  return value != nullptr && value->if_string() != nullptr ? *value->if_string() : std::string();
}

std::optional<Error> CheckContext(std::int64_t context, const LaunchSpec& spec,
                                  ServerIdentity& identity) {
  if (context < spec.ctx) {
    return NotAsLaunched("slot context " + std::to_string(context) + " < " +
                             std::to_string(spec.ctx) +
                             "; the model is trained for less, or a flag divides the context: "
                             "lower ctx or check the "
                             "flags",
                         spec);
  }
  const int reported = static_cast<int>(std::min<std::int64_t>(context, INT32_MAX));
  identity.n_ctx_slot =
      identity.n_ctx_slot == 0 ? reported : std::min(identity.n_ctx_slot, reported);
  return std::nullopt;
}

std::optional<Error> CheckSlotCount(std::int64_t count, const LaunchSpec& spec) {
  if (count == spec.slots) return std::nullopt;
  return NotAsLaunched("the server reports " + std::to_string(count) + " slots, launched were " +
                           std::to_string(spec.slots) + "; check the program and its flags",
                       spec);
}

std::optional<Error> CheckModelPath(const std::string& reported, const LaunchSpec& spec) {
  if (reported.empty() || reported == spec.model->path.string()) return std::nullopt;
  std::error_code failure;
  if (std::filesystem::equivalent(reported, spec.model->path, failure)) return std::nullopt;
  return NotAsLaunched("the server has loaded `" + process::Printable(reported) +
                           "`, launched was `" + spec.model->path.string() + "`",
                       spec);
}

std::string FirstHint(std::string_view log, std::span<const LogHint> hints) {
  for (const LogHint& known : hints) {
    if (log.find(known.words) != std::string_view::npos) return known.hint;
  }
  return {};
}

bool LogSaysPortTaken(std::string_view log) {
  std::string lower(log);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return lower.find("couldn't bind") != std::string::npos ||
         lower.find("address already in use") != std::string::npos;
}

}  // namespace bi_test::server
