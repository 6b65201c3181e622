#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bi_test {

/// Length of the well-formed UTF-8 sequence at the start of `bytes` (1 to 4), or 0 when there is
/// none: overlong forms, surrogates, code points above U+10FFFF and cut sequences are not well
/// formed.
[[nodiscard]] std::size_t Utf8SequenceLength(std::string_view bytes);

/// Offset of the first byte that is no part of well-formed UTF-8, or nothing.
[[nodiscard]] std::optional<std::size_t> FindInvalidUtf8(std::string_view bytes);

/// Text from a stranger, made safe to quote in a message: in double quotes, control characters and
/// bytes that are not UTF-8 as `\xHH`, quote and backslash escaped, cut after `max_bytes` with
/// `...`.
[[nodiscard]] std::string Quoted(std::string_view text, std::size_t max_bytes = 80);

/// As Quoted, without the quotes.
[[nodiscard]] std::string Printable(std::string_view text, std::size_t max_bytes);

/// Replaces each `\uXXXX` escape of JSON text that is a surrogate without its partner by the three
/// bytes of its generalised UTF-8 form, which is how such text is hashed (cert contract 3.3).
[[nodiscard]] std::string ReplaceLoneSurrogateEscapes(std::string_view json);

/// Offset in the text given to ReplaceLoneSurrogateEscapes of the byte that is now at `offset`.
[[nodiscard]] std::size_t OffsetBeforeReplacement(std::string_view json, std::size_t offset);

/// Joins a high and a low surrogate that stand side by side in their three-byte forms (a sender cut
/// the pair between two pieces) into the four-byte form of the character. In place.
void JoinSurrogatePairs(std::string& text);

/// True when `text` holds a surrogate in its three-byte form.
[[nodiscard]] bool HasSurrogateBytes(std::string_view text);

}  // namespace bi_test
