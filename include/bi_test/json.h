#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bi_test {

/// A JSON value. Integers keep their exact value and stay apart from doubles; object keys are sorted
/// by bytes, which for UTF-8 is the order of code points. A plain value type: no parsing, no I/O.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json, std::less<>>;

  Json() = default;
  Json(std::nullptr_t) {}                                              // NOLINT
  Json(bool value) : value_(value) {}                                  // NOLINT
  Json(double value) : value_(value) {}                                // NOLINT
  template <std::signed_integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  Json(T value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT
  /// Values up to 2^63-1 are stored signed, so that equal numbers have one form.
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  Json(T value) {  // NOLINT
    if (static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(INT64_MAX)) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<std::uint64_t>(value);
    }
  }
  Json(std::string value) : value_(std::move(value)) {}       // NOLINT
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT
  Json(const char* value) : value_(std::string(value)) {}     // NOLINT
  Json(Array value) : value_(std::move(value)) {}             // NOLINT
  Json(Object value) : value_(std::move(value)) {}            // NOLINT

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(value_); }
  /// An integer that was written as one (`1`, not `1.0`).
  [[nodiscard]] bool is_integer() const {
    return std::holds_alternative<std::int64_t>(value_) ||
           std::holds_alternative<std::uint64_t>(value_);
  }
  [[nodiscard]] bool is_double() const { return std::holds_alternative<double>(value_); }
  [[nodiscard]] bool is_number() const { return is_integer() || is_double(); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(value_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(value_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// Pointers to the held alternative, or null when the value is of another kind.
  [[nodiscard]] const bool* if_bool() const { return std::get_if<bool>(&value_); }
  [[nodiscard]] const std::int64_t* if_int64() const { return std::get_if<std::int64_t>(&value_); }
  [[nodiscard]] const std::uint64_t* if_uint64() const {
    return std::get_if<std::uint64_t>(&value_);
  }
  [[nodiscard]] const double* if_double() const { return std::get_if<double>(&value_); }
  [[nodiscard]] const std::string* if_string() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const Array* if_array() const { return std::get_if<Array>(&value_); }
  [[nodiscard]] const Object* if_object() const { return std::get_if<Object>(&value_); }
  [[nodiscard]] Array* if_array() { return std::get_if<Array>(&value_); }
  [[nodiscard]] Object* if_object() { return std::get_if<Object>(&value_); }

  /// The member of that name, or null when this is no object or has no such member.
  [[nodiscard]] const Json* Find(std::string_view key) const;

  /// The member of that name; a null value becomes an empty object first, a missing member is made
  /// as null. Any other kind of value is replaced by an object.
  Json& operator[](std::string_view key);

  /// Structural identity of the stored values (`1` and `1.0` differ, NaN differs from itself).
  /// Equality of compared fields is `EqualValues` in equality.h, which is another relation.
  friend bool operator==(const Json&, const Json&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>
      value_;
};

/// Compact JSON text: sorted keys, ASCII escapes, shortest round-trip numbers, no spaces. Non-finite
/// doubles become the strings "NaN", "Infinity", "-Infinity"; lone surrogates and bytes that are not
/// UTF-8 are escaped as `\udcXX` or U+FFFD so that the text is always valid JSON.
[[nodiscard]] std::string CompactText(const Json& value);

/// The byte-exact cert layout: as CompactText, but indented by two spaces, `": "` after keys, one
/// member per line, no final newline.
[[nodiscard]] std::string PrettyText(const Json& value);

std::ostream& operator<<(std::ostream& out, const Json& value);

}  // namespace bi_test
