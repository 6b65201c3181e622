// Byte-exact JSON text.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "bi_test/json.h"

namespace bi_test {
namespace {

using ::testing::IsNull;

struct NumberCase {
  const char* name;
  double value;
  const char* text;
};

TEST(JsonTextTest, DoublesHaveTheShortestTextThatReadsBack) {
  const NumberCase cases[] = {
      {"one", 1.0, "1.0"},
      {"tenth", 0.1, "0.1"},
      {"smallest fixed", 0.0001, "0.0001"},
      {"largest scientific below one", 1e-05, "1e-05"},
      {"largest fixed", 1e15, "1000000000000000.0"},
      {"smallest scientific above one", 1e16, "1e+16"},
      {"many digits", 1.2345678901234568e17, "1.2345678901234568e+17"},
      {"fraction", 0.9583333333333334, "0.9583333333333334"},
      {"negative zero", -0.0, "-0.0"},
      {"denormal", 5e-324, "5e-324"},
      {"three exponent digits", 1.5e300, "1.5e+300"},
      {"negative fraction", -12.5, "-12.5"},
      {"sixteen digits", 1234567890123456.0, "1234567890123456.0"},
      {"leading zeros", 0.00123, "0.00123"},
      {"not a number", std::nan(""), "NaN"},
      {"infinite", std::numeric_limits<double>::infinity(), "Infinity"},
      {"minus infinite", -std::numeric_limits<double>::infinity(), "-Infinity"},
  };
  for (const NumberCase& one : cases) {
    EXPECT_EQ(DoubleText(one.value), one.text) << one.name;
  }
}

TEST(JsonTextTest, FixedTextRoundsTheExactBinaryValueToEven) {
  EXPECT_EQ(FixedText(0.125, 2), "0.12");
  EXPECT_EQ(FixedText(0.375, 2), "0.38");
  EXPECT_EQ(FixedText(1.625, 2), "1.62");
  EXPECT_EQ(FixedText(205.5, 2), "205.50");
  EXPECT_EQ(FixedText(1e20, 2), "100000000000000000000.00");
}

struct TextCase {
  const char* name;
  Json value;
  const char* text;
};

TEST(JsonTextTest, CompactTextSortsKeysAndEscapesEverythingThatIsNotPlainAscii) {
  const TextCase cases[] = {
      {"null", Json(), "null"},
      {"true", Json(true), "true"},
      {"integer", Json(-7), "-7"},
      {"largest unsigned", Json(UINT64_MAX), "18446744073709551615"},
      {"nested", Json(Json::Object{{"b", Json::Array{Json(1), Json("x")}}, {"a", Json::Object{}}}),
       R"({"a":{},"b":[1,"x"]})"},
      {"case 189", Json("\u00e9\u2028\u007f\"\\/\t"), R"("\u00e9\u2028\u007f\"\\/\t")"},
      {"short escapes", Json("\b\f\n\r"), R"("\b\f\n\r")"},
      {"control", Json(std::string("\x01\x1f\0", 3)), R"("\u0001\u001f\u0000")"},
      {"beyond the basic plane", Json("\U0001F642"), R"("\ud83d\ude42")"},
      {"lone surrogate", Json("\xED\xA0\x80"), R"("\ud800")"},
      {"byte that is not UTF-8", Json("a\xFFz"), R"("a\udcffz")"},
      {"cut sequence", Json("\xE2\x82"), R"("\udce2\udc82")"},
      {"case 190", Json(std::nan("")), R"("NaN")"},
      {"infinity in a list", Json(Json::Array{Json(-std::numeric_limits<double>::infinity())}),
       R"(["-Infinity"])"},
  };
  for (const TextCase& one : cases) {
    EXPECT_EQ(CompactText(one.value), one.text) << one.name;
  }
}

TEST(JsonTextTest, PrettyTextIndentsByTwoAndKeepsEmptyContainersOnOneLine) {
  Json value;
  value["list"] = Json(Json::Array{Json(1), Json(Json::Object{{"k", Json("v")}})});
  value["empty_list"] = Json(Json::Array{});
  value["empty_object"] = Json(Json::Object{});
  EXPECT_EQ(PrettyText(value),
            "{\n"
            "  \"empty_list\": [],\n"
            "  \"empty_object\": {},\n"
            "  \"list\": [\n"
            "    1,\n"
            "    {\n"
            "      \"k\": \"v\"\n"
            "    }\n"
            "  ]\n"
            "}");
}

TEST(JsonTest, TakesSixteenBytesAndSharesTextBetweenCopies) {
  EXPECT_EQ(sizeof(Json), 16U);
  const Json text = "a text that is too long to be stored inside of a string object";
  const Json copy = text;
  EXPECT_EQ(text.if_string(), copy.if_string());
}

TEST(JsonTest, CopiesOfContainersAreIndependent) {
  Json original;
  original["list"] = Json(Json::Array{Json(1)});
  Json copy = original;
  copy["list"].if_array()->emplace_back(2);
  EXPECT_EQ(CompactText(original), R"({"list":[1]})");
  EXPECT_EQ(CompactText(copy), R"({"list":[1,2]})");
}

TEST(JsonTest, MovedFromValuesAreNull) {
  Json from = "text";
  const Json to = std::move(from);
  EXPECT_TRUE(from.is_null());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(*to.if_string(), "text");
}

TEST(JsonTest, EqualNumbersOfUnsignedTypesHaveOneForm) {
  EXPECT_EQ(Json(std::uint64_t{5}), Json(5));
  EXPECT_EQ(Json(UINT64_MAX), Json(UINT64_MAX));
  EXPECT_NE(Json(UINT64_MAX), Json(UINT64_MAX - 1));
  EXPECT_NE(Json(1), Json(1.0));
  EXPECT_NE(Json(), Json(0));
  EXPECT_NE(Json(std::nan("")), Json(std::nan("")));
}

TEST(JsonTest, FindSeesOnlyMembersOfObjects) {
  Json object;
  object["key"] = 1;
  EXPECT_EQ(*object.Find("key"), Json(1));
  EXPECT_THAT(object.Find("other"), IsNull());
  EXPECT_THAT(Json("text").Find("key"), IsNull());
}

}  // namespace
}  // namespace bi_test
