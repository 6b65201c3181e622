// The parts of the work-sets that are made with the server of a cell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "run/fragile_workset.h"
#include "run/lengths_workset.h"

namespace bi_test::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct FlagsCase {
  const char* name;
  std::vector<std::string> flags;
  std::vector<int> sizes;
};
std::ostream& operator<<(std::ostream& out, const FlagsCase& test) { return out << test.name; }

class BatchSizesOf : public ::testing::TestWithParam<FlagsCase> {};

TEST_P(BatchSizesOf, Flags) { EXPECT_EQ(BatchSizes(GetParam().flags), GetParam().sizes); }

INSTANTIATE_TEST_SUITE_P(
    Flags, BatchSizesOf,
    ::testing::Values(FlagsCase{"None", {"-fa", "on"}, {}},
                      FlagsCase{"Both", {"-b", "256", "-fa", "on", "-ub", "64"}, {256, 64}},
                      FlagsCase{"Long", {"--batch-size=128", "--ubatch-size", "32"}, {128, 32}},
                      FlagsCase{"Vllm", {"--max-num-batched-tokens", "4096"}, {4096}},
                      FlagsCase{"NoValue", {"-ub"}, {}},
                      FlagsCase{"NoNumber", {"-ub", "many", "-b", "12x"}, {}},
                      FlagsCase{"TooSmall", {"-ub", "2", "-b", "-7"}, {}},
                      FlagsCase{"TooLarge", {"-ub", "99999999999"}, {}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(MostFragileRows, HaveTheSmallestMarginsAndKeepTheirOrder) {
  const std::vector<std::optional<double>> margins = {0.5, 0.1, std::nullopt, 0.3, 0.1, 0.0};
  EXPECT_THAT(MostFragile(margins, 3), ElementsAre(1, 4, 5));
  EXPECT_THAT(MostFragile(margins, 2), ElementsAre(1, 5)) << "the first of equals";
  EXPECT_THAT(MostFragile(margins, 5), ElementsAre(0, 1, 3, 4, 5)) << "one without comes last";
  EXPECT_THAT(MostFragile(margins, 99), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(MostFragile(margins, 0), IsEmpty());
  EXPECT_THAT(MostFragile({}, 3), IsEmpty());
}

}  // namespace
}  // namespace bi_test::run
