#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/json.h"

namespace bi_test {

/// Looks values up in a cert by a dotted path of keys. A value of another type than asked for is
/// none.
class CertReader {
 public:
  explicit CertReader(const Json& document) : document_(document) {}

  [[nodiscard]] const Json* At(std::string_view path) const;
  [[nodiscard]] std::optional<std::string> TextAt(std::string_view path) const;
  [[nodiscard]] std::optional<std::int64_t> IntAt(std::string_view path) const;
  [[nodiscard]] std::optional<bool> BoolAt(std::string_view path) const;
  /// A number of either form.
  [[nodiscard]] std::optional<double> NumberAt(std::string_view path) const;
  [[nodiscard]] const Json::Array* ListAt(std::string_view path) const;

 private:
  const Json& document_;
};

/// The compact text of a value, made safe and cut after `max_bytes`; `nothing` where there is none.
[[nodiscard]] std::string ShownValue(const Json* value, std::size_t max_bytes);

}  // namespace bi_test
