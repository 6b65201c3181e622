#include "base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <cstdlib>

#include "base/hex.h"

namespace bi_test {
namespace {

// Only lack of memory or an OpenSSL without SHA-256 gets here; a wrong digest would be worse.
void Check(int openssl_result) {
  if (openssl_result != 1) std::abort();
}

}  // namespace

struct Sha256::Context {
  Context() : evp(EVP_MD_CTX_new()) {
    Check(evp == nullptr ? 0 : EVP_DigestInit_ex(evp, EVP_sha256(), nullptr));
  }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  EVP_MD_CTX* evp;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(std::string_view bytes) {
  Check(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()));
}

std::string Sha256::Hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  Check(EVP_DigestFinal_ex(context_->evp, digest.data(), &length));
  std::string hex;
  hex.reserve(2 * length);
  for (unsigned i = 0; i < length; ++i) AppendHex(hex, digest[i], 2);
  return hex;
}

std::string Sha256Hex(std::string_view bytes) {
  Sha256 sha;
  sha.Update(bytes);
  return sha.Hex();
}

std::string ShortSha(std::string_view bytes) { return Sha256Hex(bytes).substr(0, 12); }

}  // namespace bi_test
