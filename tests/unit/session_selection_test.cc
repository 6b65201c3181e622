#include "session/cell_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/name_match.h"

namespace bi_test::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Sweep MakeSweep() {
  Sweep sweep;
  sweep.file = "cells.yaml";
  int line = 10;
  for (const char* model : {"phi-4", "qwen2.5-7b", "qwen3"}) {
    for (const int ctx : {4096, 8192}) {
      for (const int n : {2, 4}) {
        SweepCell cell;
        cell.cell = {model, ctx, n};
        cell.test_name = std::string(model) + "_" + std::to_string(ctx) + "_" + std::to_string(n);
        cell.location = {"cells.yaml", line++};
        sweep.cells.push_back(cell);
      }
    }
  }
  return sweep;
}

std::vector<std::string> Names(const CellSelection& selection) {
  std::vector<std::string> names;
  for (const SweepCell& cell : selection.cells) names.push_back(cell.test_name);
  return names;
}

TEST(CellSelectionTest, NoFilterTakesAllInOrder) {
  const CellSelection selection = SelectCells(MakeSweep(), {}, "--bi_test_");
  EXPECT_THAT(selection.errors, IsEmpty());
  EXPECT_EQ(selection.cells.size(), 12u);
  EXPECT_EQ(selection.cells.front().test_name, "phi-4_4096_2");
}

TEST(CellSelectionTest, AllFiltersMustMatch) {
  CellFilter flags;
  flags.models = {"qwen*"};
  flags.ctx = {8192};
  flags.parallel = {4, 2};
  const CellSelection selection = SelectCells(MakeSweep(), flags, "--bi_test_");
  EXPECT_THAT(selection.errors, IsEmpty());
  EXPECT_THAT(Names(selection), ElementsAre("qwen2.5-7b_8192_2", "qwen2.5-7b_8192_4",
                                            "qwen3_8192_2", "qwen3_8192_4"));
}

TEST(CellSelectionTest, AnUnknownModelIsAnErrorWithNearNames) {
  CellFilter flags;
  flags.models = {"phi4"};
  EXPECT_THAT(SelectCells(MakeSweep(), flags, "--bi_test_").errors,
              ElementsAre("--bi_test_model: \"phi4\" matches no cell of cells.yaml (did you mean "
                          "phi-4?). It has: phi-4, qwen2.5-7b, qwen3"));
}

TEST(CellSelectionTest, AValueThatMatchesNothingIsAnErrorBesideOneThatDoes) {
  CellFilter flags;
  flags.ctx = {4096, 555};
  const CellSelection selection = SelectCells(MakeSweep(), flags, "--bi_test_");
  EXPECT_EQ(selection.cells.size(), 6u);
  EXPECT_THAT(
      selection.errors,
      ElementsAre("--bi_test_ctx: \"555\" matches no cell of cells.yaml. It has: 4096, 8192"));
}

TEST(CellSelectionTest, FiltersThatExcludeEachOtherAreAnError) {
  Sweep sweep = MakeSweep();
  std::erase_if(sweep.cells, [](const SweepCell& cell) {
    return cell.cell.model != "phi-4" && cell.cell.ctx == 8192;
  });
  CellFilter flags;
  flags.models = {"qwen3"};
  flags.ctx = {8192};
  EXPECT_THAT(SelectCells(sweep, flags, "--bi_test_").errors,
              ElementsAre("no cell of cells.yaml matches all filters together. It has: "
                          "phi-4_4096_2, phi-4_4096_4, phi-4_8192_2, phi-4_8192_4, "
                          "qwen2.5-7b_4096_2, qwen2.5-7b_4096_4, qwen3_4096_2, qwen3_4096_4"));
}

TEST(CellSelectionTest, LongListsAreCut) {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("Cells.c" + std::to_string(i));
  EXPECT_EQ(NoTestSelected("zzzzzzzz", names),
            "--gtest_filter=zzzzzzzz selects no test\nthere are: Cells.c0, Cells.c1, Cells.c2, "
            "Cells.c3, Cells.c4, Cells.c5, Cells.c6, Cells.c7, Cells.c8, Cells.c9, Cells.c10, "
            "Cells.c11 and 18 more");
}

TEST(CellSelectionTest, ADashInAGtestFilterIsExplained) {
  EXPECT_EQ(NoTestSelected("Cells.phi-4", {"Cells.phi_4"}),
            "--gtest_filter=Cells.phi-4 selects no test (did you mean Cells.phi_4?)\nnote: the "
            "first '-' of a filter begins its negative part; names of cells hold none\nthere are: "
            "Cells.phi_4");
}

struct FilterCase {
  const char* name;
  const char* filter;
  bool selects;  ///< `Cells.phi__n4`
};

class GtestFilterTest : public testing::TestWithParam<FilterCase> {};

TEST_P(GtestFilterTest, SelectsAsGtestDoes) {
  EXPECT_EQ(config::MatchesGtestFilter("Cells.phi__n4", GetParam().filter), GetParam().selects);
}

INSTANTIATE_TEST_SUITE_P(
    Filters, GtestFilterTest,
    testing::Values(FilterCase{"Everything", "*", true}, FilterCase{"Nothing", "", true},
                    FilterCase{"Exact", "Cells.phi__n4", true},
                    FilterCase{"PartIsNotEnough", "Cells.phi", false},
                    FilterCase{"Star", "Cells.*n4", true}, FilterCase{"TwoStars", "*phi*", true},
                    FilterCase{"StarThatMustGoBack", "*__*4", true},
                    FilterCase{"Question", "Cells.phi__n?", true},
                    FilterCase{"QuestionNeedsACharacter", "Cells.phi__n4?", false},
                    FilterCase{"SecondPattern", "X.*:Cells.*", true},
                    FilterCase{"Negative", "*-Cells.*", false},
                    FilterCase{"OnlyNegative", "-X.*", true},
                    FilterCase{"SecondNegative", "*-X.*:*n4", false},
                    FilterCase{"DashInAName", "Cells.phi-4*", false},
                    FilterCase{"EmptyPatterns", "::Cells.*:", true}),
    [](const testing::TestParamInfo<FilterCase>& param_info) {
      return std::string(param_info.param.name);
    });

TEST(WildcardTest, ManyStarsStayCheap) {
  const std::string text(20'000, 'a');
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  EXPECT_FALSE(config::MatchesWildcard(text, pattern + "b"));
}

}  // namespace
}  // namespace bi_test::session
