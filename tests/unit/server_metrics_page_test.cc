#include "server/dialects/metrics_page.h"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>

namespace bi_test::server {
namespace {

struct PageCase {
  const char* name;
  std::string text;
  std::optional<double> sum, max;
};

void PrintTo(const PageCase& page, std::ostream* out) { *out << page.name; }

class MetricsPageTest : public ::testing::TestWithParam<PageCase> {};

TEST_P(MetricsPageTest, GivesTheNumberOrNothing) {
  const MetricsPage page(GetParam().text);
  EXPECT_EQ(page.Sum("a:n"), GetParam().sum);
  EXPECT_EQ(page.Max("a:n"), GetParam().max);
}

const PageCase kPages[] = {
    {"Plain", "a:n 3\n", 3, 3},
    {"Float", "a:n 3.0", 3, 3},
    {"Scientific", "a:n 1.5e+03\n", 1500, 1500},
    {"LeadingPlus", "a:n +7\n", 7, 7},
    {"NegativeExponent", "a:n 5e-1\n", 0.5, 0.5},
    {"Labels", "a:n{model=\"m\",engine=\"0\"} 4\n", 4, 4},
    {"EmptyLabels", "a:n{} 4\n", 4, 4},
    {"NoSpaceAfterTheLabels", "a:n{x=\"y\"}4\n", 4, 4},
    {"BraceQuoteAndSpaceInALabel", "a:n{model=\"a } \\\" b\\\\\"} 4\n", 4, 4},
    {"NameInsideALabel", "b{model=\"a:n 9\"} 1\n", {}, {}},
    {"TimeStamp", "a:n 4 1700000000000\n", 4, 4},
    {"CarriageReturn", "a:n 4\r\n", 4, 4},
    {"Tab", "a:n\t4\n", 4, 4},
    {"TwoEngines", "a:n{engine=\"0\"} 2\na:n{engine=\"1\"} 3\n", 5, 3},
    {"Zero", "a:n 0\n", 0, 0},
    {"Comments", "# a:n 9\n# TYPE a:n gauge\na:n 1\n", 1, 1},
    {"Empty", "", {}, {}},
    {"Html", "<html>502 Bad Gateway</html>", {}, {}},
    {"LongerName", "a:n_total 3\n", {}, {}},
    {"ShorterName", "a: 3\n", {}, {}},
    {"NameOnly", "a:n\n", {}, {}},
    {"NoValue", "a:n{x=\"y\"} \n", {}, {}},
    {"NotANumber", "a:n NaN\n", {}, {}},
    {"Infinite", "a:n +Inf\n", {}, {}},
    {"Negative", "a:n -1\n", {}, {}},
    {"Overflow", "a:n 1e999\n", {}, {}},
    {"BeyondExactCounts", "a:n 1e16\n", {}, {}},
    {"Hexadecimal", "a:n 0x10\n", {}, {}},
    {"Junk", "a:n 12x\n", {}, {}},
    {"CutInsideTheLabels", "a:n{model=\"m", {}, {}},
    {"CutInsideAnEscape", "a:n{model=\"m\\", {}, {}},
    {"OneEngineUnreadable", "a:n{engine=\"0\"} 2\na:n{engine=\"1\"} NaN\n", {}, {}},
    {"SumBeyondExactCounts",
     "a:n 9007199254740992\na:n 9007199254740992\n",
     {},
     9007199254740992.0},
    {"ZeroBytes", std::string("a:n\0 3\n", 7), {}, {}},
};

INSTANTIATE_TEST_SUITE_P(All, MetricsPageTest, ::testing::ValuesIn(kPages),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(MetricsPageLabels, AreFoundAndUnescaped) {
  const MetricsPage page(
      "i{x=\"=\\\"\"} 1\ni{a=\"1\", b=\"t\\\"w\\\\o\\n\",c=\"\"} 1\nj{broken=\"x} 1\n");
  EXPECT_EQ(page.Label("i", "x"), "=\"");
  EXPECT_EQ(page.Label("i", "a"), "1");
  EXPECT_EQ(page.Label("i", "b"), "t\"w\\o\n");
  EXPECT_EQ(page.Label("i", "c"), "");
  EXPECT_EQ(page.Label("i", "d"), std::nullopt);
  EXPECT_EQ(page.Label("j", "broken"), std::nullopt);
  EXPECT_EQ(page.Label("k", "a"), std::nullopt);
}

TEST(MetricsPageSize, ALargePageIsReadInOneGo) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += "vllm:bucket{le=\"" + std::to_string(i) + "\"} 1.0\n";
  }
  text += "a:n 5\n" + std::string(1 << 20, 'x');
  EXPECT_EQ(MetricsPage(text).Sum("a:n"), 5);
  EXPECT_TRUE(MetricsPage(text).HasPrefix("vllm:b"));
  EXPECT_FALSE(MetricsPage(text).HasPrefix("vllm:c"));
}

}  // namespace
}  // namespace bi_test::server
