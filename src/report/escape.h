#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::report {

/// CleanText with `& < >` as entities: element content that is well-formed whatever went in. The
/// limit counts bytes before the entities.
[[nodiscard]] std::string XmlText(std::string_view text, std::size_t max_bytes);

/// As XmlText, and `"`, newline and tab as entities, so that a parser hands back the same text.
[[nodiscard]] std::string XmlAttribute(std::string_view text, std::size_t max_bytes);

}  // namespace bi_test::report
