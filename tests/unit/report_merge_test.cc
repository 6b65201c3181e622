#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/merge.h"

namespace bi_test::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CellResult RowAt(int n, Verdict verdict, const std::string& ts_utc) {
  CellResult row;
  row.cell = {.model = "m", .ctx = 512, .dispatch_n = n, .kv_label = "f16"};
  row.state = CellState::kRan;
  row.verdict = verdict;
  row.passed = verdict == Verdict::kGreen;
  row.ts_utc = ts_utc;
  return row;
}

CellResult Damaged(CellResult row) {
  row.state = CellState::kError;
  row.damaged = true;
  row.passed = false;
  return row;
}

CellResult Refused(CellResult row) {
  row.state = CellState::kError;
  row.passed = false;
  return row;
}

struct MergeCase {
  std::string name;
  CellResult first, second;
  std::string want_dir;  ///< The folder of the row that counts.
  std::string want_note;
};

void PrintTo(const MergeCase& test, std::ostream* out) { *out << test.name; }

class MergeTest : public testing::TestWithParam<MergeCase> {};

TEST_P(MergeTest, OneCountsAndTheOtherIsTold) {
  for (const bool swapped : {false, true}) {
    std::vector<FoundRow> found = {{GetParam().first, "/one"}, {GetParam().second, "/two"}};
    for (FoundRow& one : found) one.row.message = one.dir;
    if (swapped) std::swap(found[0], found[1]);
    const std::vector<CellResult> rows = MergeRows(found);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].message, GetParam().want_dir);
    EXPECT_THAT(rows[0].notes,
                ElementsAre("The newest of 2 results of this cell counts; the others:",
                            GetParam().want_note));
  }
}

constexpr const char* kOld = "2026-03-01T08:00:00Z";
constexpr const char* kNew = "2026-03-01T09:00:00Z";

INSTANTIATE_TEST_SUITE_P(
    All, MergeTest,
    testing::Values(
        MergeCase{"NewerGreenOverOlderRed", RowAt(4, Verdict::kRed, kOld),
                  RowAt(4, Verdict::kGreen, kNew), "/two", "RED of 2026-03-01T08:00:00Z in /one"},
        MergeCase{"NewerRedOverOlderGreen", RowAt(4, Verdict::kRed, kNew),
                  RowAt(4, Verdict::kGreen, kOld), "/one", "GREEN of 2026-03-01T08:00:00Z in /two"},
        MergeCase{"NewerRefusalOverOlderGreen", Refused(RowAt(4, Verdict::kUnverified, kNew)),
                  RowAt(4, Verdict::kGreen, kOld), "/one", "GREEN of 2026-03-01T08:00:00Z in /two"},
        MergeCase{"EquallyOldTheWorseCounts", RowAt(4, Verdict::kGreen, kOld),
                  RowAt(4, Verdict::kRed, kOld), "/two", "GREEN of 2026-03-01T08:00:00Z in /one"},
        MergeCase{"EquallyOldARefusalIsWorseThanARed", RowAt(4, Verdict::kRed, kOld),
                  Refused(RowAt(4, Verdict::kUnverified, kOld)), "/two",
                  "RED of 2026-03-01T08:00:00Z in /one"},
        MergeCase{"DamagedOverNewerGreen", Damaged(RowAt(4, Verdict::kGreen, kOld)),
                  RowAt(4, Verdict::kGreen, kNew), "/one", "GREEN of 2026-03-01T09:00:00Z in /two"},
        MergeCase{"NoTimeIsOldest", RowAt(4, Verdict::kGreen, "tomorrow"),
                  RowAt(4, Verdict::kRed, kOld), "/two", "GREEN of tomorrow in /one"}),
    [](const testing::TestParamInfo<MergeCase>& test) { return test.param.name; });

TEST(MergeRowsTest, CellsComeInOrderAndAloneWithoutNotes) {
  const std::vector<CellResult> rows =
      MergeRows({{RowAt(8, Verdict::kRed, kOld), "/a"}, {RowAt(2, Verdict::kGreen, kOld), "/b"}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].cell.dispatch_n, 2);
  EXPECT_EQ(rows[1].cell.dispatch_n, 8);
  EXPECT_THAT(rows[0].notes, IsEmpty());
}

TEST(MergeRowsTest, FiveOthersAreToldOneByOne) {
  std::vector<FoundRow> found(8, FoundRow{RowAt(2, Verdict::kGreen, kOld), "/a"});
  const std::vector<CellResult> rows = MergeRows(std::move(found));
  ASSERT_EQ(rows.size(), 1U);
  ASSERT_EQ(rows[0].notes.size(), 7U);
  EXPECT_EQ(rows[0].notes.back(), "and 2 more");
}

TEST(MergeRowsTest, KvTypesAreDifferentCells) {
  CellResult other = RowAt(2, Verdict::kGreen, kOld);
  other.cell.kv_label = "q8_0";
  EXPECT_EQ(MergeRows({{RowAt(2, Verdict::kGreen, kOld), "/a"}, {other, "/a"}}).size(), 2U);
}

TEST(OverlayRowsTest, OwnOutcomeStaysDetailsAreTakenOthersFollow) {
  CellResult own = RowAt(4, Verdict::kAmber, "");
  own.passed = true;
  own.accepted = "signed off";
  CellResult read = RowAt(4, Verdict::kAmber, kNew);
  read.detail = std::make_shared<CellDetail>();
  const std::vector<CellResult> rows = OverlayRows({own}, {RowAt(2, Verdict::kGreen, kOld), read});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].accepted, "signed off");
  EXPECT_TRUE(rows[0].passed);
  EXPECT_EQ(rows[0].detail, read.detail);
  EXPECT_EQ(rows[1].cell.dispatch_n, 2);
}

TEST(OverlayRowsTest, ADamagedFileBeatsWhatTheProcessRemembers) {
  const std::vector<CellResult> rows =
      OverlayRows({RowAt(4, Verdict::kGreen, "")}, {Damaged(RowAt(4, Verdict::kGreen, kNew))});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].damaged);
}

TEST(OverlayRowsTest, AnEarlierResultOfACellNotRunYetIsANoteOnly) {
  CellResult waiting = RowAt(4, Verdict::kUnverified, "");
  waiting.state = CellState::kNotRun;
  const std::vector<CellResult> rows = OverlayRows({waiting}, {RowAt(4, Verdict::kGreen, kOld)});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].state, CellState::kNotRun);
  EXPECT_THAT(rows[0].notes,
              ElementsAre("An earlier run of this cell: GREEN of 2026-03-01T08:00:00Z"));
}

}  // namespace
}  // namespace bi_test::report
