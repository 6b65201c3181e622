#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test {

/// Text from a model or a server, made safe for terminals, XML 1.0, JSON and Markdown viewers.
///
/// The result is well-formed UTF-8 of XML 1.0 characters without control characters other than `\n`
/// and `\t`. What may not stay is spelled out: control characters and bytes that are not UTF-8 as
/// `\xNN`, non-characters, line separators and bidirectional controls as `\uNNNN`. Markup
/// characters such as `<` and `&` stay: escaping them is the emitter's work.
///
/// At most `max_bytes` bytes; a longer text is cut between characters and ends in `...(+N bytes)`,
/// where N counts the input bytes left out (the mark alone may exceed a `max_bytes` below its own
/// length). Pure and thread safe.
[[nodiscard]] std::string SanitizeText(std::string_view text, std::size_t max_bytes);

}  // namespace bi_test
