#pragma once

#include <cstddef>
#include <string_view>

namespace bi_test::config {

/// Number of code points. REQUIRES: well-formed.
[[nodiscard]] std::size_t CodePoints(std::string_view text);

/// The beginning of `text`, at most `max_bytes` long and not cut within a code point.
[[nodiscard]] std::string_view ClipUtf8(std::string_view text, std::size_t max_bytes);

/// Whether a control character occurs: U+0000-U+001F, U+007F-U+009F.
[[nodiscard]] bool HasControlCharacter(std::string_view text);

/// `text` without a byte-order mark at its start.
[[nodiscard]] std::string_view WithoutByteOrderMark(std::string_view text);

}  // namespace bi_test::config
