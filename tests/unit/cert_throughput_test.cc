#include "cert/throughput.h"

#include <gmock/gmock.h>

#include <functional>
#include <optional>

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

/// One trial of arm C, 4 tokens from second 10 to second 12, with one thing changed.
[[nodiscard]] PassThroughput MeasuredWith(const std::function<void(Trial&)>& change) {
  Record record;
  Trial trial;
  trial.arm = Arm::kC;
  trial.completion_tokens = 4;
  trial.dispatch_ts = 10.0;
  trial.complete_ts = 12.0;
  change(trial);
  record.trials.push_back(trial);
  const Throughput out = MeasureThroughput(record);
  EXPECT_EQ(out.serial, std::nullopt);
  EXPECT_EQ(out.passes.size(), 1U);
  const PassThroughput pass = out.passes.at(0);
  const bool measured = pass.completion_tokens > 0 && pass.seconds > 0.0;
  EXPECT_EQ(out.concurrent,
            measured ? std::optional(static_cast<double>(pass.completion_tokens) / pass.seconds)
                     : std::nullopt);
  return pass;
}

struct Row {
  const char* name;
  std::function<void(Trial&)> change;
  std::int64_t n_requests, tokens;
  double seconds;
};

TEST(ThroughputTest, ATrialCountsWithWhatWasMeasuredOfIt) {
  const Row cases[] = {
      {"whole", [](Trial&) {}, 1, 4, 2.0},
      {"no count, but tokens",
       [](Trial& t) {
         t.completion_tokens = Json();
         t.token_ids = {{7, 8, 9}};
       },
       1, 3, 2.0},
      {"a count goes before tokens",
       [](Trial& t) {
         t.token_ids = {{7, 8, 9}};
       },
       1, 4, 2.0},
      {"a count of another type", [](Trial& t) { t.completion_tokens = "4"; }, 1, 0, 2.0},
      {"a count below nothing", [](Trial& t) { t.completion_tokens = -4; }, 1, 0, 2.0},
      {"never sent", [](Trial& t) { t.dispatch_ts.reset(); }, 1, 4, 0.0},
      {"never completed", [](Trial& t) { t.complete_ts.reset(); }, 1, 4, 0.0},
      {"in no time", [](Trial& t) { t.complete_ts = t.dispatch_ts; }, 1, 4, 0.0},
      {"no row", [](Trial& t) { t.malformed_row = Json("x"); }, 0, 0, 0.0},
  };
  for (const Row& one : cases) {
    EXPECT_EQ(MeasuredWith(one.change),
              (PassThroughput{Arm::kC, 0, one.n_requests, one.tokens, one.seconds}))
        << one.name;
  }
}

TEST(ThroughputTest, WithoutAWallTimeAPassLastsFromItsFirstDispatchToItsLastCompletion) {
  const std::optional<double> none[] = {std::nullopt, 0.0, -1.0};
  for (const std::optional<double>& wall_s : none) {
    Record record = Timed({1.0});
    record.evidence.at(0).wall_s = wall_s;
    // Two groups of four, a second apart, each half a second long.
    EXPECT_EQ(MeasureThroughput(record).concurrent, 8 * 16 / 1.5) << wall_s.value_or(7);
  }
  // A pass that no trial is of has no throughput.
  Record record = Timed({1.0});
  record.evidence.at(0).pass = 5;
  EXPECT_EQ(MeasureThroughput(record).concurrent, 8 * 16 / 1.5);
}

TEST(ThroughputTest, OfArmAOnlyTheFirstPassIsTheSerialRate) {
  Record record = Timed({1.0});
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kA && trial.pass == 1) trial.completion_tokens = 1000;
  }
  // Eight requests, one a second, the last half a second long.
  EXPECT_EQ(MeasureThroughput(record).serial, 8 * 16 / 7.5);
}

struct Rates {
  std::optional<double> serial, concurrent, gain;
};

TEST(ThroughputTest, TheGainNeedsBothRates) {
  const Rates cases[] = {{10.0, 25.0, 2.5},
                         {std::nullopt, 25.0, std::nullopt},
                         {10.0, std::nullopt, std::nullopt},
                         {0.0, 25.0, std::nullopt},
                         {-1.0, 25.0, std::nullopt}};
  for (const Rates& one : cases) {
    const Throughput rates{.serial = one.serial, .concurrent = one.concurrent, .passes = {}};
    EXPECT_EQ(rates.Gain(), one.gain)
        << one.serial.value_or(7) << " " << one.concurrent.value_or(7);
  }
}

}  // namespace
}  // namespace bi_test
