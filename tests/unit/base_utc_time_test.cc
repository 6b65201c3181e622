#include "base/utc_time.h"

#include <gmock/gmock.h>

namespace bi_test {
namespace {

TEST(UtcTimeTest, ReadsExactlyOneForm) {
  const struct {
    const char* name;
    const char* text;
    std::optional<std::int64_t> seconds;
  } cases[] = {
      {"epoch", "1970-01-01T00:00:00Z", 0},
      {"last second of a leap day", "2024-02-29T23:59:59Z", 1709251199},
      {"leap day of a century", "2000-02-29T00:00:00Z", 951782400},
      {"far future", "9999-12-31T23:59:59Z", 253402300799},
      {"before the epoch", "1969-12-31T23:59:59Z", std::nullopt},
      {"no such day", "2023-02-29T00:00:00Z", std::nullopt},
      {"no leap day of most centuries", "2100-02-29T00:00:00Z", std::nullopt},
      {"day 0", "2023-01-00T00:00:00Z", std::nullopt},
      {"month 13", "2023-13-01T00:00:00Z", std::nullopt},
      {"month 0", "2023-00-01T00:00:00Z", std::nullopt},
      {"hour 24", "2023-01-01T24:00:00Z", std::nullopt},
      {"minute 60", "2023-01-01T00:60:00Z", std::nullopt},
      {"leap second", "2016-12-31T23:59:60Z", std::nullopt},
      {"no zone", "2023-01-01T00:00:00", std::nullopt},
      {"offset", "2023-01-01T00:00:00+00:00", std::nullopt},
      {"fraction", "2023-01-01T00:00:00.5Z", std::nullopt},
      {"blank", "2023-01-01 00:00:00Z", std::nullopt},
      {"sign", "-023-01-01T00:00:00Z", std::nullopt},
      {"text after it", "2023-01-01T00:00:00ZZ", std::nullopt},
      {"empty", "", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(ParseUtc(c.text), c.seconds) << c.name;
}

TEST(UtcTimeTest, WritesWhatItReads) {
  for (std::int64_t time = 0; time < 253402300799; time += 7'654'321'987) {
    EXPECT_EQ(ParseUtc(UtcText(time)), time);
  }
  EXPECT_EQ(UtcText(1709251199), "2024-02-29T23:59:59Z");
}

TEST(UtcTimeTest, TimesOutOfRangeAreTheNearestThatCanBeWritten) {
  EXPECT_EQ(UtcText(-1), "1970-01-01T00:00:00Z");
  EXPECT_EQ(UtcText(INT64_MAX), "9999-12-31T23:59:59Z");
}

}  // namespace
}  // namespace bi_test
