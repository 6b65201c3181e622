#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bi_test {

/// One step through text of unknown quality.
struct Utf8Step {
  /// The code point, or the byte itself when `valid` is false.
  std::uint32_t code_point = 0;
  /// Bytes consumed, 1 to 4.
  std::size_t length = 1;
  /// False for a byte that starts no well-formed sequence.
  bool valid = false;
  /// The three-byte form of a lone surrogate: ill-formed UTF-8, but a code point can be named.
  bool surrogate = false;
};

/// Reads the sequence at `pos`, which must be below `text.size()`. Overlong forms and code points
/// above U+10FFFF are not valid. Total: any bytes give a step of at least one byte.
[[nodiscard]] Utf8Step NextUtf8(std::string_view text, std::size_t pos);

/// Appends a code point; surrogates get their three-byte form.
void AppendUtf8(std::string& out, std::uint32_t code_point);

/// The text with everything that is not well-formed UTF-8 replaced by U+FFFD, one per bad byte or
/// surrogate.
[[nodiscard]] std::string ReplaceIllFormed(std::string_view text);

/// Code points in the text; a byte that is not valid counts as one.
[[nodiscard]] std::int64_t CountCodePoints(std::string_view text);

/// Offset of the first byte that is no part of well-formed UTF-8, or nothing.
[[nodiscard]] std::optional<std::size_t> FindInvalidUtf8(std::string_view text);

/// The start of the sequence that `pos` lies in (`pos` itself for text of bad quality).
[[nodiscard]] std::size_t SequenceStart(std::string_view text, std::size_t pos);

/// The beginning of `text`, at most `max_bytes` long and not cut within a sequence.
[[nodiscard]] std::string_view ClipUtf8(std::string_view text, std::size_t max_bytes);

/// `text` without a byte-order mark at its start.
[[nodiscard]] std::string_view WithoutByteOrderMark(std::string_view text);

}  // namespace bi_test
