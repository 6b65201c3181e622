#pragma once

#include <cstddef>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/result.h"

namespace bi_test {

/// Limits of one document. Beyond them reading fails, it never truncates.
struct JsonLimits {
  std::size_t max_bytes = 16u << 20;
  int max_depth = 64;
  /// For replies of servers: bytes inside strings that are not UTF-8 are kept as they are, and a
  /// surrogate escape without its partner becomes its three-byte form. Else both are errors.
  bool tolerate_broken_text = false;
};

/// Parses one JSON document: strict RFC 8259, UTF-8 validated, doubles correctly rounded, integers
/// exact, duplicate keys refused, iterative (depth costs no stack). Errors name the byte offset.
///
/// Integers beyond 64 bits become the double of the same value where there is one; all others
/// become
/// `{"$integer":"<digits>"}`, so that two different integers never compare equal.
[[nodiscard]] Result<Json> ParseJson(std::string_view text, const JsonLimits& limits = {});

}  // namespace bi_test
