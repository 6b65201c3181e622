#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bi_test {

/// A JSON value of 16 bytes. Integers keep their exact value and stay apart from doubles; object
/// keys are sorted by bytes, which for UTF-8 is the order of code points. A plain value type: no
/// parsing, no I/O. Text is immutable and shared between copies (the count is atomic), so a reader
/// that keeps one `Json` per distinct text and copies it pays for each text once. Values may be
/// read by several threads at once, as those of the standard library.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json, std::less<>>;

  Json() noexcept = default;
  Json(std::nullptr_t) noexcept {}                                               // NOLINT
  Json(bool value) noexcept : kind_(Kind::kBool) { payload_.boolean = value; }   // NOLINT
  Json(double value) noexcept : kind_(Kind::kDouble) { payload_.real = value; }  // NOLINT
  template <std::signed_integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) Json(T value)
  noexcept : kind_(Kind::kInt) {  // NOLINT
    payload_.integer = static_cast<std::int64_t>(value);
  }
  /// Values up to 2^63-1 are stored signed, so that equal numbers have one form.
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value)
  noexcept {  // NOLINT
    const auto wide = static_cast<std::uint64_t>(value);
    if (wide <= static_cast<std::uint64_t>(INT64_MAX)) {
      kind_ = Kind::kInt;
      payload_.integer = static_cast<std::int64_t>(wide);
    } else {
      kind_ = Kind::kUint;
      payload_.natural = wide;
    }
  }
  Json(std::string value);                                    // NOLINT
  Json(std::string_view value) : Json(std::string(value)) {}  // NOLINT
  Json(const char* value) : Json(std::string(value)) {}       // NOLINT
  Json(Array value);                                          // NOLINT
  Json(Object value);                                         // NOLINT

  Json(const Json& other) : payload_(other.payload_), kind_(other.kind_) {
    if (kind_ >= Kind::kString) CopyOwned();
  }
  Json(Json&& other) noexcept : payload_(other.payload_), kind_(other.kind_) {
    other.kind_ = Kind::kNull;
  }
  Json& operator=(Json other) noexcept {
    std::swap(payload_, other.payload_);
    std::swap(kind_, other.kind_);
    return *this;
  }
  ~Json() {
    if (kind_ >= Kind::kString) Destroy();
  }

  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
  [[nodiscard]] bool is_bool() const { return kind_ == Kind::kBool; }
  /// An integer that was written as one (`1`, not `1.0`).
  [[nodiscard]] bool is_integer() const { return kind_ == Kind::kInt || kind_ == Kind::kUint; }
  [[nodiscard]] bool is_double() const { return kind_ == Kind::kDouble; }
  [[nodiscard]] bool is_number() const { return is_integer() || is_double(); }
  [[nodiscard]] bool is_string() const { return kind_ == Kind::kString; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::kArray; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::kObject; }

  /// Pointers to the held alternative, or null when the value is of another kind.
  [[nodiscard]] const bool* if_bool() const { return is_bool() ? &payload_.boolean : nullptr; }
  [[nodiscard]] const std::int64_t* if_int64() const {
    return kind_ == Kind::kInt ? &payload_.integer : nullptr;
  }
  [[nodiscard]] const std::uint64_t* if_uint64() const {
    return kind_ == Kind::kUint ? &payload_.natural : nullptr;
  }
  [[nodiscard]] const double* if_double() const { return is_double() ? &payload_.real : nullptr; }
  [[nodiscard]] const std::string* if_string() const {
    return is_string() ? &payload_.text->value : nullptr;
  }
  [[nodiscard]] const Array* if_array() const { return is_array() ? payload_.array : nullptr; }
  [[nodiscard]] const Object* if_object() const { return is_object() ? payload_.object : nullptr; }
  [[nodiscard]] Array* if_array() { return is_array() ? payload_.array : nullptr; }
  [[nodiscard]] Object* if_object() { return is_object() ? payload_.object : nullptr; }

  /// The member of that name, or null when this is no object or has no such member.
  [[nodiscard]] const Json* Find(std::string_view key) const;

  /// The member of that name; a null value becomes an empty object first, a missing member is made
  /// as null. Any other kind of value is replaced by an object.
  Json& operator[](std::string_view key);

  /// Structural identity of the stored values (`1` and `1.0` differ, NaN differs from itself).
  /// Equality of compared fields is another relation.
  friend bool operator==(const Json& x, const Json& y);

 private:
  /// Kinds that own memory come last.
  enum class Kind : std::uint8_t { kNull, kBool, kInt, kUint, kDouble, kString, kArray, kObject };
  struct Text {
    explicit Text(std::string text) : value(std::move(text)) {}
    const std::string value;
    std::atomic<std::uint32_t> uses{1};
  };
  union Payload {
    bool boolean;
    std::int64_t integer;
    std::uint64_t natural;
    double real;
    Text* text;
    Array* array;
    Object* object;
  };

  void CopyOwned();
  void Destroy();

  Payload payload_{};
  Kind kind_ = Kind::kNull;
};

/// Compact JSON text: sorted keys, ASCII escapes, shortest round-trip numbers, no spaces.
/// Non-finite doubles become the strings "NaN", "Infinity", "-Infinity"; lone surrogates and bytes
/// that are not UTF-8 are escaped as `\udcXX` or U+FFFD so that the text is always valid JSON.
[[nodiscard]] std::string CompactText(const Json& value);

/// The byte-exact cert layout: as CompactText, but indented by two spaces, `": "` after keys, one
/// member per line, no final newline.
[[nodiscard]] std::string PrettyText(const Json& value);

/// As CompactText.
std::ostream& operator<<(std::ostream& out, const Json& value);

}  // namespace bi_test
