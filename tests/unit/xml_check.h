#pragma once

#include <string>

namespace bi_test::testing_support {

/// Empty when the text is UTF-8 of XML 1.0 characters without control characters but tab and
/// newline (an escape sequence is one), else what stands where.
[[nodiscard]] std::string CharacterFault(const std::string& text);

/// Empty when the text is well-formed XML of such characters, else what is wrong.
[[nodiscard]] std::string XmlFault(const std::string& text);

}  // namespace bi_test::testing_support
