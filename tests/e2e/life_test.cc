// No server outlives the program that started it, however that program ends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <string>

#include "e2e/real_world.h"
#include "support/run_binary.h"

namespace bi_test::e2e {
namespace {

using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

struct Ending {
  std::string name;
  int signal = 0;     ///< Sent while arm C runs; 0: none.
  int exit_code = 0;  ///< Expected when the program ends itself.
  int ended_by = 0;   ///< Signal expected to end the program.
};

class NoServerIsLeft : public ::testing::TestWithParam<Ending> {};

TEST_P(NoServerIsLeft, AfterTheTestBinaryEnds) {
  const Ending& ending = GetParam();
  // Many passes: long enough that the signal meets a running arm.
  const Experiment experiment{.name = "life_" + ending.name,
                              .flash_attention = "off",
                              .parallel = 4,
                              .passes = ending.signal == 0 ? 1 : 400,
                              .rows = 12};
  const std::string sweep = WriteSweep(experiment).string();
  const std::string model = TinyModel("dense").string();
  BinaryOptions options;
  options.args = {"--bi_test_sweep=" + sweep};
  options.env = {{"BI_TEST_LLAMA_SERVER", RealServer()}};
  options.timeout = std::chrono::seconds{120};
  if (ending.signal != 0) {
    options.wait_for = "arm c1";  // the line that says that the first concurrent pass is over
    options.when_seen = [&](pid_t pid) {
      EXPECT_FALSE(ProcessesNaming("--port").empty());
      kill(pid, ending.signal);
    };
  }
  const BinaryResult result = RunBinary(BI_TEST_CELLS_BINARY, options);
  EXPECT_FALSE(result.timed_out) << result;
  EXPECT_EQ(result.signal, ending.ended_by) << result;
  if (ending.ended_by == 0) {
    EXPECT_EQ(result.exit_code, ending.exit_code) << result;
  }
  EXPECT_TRUE(NoProcessNames(model)) << "still running: " << ProcessesNaming(model).size();
}

INSTANTIATE_TEST_SUITE_P(Endings, NoServerIsLeft,
                         ::testing::Values(Ending{"normal", 0, 0, 0},
                                           Ending{"ctrl_c", SIGINT, 128 + SIGINT, 0},
                                           Ending{"sigterm", SIGTERM, 128 + SIGTERM, 0},
                                           Ending{"sighup", SIGHUP, 128 + SIGHUP, 0},
                                           Ending{"sigkill", SIGKILL, 0, SIGKILL}),
                         [](const ::testing::TestParamInfo<Ending>& test) {
                           return test.param.name;
                         });

}  // namespace
}  // namespace bi_test::e2e
