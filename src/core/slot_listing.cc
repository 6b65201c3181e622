#include "core/slot_listing.h"

namespace bi_test {
namespace {

[[nodiscard]] std::optional<bool> IsBusy(const Json& slot) {
  if (const Json* processing = slot.Find("is_processing")) {
    const bool* busy = processing->if_bool();
    return busy != nullptr && *busy;
  }
  const Json* state = slot.Find("state");
  if (state == nullptr) return std::nullopt;
  if (state->is_null()) return false;
  if (const std::int64_t* number = state->if_int64()) return *number != 0;
  if (const std::string* text = state->if_string()) return *text != "0" && *text != "idle";
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> BusySlots(const Json& listing) {
  const Json::Array* slots = listing.if_array();
  if (slots == nullptr) return std::nullopt;
  std::optional<std::int64_t> busy;
  for (const Json& slot : *slots) {
    if (const std::optional<bool> one = IsBusy(slot)) busy = busy.value_or(0) + (*one ? 1 : 0);
  }
  return busy;
}

}  // namespace bi_test
