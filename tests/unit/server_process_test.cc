#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include "process/child_process.h"
#include "process/process_table.h"

namespace bi_test::server {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

process::ChildSpec Shell(const std::string& script, const std::string& mark = "MARK=none") {
  return {.program = "/bin/sh",
          .arguments = {"-c", script},
          .environment = {"PATH=/usr/bin:/bin", mark},
          .mark = {},
          .log_file = {},
          .log_limits = {}};
}

TEST(ChildProcess, EndIsCollectedWithItsStatus) {
  struct Case {
    const char* script;
    process::ProcessEnd end;
  };
  for (const Case& c : {Case{"exit 0", {.exit_code = 0}}, Case{"exit 37", {.exit_code = 37}},
                        Case{"kill -SEGV $$", {.signal = SIGSEGV}}}) {
    auto child = process::ChildProcess::Spawn(Shell(c.script));
    ASSERT_TRUE(child.ok()) << child.error().Text();
    EXPECT_EQ(child->WaitUntil(Clock::now() + seconds(20)), c.end) << c.script;
    EXPECT_EQ(child->Poll(), c.end) << "asked again";
  }
}

TEST(ChildProcess, OutputOfBothStreamsIsKept) {
  auto child = process::ChildProcess::Spawn(Shell("echo out; echo err >&2"));
  ASSERT_TRUE(child.ok());
  ASSERT_TRUE(child->WaitUntil(Clock::now() + seconds(20)).has_value());
  EXPECT_EQ(child->LogTail(100), "out\nerr\n");
}

TEST(ChildProcess, InheritsNothing) {
  ::setenv("BI_TEST_LEAK", "1", 1);
  auto child =
      process::ChildProcess::Spawn(Shell("env; trap; cat"));  // cat ends at once: no input.
  ::unsetenv("BI_TEST_LEAK");
  ASSERT_TRUE(child.ok());
  ASSERT_TRUE(child->WaitUntil(Clock::now() + seconds(20)).has_value());
  EXPECT_THAT(child->LogTail(1'000), HasSubstr("MARK=none"));
  EXPECT_THAT(child->LogTail(1'000), ::testing::Not(HasSubstr("BI_TEST_LEAK")));
}

TEST(ChildProcess, LeadsAGroupThatGetsItsSignals) {
  auto child = process::ChildProcess::Spawn(Shell("sleep 100 & wait"));
  ASSERT_TRUE(child.ok());
  child->SignalGroup(SIGTERM);
  EXPECT_EQ(child->WaitUntil(Clock::now() + seconds(20)), process::ProcessEnd{.signal = SIGTERM});
  EXPECT_TRUE(process::ProcessTree(child->pid()).empty());
}

TEST(ChildProcess, BlockedAndIgnoredSignalsOfOursAreNormalInIt) {
  sigset_t term;
  sigset_t before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &term, &before);
  ::signal(SIGTERM, SIG_IGN);
  auto child = process::ChildProcess::Spawn(Shell("kill -TERM $$; exit 5"));
  ::signal(SIGTERM, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(child->WaitUntil(Clock::now() + seconds(20)), process::ProcessEnd{.signal = SIGTERM});
}

TEST(ChildProcess, WhatItLeavesInItsGroupGoesWithIt) {
  auto child = process::ChildProcess::Spawn(Shell("sleep 100 & echo $!; exit 0"));
  ASSERT_TRUE(child.ok());
  ASSERT_TRUE(child->WaitUntil(Clock::now() + seconds(20)).has_value());
  const int left = std::stoi(child->LogTail(100));
  const auto until = Clock::now() + seconds(20);
  while (!process::ProcessTree(left).empty() && Clock::now() < until) {
  }
  EXPECT_TRUE(process::ProcessTree(left).empty());
}

TEST(ChildProcess, ErrorsOfTheStartAreNamed) {
  process::ChildSpec missing = Shell("");
  missing.program = "/no/such/program";
  EXPECT_EQ(process::ChildProcess::Spawn(missing).error().Text(),
            "/no/such/program: cannot execute the server: No such file or directory; the file, or "
            "the interpreter it names, does not exist");
  process::ChildSpec zero = Shell(std::string("a\0b", 3));
  EXPECT_EQ(process::ChildProcess::Spawn(zero).error().Text(),
            "/bin/sh: an argument of the server holds a zero byte");
}

TEST(MarkedProcesses, AreFoundAndEndedWhereverTheyWent) {
  const std::string mark = "BI_TEST_MARK=" + std::to_string(::getpid());
  // One in another session whose parent is gone, one in the group of the child.
  auto child = process::ChildProcess::Spawn(
      Shell("setsid sleep 100 & sleep 100 & echo started; wait", mark));
  ASSERT_TRUE(child.ok());
  // A process shows no environment while it executes its program: three looks in a row have to
  // agree.
  const auto until = Clock::now() + seconds(20);
  int agreed = 0;
  while (agreed < 3 && Clock::now() < until) {
    agreed = process::ProcessesMarked(mark).size() == 3 ? agreed + 1 : 0;
    ::usleep(20'000);
  }
  EXPECT_EQ(agreed, 3);
  EXPECT_TRUE(process::ProcessesMarked(mark + "0").empty()) << "a longer value is another mark";
  EXPECT_TRUE(process::KillMarked(mark, Clock::now() + seconds(20)).empty());
  EXPECT_TRUE(process::ProcessesMarked(mark).empty());
}

TEST(ProcessTable, DescribesWithoutTrustingNames) {
  EXPECT_EQ(process::Describe({process::ProcessEntry{.pid = 7, .name = "a\x1b"},
                               process::ProcessEntry{.pid = 8, .name = "b"}}),
            "pid 7 (a\\x1b), pid 8 (b)");
}

}  // namespace
}  // namespace bi_test::server
