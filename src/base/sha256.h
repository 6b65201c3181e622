#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bi_test {

/// SHA-256 of bytes that come piece by piece. Not thread safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(std::string_view bytes);
  /// Lower-case hex of all bytes so far. May be called once; the object is spent then.
  [[nodiscard]] std::string Hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// SHA-256 of the bytes, 64 lower-case hex digits.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

/// The first 12 digits of it: the short hash of certs.
[[nodiscard]] std::string ShortSha(std::string_view bytes);

}  // namespace bi_test
