#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "config/name_match.h"
#include "config/sweep/cell_name.h"
#include "config/yaml/scalar.h"
#include "config/yaml/yaml_document.h"
#include "config/yaml/yaml_json.h"

namespace bi_test::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct DurationCase {
  const char* text;
  std::optional<std::int64_t> ms;
};

TEST(ScalarTest, DurationsAreWholeNumbersWithAUnit) {
  const DurationCase cases[] = {
      {"120s", 120'000},
      {"500ms", 500},
      {"2m", 120'000},
      {"4h", 14'400'000},
      {"90", 90'000},
      {"0", 0},
      {"1000h", 3'600'000'000},
      {"1001h", {}},
      {"010s", {}},
      {"1.5s", {}},
      {"1 s", {}},
      {"s", {}},
      {"", {}},
      {"-1s", {}},
      {"1d", {}},
      {"1S", {}},
      {"1ms ", {}},
      {"99999999999999999999s", {}},
      {"1h30m", {}},
  };
  for (const DurationCase& test : cases) {
    const auto value = ParseDuration(test.text);
    EXPECT_EQ(value.has_value(), test.ms.has_value()) << test.text;
    if (value && test.ms) {
      EXPECT_EQ(value->count(), *test.ms) << test.text;
    }
  }
}

TEST(ScalarTest, IntegersArePlainDecimalDigits) {
  for (const char* good : {"0", "7", "-3", "1000", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_TRUE(ParseInteger(good)) << good;
  }
  for (const char* bad : {"", "-", "+5", "010", "00", "-01", "0x10", "0b1", "0o7", "1e3", "1_000",
                          "1,000", "1.0", " 1", "1 ", "9223372036854775808", "one", "1:30"}) {
    EXPECT_FALSE(ParseInteger(bad)) << bad;
  }
  EXPECT_EQ(ParseInteger("-3"), -3);
  EXPECT_EQ(ParseUnsigned("18446744073709551615"), UINT64_MAX);
  EXPECT_FALSE(ParseUnsigned("18446744073709551616"));
  EXPECT_FALSE(ParseUnsigned("-0"));
}

// R094
TEST(ScalarTest, RealsHaveBothSpellings) {
  EXPECT_EQ(ParseReal("0.1"), 0.1);
  EXPECT_EQ(ParseReal("1e-1"), 0.1);
  EXPECT_EQ(ParseReal("1E+2"), 100.0);
  EXPECT_EQ(ParseReal("-2.5"), -2.5);
  EXPECT_EQ(ParseReal("3"), 3.0);
  for (const char* bad : {"", ".5", "5.", "1e", "1e+", "010.5", ".inf", "inf", "nan", ".nan",
                          "1e999", "0x1p3", "1_0.5", "1,5", "+1.0", "1.0f", "--1"}) {
    EXPECT_FALSE(ParseReal(bad)) << bad;
  }
}

TEST(ScalarTest, DatesAreDaysOfTheCalendar) {
  for (const char* good : {"2030-12-31", "2028-02-29", "0001-01-01"})
    EXPECT_TRUE(IsDate(good)) << good;
  for (const char* bad :
       {"", "2030-2-1", "2030-02-29", "2030-13-01", "2030-00-10", "2030-01-00", "2030/01/01",
        "20300101", "2030-01-01T", "+030-01-01", "-001-01-01", "2030--1-01", "0000-01-01"}) {
    EXPECT_FALSE(IsDate(bad)) << bad;
  }
}

TEST(SuggestTest, DistanceCountsEditsAndSwaps) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("parralel", "parallel"), 2u);
  EXPECT_EQ(EditDistance("pasess", "passes"), 1u);
  EXPECT_EQ(EditDistance("passes", "PASSES"), 0u);
  EXPECT_EQ(EditDistance("abcd", "badc"), 2u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance(std::string(1'000'000, 'a'), std::string(1'000'000, 'b')), 128u);
}

TEST(SuggestTest, OnlyNearNamesAreSuggested) {
  const std::vector<std::string> names = {"passes", "reps", "seed"};
  EXPECT_EQ(NearestName("pases", names), "passes");
  EXPECT_EQ(NearestName("sed", names), "seed");
  EXPECT_EQ(NearestName("temperature", names), "");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName("x", {}), "");
  EXPECT_THAT(NearNames("phi", {"phi_4__n4", "other", "phj"}, 5), ElementsAre("phj", "phi_4__n4"));
  EXPECT_THAT(NearNames("phi", {"phi_1", "phi_2", "phi_3"}, 2), ElementsAre("phi_1", "phi_2"));
}

struct NameCase {
  const char* name;
  std::vector<std::string> ids;
  std::vector<std::string> names;
};

void PrintTo(const NameCase& test, std::ostream* out) { *out << test.name; }

class ModelNames : public ::testing::TestWithParam<NameCase> {};

TEST_P(ModelNames, AreMadeFromContent) {
  EXPECT_EQ(ModelTestNames(GetParam().ids), GetParam().names);
}

const NameCase kNames[] = {
    {"PlainIdsStay", {"phi4", "a_b"}, {"phi4", "a_b"}},
    {"OtherCharactersBecomeUnderscores",
     {"phi-4", "Qwen2.5-7B:Q4_K_M/x y"},
     {"phi_4", "Qwen2_5_7B_Q4_K_M_x_y"}},
    {"ALetterComesFirst", {"7b", "_x", "-"}, {"m_7b", "m__x", "m__"}},
    {"GoogleTestWouldNotRunADisabledName",
     {"DISABLED_x", "DISABLED-x2"},
     {"m_DISABLED_x", "m_DISABLED_x2"}},
    {"OneCharacterOfManyBytesIsOneUnderscore", {"né🙂x"}, {"n__x"}},
    {"IdsThatFallTogetherAllGetASuffix",
     {"a-b", "c", "a_b"},
     {"a_b_h06ea7aa5", "c", "a_b_hf05e5506"}},
};

INSTANTIATE_TEST_SUITE_P(All, ModelNames, ::testing::ValuesIn(kNames),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CellNameTest, NamesDoNotDependOnTheOrderOfIds) {
  const std::vector<std::string> ids = {"a-b", "a_b", "a.b", "c", "a b"};
  const std::vector<std::string> names = ModelTestNames(ids);
  const std::vector<std::string> reversed = ModelTestNames({ids.rbegin(), ids.rend()});
  EXPECT_EQ(std::vector<std::string>(reversed.rbegin(), reversed.rend()), names);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), ids.size());
}

