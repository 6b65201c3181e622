// `workset: {profile: spark, ...}` in a sweep file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "bi_test/scorer.h"
#include "bi_test/spark.h"
#include "spark/spark_workset.h"
#include "support/sweep_folder.h"

namespace bi_test {
namespace {

using test_support::SweepFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As a program that wants the profile does in its main().
const Status kRegistered = RegisterSpark();

constexpr const char* kStart = "models: [m]\nmatrix: {ctx: 4096, parallel: 4}\n";

const SparkConfig* ConfigOf(const Sweep& sweep) {
  const auto* maker = dynamic_cast<const spark::SparkMaker*>(sweep.workset_maker.get());
  return maker == nullptr ? nullptr : &maker->config();
}

TEST(SweepSparkTest, IsRegisteredOnce) {
  EXPECT_TRUE(kRegistered.ok());
  EXPECT_EQ(RegisterSpark().error().Text(),
            "RegisterScorer: found a second scorer named \"spark\", allowed: one of each name");
  EXPECT_EQ(FindScorer("spark")->version(), "2");
}

TEST(SweepSparkTest, OneKeyIsEnough) {
  const Result<Sweep> sweep =
      SweepFolder().Load(std::string(kStart) + "workset: {profile: spark}\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  ASSERT_NE(ConfigOf(*sweep), nullptr);
  EXPECT_EQ(*ConfigOf(*sweep), SparkConfig());
  EXPECT_EQ(sweep->scorer, "spark");
  EXPECT_EQ(sweep->workset.name, "spark balanced");
  EXPECT_THAT(sweep->workset.rows, IsEmpty());
  EXPECT_THAT(sweep->warnings, IsEmpty());
}

TEST(SweepSparkTest, EveryKeyArrives) {
  SweepFolder folder;
  folder.Write("texts/prose.txt", "One. Two.");
  folder.Write("texts/code.txt", " \n");
  const Result<Sweep> sweep = folder.Load(
      std::string(kStart) +
      "workset:\n  profile: spark\n  corner: long\n  families: [E4, A2]\n  position: 0.25\n"
      "  needle: adaptive\n  window: 0\n  filler: masked_repeat\n  corpus: texts\nscorer: exact\n");
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  ASSERT_NE(ConfigOf(*sweep), nullptr);
  const SparkConfig& spark = *ConfigOf(*sweep);
  EXPECT_EQ(spark.corner, "long");
  EXPECT_THAT(spark.families, ElementsAre("E4", "A2"));
  EXPECT_EQ(spark.position_millionths, 250'000);
  EXPECT_EQ(spark.needle, NeedleStrategy::kAdaptive);
  EXPECT_EQ(spark.window, 0);
  EXPECT_EQ(spark.filler, FillerVariant::kMaskedRepeat);
  EXPECT_EQ(spark.corpus, (SparkCorpus{"One. Two.", "", " \n"}));
  EXPECT_EQ(sweep->scorer, "exact") << "said in the file";
}

TEST(SweepSparkTest, TheSampleIsAWholeSweep) {
  SweepFolder folder;
  for (const char* name : {"coder-a.gguf", "dense-small.gguf"}) folder.Write(name, "weights");
  const Result<Sweep> sweep = LoadSweep(BI_TEST_SOURCE_DIR "/samples/spark/cells.yaml", folder.env);
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  EXPECT_EQ(sweep->cells.size(), 6U);
  EXPECT_EQ(sweep->dense_baseline, "dense-small");
  EXPECT_EQ(sweep->models[0].path, folder.path() / "coder-a.gguf");
}

TEST(SweepSparkTest, OtherWorkSetsHaveNone) {
  const Result<Sweep> sweep = SweepFolder().LoadWith("");
  ASSERT_TRUE(sweep.ok());
  EXPECT_EQ(sweep->workset_maker, nullptr);
}

struct Mistake {
  const char* name;
  const char* workset;
  const char* error;
};

void PrintTo(const Mistake& test, std::ostream* out) { *out << test.name; }

class SparkMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(SparkMistake, IsReported) {
  SweepFolder folder;
  folder.Write("bytes/prose.txt", "\xff");
  folder.Write("work.json", R"([{"item": "q", "family": "A4", "expected_answer": "many"}, "q"])");
  EXPECT_EQ(folder.LoadError(std::string(kStart) + GetParam().workset), GetParam().error);
}

const Mistake kMistakes[] = {
    {"Profile", "workset: {profile: sparks}",
     "DIR/cells.yaml:3: workset.profile: found \"sparks\", allowed: spark"},
    {"ProfileAndFile", "workset: {profile: spark, file: a.json}",
     "DIR/cells.yaml:3: workset.file: found an unknown key, allowed: profile, corner, families, "
     "position, needle, window, filler, corpus (did you mean \"filler\"?)"},
    {"Corner", "workset: {profile: spark, corner: round}",
     "DIR/cells.yaml:3: workset.corner: found \"round\", allowed: balanced, short, long"},
    {"Family", "workset: {profile: spark, families: [A2, A3]}",
     "DIR/cells.yaml:3: workset.families[1]: found \"A3\", allowed: a list of different families "
     "of A2, "
     "A4, B1, C1, D1, E1, E2, E3, E4, E5"},
    {"FamilyTwice", "workset: {profile: spark, families: [A2, A2]}",
     "DIR/cells.yaml:3: workset.families[1]: found \"A2\", allowed: a list of different families "
     "of A2, "
     "A4, B1, C1, D1, E1, E2, E3, E4, E5"},
    {"NoFamilies", "workset: {profile: spark, families: []}",
     "DIR/cells.yaml:3: workset.families: found an empty list, allowed: a list of different "
     "families of "
     "A2, A4, B1, C1, D1, E1, E2, E3, E4, E5"},
    {"Position", "workset: {profile: spark, position: .nan}",
     "DIR/cells.yaml:3: workset.position: found \".nan\", allowed: a number from 0 to 1"},
    {"PositionBeyond", "workset: {profile: spark, position: 1.5}",
     "DIR/cells.yaml:3: workset.position: found \"1.5\", allowed: a number from 0 to 1"},
    {"Needle", "workset: {profile: spark, needle: moving}",
     "DIR/cells.yaml:3: workset.needle: found \"moving\", allowed: fixed, jitter, adaptive"},
    {"Window", "workset: {profile: spark, window: -1}",
     "DIR/cells.yaml:3: workset.window: found \"-1\", allowed: an integer from 0 to 16777216"},
    {"Filler", "workset: {profile: spark, filler: lorem}",
     "DIR/cells.yaml:3: workset.filler: found \"lorem\", allowed: coherent, whitespace, "
     "masked_repeat"},
    {"CorpusWithoutTexts", "workset: {profile: spark, corpus: nowhere}",
     "DIR/cells.yaml:3: workset.corpus: found \"DIR/nowhere\", allowed: a folder with one or more "
     "of "
     "prose.txt, news.txt, code.txt"},
    {"CorpusNoText", "workset: {profile: spark, corpus: bytes}",
     "DIR/cells.yaml:3: workset.corpus: found DIR/bytes/prose.txt, which is no UTF-8 text, "
     "allowed: "
     "texts in UTF-8"},
    {"GoldOfAnotherType", "workset: work.json\nscorer: spark",
     "DIR/cells.yaml:3: workset: row 0: expected_answer: the expected answer of family A4 has to "
     "be an "
     "integer, or a text that is one"},
};

TEST(SweepSparkTest, TwentyWrongGoldsAreEnough) {
  std::string rows;
  for (int i = 0; i < 22; ++i) {
    rows += std::string(i == 0 ? "[" : ",") +
            R"({"item": "q", "family": "A4", "expected_answer": "many"})";
  }
  SweepFolder folder;
  folder.Write("work.json", rows + "]");
  const std::string error =
      folder.LoadError(std::string(kStart) + "workset: work.json\nscorer: spark");
  EXPECT_EQ(std::ranges::count(error, '\n'), 19);
  EXPECT_THAT(error, ::testing::HasSubstr("workset: row 19: "));
}

INSTANTIATE_TEST_SUITE_P(All, SparkMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace bi_test
