#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bi_test/json.h"

/// What a stranger's JSON says, of any shape.
namespace bi_test::server {

/// A whole number; nothing for any other value and for null.
[[nodiscard]] inline std::optional<std::int64_t> WholeNumber(const Json* value) {
  if (value == nullptr || value->if_int64() == nullptr) return std::nullopt;
  return *value->if_int64();
}

/// A text; empty for any other value and for null.
[[nodiscard]] inline std::string TextOf(const Json* value) {
  return value != nullptr && value->if_string() != nullptr ? *value->if_string() : std::string();
}

}  // namespace bi_test::server
