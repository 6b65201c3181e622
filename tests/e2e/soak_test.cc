// Fifty cells in a row on the real server: what a process holds on to must not grow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "bi_test/matchers.h"
#include "e2e/real_world.h"

namespace bi_test::e2e {
namespace {

namespace fs = std::filesystem;

constexpr int kCells = 50;
constexpr int kWarmUp = 5;

std::size_t OpenDescriptors() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

std::size_t Threads() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()));
}

/// Resident memory, MiB.
double ResidentMib() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * 4096.0 / (1024.0 * 1024.0);
}

TEST(Soak, FiftyCellsLeaveTheProcessAsItWas) {
  const Experiment experiment{
      .name = "soak", .flash_attention = "off", .parallel = 4, .passes = 1, .rows = 12};
  Result<Sweep> sweep = LoadSweep(WriteSweep(experiment), ProcessEnvironment());
  ASSERT_TRUE(sweep.ok()) << sweep.error().Text();
  std::size_t descriptors = 0, threads = 0;
  double resident = 0.0;
  int verdicts = 0;
  for (int i = 0; i < kCells; ++i) {
    const CellRun run = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
    ASSERT_FALSE(run.error.has_value()) << "cell " << i << ": " << run.error->Text();
    ASSERT_NE(run.judgement.verdict, Verdict::kRed) << "cell " << i << ": " << run.judgement;
    verdicts += run.cert_path.empty() ? 0 : 1;
    if (i + 1 == kWarmUp) {
      descriptors = OpenDescriptors();
      threads = Threads();
      resident = ResidentMib();
    }
  }
  std::cout << kCells << " cells: descriptors " << descriptors << " -> " << OpenDescriptors()
            << ", threads " << threads << " -> " << Threads() << ", resident " << resident << " -> "
            << ResidentMib() << " MiB\n";
  EXPECT_EQ(verdicts, kCells);
  EXPECT_EQ(OpenDescriptors(), descriptors);
  EXPECT_EQ(Threads(), threads);
  EXPECT_LT(ResidentMib(), resident + 16.0);
  EXPECT_TRUE(NoProcessNames(sweep->models[0].path.string()));
}

}  // namespace
}  // namespace bi_test::e2e
