// The plugin with a server behind it: a test program run as a child on the scripted stand-in for
// llama-server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "bi_test/exit_code.h"
#include "make_model/make_model.h"
#include "support/run_binary.h"

namespace bi_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

constexpr const char* kSweep =
    "server:\n"
    "  kind: llama.cpp\n"
    "  binary: no-such-folder/llama-server\n"
    "models:\n"
    "  - id: tiny\n"
    "    path: tiny.gguf\n"
    "matrix:\n"
    "  ctx: [1024]\n"
    "  parallel: [2, 4]\n"
    "run: {passes: 2, max_tokens: 16}\n"
    "guard: {memory_floor_gib: 0}\n";

std::string ReadText(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    std::string name = (std::filesystem::temp_directory_path() / "bi_test_probe_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    dir_ = name;
    std::ofstream sweep(dir_ / "cells.yaml");
    sweep << kSweep << "workset:\n";
    for (int i = 0; i < 8; ++i) {
      sweep << "  - {prompt: \"ask " << i << "\", expected_answer: \"ok-" << i << "\"}\n";
    }
    sweep.close();
    if (!make_model::Write({}, (dir_ / "tiny.gguf").string()).ok()) std::abort();
  }
  ~ServerTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }

  BinaryOptions Options(std::map<std::string, std::string> env) const {
    BinaryOptions options;
    options.directory = dir_.string();
    options.args = {std::string("--bi_test_server_binary=") + BI_TEST_STUB_BINARY};
    options.env = std::move(env);
    options.timeout = std::chrono::seconds(100);
    return options;
  }

  std::string OutFile(const std::string& name) const {
    return ReadText(dir_ / "bi_test-out" / name);
  }

  std::filesystem::path dir_;
};

TEST_F(ServerTest, AnHonestServerIsGreen) {
  BinaryOptions options = Options({});
  options.args.insert(options.args.end(), {"--gtest_output=xml:gtest.xml", "--bi_test_parallel=2"});
  const BinaryResult result = RunBinary(BI_TEST_PROBE_BINARY, options);
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_TRUE(std::filesystem::exists(dir_ / "bi_test-out" / "tiny__ctx1024__N2.json"));
  EXPECT_THAT(OutFile("junit.xml"), AllOf(HasSubstr("tests=\"1\""), HasSubstr("failures=\"0\""),
                                          HasSubstr("errors=\"0\""), HasSubstr("[[ATTACHMENT|"),
                                          HasSubstr("name=\"bi_width\"")));
  EXPECT_THAT(ReadText(dir_ / "gtest.xml"), HasSubstr("name=\"bi_status\" value=\"green\""));
  EXPECT_THAT(result.out, ContainsRegex("tiny ctx=1024 +GREEN"));
}

TEST_F(ServerTest, ProcessesOfOneOutDirShareOnePage) {
  for (const char* n : {"--bi_test_parallel=2", "--bi_test_parallel=4"}) {
    BinaryOptions options = Options({});
    options.args.push_back(n);
    const BinaryResult result = RunBinary(BI_TEST_PROBE_BINARY, options);
    EXPECT_EQ(result.exit_code, kExitOk) << result;
  }
  EXPECT_THAT(OutFile("index.html"),
              AllOf(HasSubstr("2 of 2 cells passed"), HasSubstr("tiny ctx=1024 N=2"),
                    HasSubstr("tiny ctx=1024 N=4"), HasSubstr("Width per pass"),
                    HasSubstr("href=\"./tiny__ctx1024__N2.json\"")));
  EXPECT_THAT(OutFile("summary.md"), HasSubstr("2 of 2 cells passed"));
}

TEST_F(ServerTest, ADivergentServerIsRed) {
  BinaryOptions options = Options({{"STUB_DIVERGE", "1"}});
  options.args.push_back("--bi_test_parallel=2");
  const BinaryResult result = RunBinary(BI_TEST_PROBE_BINARY, options);
  EXPECT_EQ(result.exit_code, kExitNo) << result;
  EXPECT_THAT(result.out, AllOf(HasSubstr("is GREEN, or AMBER and signed off"), HasSubstr("RED")));
  EXPECT_THAT(OutFile("junit.xml"), AllOf(HasSubstr("failures=\"1\""), HasSubstr("<failure")));
}

TEST_F(ServerTest, TheBodyDecidesWhatPasses) {
  BinaryOptions options = Options({{"STUB_DIVERGE", "1"}, {"PROBE_BODY", "anything"}});
  options.args.push_back("--bi_test_parallel=2");
  const BinaryResult accepted = RunBinary(BI_TEST_PROBE_BINARY, options);
  EXPECT_EQ(accepted.exit_code, kExitOk) << accepted;
  EXPECT_THAT(OutFile("junit.xml"), Not(HasSubstr("<failure")));
}

TEST_F(ServerTest, AGreenCellOfWhichMoreWasAskedFails) {
  BinaryOptions options = Options({{"PROBE_BODY", "width"}});
  options.args.push_back("--bi_test_parallel=2");
  const BinaryResult result = RunBinary(BI_TEST_PROBE_BINARY, options);
  EXPECT_EQ(result.exit_code, kExitNo) << result;
  EXPECT_THAT(OutFile("junit.xml"), AllOf(HasSubstr("type=\"bi_test.expectation\""),
                                          HasSubstr("overlap depth that is &gt;= 1000")));
}

TEST_F(ServerTest, ASignalStopsTheServerAndLeavesTheOtherCellsNotRun) {
  BinaryOptions options = Options({{"STUB_REPORT_FILE", (dir_ / "stub").string()}});
  std::ofstream(dir_ / "cells.yaml", std::ios::app) << "output: {dir: out}\n";
  options.args.push_back("--bi_test_passes=500");
  options.wait_for = "A2";
  options.when_seen = [](pid_t pid) { ::kill(pid, SIGTERM); };
  const BinaryResult result = RunBinary(BI_TEST_PROBE_BINARY, options);
  EXPECT_EQ(result.exit_code, 128 + SIGTERM) << result;
  EXPECT_FALSE(result.timed_out);
  const std::string junit = ReadText(dir_ / "out" / "junit.xml");
  EXPECT_THAT(junit, AllOf(HasSubstr("tests=\"2\""), HasSubstr("errors=\"2\""),
                           HasSubstr("message=\"not run\""), HasSubstr("signal 15")));
}

TEST_F(ServerTest, CellsOfATestPUseTheSameFlags) {
  BinaryOptions options = Options({});
  options.args.push_back("--gtest_filter=*n2");
  const BinaryResult result = RunBinary(BI_TEST_PARAM_PROBE_BINARY, options);
  EXPECT_EQ(result.exit_code, kExitOk) << result;
  EXPECT_THAT(result.out,
              HasSubstr("[       OK ] Sweep/ParamCells.AreInvariant/tiny__ctx1024__n2"));
  EXPECT_THAT(OutFile("junit.xml"), HasSubstr("tests=\"1\""));
}

}  // namespace
}  // namespace bi_test
