#include "core/sha256.h"

#include <openssl/sha.h>

#include <array>

namespace bi_test {

std::string Sha256Hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    out += kHex[byte >> 4U];
    out += kHex[byte & 0xFU];
  }
  return out;
}

std::string ShortSha(std::string_view bytes) { return Sha256Hex(bytes).substr(0, 12); }

}  // namespace bi_test
