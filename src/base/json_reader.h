#pragma once

#include <cstddef>
#include <string_view>

#include "base/json_limits.h"
#include "bi_test/json.h"
#include "bi_test/result.h"

namespace bi_test {

/// Parses one JSON document: strict RFC 8259, UTF-8 validated, doubles correctly rounded, integers
/// exact, duplicate keys refused, iterative (depth costs no stack). Errors name the byte offset.
///
/// Integers beyond 64 bits become the double of the same value where there is one; all others
/// become `{"$integer":"<digits>"}`, so that two different integers never compare equal.
[[nodiscard]] Result<Json> ParseJson(std::string_view text,
                                     const JsonLimits& limits = kDocumentLimits);

/// The JSON value that a text of a model begins with.
struct LeadingJson {
  enum class State {
    kFound,
    kNone,       ///< No well-formed value.
    kDuplicate,  ///< A key stands twice in an object: which of the two counts is a guess.
    kTooDeep,    ///< More levels than allowed.
  };
  State state = State::kNone;
  Json value;           ///< Of kFound.
  std::size_t end = 0;  ///< Of kFound: behind the value.
};

/// Reads as ParseJson does, but anything may follow the value, and an integer beyond 64 bits with
/// its sign is the nearest double. REQUIRES: no more bytes than the limits allow.
[[nodiscard]] LeadingJson ReadLeadingJson(std::string_view text, const JsonLimits& limits);

}  // namespace bi_test
