#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/writer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/number_text.h"
#include "bi_test/json.h"

// The one place where RapidJSON's writers are driven. Include from .cc files only.

namespace bi_test {

/// A stream of RapidJSON that appends to a string.
struct StringStream {
  using Ch = char;
  void Put(char c) { *out += c; }
  void Flush() {}
  std::string* out;
};

/// Appends the characters from `at` on that stand for themselves in any JSON text; the place behind
/// them.
inline std::size_t AppendPlain(std::string& out, std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x7F && text[end] != '"' &&
         text[end] != '\\') {
    ++end;
  }
  out.append(text, at, end - at);
  return end;
}

/// What RapidJSON's writer spells in one way only and formats here differ in.
struct JsonSpelling {
  /// Appends a text as a JSON string, quotes included.
  void (*quote)(std::string& out, std::string_view text);
  /// NaN and Infinity stand as bare words, else as strings.
  bool bare_non_finite;
};

/// Writes one JSON text with `Rapid`, a writer of RapidJSON on StringStream. Numbers have the
/// canonical form of certs: RapidJSON's own differs (`1e16`), and the digest of a cert is over its
/// bytes.
template <typename Rapid>
class JsonWriter {
 public:
  JsonWriter(std::string& out, const JsonSpelling& spelling)
      : stream_{&out}, spelling_(spelling), rapid_(stream_) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  /// For the options of the writer.
  Rapid& rapid() { return rapid_; }

  void StartObject() { rapid_.StartObject(); }
  void EndObject() { rapid_.EndObject(); }
  void StartArray() { rapid_.StartArray(); }
  void EndArray() { rapid_.EndArray(); }
  void Key(std::string_view key) { Text(key); }

  void Value(const Json& value) {
    if (value.is_null()) {
      rapid_.Null();
    } else if (const bool* boolean = value.if_bool()) {
      rapid_.Bool(*boolean);
    } else if (const std::int64_t* integer = value.if_int64()) {
      rapid_.Int64(*integer);
    } else if (const std::uint64_t* natural = value.if_uint64()) {
      rapid_.Uint64(*natural);
    } else if (const double* real = value.if_double()) {
      Number(*real);
    } else if (const std::string* text = value.if_string()) {
      Text(*text);
    } else if (const Json::Array* array = value.if_array()) {
      rapid_.StartArray();
      for (const Json& element : *array) Value(element);
      rapid_.EndArray();
    } else {
      rapid_.StartObject();
      for (const auto& [key, member] : *value.if_object()) {
        Key(key);
        Value(member);
      }
      rapid_.EndObject();
    }
  }

 private:
  void Raw(const std::string& text, rapidjson::Type type) {
    rapid_.RawValue(text.data(), text.size(), type);
  }
  void Text(std::string_view text) {
    quoted_.clear();
    spelling_.quote(quoted_, text);
    Raw(quoted_, rapidjson::kStringType);
  }
  void Number(double value) {
    const std::string text = DoubleText(value);
    const bool is_word = text.find_first_of("NI") != std::string::npos;
    if (is_word && !spelling_.bare_non_finite) return Text(text);
    Raw(text, rapidjson::kNumberType);
  }

  StringStream stream_;
  const JsonSpelling& spelling_;
  Rapid rapid_;
  std::string quoted_;
};

}  // namespace bi_test
