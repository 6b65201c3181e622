#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "bi_test/json.h"

namespace bi_test {

/// Most levels of a value that is read here.
inline constexpr int kMaxJsonDepth = 64;

/// Reads the JSON value at the start of `text`, for answers of models: files and replies have a
/// reader of their own in the wire layer. Strict RFC 8259; a key that stands twice in an object, a
/// number beyond double and more than kMaxJsonDepth levels are no value. Lone surrogate escapes get
/// their three-byte form. `end`: behind the value. Nothing when there is none.
[[nodiscard]] std::optional<Json> ReadJsonValue(std::string_view text, std::size_t& end);

/// The value that the whole text is, white space around it aside.
[[nodiscard]] std::optional<Json> ReadWholeJson(std::string_view text);

/// The JSON in an answer: the whole text; else the first fenced code block that is JSON; else the
/// first object or array in it. Of the last, only the first 64 places where one could begin are
/// looked at.
[[nodiscard]] std::optional<Json> FindJson(std::string_view text);

}  // namespace bi_test
