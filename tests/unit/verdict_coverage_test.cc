// Who was in service with whom: cases 100 to 115; service intervals and widths.
#include "verdict/coverage.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "verdict/width.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

using Instants = std::pair<std::optional<double>, std::optional<double>>;

/// Rows named by their position.
class Pass {
 public:
  explicit Pass(const std::vector<Instants>& intervals, const char* label = "ok") {
    trials_.reserve(intervals.size());
    for (const Instants& interval : intervals) {
      Trial& trial = trials_.emplace_back();
      trial.failure_mode = label;
      trial.dispatch_ts = interval.first;
      trial.complete_ts = interval.second;
      names_.push_back(std::string(1, 'i').append(std::to_string(names_.size())));
    }
    for (std::uint32_t i = 0; i < trials_.size(); ++i) {
      rows_.push_back({i, &trials_[i]});
      ids_.push_back(names_[i]);
    }
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  [[nodiscard]] CoverageReport Coverage() const {
    const Occupancy occupancy(rows_);
    CoverageReport report = BuildCoverage(rows_, occupancy, 0.8);
    NameCoverageIds(report, rows_, occupancy, ids_);
    return report;
  }
  [[nodiscard]] Occupancy InService() const { return Occupancy(rows_); }
  [[nodiscard]] Trial& trial(std::size_t i) { return trials_[i]; }

 private:
  std::vector<Trial> trials_;
  std::vector<std::string> names_;
  std::vector<std::string_view> ids_;
  RowMap rows_;
};

struct CoverageCase {
  const char* name;
  std::vector<Instants> intervals;
  double fraction;
  bool ok;
  std::int64_t n_missing;
};

TEST(CoverageTest, OnlyStrictMeetingCounts) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const CoverageCase cases[] = {
      {"100", {}, 0.0, false, 0},
      {"101", {{0, 1}}, 0.0, false, 0},
      {"102", {{0, 1}, {2, 3}}, 0.0, false, 0},
      {"103", {{0, 1}, {1, 2}}, 0.0, false, 0},
      {"104", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, 0.0, false, 0},
      {"105", {{1, 1}, {1, 1}}, 0.0, false, 0},
      {"106", {{5, 0}, {1, 2}}, 0.0, false, 1},
      {"107", {{0, 2}, {1, 3}, {1, 3}, {1, 3}, {8, 9}}, 0.8, true, 0},
      {"108", {{0, 2}, {1, 3}, {1, 3}, {6, 7}, {8, 9}}, 0.6, false, 0},
      {"109", {{0, 1}, {0, std::nullopt}}, 0.0, false, 1},
      {"110", {{std::nullopt, std::nullopt}, {std::nullopt, std::nullopt}}, 0.0, false, 2},
      {"111", {{std::nullopt, 1}, {std::nullopt, std::nullopt}}, 0.0, false, 2},
      {"114", {{nan, 1}, {0, infinity}}, 0.0, false, 2},
      {"a long one over two short ones", {{0, 9}, {1, 2}, {3, 4}}, 1.0, true, 0},
      {"two over each other", {{0, 1}, {0, 1}}, 1.0, true, 0},
  };
  for (const CoverageCase& one : cases) {
    const CoverageReport report = Pass(one.intervals).Coverage();
    EXPECT_THAT(report.coverage_fraction, Optional(one.fraction)) << "case " << one.name;
    EXPECT_EQ(report.cobatch_coverage_ok, one.ok) << "case " << one.name;
    EXPECT_EQ(report.n_missing_interval, one.n_missing) << "case " << one.name;
    EXPECT_TRUE(report.coverage_checked) << "case " << one.name;
  }
}

TEST(CoverageTest, RequiredCountIsAtLeastTwo) {
  EXPECT_EQ(Pass({}).Coverage().required_co_batched, 0);
  EXPECT_EQ(Pass({{0, 1}}).Coverage().required_co_batched, 2);
  EXPECT_EQ(Pass({{0, 2}, {1, 3}, {1, 3}, {1, 3}, {8, 9}}).Coverage().required_co_batched, 4);
}

TEST(CoverageTest, FailedRequestsShareTheServerWithNobody) {
  EXPECT_THAT(Pass({{0, 1}, {0, 1}}, "http_5xx").Coverage().coverage_fraction, Optional(0.0))
      << "case 115";
  Pass one_failed({{0, 1}, {0, 1}});
  one_failed.trial(0).failure_mode = "http_5xx";
  EXPECT_THAT(one_failed.Coverage().co_batched_ids, IsEmpty());
}

TEST(CoverageTest, NamesTheIds) {
  const CoverageReport report = Pass({{5, 6}, {0, 2}, {1, 3}, {std::nullopt, 1}}).Coverage();
  EXPECT_THAT(report.co_batched_ids, ElementsAre("i1", "i2"));
  EXPECT_THAT(report.missing_interval_ids, ElementsAre("i3"));
  EXPECT_FALSE(report.attribution_certain);
}

