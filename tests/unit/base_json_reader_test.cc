#include "base/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <string>

namespace bi_test {
namespace {

JsonLimits Tolerant() {
  JsonLimits limits;
  limits.tolerate_broken_text = true;
  return limits;
}

struct ValueCase {
  const char* name;
  std::string text;
  Json value;
};

TEST(JsonReader, ReadsValues) {
  const ValueCase cases[] = {
      {"null", "null", Json()},
      {"true", " true ", true},
      {"integer", "1", 1},
      {"integer written as double", "1.0", 1.0},
      {"smallest 64-bit integer", "-9223372036854775808", INT64_MIN},
      {"largest 64-bit integer", "18446744073709551615", UINT64_MAX},
      {"2^53 + 1", "9007199254740993", 9007199254740993},
      {"2^64 is a double exactly", "18446744073709551616", 18446744073709551616.0},
      {"2^64 + 1 keeps its digits", "18446744073709551617",
       Json::Object{{"$integer", "18446744073709551617"}}},
      {"-2^64 - 1 keeps its digits", "[-18446744073709551617]",
       Json::Array{Json::Object{{"$integer", "-18446744073709551617"}}}},
      {"large number with exponent", "9.223372036854775808e18", 9223372036854775808.0},
      {"negative zero", "-0.0", -0.0},
      {"17 digits", "0.30000000000000004", 0.30000000000000004},
      {"smallest double", "5e-324", 5e-324},
      {"below the smallest double", "1e-400", 0.0},
      {"zero with a large exponent", "0e308", 0.0},
      {"zero with a small exponent", "0.0e-999", 0.0},
      {"tiny without exponent", "0." + std::string(400, '0') + "1", 0.0},
      {"tiny integer part, many digits", "1" + std::string(300, '0') + "e-300", 1.0},
      {"largest double", "1.7976931348623157e308", 1.7976931348623157e308},
      {"escapes", R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude42")",
       "\"\\/\b\f\n\r\t\xC3\xA9\xF0\x9F\x99\x82"},
      {"raw UTF-8", "\"\xC3\xA9\xF0\x9F\x99\x82\"", "\xC3\xA9\xF0\x9F\x99\x82"},
      {"zero character", R"("a\u0000b")", std::string("a\0b", 3)},
      {"empty containers", R"({"a":[],"b":{}})",
       Json::Object{{"a", Json::Array{}}, {"b", Json::Object{}}}},
      {"nested", R"([{"a":[1,{"b":null}]},"x"])",
       Json::Array{Json::Object{{"a", Json::Array{1, Json::Object{{"b", Json()}}}}}, "x"}},
  };
  for (const ValueCase& c : cases) {
    SCOPED_TRACE(c.name);
    const Result<Json> result = ParseJson(c.text);
    if (!result.ok()) {
      ADD_FAILURE() << result.error().Text();
      continue;
    }
    EXPECT_EQ(*result, c.value);
  }
}

TEST(JsonReader, NegativeZeroKeepsItsSign) {
  EXPECT_TRUE(std::signbit(*ParseJson("-0.0")->if_double()));
  EXPECT_TRUE(std::signbit(*ParseJson("-1e-400")->if_double()));
}

struct ErrorCase {
  const char* name;
  std::string text;
  const char* message;
};

TEST(JsonReader, NamesTheByteAndTheFault) {
  const ErrorCase cases[] = {
      {"empty", "", "invalid JSON at byte 0: the document is empty"},
      {"cut", "{\"a\":", "invalid JSON at byte 5: no JSON value"},
      {"two documents", "1 2", "invalid JSON at byte 2: something follows the document"},
      {"zero byte at the end", std::string("{}\0", 3), "invalid JSON at byte 2: a zero byte"},
      {"zero byte before garbage", std::string("1\0x", 3), "invalid JSON at byte 1: a zero byte"},
      {"duplicate key", R"({"a":1,"b":2,"a":1})",
       "invalid JSON at byte 16: the key \"a\" stands here twice"},
      {"duplicate key in depth", R"([{"x":{"a":1,"\u0061":1}}])",
       "invalid JSON at byte 21: the key \"a\" stands here twice"},
      {"NaN", "[NaN]", "invalid JSON at byte 1: no JSON value"},
      {"Infinity", "-Infinity", "invalid JSON at byte 1: no JSON value"},
      {"beyond double", "[1,1e400]", "invalid JSON at byte 3: the number is too big for a double"},
      {"beyond double without exponent", std::string(400, '9'),
       "invalid JSON at byte 0: the number is too big for a double"},
      {"rounds to infinity", "10e308",
       "invalid JSON at byte 0: the number is too big for a double"},
      {"just beyond double", "1.8e308",
       "invalid JSON at byte 0: the number is too big for a double"},
      {"leading zero", "01", "invalid JSON at byte 1: something follows the document"},
      {"plus sign", "+1", "invalid JSON at byte 0: no JSON value"},
      {"bare point", "1.", "invalid JSON at byte 2: expected a digit after the decimal point"},
      {"bare exponent", "1e", "invalid JSON at byte 2: expected a digit in the exponent"},
      {"trailing comma", "[1,]", "invalid JSON at byte 3: no JSON value"},
      {"comment", "1 // x", "invalid JSON at byte 2: something follows the document"},
      {"single quotes", "{'a':1}", "invalid JSON at byte 1: expected a key in double quotes"},
      {"missing colon", "{\"a\" 1}", "invalid JSON at byte 5: expected ':' after a key"},
      {"missing comma", "[1 2]", "invalid JSON at byte 3: expected ',' or ']' after an element"},
      {"missing brace", "{\"a\":1", "invalid JSON at byte 6: expected ',' or '}' after a member"},
      {"bare newline in a string", "\"a\nb\"",
       "invalid JSON at byte 2: an unknown escape or a bare control character in a string"},
      {"unknown escape", R"("\x")",
       "invalid JSON at byte 1: an unknown escape or a bare control character in a string"},
      {"short \\u", R"("\u12")", "invalid JSON at byte 1: expected four hex digits after \\u"},
      {"byte that is not UTF-8", "\"\xFF\"", "invalid JSON at byte 1: a string that is not UTF-8"},
      {"overlong form", "\"\xC0\xAF\"", "invalid JSON at byte 1: a string that is not UTF-8"},
      {"raw surrogate", "\"\xED\xA0\x80\"", "invalid JSON at byte 1: a string that is not UTF-8"},
      {"lone high surrogate", R"("\ud800")",
       "invalid JSON at byte 1: a surrogate escape without its partner"},
      {"lone low surrogate", R"("\udc00")",
       "invalid JSON at byte 8: a surrogate escape without its partner"},
      {"300,000 brackets", std::string(300'000, '['),
       "invalid JSON at byte 64: nested deeper than 64 levels"},
  };
  for (const ErrorCase& c : cases) {
    SCOPED_TRACE(c.name);
    const Result<Json> result = ParseJson(c.text);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, c.message);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidFile);
  }
}

TEST(JsonReader, ToleratesBrokenTextOnRequest) {
  const ValueCase cases[] = {
      {"lone low surrogate", R"("ok \udc00")", "ok \xED\xB0\x80"},
      {"lone high surrogate", R"("\ud800")", "\xED\xA0\x80"},
      {"high twice, then low", R"("\ud800\ud83d\ude42")", "\xED\xA0\x80\xF0\x9F\x99\x82"},
      {"low before high", R"("\ude42\ud83d")", "\xED\xB9\x82\xED\xA0\xBD"},
      {"escaped backslash", R"("\\ud800 \ud800")", "\\ud800 \xED\xA0\x80"},
      {"byte that is not UTF-8", "\"a\xFF\"", "a\xFF"},
      {"in a key", R"({"\udfff":1})", Json::Object{{"\xED\xBF\xBF", 1}}},
  };
  for (const ValueCase& c : cases) {
    SCOPED_TRACE(c.name);
    const Result<Json> result = ParseJson(c.text, Tolerant());
    ASSERT_TRUE(result.ok()) << result.error().Text();
    EXPECT_EQ(*result, c.value);
  }
}

TEST(JsonReader, OffsetsStayRightAfterLoneSurrogates) {
  const Result<Json> result = ParseJson(R"(["\ud800","\ud800",x])", Tolerant());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "invalid JSON at byte 19: no JSON value");
}

TEST(JsonReader, RefusesMoreThanTheLimit) {
  JsonLimits limits;
  limits.max_bytes = 3;
  EXPECT_TRUE(ParseJson("123", limits).ok());
  EXPECT_EQ(ParseJson("1234", limits).error().message,
            "the JSON document has 4 bytes, at most 3 are allowed");
  limits = {};
  limits.max_depth = 2;
  EXPECT_TRUE(ParseJson("[[1]]", limits).ok());
  EXPECT_EQ(ParseJson("[[[1]]]", limits).error().message,
            "invalid JSON at byte 2: nested deeper than 2 levels");
}

TEST(JsonReader, IntegersThatDifferNeverCompareEqual) {
  const char* const numbers[] = {"18446744073709551615", "18446744073709551616",
                                 "18446744073709551617", "18446744073709551618",
                                 "9007199254740992",     "9007199254740993"};
  for (const char* x : numbers) {
    for (const char* y : numbers) {
      EXPECT_EQ(*ParseJson(x) == *ParseJson(y), std::string(x) == y) << x << " " << y;
    }
  }
}

TEST(JsonReader, RandomDoublesReadBackToTheBit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[40];
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    const Result<Json> result =
        ParseJson(std::string_view(text, static_cast<std::size_t>(end - text)));
    ASSERT_TRUE(result.ok()) << result.error().Text();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*result->if_double()),
              std::bit_cast<std::uint64_t>(value))
        << std::string(text, end);
  }
}

}  // namespace
}  // namespace bi_test
