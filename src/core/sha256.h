#pragma once

#include <string>
#include <string_view>

namespace bi_test {

/// SHA-256 of the bytes, 64 lower-case hex digits.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

/// The first 12 digits of it: the short hash of certs (contract 3.3).
[[nodiscard]] std::string ShortSha(std::string_view bytes);

}  // namespace bi_test
