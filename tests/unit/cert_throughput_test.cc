#include "cert/throughput.h"

#include <gmock/gmock.h>

#include "support/records.h"

namespace bi_test {
namespace {

/// Every pass of `arm` takes the seconds of its number in `seconds`, and gives 16 tokens per trial.
[[nodiscard]] Record Timed(const std::vector<double>& seconds) {
  Record record = testing::CleanRecord({8, 4, static_cast<int>(seconds.size())});
  for (Trial& trial : record.trials) trial.completion_tokens = 16;
  record.evidence.clear();
  for (std::size_t pass = 0; pass < seconds.size(); ++pass) {
    PassEvidence evidence;
    evidence.pass = static_cast<int>(pass);
    evidence.wall_s = seconds[pass];
    record.evidence.push_back(evidence);
  }
  return record;
}

TEST(ThroughputTest, AllConcurrentPassesCountTogether) {
  EXPECT_EQ(MeasureThroughput(Timed({1.0, 3.0})).concurrent, 2 * 8 * 16 / 4.0);
  EXPECT_EQ(MeasureThroughput(Timed({1.0})).concurrent, 8 * 16 / 1.0);
}

}  // namespace
}  // namespace bi_test