TEST(CellNameTest, ASuffixedNameThatIsAlsoAnIdIsTakenApart) {
  const std::string suffixed = ModelTestNames({"a-b", "a_b"})[0];
  const std::vector<std::string> names = ModelTestNames({"a-b", "a_b", suffixed});
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 3u);
}

TEST(CellNameTest, LongNamesAreCutAndToldApart) {
  const std::string stem(300, 'x');
  const std::vector<std::string> names = ModelTestNames({stem + "1", stem + "2", stem});
  for (const std::string& name : names) EXPECT_EQ(name.size(), 100u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 3u);
  EXPECT_EQ(ModelTestNames({stem})[0], names[2]) << "a long name is suffixed alone, too";
}

std::vector<SweepCell> SomeCells() {
  std::vector<SweepCell> cells(2);
  cells[0].cell = {"org/phi-4", 8192, 4, "f16"};
  cells[0].test_name = CellTestName("org_phi_4", 8192, 4);
  cells[1].cell = {"b", 8192, 8, "f16"};
  cells[1].test_name = CellTestName("b", 8192, 8);
  return cells;
}

TEST(CellNameTest, CellsAreFoundByNameAndByPath) {
  const std::vector<SweepCell> cells = SomeCells();
  EXPECT_EQ(cells[0].test_name, "org_phi_4__ctx8192__n4");
  EXPECT_EQ(FindCell(cells, "org_phi_4__ctx8192__n4"), &cells[0]);
  EXPECT_EQ(FindCell(cells, "org/phi-4/8192/4"), &cells[0]);
  EXPECT_EQ(FindCell(cells, "b/8192/8"), &cells[1]);
  EXPECT_EQ(FindCell(cells, "b/8192/4"), nullptr);
  EXPECT_EQ(FindCell(cells, ""), nullptr);
  EXPECT_THAT(NearCells(cells, "org_phi_4__ctx8192__n5", 1), ElementsAre("org_phi_4__ctx8192__n4"));
  EXPECT_THAT(NearCells(cells, "something else entirely", 3), IsEmpty());
}

TEST(YamlTest, ScalarsKeepTheirTextAndTheirQuotes) {
  FileProblems problems;
  YamlNode root;
  ASSERT_TRUE(
      ParseYaml("a: NO\nb: \"5\"\nc: 5\nd:\ne: ~\nf: >-\n  x\n  y\ng: ! 5\n", {}, root, problems));
  EXPECT_EQ(root.Find("a")->text, "NO");
  EXPECT_TRUE(root.Find("b")->quoted);
  EXPECT_FALSE(root.Find("c")->quoted);
  EXPECT_EQ(root.Find("d")->kind, YamlNode::Kind::kNothing);
  EXPECT_EQ(root.Find("d")->line, 4);
  EXPECT_EQ(root.Find("e")->kind, YamlNode::Kind::kNothing);
  EXPECT_EQ(root.Find("f")->text, "x y");
  EXPECT_TRUE(root.Find("f")->quoted);
  EXPECT_TRUE(root.Find("g")->quoted);
  EXPECT_EQ(root.Find("g")->line, 9);
  EXPECT_EQ(root.Find("h"), nullptr);
}

TEST(YamlTest, JsonTypesNeedJsonSpelling) {
  FileProblems problems;
  YamlNode root;
  ASSERT_TRUE(
      ParseYaml("[true, false, 5, -1.5, 1e2, null, ~, NO, yes, 010, 0x10, .5, +1, \"5\", "
                "{a: [1]}, 18446744073709551615]",
                {}, root, problems));
  EXPECT_EQ(
      CompactText(ToJson(root)),
      "[true,false,5,-1.5,100.0,null,null,\"NO\",\"yes\",\"010\",\"0x10\",\".5\",\"+1\",\"5\","
      "{\"a\":[1]},18446744073709551615]");
}

TEST(YamlTest, LimitsHold) {
  FileProblems problems;
  YamlNode root;
  EXPECT_FALSE(ParseYaml("[[[1]]]", {1 << 20, 2}, root, problems));
  EXPECT_TRUE(ParseYaml("[[1]]", {1 << 20, 2}, root, problems));
  EXPECT_FALSE(ParseYaml("[[1]]", {4, 2}, root, problems));
  EXPECT_EQ(problems.ToError("f").message,
            "f: found 5 bytes, allowed: at most 4 bytes\n"
            "f:1: [0][0]: found more than 2 levels, allowed: at most that many levels");
}

}  // namespace
}  // namespace bi_test::config
