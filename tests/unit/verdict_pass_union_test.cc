// Union over passes: cases 141 to 149.
#include "verdict/pass_union.h"

#include <gmock/gmock.h>

#include <cmath>
#include <optional>

#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class PassUnionTest : public ::testing::Test {
 protected:
  /// Five ids, three passes, all equal.
  Record record_ = testing::CleanRecord({5, 4, 3});

  [[nodiscard]] PassUnion Fold() {
    index_ = BuildIndex(record_);
    return BuildUnion(index_, RowComparer(Policy{}));
  }
  [[nodiscard]] const Trial* Representative(const PassUnion& folded, std::string_view id) const {
    for (const Row& row : folded.rows) {
      if (index_.ids[row.id] == id) return row.trial;
    }
    return nullptr;
  }
  Trial& C(int pass, std::string_view id) { return At(record_, Arm::kC, pass, id); }

  RecordIndex index_;
};

TEST_F(PassUnionTest, NoPassesGiveNothing) {
  testing::RemoveTrials(record_, [](const Trial& t) { return t.arm == Arm::kC; });
  EXPECT_THAT(Fold().rows, IsEmpty()) << "case 141";
}

TEST_F(PassUnionTest, OnePassIsReturnedAsItIs) {
  testing::RemoveTrials(record_, [](const Trial& t) { return t.arm == Arm::kC && t.pass > 0; });
  const PassUnion folded = Fold();
  ASSERT_THAT(folded.rows, SizeIs(5)) << "case 142";
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(folded.rows[i].trial, index_.passes[0][i].trial);
  }
}

TEST_F(PassUnionTest, APassWithoutRowsLosesEveryId) {
  testing::RemoveTrials(record_, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 1; });
  const PassUnion folded = Fold();
  EXPECT_THAT(folded.rows, IsEmpty()) << "case 143";
  EXPECT_THAT(folded.divergent, ElementsAre(0, 5, 0));
  EXPECT_THAT(folded.missing, ElementsAre(0, 5, 0));
}

TEST_F(PassUnionTest, AnIdMissingInOnePassIsLeftOut) {
  testing::RemoveTrials(record_, [](const Trial& t) {
    return t.arm == Arm::kC && t.pass == 1 && t.test_id == "w02";
  });
  const PassUnion folded = Fold();
  EXPECT_EQ(Representative(folded, "w02"), nullptr) << "case 144";
  EXPECT_THAT(folded.rows, SizeIs(4));
}

TEST_F(PassUnionTest, AnExtraIdOfOnePassIsKept) {
  Trial extra = C(1, "w00");
  extra.test_id = "z";
  record_.trials.push_back(extra);
  const PassUnion folded = Fold();
  EXPECT_NE(Representative(folded, "z"), nullptr) << "case 145";
  EXPECT_THAT(folded.divergent, ElementsAre(0, 1, 0));
}

TEST_F(PassUnionTest, TheFirstDivergentPassRepresents) {
  C(1, "w00").score = 0.25;
  C(2, "w00").score = 0.5;
  EXPECT_EQ(Representative(Fold(), "w00")->score, Json(0.25)) << "case 146";
}

TEST_F(PassUnionTest, TheFirstDriftRepresentsWhenScoresAgree) {
  C(1, "w00").content = "w1";
  C(2, "w00").content = "w2";
  EXPECT_EQ(Representative(Fold(), "w00")->content, Json("w1")) << "case 147";
}

TEST_F(PassUnionTest, AScoreDivergenceWinsOverAnEarlierDrift) {
  C(0, "w00").content = "drift";
  C(1, "w00").score = 0.0;
  const PassUnion folded = Fold();
  EXPECT_EQ(Representative(folded, "w00")->pass, 1) << "case 148";
  EXPECT_THAT(folded.divergent, ElementsAre(0, 1, 0)) << "case 149";
  EXPECT_THAT(folded.token_only, ElementsAre(1, 0, 0)) << "case 149";
}

