// A server from launch to stop: what it is given, what it says of itself, and that it leaves
// nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "process/interrupt.h"
#include "process/socket_owner.h"
#include "stub_launch.h"

namespace bi_test::fault {
namespace {

using server::OwnedServer;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::StartsWith;

TEST(OwnedServerLife, ReadyServerIsKnownAndStoppedServerIsGone) {
  StubLaunch launch;
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  OwnedServer& server = **launched;
  const server::ServerIdentity& identity = server.identity();
  EXPECT_EQ(identity.pid, launch.StubPid());
  EXPECT_TRUE(identity.pid_verified);
  EXPECT_EQ(identity.total_slots, 2);
  EXPECT_EQ(identity.n_ctx_slot, 1024);
  EXPECT_EQ(identity.build, "stub-1");
  EXPECT_EQ(identity.binary, BI_TEST_STUB_SERVER);
  EXPECT_EQ(identity.program, BI_TEST_STUB_SERVER);
  EXPECT_EQ(identity.binary_bytes, std::filesystem::file_size(BI_TEST_STUB_SERVER));
  EXPECT_EQ(identity.binary_sha256.size(), 64U);
  EXPECT_EQ(identity.libraries_sha256.size(), 64U);
  EXPECT_EQ(identity.api_key.size(), 32U);
  EXPECT_THAT(CompactText(identity.props), Not(HasSubstr("secret template")));
  EXPECT_THAT(CompactText(identity.props), HasSubstr("chat_template_sha256"));
  EXPECT_EQ(server.ExitReport(), std::nullopt);
  EXPECT_EQ(Chat(server, "ask 7").status, 200);

  const Status stopped = server.Stop();
  EXPECT_TRUE(stopped.ok()) << stopped.error().Text();
  EXPECT_TRUE(server.Stop().ok()) << "a second Stop does nothing";
  EXPECT_FALSE(IsAlive(identity.pid));
  EXPECT_TRUE(process::FindListeners(identity.port).sockets.empty());
  EXPECT_THAT(server.ExitReport().value_or(""), HasSubstr(" exited 0"));
  EXPECT_THAT(launch.LogText(), HasSubstr("stub: pid"));
}

TEST(OwnedServerLife, DestroyingTheObjectStopsTheServer) {
  StubLaunch launch;
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const int pid = (*launched)->identity().pid;
  EXPECT_TRUE(IsAlive(pid));
  launched->reset();
  EXPECT_FALSE(IsAlive(pid));
}

TEST(OwnedServerLife, WithoutTheKeyOfThisLaunchTheServerRefuses) {
  StubLaunch launch;
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  EXPECT_EQ(AskStatus(**launched, "/slots", true), 200);
  EXPECT_EQ(AskStatus(**launched, "/slots", false), 401);
}

TEST(OwnedServerLife, TheKeyIsInNoArgument) {
  StubLaunch launch;
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const std::string& key = (*launched)->identity().api_key;
  EXPECT_THAT(launch.Reported("arg"), Not(Contains(HasSubstr(key))));
  EXPECT_THAT((*launched)->identity().argv, Not(Contains(HasSubstr(key))));
  EXPECT_THAT(launch.Reported("env"), Contains("LLAMA_API_KEY=" + key));
}

TEST(OwnedServerLife, EveryLaunchHasItsOwnKey) {
  StubLaunch launch;
  auto first = launch.Launch();
  ASSERT_TRUE(first.ok()) << first.error().Text();
  const std::string key = (*first)->identity().api_key;
  first->reset();
  auto second = launch.Launch();
  ASSERT_TRUE(second.ok()) << second.error().Text();
  EXPECT_NE((*second)->identity().api_key, key);
}

TEST(OwnedServerLife, StrayVariablesDoNotReachTheServer) {
  ::setenv("LLAMA_ARG_N_PARALLEL", "8", 1);
  ::setenv("GGML_CPU_TILED_MM", "0", 1);
  ::setenv("GGML_BACKEND_PATH", "/some/backend.so", 1);
  ::setenv("BI_TEST_ORDINARY", "kept", 1);
  StubLaunch launch;
  auto launched = launch.Launch();
  for (const char* name :
       {"LLAMA_ARG_N_PARALLEL", "GGML_CPU_TILED_MM", "GGML_BACKEND_PATH", "BI_TEST_ORDINARY"}) {
    ::unsetenv(name);
  }
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const std::vector<std::string> environment = launch.Reported("env");
  EXPECT_THAT(environment, Not(Contains(StartsWith("LLAMA_ARG_"))));
  EXPECT_THAT(environment, Not(Contains(StartsWith("GGML_CPU_"))));
  EXPECT_THAT(environment, Contains("GGML_BACKEND_PATH=/some/backend.so"));
  EXPECT_THAT(environment, Contains("BI_TEST_ORDINARY=kept"));
  EXPECT_THAT(environment, Contains("STUB_SERVICE_MS=15"));
}

TEST(OwnedServerLife, NoDescriptorOfOursReachesTheServer) {
  StubLaunch launch;
  // A descriptor without close-on-exec, as a host program may well have.
  const int leaky = ::dup(0);
  auto launched = launch.Launch();
  ::close(leaky);
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  // 3 is the report file itself, opened by the stub.
  EXPECT_THAT(launch.Reported("fd"), ElementsAre("0", "1", "2", "3"));
  const std::string input =
      std::filesystem::read_symlink("/proc/" + std::to_string(launch.StubPid()) + "/fd/0").string();
  EXPECT_EQ(input, "/dev/null");
}

TEST(OwnedServerLife, ServerSurvivesTheEndOfTheThreadThatLaunchedIt) {
  StubLaunch launch;
  Result<std::unique_ptr<OwnedServer>> launched = Error{};
  std::thread([&] { launched = launch.Launch(); }).join();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  EXPECT_EQ(Chat(**launched, "ask 1").status, 200);
  EXPECT_EQ((*launched)->ExitReport(), std::nullopt);
}

TEST(OwnedServerLife, CrashIsSeenAtOnceAndNamed) {
  StubLaunch launch(Script{{"STUB_DIE_AFTER", "1"}, {"STUB_DIE_SIGNAL", "11"}});
  auto launched = launch.Launch();  // The readiness check is the first chat.
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  OwnedServer& server = **launched;
  EXPECT_NE(Chat(server, "ask 1").ending, http::Ending::kDone);
  pollfd wait{server.exit_fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&wait, 1, 20'000), 1);
  EXPECT_THAT(server.ExitReport().value_or("still alive"),
              AllOf(HasSubstr("server N (pid "), HasSubstr("killed by signal 11 (SIGSEGV)"),
                    HasSubstr("last lines of its log"), HasSubstr("stub: pid")));
  EXPECT_TRUE(server.Stop().ok());
}

// R130
TEST(OwnedServerLife, HundredMegabytesOfLogBlockNobodyAndAreCut) {
  StubLaunch launch(Script{{"STUB_SPAM_BYTES", "104857600"}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  EXPECT_EQ(Chat(**launched, "ask 1").status, 200);
  EXPECT_THAT((*launched)->LogTail(100), HasSubstr("last line of the spam"));
  EXPECT_LE((*launched)->LogTail(100).size(), 100U);
  ASSERT_TRUE((*launched)->Stop().ok());
  const std::uintmax_t size = std::filesystem::file_size(launch.folder() / "server.log");
  EXPECT_THAT(size, AllOf(Ge(std::uintmax_t{60} << 20), Le((std::uintmax_t{64} << 20) + 200)));
  const std::string text = launch.LogText();
  EXPECT_THAT(text.substr(0, 200), HasSubstr("stub: pid"));
  EXPECT_NE(text.find("[bi_test: the log reached its limit; "), std::string::npos);
  EXPECT_NE(text.find("last line of the spam"), std::string::npos);
}

TEST(OwnedServerLife, DescriptorsAndThreadsStayFlatOverTwentyLaunches) {
  StubLaunch launch;
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(std::filesystem::begin(tasks), std::filesystem::end(tasks));
  };
  const auto one_life = [&] {
    auto launched = launch.Launch();
    ASSERT_TRUE(launched.ok()) << launched.error().Text();
    ASSERT_TRUE((*launched)->Stop().ok());
  };
  one_life();  // What is made once for all is made now.
  const std::size_t descriptors_before = OpenDescriptors();
  const auto threads_before = threads();
  for (int i = 0; i < 20; ++i) one_life();
  EXPECT_EQ(OpenDescriptors(), descriptors_before);
  EXPECT_EQ(threads(), threads_before);
}

TEST(OwnedServerLife, TwoServersAtOnceDoNotKnowEachOther) {
  StubLaunch one;
  StubLaunch two;
  auto first = one.Launch();
  auto second = two.Launch();
  ASSERT_TRUE(first.ok()) << first.error().Text();
  ASSERT_TRUE(second.ok()) << second.error().Text();
  EXPECT_NE((*first)->identity().port, (*second)->identity().port);
  EXPECT_TRUE((*first)->Stop().ok());
  EXPECT_EQ(Chat(**second, "ask 1").status, 200);
  EXPECT_TRUE((*second)->Stop().ok());
}

TEST(OwnedServerLife, InterruptEndsTheWaitAndTheServer) {
  StubLaunch launch(Script{{"STUB_NEVER_READY", "1"}});
  const process::InterruptGuard guard;
  ::raise(SIGTERM);
  auto launched = launch.Launch();
  ASSERT_FALSE(launched.ok());
  EXPECT_EQ(launched.error().code, ErrorCode::kInterrupted);
  EXPECT_THAT(launched.error().Text(), HasSubstr("interrupted by SIGTERM"));
  const int pid = launch.StubPid();
  EXPECT_TRUE(pid == 0 || !IsAlive(pid));
}

}  // namespace
}  // namespace bi_test::fault
