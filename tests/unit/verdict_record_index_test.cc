// A record sorted once.
#include "verdict/record_index.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

[[nodiscard]] Record WithIds(const std::vector<std::string>& ids) {
  Record record;
  for (const std::string& id : ids) {
    Trial trial;
    trial.test_id = id;
    record.trials.push_back(trial);
  }
  return record;
}

TEST(RecordIndexTest, IdsAreSortedByCodePoint) {
  const Record record = WithIds({"t10", "t2", "Z", "z", "\u00e9"});
  EXPECT_THAT(BuildIndex(record).ids, ElementsAre("Z", "t10", "t2", "z", "\u00e9")) << "case 35";
}

TEST(RecordIndexTest, IdsThatAreAPrefixOfOthersComeFirst) {
  const Record record =
      WithIds({"w000000001x", "w00000000", "w000000001", "w", "", "w00000000\x01"});
  EXPECT_THAT(BuildIndex(record).ids,
              ElementsAre("", "w", "w00000000", "w00000000\x01", "w000000001", "w000000001x"));
}

TEST(RecordIndexTest, IdsThatEndInZeroBytesAreToldApart) {
  const Record record = WithIds({std::string("a\0", 2), "a", std::string("a\0\0", 3)});
  EXPECT_THAT(BuildIndex(record).ids,
              ElementsAre("a", std::string("a\0", 2), std::string("a\0\0", 3)));
}

TEST(RecordIndexTest, TrialsGoToTheirArms) {
  Record record = testing::CleanRecord({5, 4, 3});
  for (const auto& [arm, pass] : {std::pair(Arm::kA, 2), std::pair(Arm::kB, 1)}) {
    record.trials.push_back(testing::MakeTrial(arm, pass, 1, 0.0, 1.0));
  }
  std::reverse(record.trials.begin(), record.trials.end());
  const RecordIndex index = BuildIndex(record);
  EXPECT_THAT(index.a, SizeIs(5));
  EXPECT_THAT(index.a2, SizeIs(5));
  EXPECT_THAT(index.a3, SizeIs(1));
  EXPECT_THAT(index.b, SizeIs(5));
  EXPECT_THAT(index.b2, SizeIs(1));
  ASSERT_THAT(index.passes, SizeIs(3));
  for (const RowMap& pass : index.passes) EXPECT_THAT(pass, SizeIs(5));
  EXPECT_EQ(FindRow(index.b2, 1)->arm, Arm::kB);
  EXPECT_EQ(FindRow(index.b2, 0), nullptr);
  EXPECT_THAT(index.problems, IsEmpty());
}

TEST(RecordIndexTest, PlacesThatDoNotExistAreProblems) {
  for (const auto& [arm, pass] :
       {std::pair(Arm::kA, 3), std::pair(Arm::kA, -1), std::pair(Arm::kB, 2),
        std::pair(Arm::kC, -1), std::pair(Arm::kC, kMaxPasses)}) {
    Record record;
    record.trials.push_back(testing::MakeTrial(arm, pass, 1, 0.0, 1.0));
    const RecordIndex index = BuildIndex(record);
    EXPECT_THAT(index.problems, ElementsAre(HasSubstr("no such arm and pass")));
  }
}

TEST(RecordIndexTest, OfTwoRowsOfOneIdTheChoiceDoesNotDependOnTheirOrder) {
  const Trial first = testing::MakeTrial(Arm::kC, 0, 1, 0.0, 1.0);
  const struct {
    const char* name;
    std::function<void(Trial&)> change;
  } cases[] = {
      {"score", [](Trial& t) { t.score = 0.0; }},
      {"output", [](Trial& t) { t.content = "other"; }},
      {"row", [](Trial& t) { t.malformed_row = Json("x"); }},
      {"time", [](Trial& t) { t.dispatch_ts = 9.0; }},
      {"no time", [](Trial& t) { t.dispatch_ts.reset(); }},
  };
  for (const auto& one : cases) {
    Trial second = first;
    one.change(second);
    std::vector<Trial> chosen;
    for (const auto& order : {std::pair(first, second), std::pair(second, first)}) {
      Record record;
      record.trials = {order.first, order.second};
      const RecordIndex index = BuildIndex(record);
      EXPECT_THAT(index.problems, ElementsAre("arm C pass 0 test_id \"w01\": occurs twice"));
      chosen.push_back(*index.passes[0][0].trial);
    }
    EXPECT_EQ(chosen[0], chosen[1]) << one.name;
  }
}

TEST(RecordIndexTest, OnlyTheFirstProblemsAreKept) {
  Record record = testing::CleanRecord({20, 4, 1});
  const std::vector<Trial> trials = record.trials;
  record.trials.insert(record.trials.end(), trials.begin(), trials.end());
  EXPECT_THAT(BuildIndex(record).problems, SizeIs(8));
}

}  // namespace
}  // namespace bi_test
