// Which passes count as passes at width N (R028, R034, R040, R056, R124, R126).
#include "verdict/width.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "support/records.h"
#include "verdict/coverage.h"

namespace bi_test {
namespace {

struct WidthCase {
  const char* name;
  std::function<void(PassEvidence&)> change;
  std::int64_t peak;
  const char* why_not;
};

/// The report of a fully overlapping pass of eight ids at N = 4.
[[nodiscard]] PassReport Report(const PassEvidence& evidence) {
  const Record record = testing::CleanRecord({8, 4, 1});
  const RecordIndex index = BuildIndex(record);
  const Occupancy occupancy(index.passes[0]);
  return BuildPassReport(index.passes[0], evidence, 4, occupancy,
                         BuildCoverage(index.passes[0], occupancy, 0.8), Policy{});
}

TEST(WidthTest, OnlyTheServerProvesTheWidth) {
  const WidthCase cases[] = {
      {"the example of the design",
       [](PassEvidence& e) {
         e.server_peak_busy_slots = 4;
         e.mean_busy_slots = 3.9;
         e.decode_calls = 310;
       },
       4, ""},
      {"sampled peak alone", [](PassEvidence& e) { e.server_peak_busy_slots = 4; }, 4, ""},
      {"a mean above N - 1 needs a moment with N (R038: polls missed)",
       [](PassEvidence& e) { e.mean_busy_slots = 3.2; }, 4, ""},
      {"a mean of N - 1 does not", [](PassEvidence& e) { e.mean_busy_slots = 3.0; }, 3,
       "widest 3 < 4"},
      {"nothing from the server", [](PassEvidence&) {}, 0, "no evidence of width from the server"},
      {"one at a time (R028)",
       [](PassEvidence& e) {
         e.server_peak_busy_slots = 1;
         e.mean_busy_slots = 1.0;
       },
       1, "no co-batching: widest 1 < 4; mean width 1.00 < 3.00"},
      {"sampled peak of N, mean too low",
       [](PassEvidence& e) {
         e.server_peak_busy_slots = 4;
         e.mean_busy_slots = 2.9;
       },
       4, "mean width 2.90 < 3.00"},
      {"narrower than N (R126)", [](PassEvidence& e) { e.server_peak_busy_slots = 3; }, 3,
       "widest 3 < 4"},
      {"counter reset (R040)",
       [](PassEvidence& e) {
         e.server_peak_busy_slots = 4;
         e.mean_busy_slots = 3.9;
         e.counter_reset = true;
       },
       0, "counter reset: the server was restarted within the pass"},
      {"no decode calls",
       [](PassEvidence& e) {
         e.mean_busy_slots = 3.9;
         e.decode_calls = 0;
       },
       0, "no evidence of width from the server"},
      {"a mean above N counts something else", [](PassEvidence& e) { e.mean_busy_slots = 9.0; }, 0,
       "no evidence of width from the server"},
      {"a mean that is no number", [](PassEvidence& e) { e.mean_busy_slots = std::nan(""); }, 0,
       "no evidence of width from the server"},
      {"a mean of nothing", [](PassEvidence& e) { e.mean_busy_slots = 0.0; }, 0,
       "no evidence of width from the server"},
      {"a mean that digits put just above N", [](PassEvidence& e) { e.mean_busy_slots = 4.03; }, 4,
       ""},
      {"a negative peak", [](PassEvidence& e) { e.server_peak_busy_slots = -3; }, 0,
       "no co-batching: widest 0 < 4"},
  };
  for (const WidthCase& one : cases) {
    PassEvidence evidence;
    one.change(evidence);
    const PassReport report = Report(evidence);
    EXPECT_EQ(report.server_peak_busy_slots, one.peak) << one.name;
    EXPECT_EQ(report.why_not, one.why_not) << one.name;
    EXPECT_EQ(report.effective, report.why_not.empty()) << one.name;
    EXPECT_EQ(report.width_ok, report.effective) << one.name;
  }
}

TEST(WidthTest, ComparisonsAreCountedByTheWidthAtWhichTheyHappened) {
  PassEvidence evidence;
  evidence.server_peak_busy_slots = 4;
  const Record record = testing::CleanRecord({10, 4, 1});
  const RecordIndex index = BuildIndex(record);
  const Occupancy occupancy(index.passes[0]);
  const PassReport report =
      BuildPassReport(index.passes[0], evidence, 4, occupancy,
                      BuildCoverage(index.passes[0], occupancy, 0.8), Policy{});
  const std::map<int, std::int64_t> expected = {{2, 2}, {4, 8}};
  EXPECT_EQ(report.comparisons_by_width, expected);
}

}  // namespace
}  // namespace bi_test
