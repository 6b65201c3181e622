#pragma once

#include <cstdint>
#include <optional>

#include "bi_test/json.h"

namespace bi_test {

/// Busy slots in one answer of a server's slot listing (contract 6.1): an array of objects, each
/// with `is_processing`, which alone decides where it is present, or the older `state`. The number
/// of the last task (`id_task`) stays after a slot went idle and is never looked at. Null when the
/// answer proves nothing: no array, or no slot with a key that is understood.
[[nodiscard]] std::optional<std::int64_t> BusySlots(const Json& listing);

}  // namespace bi_test
