#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/frontier.h"

namespace bi_test::report {
namespace {

CellResult At(int n, Verdict verdict, CellState state = CellState::kRan) {
  CellResult cell;
  cell.cell = {.model = "m", .ctx = 4096, .dispatch_n = n, .kv_label = "f16"};
  cell.state = state;
  cell.verdict = verdict;
  return cell;
}

CellResult Infrastructure(int n) {
  CellResult cell = At(n, Verdict::kRed);
  cell.figures.transport_only = true;
  return cell;
}

CellResult Because(CellResult cell, const std::string& divergence_class,
                   const std::string& anomaly) {
  cell.figures.divergence_class = divergence_class;
  cell.figures.anomaly = anomaly;
  return cell;
}

struct FrontierCase {
  std::string name;
  std::vector<CellResult> cells;
  std::string want;
};

void PrintTo(const FrontierCase& test, std::ostream* out) { *out << test.name; }

class FrontierTest : public testing::TestWithParam<FrontierCase> {};

TEST_P(FrontierTest, SaysHowFarToBatch) {
  const std::vector<Frontier> frontiers = Frontiers(GetParam().cells);
  ASSERT_EQ(frontiers.size(), 1U);
  EXPECT_EQ(Describe(frontiers.front()), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, FrontierTest,
    testing::Values(
        FrontierCase{"CleanThenDirty",
                     {At(2, Verdict::kGreen), At(4, Verdict::kGreen), At(8, Verdict::kRed)},
                     "clean up to N=4, dirty from N=8, nothing known of N=5..7"},
        FrontierCase{"NeighboursLeaveNothingOpen",
                     {At(2, Verdict::kGreen), At(3, Verdict::kRed)},
                     "clean up to N=2, dirty from N=3"},
        FrontierCase{"OneOpen",
                     {At(2, Verdict::kGreen), At(4, Verdict::kRed)},
                     "clean up to N=2, dirty from N=4, nothing known of N=3"},
        FrontierCase{"OrderOfCellsDoesNotMatter",
                     {At(8, Verdict::kRed), At(4, Verdict::kGreen), At(2, Verdict::kGreen)},
                     "clean up to N=4, dirty from N=8, nothing known of N=5..7"},
        FrontierCase{"AllClean",
                     {At(2, Verdict::kGreen), At(8, Verdict::kGreen)},
                     "clean up to N=8, no dirty N seen"},
        FrontierCase{"AllDirty",
                     {At(4, Verdict::kRed), At(8, Verdict::kAmber)},
                     "no clean N, dirty from N=4, nothing known of N=2..3"},
        FrontierCase{"AmberIsDirty", {At(2, Verdict::kAmber)}, "no clean N, dirty from N=2"},
        FrontierCase{"UnverifiedSaysNothing",
                     {At(2, Verdict::kGreen), At(4, Verdict::kUnverified), At(8, Verdict::kRed)},
                     "clean up to N=2, dirty from N=8, nothing known of N=3..7"},
        FrontierCase{"TransportFaultsSayNothing",
                     {At(2, Verdict::kGreen), Infrastructure(4)},
                     "clean up to N=2, no dirty N seen"},
        FrontierCase{
            "AWaveringBaselineSaysNothing",
            {At(2, Verdict::kGreen), Because(At(4, Verdict::kRed), "harness_nondeterminism", "")},
            "clean up to N=2, no dirty N seen"},
        FrontierCase{
            "OtherRequestsSayNothing",
            {At(2, Verdict::kGreen), Because(At(4, Verdict::kRed), "request_mismatch", "")},
            "clean up to N=2, no dirty N seen"},
        FrontierCase{
            "IdsThatCouldNotBeComparedSayNothing",
            {At(2, Verdict::kGreen), Because(At(4, Verdict::kAmber), "", "uncertified_ids")},
            "clean up to N=2, no dirty N seen"},
        FrontierCase{"ErrorsSayNothing",
                     {At(2, Verdict::kGreen, CellState::kError), At(4, Verdict::kGreen)},
                     "clean up to N=4, no dirty N seen"},
        FrontierCase{
            "LuckAboveADirtyN",
            {At(2, Verdict::kGreen), At(4, Verdict::kRed), At(8, Verdict::kGreen)},
            "clean up to N=2, dirty from N=4, nothing known of N=3; GREEN above it at N=8 (do "
            "not rely on it)"},
        FrontierCase{"ADirtyRunOutweighsACleanOneOfTheSameN",
                     {At(4, Verdict::kRed), At(4, Verdict::kGreen)},
                     "no clean N, dirty from N=4, nothing known of N=2..3"},
        FrontierCase{"NothingRan",
                     {At(2, Verdict::kUnverified, CellState::kNotRun)},
                     "no clean N, no dirty N seen"}),
    [](const testing::TestParamInfo<FrontierCase>& test) { return test.param.name; });

TEST(FrontiersTest, KeepsModelsContextsAndKvTypesApart) {
  std::vector<CellResult> cells(4, At(2, Verdict::kGreen));
  cells[1].cell.ctx = 8192;
  cells[2].cell.model = "other";
  cells[3].cell.kv_label = "q8_0";
  EXPECT_EQ(Frontiers(cells).size(), 4U);
}

}  // namespace
}  // namespace bi_test::report
