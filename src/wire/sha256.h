#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bi_test::wire {

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

  /// Lower-case hex of `bytes`.
  [[nodiscard]] static std::string Of(std::string_view bytes);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace bi_test::wire
