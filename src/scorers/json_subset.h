#pragma once

#include "bi_test/json.h"

namespace bi_test {

/// Whether `found` says at least what `wanted` says: objects may have members that are not wanted,
/// at any depth; lists have as many elements, each of which holds its counterpart; all else is
/// equal
/// (`1` equals `1.0`).
[[nodiscard]] bool HoldsJson(const Json& found, const Json& wanted);

}  // namespace bi_test
