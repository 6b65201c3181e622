#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"

namespace bi_test {

/// Builds a Json from the events of ParseSax; refuses duplicate keys. The depth is bounded by the
/// reader. An integer that neither 64 bits nor a double hold exactly becomes
/// `{"$integer":"<digits>"}`, which equals only itself.
class JsonBuilder {
 public:
  bool Null() { return Add(Json()); }
  bool Bool(bool value) { return Add(Json(value)); }
  bool Integer(std::int64_t value) { return Add(Json(value)); }
  bool Unsigned(std::uint64_t value) { return Add(Json(value)); }
  bool Double(double value) { return Add(Json(value)); }
  bool BigInteger(std::string_view digits, double nearest);
  bool String(std::string_view text) { return Add(Json(text)); }
  bool Key(std::string_view key);
  bool StartObject() { return Open(Json(Json::Object{})); }
  bool StartArray() { return Open(Json(Json::Array{})); }
  bool EndObject(std::size_t) { return Close(); }
  bool EndArray(std::size_t) { return Close(); }
  [[nodiscard]] std::string Why() const { return why_; }

  /// True between the first event and the end of the outermost value.
  [[nodiscard]] bool building() const { return !open_.empty(); }
  /// The finished value; the builder is as new afterwards.
  [[nodiscard]] Json Take();
  void Reset();

 private:
  Json* Place(Json value);
  bool Add(Json value);
  bool Open(Json value);
  bool Close();

  Json root_;
  std::vector<Json*> open_;  // a parent does not move while a child of it is open
  Json* slot_ = nullptr;     // the member whose key came last
  std::string why_;
};

}  // namespace bi_test