TEST_F(PassUnionTest, OfEqualOutputsTheFarthestLogprobsRepresent) {
  const auto logprobs = [&](int pass, std::optional<std::vector<double>> values) {
    C(pass, "w00").logprobs = std::move(values);
  };
  At(record_, Arm::kA, 0, "w00").logprobs = {-1.0, -2.0};
  struct Case {
    const char* name;
    std::optional<std::vector<double>> passes[3];
    int representative;
  };
  const std::vector<double> same{-1.0, -2.0};
  const Case cases[] = {
      {"all as serial", {same, same, same}, 0},
      {"the second pass", {same, {{-1.0, -2.5}}, same}, 1},
      {"the last pass, the last bit", {same, same, {{-1.0, std::nextafter(-2.0, 0.0)}}}, 2},
      {"the larger of two", {same, {{-1.1, -2.0}}, {{-1.0, -2.2}}}, 2},
      {"the first of two as large", {same, {{-1.5, -2.0}}, {{-0.5, -2.0}}}, 1},
      {"none given", {same, same, std::nullopt}, 2},
      {"minus infinity", {same, {{-9999.0, -2.0}}, same}, 1},
      {"none given before any size", {{{-1.0, -7.0}}, std::nullopt, same}, 1}};
  for (const Case& c : cases) {
    for (int pass = 0; pass < 3; ++pass) logprobs(pass, c.passes[pass]);
    EXPECT_EQ(Representative(Fold(), "w00")->pass, c.representative) << c.name;
  }
  C(0, "w00").logprob_sum = -3.0;
  C(1, "w00").logprob_sum = -3.5;
  At(record_, Arm::kA, 0, "w00").logprob_sum = -3.0;
  for (int pass = 0; pass < 3; ++pass) logprobs(pass, same);
  EXPECT_EQ(Representative(Fold(), "w00")->pass, 1) << "a scalar";
  C(0, "w00").content = "other";
  EXPECT_EQ(Representative(Fold(), "w00")->pass, 0) << "another output comes first";
}

TEST_F(PassUnionTest, EveryDifferenceIsListedWithItsKind) {
  C(0, "w00").content = "drift";
  C(1, "w01").score = 0.0;
  C(2, "w02").failure_mode = "http_5xx";
  testing::RemoveTrials(record_, [](const Trial& t) {
    return t.arm == Arm::kC && t.pass == 2 && t.test_id == "w03";
  });
  std::vector<std::tuple<std::uint32_t, int, DifferenceKind>> found;
  for (const PassDifference& one : Fold().differences) {
    found.emplace_back(one.id, one.pass, one.kind);
  }
  EXPECT_THAT(found, ElementsAre(std::tuple(0U, 0, DifferenceKind::kOutput),
                                 std::tuple(1U, 1, DifferenceKind::kField),
                                 std::tuple(2U, 2, DifferenceKind::kFault),
                                 std::tuple(3U, 2, DifferenceKind::kMissing)));
}

TEST_F(PassUnionTest, AnIdOfArmBAloneIsNoPartOfTheUnion) {
  Trial extra = At(record_, Arm::kB, 0, "w00");
  extra.test_id = "z";
  record_.trials.push_back(extra);
  const PassUnion folded = Fold();
  EXPECT_EQ(Representative(folded, "z"), nullptr);
  EXPECT_THAT(folded.differences, IsEmpty());
}

TEST_F(PassUnionTest, OfAnUnknownIdTheFirstRowThatSaysAnythingRepresents) {
  Trial empty;
  empty.arm = Arm::kC;
  empty.test_id = "z";
  record_.trials.push_back(empty);
  EXPECT_EQ(Representative(Fold(), "z")->pass, 0) << "an empty row is a row";
  for (const int pass : {1, 2}) {
    Trial row = C(pass, "w00");
    row.test_id = "z";
    record_.trials.push_back(row);
  }
  const PassUnion folded = Fold();
  EXPECT_EQ(Representative(folded, "z")->pass, 1);
  EXPECT_THAT(folded.divergent, ElementsAre(1, 1, 1));
}

TEST_F(PassUnionTest, DistinctOutputsTellTokensAndDisplayFormsApart) {
  for (Trial& trial : record_.trials) {
    if (trial.test_id != "w00") continue;
    trial.content = Json();
    trial.token_ids.reset();
    trial.response_first_200 = trial.arm == Arm::kC && trial.pass == 1 ? "b" : "a";
  }
  C(2, "w01").token_ids = {{1}};
  testing::RemoveTrials(record_, [](const Trial& t) {
    return t.arm == Arm::kC && t.pass == 0 && t.test_id == "w01";
  });
  EXPECT_THAT(Fold().distinct_outputs, ElementsAre(Pair("w00", 2), Pair("w01", 2)));
}

TEST_F(PassUnionTest, DistinctOutputsIncludeTheSerialOne) {
  for (int pass = 0; pass < 3; ++pass) {
    C(pass, "w00").content = std::to_string(pass);
    C(pass, "w01").content = "same for all";
  }
  C(1, "w02").failure_mode = "http_timeout";
  C(1, "w02").content = Json();
  EXPECT_THAT(Fold().distinct_outputs, ElementsAre(Pair("w00", 4), Pair("w01", 2)));
}

}  // namespace
}  // namespace bi_test