TEST(CoverageTest, TimeInTheQueueIsNotTimeInService) {
  // Four clients in front of a server that works on one request at a time (R028).
  Pass pass({{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  EXPECT_THAT(pass.Coverage().coverage_fraction, Optional(1.0));
  EXPECT_EQ(pass.Coverage().interval_kind, "client");
  for (std::size_t i = 0; i < 4; ++i) {
    pass.trial(i).prompt_ms = 400.0;
    pass.trial(i).predicted_ms = 600.0;
  }
  const CoverageReport report = pass.Coverage();
  EXPECT_THAT(report.coverage_fraction, Optional(0.0));
  EXPECT_EQ(report.interval_kind, "service");
}

TEST(ServiceTimeTest, TimingsNeverReachBackBeforeTheSend) {
  Trial trial;
  trial.dispatch_ts = 10.0;
  trial.complete_ts = 11.0;
  trial.prompt_ms = 1e12;
  trial.predicted_ms = 1.0;
  EXPECT_EQ(ServiceTimeOf(trial).interval.start, 10.0);
  trial.prompt_ms = -5.0;
  EXPECT_EQ(ServiceTimeOf(trial).kind, ServiceTime::Kind::kClient);
  trial.prompt_ms = 100.0;
  trial.predicted_ms.reset();
  EXPECT_EQ(ServiceTimeOf(trial).kind, ServiceTime::Kind::kClient);
  trial.predicted_ms = -1.0;
  EXPECT_EQ(ServiceTimeOf(trial).kind, ServiceTime::Kind::kClient);
  trial.predicted_ms = 100.0;
  EXPECT_EQ(ServiceTimeOf(trial).interval.start, 10.8);
  trial.prompt_ms = 0.0;
  trial.predicted_ms = 0.0;
  EXPECT_EQ(ServiceTimeOf(trial).kind, ServiceTime::Kind::kPoint);
}

TEST(OccupancyTest, WidthsAreWeighedByTime) {
  // R034: one request of 900 ms, three of 5 ms.
  const Occupancy skewed = Pass({{0, 0.9}, {0, 0.005}, {0, 0.005}, {0, 0.005}}).InService();
  EXPECT_THAT(skewed.MedianWidth(), Optional(1));
  const Occupancy even = Pass({{0, 1}, {0, 1}, {0, 1}, {0, 1}}).InService();
  EXPECT_THAT(even.MedianWidth(), Optional(4));
  const Occupancy half = Pass({{0, 1}, {0, 2}}).InService();
  EXPECT_THAT(half.MedianWidth(), Optional(2)) << "in company for half of the time";
  EXPECT_EQ(Pass({}).InService().MedianWidth(), std::nullopt);
}

TEST(OccupancyTest, MeanWidthIsTheIntegralOverTheStay) {
  const Occupancy occupancy = Pass({{0, 4}, {1, 2}, {1, 3}}).InService();
  EXPECT_THAT(occupancy.MeanWidth({0, 4}), Optional(7.0 / 4.0));
  EXPECT_THAT(occupancy.MeanWidth({1, 2}), Optional(3.0));
  EXPECT_THAT(occupancy.MeanWidth({-2, 0}), Optional(0.0));
  EXPECT_THAT(occupancy.MeanWidth({4, 6}), Optional(0.0));
  EXPECT_EQ(occupancy.MeanWidth({1, 1}), std::nullopt);
}

TEST(OccupancyTest, CompanionsMeetStrictly) {
  const Occupancy occupancy = Pass({{0, 10}, {1, 2}, {2, 3}, {3, 4}, {5, 6}}).InService();
  EXPECT_THAT(occupancy.Companions({2, 3}, 2, 10), ElementsAre(0));
  EXPECT_THAT(occupancy.Companions({1.5, 3.5}, 9, 10), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(occupancy.Companions({0, 10}, 0, 2), ElementsAre(1, 2));
}

TEST(ObservedWidthTest, TailWavesAreNarrower) {
  // R005: ten ids at N = 4; the last wave has two, which the wave before touches by an instant.
  Pass pass({{0, 1}, {0, 1.01}, {0, 1}, {0, 1}, {1, 2}, {1, 2}});
  const Occupancy occupancy = pass.InService();
  EXPECT_THAT(ObservedWidth(pass.trial(0), occupancy), Optional(4));
  EXPECT_THAT(ObservedWidth(pass.trial(4), occupancy), Optional(2));
  pass.trial(4).failure_mode = "empty";
  EXPECT_THAT(ObservedWidth(pass.trial(4), pass.InService()), Optional(2)) << "counts itself";
  pass.trial(4).complete_ts = pass.trial(4).dispatch_ts;
  EXPECT_EQ(ObservedWidth(pass.trial(4), pass.InService()), std::nullopt) << "a point has no width";
  pass.trial(4).complete_ts.reset();
  EXPECT_EQ(ObservedWidth(pass.trial(4), pass.InService()), std::nullopt);
}

}  // namespace
}  // namespace bi_test
