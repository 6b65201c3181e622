// The plugin as its users meet it: a test program run as a child, without any server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "bi_test/exit_code.h"
#include "support/run_binary.h"

namespace bi_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

constexpr const char* kSweep =
    "server:\n"
    "  kind: llama.cpp\n"
    "  binary: no-such-folder/llama-server\n"
    "models:\n"
    "  - id: Qwen2.5-7B:Q4/x y\n"
    "    path: model.gguf\n"
    "    labels: [tiny]\n"
    "  - id: phi-4\n"
    "    path: model.gguf\n"
    "matrix:\n"
    "  ctx: [4096]\n"
    "  parallel: [2, 4, 8]\n"
    "workset: {builtin: smoke}\n";

std::string ReadText(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The program under test. The variable puts one in its place that was built with another
/// GoogleTest.
std::string ProbeBinary() {
  const char* const other = std::getenv("BI_TEST_PROBE_BINARY");
  const std::string binary = other != nullptr ? other : BI_TEST_PROBE_BINARY;
  [[maybe_unused]] static const bool told = std::printf("probe: %s\n", binary.c_str()) > 0;
  return binary;
}

/// A folder with a sweep file, removed at the end.
class ProgramTest : public testing::Test {
 protected:
  ProgramTest() {
    std::string name = (std::filesystem::temp_directory_path() / "bi_test_probe_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    dir_ = name;
    std::ofstream(dir_ / "cells.yaml") << kSweep;
    std::ofstream(dir_ / "model.gguf") << "";
  }
  ~ProgramTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }

  BinaryResult Run(std::vector<std::string> args,
                   std::map<std::string, std::string> env = {}) const {
    BinaryOptions options;
    options.directory = dir_.string();
    options.args = std::move(args);
    options.env = std::move(env);
    return RunBinary(ProbeBinary(), options);
  }

  std::string OutFile(const std::string& name) const {
    return ReadText(dir_ / "bi_test-out" / name);
  }

  std::filesystem::path dir_;
};

// R101, R105
TEST_F(ProgramTest, ListsOneTestPerCellAndStartsNothing) {
  const BinaryResult result = Run({"--gtest_list_tests"});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_EQ(result.out,
            "Probe.\n"
            "  Qwen2_5_7B_Q4_x_y__ctx4096__n2\n"
            "  Qwen2_5_7B_Q4_x_y__ctx4096__n4\n"
            "  Qwen2_5_7B_Q4_x_y__ctx4096__n8\n"
            "  phi_4__ctx4096__n2\n"
            "  phi_4__ctx4096__n4\n"
            "  phi_4__ctx4096__n8\n")
      << result;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "bi_test-out"));
}

TEST_F(ProgramTest, OwnListingShowsTheCellAndItsPlaceInTheFile) {
  const BinaryResult result = Run({"--bi_test_list", "--bi_test_parallel=2"});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("Probe.Qwen2_5_7B_Q4_x_y__ctx4096__n2  Qwen2.5-7B:Q4/x y ctx=4096 N=2"),
            ContainsRegex("Probe.phi_4__ctx4096__n2  phi-4 ctx=4096 N=2  .*cells.yaml:8\n")));
}

TEST_F(ProgramTest, FiltersByModelCtxAndParallel) {
  const BinaryResult result =
      Run({"--gtest_list_tests", "--bi_test_model=phi*", "--bi_test_ctx=4096"},
          {{"BI_TEST_PARALLEL", "4,8"}});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_EQ(result.out, "Probe.\n  phi_4__ctx4096__n4\n  phi_4__ctx4096__n8\n");
}

TEST_F(ProgramTest, PrintsTheCTestScript) {
  const BinaryResult result = Run({"--bi_test_print_ctest"});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_THAT(result.out, AllOf(StartsWith("# bi_test: begin of the CTest script\n"),
                                HasSubstr("[==[Probe.phi_4__ctx4096__n2]==]"),
                                HasSubstr("model:Qwen2.5-7B:Q4/x_y;ctx:4096;n:8;tiny\"")));
}

struct UsageCase {
  const char* name;
  std::vector<std::string> args;
  int exit_code;
  const char* error;
};

