// A server does not outlive its owner, even one that is killed without a word.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "stub_launch.h"

namespace bi_test::fault {
namespace {

// The owner program, started with its output in a pipe; killed and collected at the end.
class Owner {
 public:
  explicit Owner(const StubLaunch& launch) {
    std::vector<std::string> arguments = {BI_TEST_SERVER_OWNER, launch.server.binary.string(),
                                          launch.model.path.string()};
    for (const auto& [name, value] : launch.server.env) arguments.push_back(name + "=" + value);
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], 1);
      ::execv(pointers[0], pointers.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  ~Owner() {
    End(SIGKILL);
    ::close(output_);
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  // The first line it prints; empty when nothing comes within 60 s.
  std::string FirstLine() {
    std::string line;
    char byte = 0;
    pollfd wait{output_, POLLIN, 0};
    while (::poll(&wait, 1, 60'000) == 1 && ::read(output_, &byte, 1) == 1 && byte != '\n') {
      line += byte;
    }
    return line;
  }
  void End(int signal) {
    if (pid_ <= 0) return;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

struct Death {
  std::string name;
  int signal = SIGKILL;
  std::string wrapper;  ///< Text of a script that starts the stub `@`; empty: the stub itself.
  Script script;
};

std::ostream& operator<<(std::ostream& out, const Death& death) { return out << death.name; }

class ServerDiesWithItsOwner : public ::testing::TestWithParam<Death> {};

TEST_P(ServerDiesWithItsOwner, HoweverTheOwnerDies) {
  const Death& death = GetParam();
  StubLaunch launch(death.script);
  if (!death.wrapper.empty()) {
    std::string text = death.wrapper;
    text.replace(text.find('@'), 1, BI_TEST_STUB_SERVER);
    launch.server.binary = launch.folder() / "wrapper";
    WriteProgram(launch.server.binary, text);
  }
  Owner owner(launch);
  ASSERT_THAT(owner.FirstLine(), ::testing::StartsWith("ready "));
  const int stub = launch.StubPid();
  ASSERT_TRUE(IsAlive(stub));
  owner.End(death.signal);
  EXPECT_TRUE(WaitGone(stub));
}

INSTANTIATE_TEST_SUITE_P(
    Deaths, ServerDiesWithItsOwner,
    ::testing::Values(
        Death{"Killed", SIGKILL, "", {}},
        Death{"KilledWithAStubbornServer", SIGKILL, "", {{"STUB_IGNORE_TERM", "1"}}},
        Death{"Crashed", SIGSEGV, "", {}}, Death{"Terminated", SIGTERM, "", {}},
        Death{"Interrupted", SIGINT, "", {}},
        Death{"KilledBehindAWrapperThatBecomesTheServer",
              SIGKILL,
              "#!/bin/sh\nexec '@' \"$@\"\n",
              {}},
        Death{"KilledBehindAWrapperThatStays", SIGKILL, "#!/bin/sh\n'@' \"$@\" &\nwait\n", {}},
        Death{"KilledWhenTheServerIsInAnotherSession",
              SIGKILL,
              "#!/bin/sh\nsetsid '@' \"$@\" &\nwait\n",
              {{"STUB_IGNORE_TERM", "1"}}},
        Death{"TerminatedWhenTheServerIsInAnotherSession",
              SIGTERM,
              "#!/bin/sh\nsetsid '@' \"$@\" &\nwait\n",
              {{"STUB_IGNORE_TERM", "1"}}}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace bi_test::fault
