#include "base/equality.h"

#include <algorithm>
#include <cmath>

namespace bi_test {
namespace {

/// The double is compared as the integer it stands for: turning the integer into a double could
/// round it.
[[nodiscard]] bool EqualIntegerDouble(const Json& integer, double real) {
  constexpr double kTwo63 = 9223372036854775808.0;
  if (const std::int64_t* small = integer.if_int64()) {
    return real >= -kTwo63 && real < kTwo63 && std::trunc(real) == real &&
           static_cast<std::int64_t>(real) == *small;
  }
  return real >= kTwo63 && real < 2.0 * kTwo63 &&
         static_cast<std::uint64_t>(real) == *integer.if_uint64();
}

[[nodiscard]] bool EqualNumbers(const Json& x, const Json& y) {
  if (x.is_integer() && y.is_integer()) return x == y;
  if (x.is_integer()) return EqualIntegerDouble(x, *y.if_double());
  if (y.is_integer()) return EqualIntegerDouble(y, *x.if_double());
  return *x.if_double() == *y.if_double();
}

[[nodiscard]] bool EqualArrays(const Json::Array& x, const Json::Array& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), EqualValues);
}

[[nodiscard]] bool EqualObjects(const Json::Object& x, const Json::Object& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& a, const auto& b) {
    return a.first == b.first && EqualValues(a.second, b.second);
  });
}

}  // namespace

bool EqualValues(const Json& x, const Json& y) {
  if (x.is_number() && y.is_number()) return EqualNumbers(x, y);
  if (const Json::Array* array = x.if_array())
    return y.is_array() && EqualArrays(*array, *y.if_array());
  if (const Json::Object* object = x.if_object()) {
    return y.is_object() && EqualObjects(*object, *y.if_object());
  }
  return x == y;  // null, bool and text; mixed kinds are unequal
}

}  // namespace bi_test