class UsageTest : public ProgramTest, public testing::WithParamInterface<UsageCase> {};

TEST_P(UsageTest, IsRefusedBeforeAnythingRuns) {
  const BinaryResult result = Run(GetParam().args);
  EXPECT_EQ(result.exit_code, GetParam().exit_code) << result;
  EXPECT_THAT(result.err, HasSubstr(GetParam().error)) << result;
  EXPECT_THAT(result.out, Not(HasSubstr("[ RUN "))) << result;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "bi_test-out"));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, UsageTest,
    testing::Values(
        UsageCase{"UnknownFlagOfOurs",
                  {"--bi_test_parralel=4"},
                  kExitUsage,
                  "bi_test: unknown flag \"--bi_test_parralel=4\" (did you mean "
                  "--bi_test_parallel?); --bi_test_help lists all flags\n"},
        UsageCase{"UnknownFlagOfGtest",
                  {"--gtest_fliter=*"},
                  kExitUsage,
                  "bi_test: unknown flag \"--gtest_fliter=*\"; --help lists GoogleTest's flags\n"},
        UsageCase{"GtestFlagWithoutItsValue",
                  {"--gtest_filter"},
                  kExitUsage,
                  "bi_test: unknown flag \"--gtest_filter\""},
        UsageCase{"UnknownArgument",
                  {"cells.yaml"},
                  kExitUsage,
                  "bi_test: unknown argument \"cells.yaml\"; --help lists all flags\n"},
        UsageCase{"WrongValue",
                  {"--bi_test_passes=many"},
                  kExitUsage,
                  "bi_test: --bi_test_passes: found \"many\", expected a whole number from 1 to "
                  "1000\n"},
        UsageCase{"MissingSweepFile", {"--bi_test_sweep=nothing.yaml"}, kExitUsage, "nothing.yaml"},
        UsageCase{"MissingKnownVerdicts",
                  {"--bi_test_known_verdicts=none.yaml"},
                  kExitUsage,
                  "bi_test: none.yaml: found no such file, allowed: the path of a known-verdicts "
                  "file"},
        UsageCase{"UnknownModel",
                  {"--bi_test_model=phi4"},
                  kExitNothingToDo,
                  "(did you mean phi-4?). It has: Qwen2.5-7B:Q4/x y, phi-4\nbi_test: no cell "
                  "selected, nothing was run\n"},
        UsageCase{"UnknownModelWhileListing",
                  {"--bi_test_model=phi4", "--gtest_list_tests"},
                  kExitNothingToDo,
                  "(did you mean phi-4?)"}),
    [](const testing::TestParamInfo<UsageCase>& param_info) {
      return std::string(param_info.param.name);
    });

