#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bi_test/sanitize.h"

/// Text from a stranger, made safe. For a page or a report, where it may have lines: SanitizeText.
/// On one line of it: OneLine.
/// Within a message: Printable and Quoted.
namespace bi_test {

/// SanitizeText on one line: a newline shows as `\n`, a tab as `\t`; the result may exceed
/// `max_bytes` by those.
[[nodiscard]] std::string OneLine(std::string_view text, std::size_t max_bytes);

/// On one line: control characters and bytes that are not UTF-8 become `\xHH`, what SanitizeText
/// spells as `\uNNNN` likewise. Cut between characters after `max_bytes` with `...`.
[[nodiscard]] std::string Printable(std::string_view text,
                                    std::size_t max_bytes = std::string::npos);

/// As Printable, in double quotes, quotes within escaped.
[[nodiscard]] std::string Quoted(std::string_view text, std::size_t max_bytes = 80);

/// Whether a control character occurs: U+0000-U+001F, U+007F-U+009F.
[[nodiscard]] bool HasControlCharacter(std::string_view text);

}  // namespace bi_test
