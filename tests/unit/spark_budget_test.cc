// How a prompt gets its length: the counter decides, not an estimate.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "spark/budget.h"

namespace bi_test::spark {
namespace {

TEST(SparkBudget, SizesOfTheProfile) {
  EXPECT_EQ(NominalTokens(8192, 85), 6963);
  EXPECT_EQ(NominalTokens(8192, 10), 819);
  EXPECT_EQ(NominalTokens(2048, 97), 1987);
  EXPECT_EQ(NominalTokens(1, 5), 1);
  EXPECT_EQ((Budget{819, 8000}.tolerance()), 25);
  EXPECT_EQ((Budget{10, 8000}.tolerance()), 1);
  EXPECT_EQ((Budget{819, 100}.target()), 100);
}

TEST(SparkBudget, TheEstimateIsRoundedUp) {
  EXPECT_EQ(EstimatedTokens(""), 0);
  EXPECT_EQ(EstimatedTokens("a"), 1);
  EXPECT_EQ(EstimatedTokens(std::string(36, 'a')), 10);
  EXPECT_EQ(EstimatedTokens(std::string(37, 'a')), 11);
}

/// Prompts of `bare` bytes and the filler; a counter of so many bytes a token.
struct World {
  std::int64_t bare = 100;
  double bytes_per_token = 4.0;
  int probes = 0;
  int fails_at = -1;

  std::optional<FitFailure> Fit(const Budget& budget, FittedPrompt& out) {
    return FitPrompt(
        budget,
        [this](std::size_t bytes) -> Result<std::string> {
          return std::string(static_cast<std::size_t>(bare) + bytes, 'x');
        },
        [this](std::string_view text) -> std::optional<std::int64_t> {
          if (++probes == fails_at) return std::nullopt;
          return static_cast<std::int64_t>(static_cast<double>(text.size()) / bytes_per_token);
        },
        out);
  }
};

struct FitCase {
  const char* name;
  double bytes_per_token;
  Budget budget;
  std::int64_t target;
  bool capped;
};

void PrintTo(const FitCase& test, std::ostream* out) { *out << test.name; }

class SparkFit : public ::testing::TestWithParam<FitCase> {};

TEST_P(SparkFit, EndsWithinTheToleranceAndTheCap) {
  const FitCase& test = GetParam();
  World world;
  world.bytes_per_token = test.bytes_per_token;
  FittedPrompt fitted;
  ASSERT_FALSE(world.Fit(test.budget, fitted).has_value());
  EXPECT_LE(std::abs(fitted.tokens - test.target), test.budget.tolerance());
  EXPECT_LE(fitted.tokens, test.budget.cap);
  EXPECT_EQ(fitted.capped, test.capped);
  EXPECT_LE(world.probes, 1 + 5 + 12);
}

const FitCase kFits[] = {
    {"FourBytesAToken", 4.0, {819, 8000}, 819, false},
    {"OneByteAToken", 1.0, {819, 8000}, 819, false},
    {"LongTokens", 9.0, {6963, 8000}, 6963, false},
    {"NoRoomAboveTheCap", 4.0, {1987, 1856}, 1856, true},
    {"JustAtTheCap", 4.0, {1856, 1856}, 1856, true},
    {"WellBelowTheCap", 4.0, {1700, 1856}, 1700, false},
    {"ToleranceWouldPassTheCap", 4.0, {1850, 1856}, 1850, true},
    {"Tiny", 4.0, {40, 8000}, 40, false},
};

INSTANTIATE_TEST_SUITE_P(All, SparkFit, ::testing::ValuesIn(kFits),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SparkFitFault, AQuestionLongerThanItsFill) {
  World world;
  FittedPrompt fitted;
  const auto failure = world.Fit({20, 8000}, fitted);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->fault, FitFault::kTooLong);
  EXPECT_EQ(failure->tokens, 25);
}

TEST(SparkFitFault, ACounterThatFailsAtAnyTime) {
  for (const int at : {1, 2, 3}) {
    World world;
    world.bytes_per_token = 2.0;
    world.fails_at = at;
    FittedPrompt fitted;
    const auto failure = world.Fit({1000, 8000}, fitted);
    // With this counter the third probe is the first guess, and good.
    ASSERT_TRUE(failure.has_value()) << at;
    EXPECT_EQ(failure->fault, FitFault::kUncountable);
  }
}

TEST(SparkFitFault, NoTokensAreNoCount) {
  for (const std::int64_t tokens : {0, -1}) {
    FittedPrompt fitted;
    const auto failure = FitPrompt(
        {1000, 8000}, [](std::size_t) -> Result<std::string> { return std::string("x"); },
        [tokens](std::string_view) { return std::optional<std::int64_t>(tokens); }, fitted);
    ASSERT_TRUE(failure.has_value()) << tokens;
    EXPECT_EQ(failure->fault, FitFault::kUncountable);
  }
}

TEST(SparkFitFault, ACounterWithoutSenseEndsTheSearchAnyway) {
  int calls = 0;
  FittedPrompt fitted;
  const auto failure = FitPrompt(
      {1000, 8000}, [](std::size_t) -> Result<std::string> { return std::string("x"); },
      [&calls](std::string_view) {
        return std::optional<std::int64_t>(++calls % 2 == 0 ? 5000 : 3);
      },
      fitted);
  EXPECT_FALSE(failure.has_value());
  EXPECT_LE(calls, 18);
}

TEST(SparkFitFault, FillerThatCountsForNothingIsTakenAsItIs) {
  FittedPrompt fitted;
  int calls = 0;
  const auto failure = FitPrompt(
      {1000, 8000}, [](std::size_t) -> Result<std::string> { return std::string("x"); },
      [&calls](std::string_view) { return ++calls, std::optional<std::int64_t>(7); }, fitted);
  EXPECT_FALSE(failure.has_value());
  EXPECT_EQ(fitted.tokens, 7);
  EXPECT_LE(calls, 6);
}

TEST(SparkFitFault, AnErrorOfTheBuilderIsHandedOn) {
  FittedPrompt fitted;
  const auto failure = FitPrompt(
      {1000, 8000},
      [](std::size_t) -> Result<std::string> {
        return Error{ErrorCode::kUsage, "no", "x"};
      },
      [](std::string_view) { return std::optional<std::int64_t>(7); }, fitted);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->fault, FitFault::kBuilder);
  EXPECT_EQ(failure->error.Text(), "x: no");
}

}  // namespace
}  // namespace bi_test::spark
