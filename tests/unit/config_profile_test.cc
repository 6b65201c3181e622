// Work-sets whose rows are made for each cell: `workset: {profile: NAME}`, and the items of such
// rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/sweep/workset_profile.h"
#include "config/worksets/items.h"
#include "support/sweep_folder.h"

namespace bi_test {
namespace {

using test_support::SweepFolder;
using ::testing::ElementsAre;

constexpr const char* kStart = "models: [m]\nmatrix: {ctx: 4096, parallel: 4}\n";

// This program links no component, as that of most users.
TEST(SweepProfileTest, SparkIsAComponentAndTheErrorSaysHowToGetIt) {
  EXPECT_EQ(
      SweepFolder().LoadError(std::string(kStart) + "workset: {profile: spark}\n"),
      "DIR/cells.yaml:3: workset.profile: found \"spark\", allowed: none, for this program has "
      "no profile; spark is the component bi_test::spark: build bi_test with "
      "-DBI_TEST_SPARK=ON, and in a program of your own link it and call "
      "bi_test::RegisterSpark() first (docs/spark.md)");
}

TEST(SweepProfileTest, CellsCanBeNamedWithoutTheProfile) {
  SweepFolder folder;
  folder.Write("cells.yaml", std::string(kStart) + "workset: {profile: spark}\n");
  const Result<Sweep> sweep = LoadSweep(folder.path() / "cells.yaml", folder.env, SweepUse::kLook);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->cells.size(), 1U);
}

TEST(SweepProfileTest, ARegisteredOneReadsItsSection) {
  const auto read = [](const config::SweepReader& reader, const config::YamlNode& node) {
    reader.sweep.workset.name = "mine of line " + std::to_string(node.line);
  };
  EXPECT_TRUE(config::RegisterProfile({"mine", read}).ok());
  EXPECT_EQ(config::RegisterProfile({"mine", read}).error().Text(),
            "RegisterProfile: found a second profile named \"mine\", allowed: one of each name");
  const Result<Sweep> sweep =
      SweepFolder().Load(std::string(kStart) + "workset: {profile: mine}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->workset.name, "mine of line 3");
}

TEST(ItemsOfGeneratedRows, RepetitionsHavePromptsOfTheirOwn) {
  Workset workset;
  workset.reps_in_rows = 2;
  for (const char* prompt : {"a0", "a1", "b0", "b1"}) {
    WorksetRow row;
    row.prompt = prompt;
    row.family = std::string(1, prompt[0]);
    workset.rows.push_back(row);
  }
  const Result<std::vector<config::Item>> items = config::ExpandItems(workset, "m", 2048, 2);
  ASSERT_TRUE(items.ok()) << items.error().Text();
  std::vector<std::string> shown;
  for (const config::Item& item : *items) {
    shown.push_back(item.test_id + " " + item.prompt + " " + std::to_string(item.row));
  }
  EXPECT_THAT(
      shown, ElementsAre("m|2048|a|0.333333|0|fill0.00 a0 0", "m|2048|a|0.333333|1|fill0.00 a1 1",
                         "m|2048|b|0.666667|0|fill0.00 b0 2", "m|2048|b|0.666667|1|fill0.00 b1 3"));
  const auto wrong = config::ExpandItems(workset, "m", 2048, 3);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().Text(), "reps: found 3, allowed: 2, for which the rows were made");
}

}  // namespace
}  // namespace bi_test
