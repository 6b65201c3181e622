// Pairwise report: cases 28 to 42 and 67, completion floor.
#include "verdict/pair_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "support/records.h"
#include "verdict/buckets.h"
#include "verdict/completion_floor.h"

namespace bi_test {
namespace {

using testing::At;
using testing::ContractRecord;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

/// Report of A against c1.
[[nodiscard]] PairReport ReportAc(const Record& record, const Policy& policy = {}) {
  const RecordIndex index = BuildIndex(record);
  const RowMap none;
  return BuildPairReport(index.a, index.passes.empty() ? none : index.passes[0], index.ids,
                         RowComparer(policy), policy, {"AC", true, false});
}

void RemoveC(Record& record, std::string_view id) {
  testing::RemoveTrials(
      record, [id](const Trial& t) { return t.arm == Arm::kC && (id.empty() || t.test_id == id); });
}

TEST(PairReportTest, MalformedRowsGiveOneEntryWithTheRawValues) {
  struct Case {
    const char* name;
    std::optional<Json> a;
    std::optional<Json> c;
  };
  const Case cases[] = {{"28", Json(), Json()},
                        {"29", Json(), std::nullopt},
                        {"30", Json(5), std::nullopt},
                        {"31", Json("x"), std::nullopt},
                        {"33", Json(Json::Array{}), std::nullopt}};
  for (const Case& one : cases) {
    Record record = ContractRecord();
    At(record, Arm::kA, 0, "t1").malformed_row = one.a;
    At(record, Arm::kC, 0, "t1").malformed_row = one.c;
    const PairReport report = ReportAc(record);
    EXPECT_THAT(report.divergent_ids, ElementsAre("t1")) << one.name;
    ASSERT_THAT(report.per_id, SizeIs(1)) << one.name;
    EXPECT_EQ(report.per_id[0].field, "<row>") << one.name;
    EXPECT_EQ(report.per_id[0].x, *one.a) << one.name;
    EXPECT_EQ(report.per_id[0].y.is_object(), !one.c.has_value()) << one.name;
  }
}

TEST(PairReportTest, LostIdsCountInTheRateAndInTheBuckets) {
  Record record = ContractRecord();
  testing::RemoveTrials(record, [](const Trial& t) { return t.test_id == "t3"; });
  RemoveC(record, "t1");
  RemoveC(record, "t2");
  const PairReport report = ReportAc(record);
  EXPECT_EQ(report.n_compared, 1) << "case 36";
  EXPECT_EQ(report.n_divergent, 2);
  EXPECT_THAT(report.only_x, ElementsAre("t1", "t2"));
  EXPECT_EQ(report.divergence_rate, 0.6666666666666666);
  EXPECT_THAT(report.per_id, IsEmpty());
  EXPECT_THAT(report.by_family, ElementsAre(Pair("f", BucketCount{3, 2})));
  EXPECT_THAT(report.by_fill, ElementsAre(Pair("0.10", 2)));
}

TEST(PairReportTest, ALostArmIsARateOfOne) {
  Record record = ContractRecord();
  RemoveC(record, "");
  const PairReport report = ReportAc(record);
  // What is no map at all reaches the judge as an arm without rows.
  EXPECT_EQ(report.n_compared, 0) << "cases 34, 37";
  EXPECT_EQ(report.n_divergent, 4);
  EXPECT_EQ(report.divergence_rate, 1.0);
}

TEST(PairReportTest, AnExtraIdIsADifference) {
  Record record = ContractRecord();
  testing::RemoveTrials(record, [](const Trial& t) { return t.test_id == "t3"; });
  Trial extra = At(record, Arm::kC, 0, "t0");
  extra.test_id = "z";
  record.trials.push_back(extra);
  const PairReport report = ReportAc(record);
  EXPECT_EQ(report.n_compared, 3) << "case 38";
  EXPECT_EQ(report.n_divergent, 1);
  EXPECT_THAT(report.only_y, ElementsAre("z"));
  EXPECT_EQ(report.divergence_rate, 0.25);
}

TEST(PairReportTest, TwoEmptyMapsHaveRateZero) {
  const PairReport report = ReportAc(Record{});
  EXPECT_EQ(report.n_compared, 0) << "case 39";
  EXPECT_EQ(report.divergence_rate, 0.0);
}

TEST(PairReportTest, BucketsComeFromXAndOnlyThenFromY) {
  struct Case {
    const char* name;
    Json a, c;
    const char* bucket;
  };
  const Case cases[] = {
      {"57", Json(), "Y", "Y"}, {"58", "X", "Y", "X"}, {"59", Json(), Json(), "unknown"}};
  for (const Case& one : cases) {
    Record record = ContractRecord();
    for (Trial& trial : record.trials) trial.family = trial.arm == Arm::kA ? one.a : one.c;
    EXPECT_THAT(ReportAc(record).by_family, ElementsAre(Pair(one.bucket, BucketCount{4, 0})))
        << one.name;
  }
}

TEST(PairReportTest, ABucketWithoutDivergenceShowsZero) {
  Record record = ContractRecord();
  At(record, Arm::kA, 0, "t2").fill_ratio = 0.124;
  At(record, Arm::kA, 0, "t3").fill_ratio = 0.12;
  At(record, Arm::kC, 0, "t0").score = 0.0;
  EXPECT_THAT(ReportAc(record).by_fill, ElementsAre(Pair("0.10", 1), Pair("0.12", 0))) << "case 56";
}

TEST(PairReportTest, EntriesComeInTheOrderOfIdsAndFieldsWithHashes) {
  Record record = ContractRecord();
  At(record, Arm::kC, 0, "t2").score = 0.5;
  Trial& t1 = At(record, Arm::kC, 0, "t1");
  t1.score = 0.0;
  t1.failure_mode = "empty";
  t1.content = "abc";
  const PairReport report = ReportAc(record);
  ASSERT_THAT(report.per_id, SizeIs(3));
  EXPECT_EQ(report.n_per_id, 3);
  EXPECT_EQ(report.per_id[0].test_id, "t1");
  EXPECT_EQ(report.per_id[0].field, "score");
  EXPECT_EQ(report.per_id[0].x, Json(1.0));
  EXPECT_EQ(report.per_id[0].y, Json(0.0));
  EXPECT_EQ(report.per_id[0].y_content_sha, "ba7816bf8f01");
  EXPECT_NE(report.per_id[0].x_output_sha, report.per_id[0].y_output_sha);
  EXPECT_FALSE(report.per_id[0].token_identical);
  EXPECT_EQ(report.per_id[1].field, "failure_mode");
  EXPECT_EQ(report.per_id[2].test_id, "t2");
  EXPECT_TRUE(report.per_id[2].token_identical);
  EXPECT_THAT(report.token_divergence_ids, IsEmpty()) << "case 67";
}

TEST(PairReportTest, ASampleIsComparedOnItsOwnIds) {
  Record record = ContractRecord();
  RemoveC(record, "t1");
  const RecordIndex index = BuildIndex(record);
  const PairReport report = BuildPairReport(index.a, index.passes[0], index.ids, RowComparer({}),
                                            {}, {"AA3", false, true});
  EXPECT_EQ(report.n_divergent, 0);
  EXPECT_EQ(report.n_compared, 3);
}

TEST(PairReportTest, ValuesAreKeptForTheFirstDifferencesAndAllAreCounted) {
  Record record;
  for (int i = 0; i < 5000; ++i) {
    for (const Arm arm : {Arm::kA, Arm::kC}) {
      Trial trial = testing::MakeTrial(arm, 0, 0, 0.0, 1.0);
      trial.test_id = std::to_string(i);
      trial.score = arm == Arm::kA ? 1.0 : 0.0;
      record.trials.push_back(trial);
    }
  }
  const PairReport report = ReportAc(record);
  EXPECT_THAT(report.per_id, SizeIs(kMaxFieldDifferences));
  EXPECT_EQ(report.n_per_id, 5000);
  EXPECT_THAT(report.divergent_ids, SizeIs(5000));
}

TEST(PairReportTest, TellsFaultsFromDivergences) {
  const auto only_faults = [](Record& record, bool c_is_sample = false) {
    const RecordIndex index = BuildIndex(record);
    return OnlyFaultsDiffer(index.a, index.passes[0], RowComparer({}), c_is_sample);
  };
  Record record = ContractRecord();
  EXPECT_FALSE(only_faults(record)) << "nothing differs";
  At(record, Arm::kC, 0, "t1").failure_mode = "http_timeout";
  EXPECT_TRUE(only_faults(record));
  Record lost = record;
  RemoveC(lost, "t3");
  EXPECT_FALSE(only_faults(lost)) << "a lost row is no fault";
  EXPECT_TRUE(only_faults(lost, true)) << "of a sample no row is lost";
  Record extra = record;
  extra.trials.push_back(At(record, Arm::kC, 0, "t0"));
  extra.trials.back().test_id = "z";
  EXPECT_FALSE(only_faults(extra)) << "an extra row is no fault";
  At(record, Arm::kC, 0, "t2").score = 0.0;
  EXPECT_FALSE(only_faults(record));
}

TEST(CompletionFloorTest, OkIsExactlyTheTextOk) {
  Record record;
  const Json labels[] = {"ok", "empty", Json(), Json(), Json()};
  int n = 0;
  for (const Json& label : labels) {
    Trial trial;
    trial.test_id = std::to_string(n++);
    trial.failure_mode = label;
    record.trials.push_back(trial);
  }
  record.trials[2].malformed_row = Json();  // row null
  const CompletionFloor floor = CheckFloor(BuildIndex(record).a, {}, {}, 1, 0.8);
  EXPECT_EQ(floor.n_ok_a, 1) << "case 73";
  EXPECT_EQ(floor.n_failure_a, 4);
}

TEST(CompletionFloorTest, RequiredCountsMatchTheIntegerFormula) {
  for (std::int64_t n = 0; n <= 5000; ++n) {
    ASSERT_EQ(CeilOfFraction(0.8, n), (4 * n + 4) / 5) << n;
  }
  EXPECT_EQ(CeilOfFraction(0.85, 20), 17);
  EXPECT_EQ(CeilOfFraction(0.81, 100), 81);
  EXPECT_EQ(CeilOfFraction(0.81, 300), 243) << "the product of the doubles lies above";
  EXPECT_EQ(CeilOfFraction(0.805, 600), 483);
  EXPECT_EQ(CeilOfFraction(1.0, 7), 7);
}

TEST(CompletionFloorTest, FloorIsNeverMetByNothing) {
  EXPECT_FALSE(CheckFloor({}, {}, {}, 0, 0.8).completion_floor_ok);
}

TEST(CompletionFloorTest, FloorIsAskedOfAAndOfC) {
  Record record = ContractRecord();
  Record failed = record;
  At(failed, Arm::kA, 0, "t1").failure_mode = "empty";
  At(failed, Arm::kC, 0, "t1").failure_mode = "empty";
  At(failed, Arm::kB, 0, "t1").failure_mode = "empty";
  const RecordIndex good = BuildIndex(record);
  const RecordIndex bad = BuildIndex(failed);
  const RowMap& c = good.passes[0];
  EXPECT_TRUE(CheckFloor(good.a, good.b, c, 4, 0.8).completion_floor_ok);
  EXPECT_TRUE(CheckFloor(good.a, bad.b, c, 4, 0.8).completion_floor_ok) << "B is only told";
  EXPECT_FALSE(CheckFloor(bad.a, good.b, c, 4, 0.8).completion_floor_ok);
  EXPECT_FALSE(CheckFloor(good.a, good.b, bad.passes[0], 4, 0.8).completion_floor_ok);
  EXPECT_FALSE(CheckFloor(good.a, good.b, {}, 4, 0.8).completion_floor_ok) << "case 77";
  const CompletionFloor floor = CheckFloor(good.a, bad.b, bad.passes[0], 4, 0.8);
  EXPECT_EQ(floor.n_ok_a, 4);
  EXPECT_EQ(floor.n_failure_a, 0);
  EXPECT_EQ(floor.n_ok_b, 3);
  EXPECT_EQ(floor.n_failure_b, 1);
  EXPECT_EQ(floor.n_ok_c, 3);
  EXPECT_EQ(floor.required_ok, 4);
}

struct BucketCase {
  const char* name;
  Json value;
  const char* text;
};

TEST(BucketTest, FillRatiosHaveTwoDecimals) {
  const double infinity = std::numeric_limits<double>::infinity();
  const BucketCase cases[] = {
      {"43a", 0.1, "0.10"},
      {"43b", 0.05, "0.05"},
      {"44", 0.125, "0.12"},
      {"45", 0.375, "0.38"},
      {"46", 0.005, "0.01"},
      {"47", 0.015, "0.01"},
      {"48", 0.995, "0.99"},
      {"49", 1, "1.00"},
      {"50 null", Json(), "unknown"},
      {"50 list", Json(Json::Array{}), "unknown"},
      {"50 text", "abc", "unknown"},
      {"51", "0.3", "unknown"},
      {"52", true, "unknown"},
      {"53 nan", std::nan(""), "unknown"},
      {"53 inf", infinity, "unknown"},
      {"53 -inf", -infinity, "unknown"},
      {"54", -0.001, "-0.00"},
      {"55", 1e20, "100000000000000000000.00"},
      {"56", 0.124, "0.12"},
  };
  for (const BucketCase& one : cases) EXPECT_EQ(FillText(one.value), one.text) << one.name;
}

TEST(BucketTest, FamiliesAreTheirTextOrCompactJson) {
  const BucketCase cases[] = {
      {"59", Json(), "unknown"}, {"60", "", ""},
      {"61 integer", 1, "1"},    {"61 double", 1.0, "1.0"},
      {"61 bool", true, "true"}, {"list", Json(Json::Array{"a"}), R"(["a"])"}};
  for (const BucketCase& one : cases) EXPECT_EQ(FamilyText(one.value), one.text) << one.name;
}

}  // namespace
}  // namespace bi_test
