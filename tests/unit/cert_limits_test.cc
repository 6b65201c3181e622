// What is shortened on a cert, and how it says so.
#include "cert/cert_limits.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace bi_test {
namespace {

[[nodiscard]] CertLimits Small() {
  CertLimits limits;
  limits.list = 2;
  limits.value_bytes = 8;
  limits.pass_through_bytes = 16;
  return limits;
}

TEST(CertTrimmerTest, ShortensTextBetweenCharacters) {
  const CertTrimmer trimmer(Small());
  EXPECT_EQ(trimmer.Text("12345678"), Json("12345678"));
  EXPECT_EQ(trimmer.Text("123456789"), Json("12345678...(+1 bytes)"));
  EXPECT_EQ(trimmer.Text("123456\u20acz"), Json("123456...(+4 bytes)"));
}

TEST(CertTrimmerTest, ShortensValuesOfAnyKind) {
  const CertTrimmer trimmer(Small());
  const Json as_they_are[] = {Json(),
                              Json(true),
                              Json(1.5),
                              Json(INT64_MIN),
                              Json("short"),
                              Json(Json::Array{1, 2}),
                              Json(Json::Object{{"a", 1}})};
  for (const Json& value : as_they_are) EXPECT_EQ(trimmer.Value(value), value);
  EXPECT_EQ(trimmer.Value(Json("123456789")), Json("12345678...(+1 bytes)"));
  EXPECT_EQ(trimmer.Value(Json(Json::Array{1, 2, 3, 4})), Json("[1,2,3,4...(+1 bytes)"));
  EXPECT_EQ(trimmer.Value(Json(Json::Object{{"k", "long"}})), Json("{\"k\":\"lo...(+4 bytes)"));
}

TEST(CertTrimmerTest, CountsWhatItLeavesOut) {
  CertTrimmer trimmer(Small());
  EXPECT_EQ(CompactText(trimmer.Ids("few", {"a", "b"})), R"(["a","b"])");
  EXPECT_EQ(CompactText(trimmer.Ids("many", {"a", "b", "c", "d"})), R"(["a","b"])");
  const auto as_is = [](int value) { return Json(value); };
  EXPECT_EQ(CompactText(trimmer.Map("map", std::map<std::string, int>{{"x", 1}, {"y", 2}, {"z", 3}},
                                    as_is)),
            R"({"x":1,"y":2})");
  EXPECT_EQ(CompactText(trimmer.Map("numbers", std::map<int, int>{{4, 1}}, as_is)), R"({"4":1})");
  Json header;
  header["small"] = 5;
  header["large"] = std::string(40, 'x');
  EXPECT_EQ(trimmer.PassThrough("small", header), Json(5));
  EXPECT_EQ(trimmer.PassThrough("large", header), Json());
  EXPECT_EQ(trimmer.PassThrough("absent", header), Json());
  EXPECT_EQ(CompactText(trimmer.LeftOut()), R"({"large":1,"many":2,"map":1})");
}

TEST(CertLimitsTest, TheNextSmallerSetHalvesEverythingButKeepsValuesReadable) {
  CertLimits limits;
  for (int i = 0; i < 9; ++i) limits = limits.Smaller();
  EXPECT_EQ(limits.list, 0U);
  EXPECT_EQ(limits.divergences, 0U);
  EXPECT_EQ(limits.companions, 0U);
  EXPECT_EQ(limits.value_bytes, 64U);
  EXPECT_EQ(limits.pass_through_bytes, 64U);
}

TEST(PortableTest, ReplacesWhatNotEveryReaderTakes) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Json value = Json::Object{{"a\xFF", Json::Array{std::nan(""), infinity, -infinity, 0.5, 7,
                                                        true, Json(), "\xED\xA0\x80"}}};
  EXPECT_EQ(Portable(value),
            Json(Json::Object{{"a\uFFFD", Json::Array{"NaN", "Infinity", "-Infinity", 0.5, 7, true,
                                                      Json(), "\uFFFD"}}}))
      << CompactText(Portable(value));
}

}  // namespace
}  // namespace bi_test
