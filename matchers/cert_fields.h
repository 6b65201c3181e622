#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "cert/cert_reader.h"
#include "facts.h"

namespace bi_test::matchers_internal {

/// Typed values of a cert by dotted path. Each answer is a value, or a clause that says which key
/// is missing or what stands there instead.
class CertFields {
 public:
  /// `document` is borrowed.
  explicit CertFields(const Json& document) : reader_(document) {}

  [[nodiscard]] Fact<std::int64_t> Int(const std::string& path) const;
  /// Integers are numbers too.
  [[nodiscard]] Fact<double> Number(const std::string& path) const;
  [[nodiscard]] Fact<bool> Bool(const std::string& path) const;
  [[nodiscard]] Fact<std::string> Text(const std::string& path) const;
  /// A list that was cut when the cert was written is no answer.
  [[nodiscard]] Fact<std::vector<std::string>> Texts(const std::string& path) const;
  /// Length of a list before it was cut.
  [[nodiscard]] Fact<std::int64_t> Length(const std::string& path) const;

  [[nodiscard]] const CertReader& reader() const { return reader_; }

 private:
  [[nodiscard]] std::string Wrong(const std::string& path, const char* expected) const;
  /// Entries of that list that did not go on the cert.
  [[nodiscard]] std::int64_t LeftOut(const std::string& path) const;

  CertReader reader_;
};

}  // namespace bi_test::matchers_internal
