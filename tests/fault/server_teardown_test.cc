// Stop ends everything the server started, or says what it could not end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>

#include "process/interrupt.h"
#include "process/process_table.h"
#include "process/socket_owner.h"
#include "stub_launch.h"

namespace bi_test::fault {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The processes that hold the listening socket of a server.
std::vector<process::ProcessEntry> Holders(std::uint16_t port) {
  return process::HoldersOf(process::FindListeners(port).sockets, process::ListProcesses());
}

class GrandchildGoesToo : public ::testing::TestWithParam<std::string> {};

// R060
TEST_P(GrandchildGoesToo, WhenTheServerIsStopped) {
  StubLaunch launch(Script{{"STUB_GRANDCHILD", GetParam()}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const std::uint16_t port = (*launched)->identity().port;
  const std::vector<process::ProcessEntry> before = Holders(port);
  ASSERT_EQ(before.size(), 2U) << "server and grandchild";
  const Status stopped = (*launched)->Stop();
  EXPECT_TRUE(stopped.ok()) << stopped.error().Text();
  for (const process::ProcessEntry& entry : before) EXPECT_FALSE(IsAlive(entry.pid));
  EXPECT_TRUE(Holders(port).empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, GrandchildGoesToo, ::testing::Values("group", "session"),
                         [](const auto& tested) { return tested.param; });

// R060
TEST(Teardown, NamesTheProcessThatKeepsThePortAndCannotBeProvenOurs) {
  StubLaunch launch(Script{{"STUB_GRANDCHILD", "hidden"}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const int server_pid = (*launched)->identity().pid;
  const std::uint16_t port = (*launched)->identity().port;
  const Status stopped = (*launched)->Stop();
  const std::vector<process::ProcessEntry> left = Holders(port);
  ASSERT_EQ(left.size(), 1U);
  ASSERT_FALSE(stopped.ok());
  EXPECT_THAT(stopped.error().Text(),
              AllOf(HasSubstr("port " + std::to_string(port) + " is still held by pid " +
                              std::to_string(left[0].pid) + " (sleep)"),
                    HasSubstr("stop it, then run again")));
  EXPECT_FALSE(IsAlive(server_pid));
  ::kill(left[0].pid, SIGKILL);
  EXPECT_TRUE(WaitGone(left[0].pid));
  EXPECT_TRUE((*launched)->Stop().ok()) << "Stop can be asked again";
}

TEST(Teardown, KillsAServerThatIgnoresTheSignal) {
  StubLaunch launch(Script{{"STUB_IGNORE_TERM", "1"}});
  launch.server.stop_grace = std::chrono::milliseconds(300);
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  EXPECT_TRUE((*launched)->Stop().ok());
  EXPECT_THAT((*launched)->ExitReport().value_or(""), HasSubstr("killed by signal 9 (SIGKILL)"));
}

TEST(Teardown, SecondInterruptEndsTheGrace) {
  StubLaunch launch(Script{{"STUB_IGNORE_TERM", "1"}});
  launch.server.stop_grace = std::chrono::hours(1);  // Only the interrupts can end this test.
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const process::InterruptGuard guard;
  ::raise(SIGINT);
  ::raise(SIGINT);
  EXPECT_TRUE((*launched)->Stop().ok());
  EXPECT_THAT((*launched)->ExitReport().value_or(""), HasSubstr("killed by signal 9 (SIGKILL)"));
}

TEST(Teardown, WorksAfterTheServerHasDiedByItself) {
  StubLaunch launch(Script{{"STUB_GRANDCHILD", "session"}, {"STUB_DIE_AFTER", "1"}});
  auto launched = launch.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  const std::uint16_t port = (*launched)->identity().port;
  EXPECT_NE(Chat(**launched, "ask 1").ending, http::Ending::kDone);
  EXPECT_TRUE(WaitGone((*launched)->identity().pid));
  EXPECT_TRUE((*launched)->Stop().ok());
  EXPECT_TRUE(Holders(port).empty());
}

}  // namespace
}  // namespace bi_test::fault
