// TryInit from within: what it says, and that it neither prints nor ends the program. `main` calls
// it once more and well, so that the last test is about cells it registered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "bi_test/cell_test.h"
#include "bi_test/init.h"
#include "support/temp_dir.h"

namespace bi_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kSweep =
    "server: {binary: no-such-folder/llama-server}\n"
    "models: [{id: m, path: m.gguf}]\n"
    "matrix: {ctx: 4096, parallel: [2, 4]}\n"
    "workset: {builtin: smoke}\n";

/// A sweep file that lives until the program ends.
std::string SweepFile() {
  static const test_support::TempDir dir;
  static const bool written = [] {
    std::ofstream(dir.path() / "cells.yaml") << kSweep << "output: {dir: out}\n";
    std::ofstream(dir.path() / "m.gguf") << "";
    return true;
  }();
  return written ? (dir.path() / "cells.yaml").string() : "";
}

/// An argument list as main gets it.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> texts) : texts_(std::move(texts)) {
    texts_.insert(texts_.begin(), "program");
    for (std::string& text : texts_) pointers_.push_back(text.data());
    argc_ = static_cast<int>(pointers_.size());
    pointers_.push_back(nullptr);
  }
  InitOutcome TryInit() { return bi_test::TryInit(&argc_, pointers_.data()); }
  std::vector<std::string> Left() const { return {pointers_.begin(), pointers_.begin() + argc_}; }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
  int argc_ = 0;
};

InitOutcome well;
std::vector<std::string> left;
std::string printed;

InitOutcome Silently(Arguments& arguments, std::string* output) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const InitOutcome outcome = arguments.TryInit();
  *output = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  return outcome;
}

InitOutcome Silently(std::vector<std::string> texts) {
  Arguments arguments(std::move(texts));
  std::string output;
  const InitOutcome outcome = Silently(arguments, &output);
  EXPECT_THAT(output, IsEmpty());
  return outcome;
}

BI_TEST_CELLS(Cells) { static_cast<void>(Run()); }  // no server: skipped before it is entered

TEST(TryInitTest, AGoodCommandLineGoesOn) {
  EXPECT_TRUE(well.ok());
  EXPECT_EQ(well.exit_code, std::nullopt);
  EXPECT_THAT(well.output, IsEmpty());
  EXPECT_THAT(left, ElementsAre("program", "--mine"));
  EXPECT_THAT(printed, IsEmpty());
  int cells = 0;
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *unit.GetTestSuite(i);
    if (std::string(suite.name()) == "Cells") cells = suite.total_test_count();
  }
  EXPECT_EQ(cells, 2);
}

TEST(TryInitTest, EveryMistakeIsInTheOutcome) {
  const InitOutcome outcome = Silently({"--bi_test_nothing", "--bi_test_passes=0"});
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.exit_code, kExitUsage);
  EXPECT_THAT(outcome.errors, ElementsAre(StartsWith("unknown flag \"--bi_test_nothing\""),
                                          StartsWith("--bi_test_passes: found \"0\"")));
}

TEST(TryInitTest, AMissingSweepFileIsAMistake) {
  const InitOutcome outcome = Silently({"--bi_test_sweep=none.yaml"});
  EXPECT_EQ(outcome.exit_code, kExitUsage);
  EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("none.yaml: found no such file")));
}

TEST(TryInitTest, ASelectionWithoutACellIsNothingToDo) {
  const InitOutcome outcome = Silently({"--bi_test_sweep=" + SweepFile(), "--bi_test_parallel=3"});
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.exit_code, kExitNothingToDo);
  EXPECT_THAT(outcome.errors.back(), "no cell selected, nothing was run");
}

TEST(TryInitTest, WhatWasAskedForIsInTheOutcome) {
  const InitOutcome outcome = Silently({"--bi_test_help"});
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.output, HasSubstr("--bi_test_sweep=FILE"));
}

}  // namespace
}  // namespace bi_test

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  ::setenv("BI_TEST_SKIP_MISSING_SERVER", "1", 1);
  bi_test::Arguments arguments({"--bi_test_sweep=" + bi_test::SweepFile(), "--mine"});
  bi_test::well = bi_test::Silently(arguments, &bi_test::printed);
  bi_test::left = arguments.Left();
  return bi_test::RunAllTests();
}
