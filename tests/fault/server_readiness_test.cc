// Launches that go wrong: each ends with an error that says what, and with nothing left running.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <functional>
#include <ostream>

#include "stub_launch.h"

namespace bi_test::fault {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Failure {
  std::string name;
  Script script;
  std::function<void(StubLaunch&)> change;
  ErrorCode code = ErrorCode::kServer;
  std::vector<std::string> words;
};

std::ostream& operator<<(std::ostream& out, const Failure& failure) { return out << failure.name; }

class LaunchFails : public ::testing::TestWithParam<Failure> {};

TEST_P(LaunchFails, WithAnErrorThatSaysWhat) {
  const Failure& failure = GetParam();
  StubLaunch launch(failure.script);
  launch.server.ready_timeout = std::chrono::seconds(30);
  if (failure.change) failure.change(launch);
  auto launched = launch.Launch();
  ASSERT_FALSE(launched.ok());
  EXPECT_EQ(launched.error().code, failure.code) << launched.error().Text();
  for (const std::string& word : failure.words) {
    EXPECT_THAT(launched.error().Text(), HasSubstr(word));
  }
  const int pid = launch.StubPid();
  EXPECT_TRUE(pid == 0 || !IsAlive(pid)) << "the stub is still running";
}

INSTANTIATE_TEST_SUITE_P(
    Server, LaunchFails,
    ::testing::Values(
        Failure{"ExitsAtStart",
                {{"STUB_EXIT_AT_START", "3"}},
                {},
                ErrorCode::kServer,
                {"launch N: server N (pid ", " exited 3 before it was ready",
                 "last lines of its log", "stub: told to exit at start"}},
        Failure{"DiesOnTheFirstChat",
                {{"STUB_DIE_AFTER", "0"}, {"STUB_DIE_SIGNAL", "6"}},
                {},
                ErrorCode::kServer,
                {"killed by signal 6 (SIGABRT) before it was ready"}},
        Failure{"ReportsAnotherNumberOfSlots",
                {{"STUB_TOTAL_SLOTS", "1"}},
                {},
                ErrorCode::kServer,
                {"server N: the server reports 1 slots, launched were 2"}},
        Failure{"ReportsASmallerContext",
                {{"STUB_N_CTX", "512"}},
                {},
                ErrorCode::kServer,
                {"server N: slot context 512 < 1024"}},
        Failure{"IsARouter",
                {{"STUB_ROUTER", "1"}},
                {},
                ErrorCode::kServer,
                {"runs as a router without a model"}},
        Failure{"HasLoadedAnotherModel",
                {{"STUB_MODEL_PATH", "/elsewhere/other.gguf"}},
                {},
                ErrorCode::kServer,
                {"the server has loaded `/elsewhere/other.gguf`, launched was `"}},
        Failure{"IsNeverReady",
                {{"STUB_NEVER_READY", "1"}},
                [](StubLaunch& launch) {
                  launch.server.ready_timeout = std::chrono::milliseconds(6'000);
                },
                ErrorCode::kDeadline,
                {"was not ready within 6.0 s; last: GET /health: status 503", "Loading model",
                 "raise server.ready_timeout"}},
        // R062
        Failure{"AcceptsAndNeverAnswers",
                {{"STUB_SILENT", "1"}},
                [](StubLaunch& launch) {
                  launch.server.ready_timeout = std::chrono::milliseconds(700);
                },
                ErrorCode::kDeadline,
                {"was not ready within 0.7 s"}},
        Failure{"SleepsLongerThanTheLimit",
                {{"STUB_SLEEP_AT_START_MS", "60000"}},
                [](StubLaunch& launch) {
                  launch.server.ready_timeout = std::chrono::milliseconds(700);
                },
                ErrorCode::kDeadline,
                {"was not ready within 0.7 s"}},
        Failure{"NeverGetsPastAProxy",
                {{"STUB_BAD_GATEWAYS", "1000000"}},
                [](StubLaunch& launch) {
                  launch.server.ready_timeout = std::chrono::milliseconds(6'000);
                },
                ErrorCode::kDeadline,
                {"last: POST /v1/chat/completions: status 502"}},
        Failure{"CanNeverBind",
                {{"STUB_BIND_FAILURES", "1000"}},
                [](StubLaunch& launch) {
                  launch.server.env["STUB_STATE_FILE"] = (launch.folder() / "state").string();
                },
                ErrorCode::kServer,
                {"exited 1 before it was ready", "couldn't bind HTTP server socket"}},
        Failure{"BinaryIsMissing",
                {},
                [](StubLaunch& launch) { launch.server.binary = launch.folder() / "nothing"; },
                ErrorCode::kNotFound,
                {"nothing: the file cannot be read"}},
        Failure{"BinaryWasNotFoundAtAll",
                {},
                [](StubLaunch& launch) {
                  launch.server.binary.clear();
                  launch.server.binary_as_written = "llama-sever";
                },
                ErrorCode::kNotFound,
                {"server.binary: found no program `llama-sever`"}},
        Failure{"BinaryIsNotExecutable",
                {},
                [](StubLaunch& launch) { launch.server.binary = launch.model.path; },
                ErrorCode::kNotFound,
                {"cannot execute the server: Permission denied", "chmod +x"}},
        Failure{"BinaryIsNoProgram",
                {},
                [](StubLaunch& launch) {
                  launch.server.binary = launch.folder() / "junk";
                  WriteProgram(launch.server.binary, "\x01\x02 no program");
                },
                ErrorCode::kNotFound,
                {"cannot execute the server: Exec format error"}},
        Failure{"InterpreterIsMissing",
                {},
                [](StubLaunch& launch) {
                  launch.server.binary = launch.folder() / "script";
                  WriteProgram(launch.server.binary, "#!/no/such/interpreter\n");
                },
                ErrorCode::kNotFound,
                {"the file, or the interpreter it names, does not exist"}},
        Failure{"ModelIsMissing",
                {},
                [](StubLaunch& launch) { launch.model.path = launch.folder() / "gone.gguf"; },
                ErrorCode::kNotFound,
                {"gone.gguf: the size of the model file cannot be read"}},
        Failure{"KindIsUnknown",
                {},
                [](StubLaunch& launch) { launch.server.kind = "tgi"; },
                ErrorCode::kUsage,
                {"server.kind: found `tgi`; the kinds of server this build can launch are: "
                 "llama.cpp, vllm, sglang, openai"}},
        Failure{"FlagIsForbidden",
                {},
                [](StubLaunch& launch) { launch.server.flags = {"--port=80"}; },
                ErrorCode::kRefused,
                {"server.flags[0]: `--port=80`"}},
        Failure{"VariableIsForbidden",
                {{"LLAMA_ARG_N_PARALLEL", "8"}},
                {},
                ErrorCode::kRefused,
                {"server.env.LLAMA_ARG_N_PARALLEL: found a flag in a variable"}},
        Failure{"ItsPidIsReserved",
                {},
                [](StubLaunch& launch) {
                  for (int pid = 2; pid <= 4'194'304; ++pid)
                    launch.guard.reserved_pids.push_back(pid);
                },
                ErrorCode::kRefused,
                {"guard.reserved_pids: the server got pid ", "correct that list"}},
        Failure{"MemoryGuardSaysNo",
                {},
                [](StubLaunch& launch) { launch.guard.max_footprint_gib = 1.0; },
                ErrorCode::kRefused,
                {"stub: guard S0: projected footprint"}}),
    [](const auto& tested) { return tested.param.name; });

// R050, R107
TEST(LaunchRetries, AnotherPortWhenTheFirstIsTaken) {
  StubLaunch launch(Script{{"STUB_BIND_FAILURES", "2"}});
  launch.server.env["STUB_STATE_FILE"] = (launch.folder() / "state").string();
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  EXPECT_EQ(std::filesystem::file_size(launch.folder() / "state"), 3U);
}

TEST(LaunchWaits, WhileEverythingAnswersLoading) {
  StubLaunch launch(Script{{"STUB_LOADING_MS", "600"}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
}

TEST(LaunchWaits, UntilTheModelBehindAHealthyProxyAnswers) {
  StubLaunch launch(Script{{"STUB_BAD_GATEWAYS", "3"}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
}

TEST(LaunchWaits, NotForTheEndOfAnEndlessAnswer) {
  StubLaunch launch(Script{{"STUB_ENDLESS", "1"}});
  launch.server.ready_timeout = std::chrono::hours(1);  // Waiting for the end would show.
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
}

// R050
TEST(LaunchRefuses, AServerThatIsNotOurs) {
  StubLaunch launch(Script{{"STUB_STRANGER", "1"}});
  auto launched = launch.Launch();
  const int stranger = launch.StubPid();
  ASSERT_FALSE(launched.ok());
  EXPECT_THAT(launched.error().Text(),
              AllOf(HasSubstr("is held by pid " + std::to_string(stranger)),
                    HasSubstr("that process was left alone")));
  EXPECT_TRUE(IsAlive(stranger)) << "a process that is not ours may not be touched";
  ::kill(stranger, SIGKILL);
  EXPECT_TRUE(WaitGone(stranger));
}

TEST(LaunchDescribes, AScriptAndTheProgramItBecomes) {
  StubLaunch launch;
  launch.server.binary = launch.folder() / "wrapper";
  WriteProgram(launch.server.binary,
               "#!/bin/sh\nexec '" + std::string(BI_TEST_STUB_SERVER) + "' \"$@\"\n");
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const server::ServerIdentity& identity = (*launched)->identity();
  EXPECT_EQ(identity.binary, launch.server.binary.string());
  EXPECT_EQ(identity.program, BI_TEST_STUB_SERVER);
  EXPECT_NE(identity.binary_sha256, identity.program_sha256);
  EXPECT_TRUE(identity.pid_verified);
}

TEST(LaunchDescribes, TheServerBehindAWrapperThatStays) {
  StubLaunch launch;
  launch.server.binary = launch.folder() / "wrapper";
  WriteProgram(launch.server.binary,
               "#!/bin/sh\n'" + std::string(BI_TEST_STUB_SERVER) + "' \"$@\" &\nwait\n");
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const int stub = launch.StubPid();
  EXPECT_NE((*launched)->identity().pid, stub);
  EXPECT_TRUE((*launched)->identity().pid_verified);
  EXPECT_EQ((*launched)->identity().program, BI_TEST_STUB_SERVER);
  EXPECT_TRUE((*launched)->Stop().ok());
  EXPECT_FALSE(IsAlive(stub));
}

TEST(ServerReadinessTest, IsNotWaitedForPastTheDeadlineOfTheRun) {
  const StubLaunch launch(Script{{"STUB_NEVER_READY", "1"}});
  server::LaunchSpec spec = launch.Spec();
  spec.run_deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto launched = server::OwnedServer::Launch(spec);
  ASSERT_FALSE(launched.ok());
  EXPECT_EQ(launched.error().code, ErrorCode::kDeadline);
  EXPECT_THAT(launched.error().message,
              AllOf(HasSubstr("was not ready at the deadline of the whole run; last: "),
                    HasSubstr("; raise run.run_timeout if it only needs longer; ")));
}

}  // namespace
}  // namespace bi_test::fault
