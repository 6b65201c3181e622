// Equality of two compared values.
#include "base/equality.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace bi_test {
namespace {

struct EqualityCase {
  const char* name;
  Json x;
  Json y;
  bool equal;
};

TEST(EqualityTest, FollowsTheTenRules) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Json nan = std::nan("");
  const EqualityCase cases[] = {
      {"rule 1: null equals null", Json(), Json(), true},
      {"rule 1: null is not false", Json(), Json(false), false},
      {"rule 1: null is not an empty text", Json(), Json(""), false},
      {"rule 2: no trimming", Json("ok"), Json("ok "), false},
      {"rule 2: no case folding", Json("ok"), Json("OK"), false},
      {"rule 2: no normalisation", Json("\u00e9"), Json("e\u0301"), false},
      {"rule 3: integer and double by value", Json(1), Json(1.0), true},
      {"rule 3: beyond 2^53", Json(9007199254740993), Json(9007199254740992.0), false},
      {"rule 3: at 2^53", Json(9007199254740992), Json(9007199254740992.0), true},
      {"rule 3: signed zeros", Json(-0.0), Json(0.0), true},
      {"rule 3: zero of both kinds", Json(0), Json(-0.0), true},
      {"rule 3: infinities", Json(infinity), Json(infinity), true},
      {"rule 3: infinity and integer", Json(INT64_MAX), Json(infinity), false},
      {"rule 3: 2^63 as unsigned and double", Json(std::uint64_t{1} << 63U),
       Json(9223372036854775808.0), true},
      {"rule 3: 2^63-1 is not 2^63", Json(INT64_MAX), Json(9223372036854775808.0), false},
      {"rule 3: -2^63", Json(INT64_MIN), Json(-9223372036854775808.0), true},
      {"rule 3: 2^64 is no unsigned", Json(UINT64_MAX), Json(18446744073709551616.0), false},
      {"rule 3: 2^63 as unsigned is not the next double", Json(std::uint64_t{1} << 63U),
       Json(9223372036854777856.0), false},
      {"rule 3: an unsigned beyond 2^63 is no small double", Json(UINT64_MAX), Json(1.0), false},
      {"rule 3: an unsigned is not infinite", Json(UINT64_MAX), Json(infinity), false},
      {"rule 3: an integer is no huge negative double", Json(1), Json(-1e300), false},
      {"rule 3: equal unsigned", Json(UINT64_MAX), Json(UINT64_MAX), true},
      {"rule 3: other unsigned", Json(UINT64_MAX), Json(UINT64_MAX - 1), false},
      {"rule 3: a fraction", Json(1), Json(1.5), false},
      {"rule 3: neighbours", Json(0.30000000000000004), Json(0.3), false},
      {"rule 4: NaN and itself", nan, nan, false},
      {"rule 5: bools", Json(true), Json(true), true},
      {"rule 6: true is not 1", Json(true), Json(1), false},
      {"rule 6: false is not 0.0", Json(false), Json(0.0), false},
      {"rule 7: order counts", Json(Json::Array{1, 2}), Json(Json::Array{2, 1}), false},
      {"rule 7: length counts", Json(Json::Array{1}), Json(Json::Array{1, 1}), false},
      {"rule 7: elements by value", Json(Json::Array{1}), Json(Json::Array{1.0}), true},
      {"rule 8: keys by value", Json(Json::Object{{"a", 1}}), Json(Json::Object{{"a", 1.0}}), true},
      {"rule 8: keys have names", Json(Json::Object{{"a", 1}}), Json(Json::Object{{"b", 1}}),
       false},
      {"rule 8: an extra key", Json(Json::Object{{"a", 1}}), Json(Json::Object{{"a", 1}, {"b", 2}}),
       false},
      {"rule 8: null is not absent inside", Json(Json::Object{{"a", Json()}}), Json(Json::Object{}),
       false},
      {"rule 9: NaN inside", Json(Json::Array{nan}), Json(Json::Array{nan}), false},
      {"rule 9: bool inside", Json(Json::Object{{"a", 1}}), Json(Json::Object{{"a", true}}), false},
      {"text and number", Json("1"), Json(1), false},
      {"list and object", Json(Json::Array{}), Json(Json::Object{}), false},
  };
  for (const EqualityCase& one : cases) {
    EXPECT_EQ(EqualValues(one.x, one.y), one.equal) << one.name;
    EXPECT_EQ(EqualValues(one.y, one.x), one.equal) << one.name << ", turned round";
  }
}

}  // namespace
}  // namespace bi_test
