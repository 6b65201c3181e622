// Which differences are described, in which order, with whom beside them.
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::SizeIs;

[[nodiscard]] std::vector<std::pair<std::string, std::string>> Places(const Judgement& judgement) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Divergence& one : judgement.divergences) {
    out.emplace_back(
        std::string(ArmName(one.arm)).append(std::to_string(one.pass)).append(" ") + one.test_id,
        one.field);
  }
  return out;
}

TEST(SpotsTest, ScoredFieldsComeFirstThenLostRowsFaultsAndOutputs) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w00").content = "drift";
  At(record, Arm::kC, 0, "w01").failure_mode = "http_timeout";
  testing::RemoveTrials(
      record, [](const Trial& t) { return t.arm == Arm::kC && t.pass == 0 && t.test_id == "w02"; });
  At(record, Arm::kC, 1, "w03").score = 0.0;
  At(record, Arm::kB, 0, "w00").score = 0.0;
  At(record, Arm::kB, 0, "w01").failure_mode = "http_timeout";
  At(record, Arm::kA, 1, "w04").content = "drift";
  testing::RemoveTrials(record,
                        [](const Trial& t) { return t.arm == Arm::kB && t.test_id == "w05"; });
  const Judgement judgement = Judge(record);
  EXPECT_THAT(Places(judgement),
              ElementsAre(Pair("C1 w03", "score"), Pair("B0 w00", "score"),
                          Pair("C0 w02", "<missing>"), Pair("B0 w05", "<missing>"),
                          Pair("C0 w01", "failure_mode"), Pair("B0 w01", "failure_mode"),
                          Pair("C0 w00", "content"), Pair("A1 w04", "content")));
  EXPECT_EQ(judgement.n_divergences, 8);
}

TEST(SpotsTest, RepeatsAfterARestartAndAfterCAreDescribedToo) {
  Record record = CleanRecord();
  for (const auto& [arm, pass] : {std::pair(Arm::kA, 2), std::pair(Arm::kB, 1)}) {
    Trial trial = At(record, arm, 0, "w02");
    trial.pass = pass;
    trial.content = "drift";
    record.trials.push_back(trial);
  }
  EXPECT_THAT(Places(Judge(record)),
              ElementsAre(Pair("A2 w02", "content"), Pair("B1 w02", "content")));
}

TEST(SpotsTest, DescribesAsManyAsItMayAndCountsTheRest) {
  Record record = CleanRecord({300, 4, 4});
  for (Trial& trial : record.trials) {
    if (trial.arm != Arm::kA) trial.score = 0.0;
  }
  At(record, Arm::kC, 3, "w299").score = 1.0;
  At(record, Arm::kC, 3, "w299").content = "drift";
  const Judgement judgement = Judge(record);
  EXPECT_THAT(judgement.divergences, SizeIs(kMaxDivergences));
  EXPECT_EQ(judgement.n_divergences, 5 * 300);
  for (const Divergence& one : judgement.divergences) EXPECT_EQ(one.arm, Arm::kC);
}

TEST(SpotsTest, NamesNoMoreCompanionsThanItMay) {
  Record record = CleanRecord({80, 80, 1});
  At(record, Arm::kC, 0, "w00").score = 0.0;
  const Judgement judgement = Judge(record);
  ASSERT_THAT(judgement.divergences, SizeIs(1));
  EXPECT_THAT(judgement.divergences[0].companions, SizeIs(kMaxCompanions));
  EXPECT_THAT(judgement.divergences[0].observed_width, Optional(80));
}

TEST(SpotsTest, WithoutTimesAnyIdOfThePassMayBeTheDonorAndNobodyIsACompanion) {
  Record record = CleanRecord();
  Trial& trial = At(record, Arm::kC, 0, "w00");
  trial.score = 0.0;
  trial.content = "answer 07";
  trial.complete_ts.reset();
  const Judgement judgement = Judge(record);
  ASSERT_THAT(judgement.divergences, SizeIs(1));
  EXPECT_EQ(judgement.divergences[0].leak_donor, "w07");
  EXPECT_THAT(judgement.divergences[0].companions, IsEmpty());
  EXPECT_EQ(judgement.divergences[0].observed_width, std::nullopt);
  EXPECT_THAT(judgement.divergences_by_width, IsEmpty());
}

TEST(SpotsTest, ARowThatIsNoObjectIsDescribedAsSuch) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w00").malformed_row = Json(5);
  const Judgement judgement = Judge(record);
  ASSERT_THAT(judgement.divergences, SizeIs(1));
  EXPECT_EQ(judgement.divergences[0].field, "<row>");
}

}  // namespace
}  // namespace bi_test
