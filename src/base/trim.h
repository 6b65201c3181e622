#pragma once

#include <string_view>

namespace bi_test {

/// `text` without white space at both ends: space, tab, CR, LF, VT, FF and every other character
/// with the Unicode property White_Space, in UTF-8. Bytes that are not UTF-8 are not white space. A
/// view into `text`.
[[nodiscard]] std::string_view Trim(std::string_view text);

}  // namespace bi_test