TEST_F(ProgramTest, AGpuThatTheSchedulerDidNotGiveIsRefused) {
  const BinaryResult result = Run({"--gtest_list_tests"}, {{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                                           {"CTEST_RESOURCE_GROUP_0_GPUS", "id:1"},
                                                           {"CUDA_VISIBLE_DEVICES", "3"}});
  EXPECT_EQ(result.exit_code, kExitUsage) << result;
  EXPECT_THAT(result.err, StartsWith("bi_test: found GPU \"1\" reserved by ctest, but "
                                     "CUDA_VISIBLE_DEVICES is \"3\""));
}

TEST_F(ProgramTest, ADryRunOfWhatCannotBeLaunchedIsNoPass) {
  std::ofstream(dir_ / "cells.yaml") << kSweep << "guard: {memory_floor_gib: 100000}\n";
  const BinaryResult result = Run({"--bi_test_dry_run"});
  EXPECT_EQ(result.exit_code, kExitNo) << result;
  EXPECT_THAT(result.out, testing::EndsWith("nothing was started\n"));
}

TEST_F(ProgramTest, EveryMistakeOfTheSweepFileIsPrinted) {
  std::ofstream(dir_ / "cells.yaml") << "modles: []\nrun: {passes: eight}\n";
  const BinaryResult result = Run({"--gtest_list_tests"});
  EXPECT_EQ(result.exit_code, kExitUsage) << result;
  EXPECT_THAT(result.err, AllOf(HasSubstr("cells.yaml:1"), HasSubstr("modles"),
                                HasSubstr("cells.yaml:2"), HasSubstr("eight")));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(ProgramTest, WithoutASweepFileItSaysHowToGiveOne) {
  std::filesystem::remove(dir_ / "cells.yaml");
  const BinaryResult result = Run({});
  EXPECT_EQ(result.exit_code, kExitUsage) << result;
  EXPECT_EQ(result.err,
            "bi_test: found no sweep file: neither --bi_test_sweep nor BI_TEST_SWEEP is set and "
            "there is no cells.yaml here; give --bi_test_sweep=FILE\n");
}

TEST_F(ProgramTest, AGtestFilterWithoutAMatchIsNoPass) {
  const BinaryResult result = Run({"--gtest_filter=Probe.phi-4*"});
  EXPECT_EQ(result.exit_code, kExitNothingToDo) << result;
  EXPECT_THAT(result.err, AllOf(HasSubstr("selects no test"), HasSubstr("Probe.phi_4__ctx4096__n2"),
                                HasSubstr("begins its negative part")));
}

TEST_F(ProgramTest, HelpShowsBothPages) {
  const BinaryResult result = Run({"--help"});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_THAT(result.out, AllOf(HasSubstr("--bi_test_sweep=FILE"), HasSubstr("--gtest_filter=")));
  const BinaryResult own = Run({"--bi_test_help"});
  EXPECT_EQ(own.exit_code, kExitOk) << own;
  EXPECT_THAT(own.out, AllOf(HasSubstr("--bi_test_sweep=FILE"), Not(HasSubstr("--gtest_color"))));
}

// R101, R113, R115
TEST_F(ProgramTest, AMissingServerFails) {
  const BinaryResult result = Run({"--bi_test_parallel=2", "--gtest_output=xml:gtest.xml"});
  EXPECT_EQ(result.exit_code, kExitError) << result;
  const std::string junit = OutFile("junit.xml");
  EXPECT_THAT(junit, AllOf(HasSubstr("tests=\"2\""), HasSubstr("skipped=\"0\""),
                           Not(HasSubstr("<skipped"))));
  // Properties stand on the test, with our prefix; none of gtest's reserved names is used.
  const std::string xml = ReadText(dir_ / "gtest.xml");
  EXPECT_THAT(xml, AllOf(HasSubstr("name=\"bi_model\" value=\"Qwen2.5-7B:Q4/x y\""),
                         HasSubstr("name=\"bi_status\""), HasSubstr("line=\"5\""),
                         HasSubstr("line=\"8\""), Not(HasSubstr("Reserved key"))));
  EXPECT_THAT(result.out, Not(HasSubstr("Reserved key")));
}

// R115
TEST_F(ProgramTest, AMissingServerIsSkippedOnRequest) {
  const BinaryResult result = Run({"--bi_test_skip_missing_server"});
  EXPECT_EQ(result.exit_code, kExitAllSkipped) << result;
  EXPECT_THAT(OutFile("junit.xml"),
              AllOf(HasSubstr("tests=\"6\""), HasSubstr("skipped=\"6\""), HasSubstr("<skipped"),
                    HasSubstr("found no server program")));
}

TEST_F(ProgramTest, ABodyThatNeverRunsItsCellFails) {
  const BinaryResult result = Run({"--gtest_filter=*phi_4*n2"}, {{"PROBE_BODY", "forget"}});
  EXPECT_EQ(result.exit_code, kExitError) << result;
  EXPECT_THAT(result.out, HasSubstr("the test body never called Run(), so nothing was tested"));
  // The failure is part of the test: it comes before gtest says how the test ended.
  EXPECT_LT(result.out.find("never called Run()"), result.out.find("[  FAILED  ]"));
  EXPECT_THAT(OutFile("phi-4__ctx4096__N2.junit.xml"), HasSubstr("never called Run()"));
}

TEST_F(ProgramTest, ABodyThatSkipsIsSkipped) {
  const BinaryResult result = Run({"--gtest_filter=*phi_4*n2"}, {{"PROBE_BODY", "skip"}});
  EXPECT_EQ(result.exit_code, kExitAllSkipped) << result;
  EXPECT_THAT(OutFile("phi-4__ctx4096__N2.junit.xml"), HasSubstr("not today"));
}

TEST_F(ProgramTest, ACrashLeavesAReportThatSaysWhichCellRan) {
  const BinaryResult result = Run({}, {{"PROBE_BODY", "abort"}});
  EXPECT_EQ(result.signal, SIGABRT) << result;
  const std::string junit = OutFile("junit.xml");
  EXPECT_THAT(
      junit, AllOf(HasSubstr("tests=\"6\""), HasSubstr("errors=\"6\""),
                   HasSubstr("<error message=\"not finished: the program ended while this cell was "
                             "running\"")));
}

TEST_F(ProgramTest, AReportThatCannotBeWrittenFailsTheTest) {
  std::ofstream(dir_ / "file") << "";
  const BinaryResult result = Run({"--gtest_filter=*n2", "--bi_test_skip_missing_server",
                                   "--bi_test_junit=full:file/junit.xml"});
  EXPECT_EQ(result.exit_code, kExitError) << result;
  EXPECT_THAT(result.out, HasSubstr("cannot write the JUnit file file/junit.xml: "));
}

TEST_F(ProgramTest, NoReportIsWrittenWhenSwitchedOff) {
  const BinaryResult result =
      Run({"--bi_test_skip_missing_server", "--bi_test_junit=off", "--bi_test_color=no"});
  EXPECT_EQ(result.exit_code, kExitAllSkipped) << result;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "bi_test-out" / "junit.xml"));
}

