#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bi_test {

/// BLAKE2b without a key (RFC 7693). The digest length is a parameter of the hash, so a short
/// digest is not a prefix of a longer one; OpenSSL offers only 64 bytes, hence this one. Fills the
/// whole of `digest`. REQUIRES: 1 to 64 bytes.
void Blake2b(std::string_view text, std::span<std::uint8_t> digest);

}  // namespace bi_test
