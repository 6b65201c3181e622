#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Surrogates without their partner: JSON can spell them, UTF-8 cannot. Here they are the three
/// bytes of their generalised UTF-8 form, which is how such text is hashed.
namespace bi_test {

/// Replaces each `\uXXXX` escape of JSON text that is a surrogate without its partner by its three
/// bytes.
[[nodiscard]] std::string ReplaceLoneSurrogateEscapes(std::string_view json);

/// Offset in the text given to ReplaceLoneSurrogateEscapes of the byte that is now at `offset`.
[[nodiscard]] std::size_t OffsetBeforeReplacement(std::string_view json, std::size_t offset);

/// Joins a high and a low surrogate that stand side by side in their three-byte forms (a sender cut
/// the pair between two pieces) into the four-byte form of the character. In place.
void JoinSurrogatePairs(std::string& text);

/// True when `text` holds a surrogate in its three-byte form.
[[nodiscard]] bool HasSurrogateBytes(std::string_view text);

}  // namespace bi_test