TEST_F(ProgramTest, CellsAfterAFailFastAreReportedAsNotRun) {
  const BinaryResult result = Run({"--gtest_fail_fast"}, {{"PROBE_BODY", "forget"}});
  EXPECT_EQ(result.exit_code, kExitError) << result;
  const std::string junit = OutFile("junit.xml");
  EXPECT_THAT(junit,
              AllOf(HasSubstr("errors=\"6\""), HasSubstr("skipped=\"0\""), HasSubstr("not run")));
}

TEST_F(ProgramTest, ShardsLoseNoCell) {
  std::set<std::string> seen;
  for (int shard = 0; shard < 4; ++shard) {
    const BinaryResult result =
        Run({"--bi_test_skip_missing_server"},
            {{"GTEST_TOTAL_SHARDS", "4"}, {"GTEST_SHARD_INDEX", std::to_string(shard)}});
    EXPECT_EQ(result.exit_code, kExitAllSkipped) << result;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("[ RUN      ] ")) {
        EXPECT_TRUE(seen.insert(line).second) << line;
      }
    }
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_TRUE(std::filesystem::exists(dir_ / "bi_test-out" / "junit-shard0of4.xml"));
}

TEST_F(ProgramTest, AnEmptyShardIsFineAndSaysSo) {
  const BinaryResult result = Run({}, {{"GTEST_TOTAL_SHARDS", "9"}, {"GTEST_SHARD_INDEX", "8"}});
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_THAT(result.err, HasSubstr("this shard holds no test"));
}

TEST_F(ProgramTest, TheReportIsThatOfTheLastIteration) {
  const BinaryResult result =
      Run({"--bi_test_skip_missing_server", "--gtest_repeat=2", "--bi_test_parallel=4"});
  EXPECT_EQ(result.exit_code, kExitAllSkipped) << result;
  EXPECT_THAT(OutFile("junit.xml"), HasSubstr("tests=\"2\""));
}

TEST_F(ProgramTest, UnderCTestEvidenceIsPrintedForTheDashboard) {
  const BinaryResult result = Run({"--bi_test_parallel=2", "--bi_test_model=phi-4"},
                                  {{"CTEST_INTERACTIVE_DEBUG_MODE", "1"}});
  EXPECT_THAT(result.out, AllOf(HasSubstr("CTEST_FULL_OUTPUT"), HasSubstr("<CTestMeasurement")));
  EXPECT_THAT(Run({"--bi_test_parallel=2"}).out, Not(HasSubstr("<CTestMeasurement")));
}

}  // namespace
}  // namespace bi_test
