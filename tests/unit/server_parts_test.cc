#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "process/capped_log.h"
#include "process/interrupt.h"
#include "process/port.h"
#include "process/process_end.h"
#include "process/random_key.h"
#include "process/socket_owner.h"
#include "process/wake_set.h"
#include "server/child_environment.h"
#include "server/dialects/registry.h"

namespace bi_test::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class LogFile {
 public:
  LogFile() : path_(::testing::TempDir() + "bi_test_log_" + std::to_string(::getpid())) {}
  ~LogFile() { ::unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string Text() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

TEST(CappedLog, KeepsEverythingBelowTheCap) {
  const LogFile file;
  process::CappedLog log({.max_bytes = 20, .tail_bytes = 5});
  ASSERT_TRUE(log.Open(file.path()).ok());
  log.Append("0123456789");
  log.Append("abcdefghij");
  EXPECT_EQ(log.Tail(3), "hij");
  EXPECT_EQ(log.Tail(100), "fghij");
  log.Close();
  EXPECT_EQ(file.Text(), "0123456789abcdefghij");
}

TEST(CappedLog, CutsTheMiddleAndSaysSo) {
  const LogFile file;
  process::CappedLog log({.max_bytes = 20, .tail_bytes = 5});
  ASSERT_TRUE(log.Open(file.path()).ok());
  for (int i = 0; i < 10; ++i) log.Append("0123456789");
  log.Append("the end");
  log.Close();
  log.Close();
  EXPECT_EQ(file.Text(),
            "012345678901234\n[bi_test: the log reached its limit; 87 bytes are left out here]\n"
            "e end");
}

TEST(CappedLog, OnePieceLargerThanAllOfIt) {
  const LogFile file;
  process::CappedLog log({.max_bytes = 8, .tail_bytes = 4});
  ASSERT_TRUE(log.Open(file.path()).ok());
  std::string piece(100, 'a');
  piece += "tail";
  log.Append(piece);
  log.Close();
  EXPECT_THAT(file.Text(), ::testing::EndsWith("left out here]\ntail"));
  EXPECT_EQ(log.Tail(99), "tail");
}

TEST(CappedLog, UnwritablePlaceIsAnError) {
  process::CappedLog log;
  const Status status = log.Open("/proc/no/such/log");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().Text(), HasSubstr("/proc/no/such/log: cannot write the server log"));
}

TEST(ProcessEnd, IsSaidInWords) {
  EXPECT_EQ(process::ProcessEnd{.exit_code = 1}.Text(), "exited 1");
  EXPECT_EQ(process::ProcessEnd{.signal = SIGSEGV}.Text(), "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(process::ProcessEnd{.known = false}.Text(), "ended, status unknown");
  EXPECT_EQ(process::SignalName(SIGABRT), "SIGABRT");
  EXPECT_EQ(process::SignalName(40), "SIG40");
}

TEST(SocketTable, ListensOnlyCountsThatPort) {
  constexpr const char* kTable =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 111 1 0 "
      "100\n"
      "   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  0 0 222 1 0 "
      "100\n"
      "   2: 00000000000000000000000000000000:1F90 0:0 0A 0:0 00:0 0 0 0 333 1\n"
      "   3: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0 0 444 1 0 "
      "100\n"
      "   4: junk\n   5: 0100007F:zzzz 0 0A 0 0 0 0 0 555\n";
  EXPECT_THAT(process::ParseListeners(kTable, 0x1F90), ElementsAre(111, 333));
  EXPECT_THAT(process::ParseListeners(kTable, 1), IsEmpty());
  EXPECT_THAT(process::ParseListeners("", 0x1F90), IsEmpty());
}

TEST(PortOwner, TellsOursFromForeign) {
  const auto port = process::ChoosePort({});
  ASSERT_TRUE(port.ok());
  EXPECT_EQ(process::FindPortOwner(*port, ::getpid(), "X=1").kind,
            process::PortOwner::Kind::kNobody);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(*port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  const process::PortOwner ours = process::FindPortOwner(*port, ::getpid(), "X=1");
  EXPECT_EQ(ours.kind, process::PortOwner::Kind::kOurs);
  EXPECT_EQ(ours.pid, ::getpid());
  // A child has neither our socket nor us below it.
  int closed[2];
  ASSERT_EQ(::pipe(closed), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(listener);
    ::setsid();
    while (::write(closed[1], "x", 1) != 1) continue;
    while (true) ::pause();
  }
  char byte = 0;
  EXPECT_EQ(::read(closed[0], &byte, 1), 1);  // the child has let go of the socket
  ::close(closed[0]);
  ::close(closed[1]);
  process::PortOwner foreign = process::FindPortOwner(*port, child, "X=1");
  ::kill(child, SIGKILL);
  ::close(listener);
  if (foreign.kind == process::PortOwner::Kind::kOurs) {
    ADD_FAILURE() << "taken for ours, pid " << foreign.pid;
  }
  EXPECT_THAT(foreign.holders, HasSubstr("pid " + std::to_string(::getpid())));
}

TEST(Port, IsNeverAReservedOne) {
  const auto first = process::ChoosePort({});
  ASSERT_TRUE(first.ok());
  std::vector<int> reserved;
  for (int port = 65'535; port >= 1'024; --port) reserved.push_back(port);
  const auto none = process::ChoosePort(reserved);
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().Text(), HasSubstr("shorten guard.reserved_ports"));
}

TEST(RandomHex, IsNewEachTime) {
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) seen.insert(*process::RandomHex(16));
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_EQ(seen.begin()->size(), 32U);
}

TEST(ChildEnvironment, ScrubsSetsAndRefuses) {
  const Dialect& dialect = **FindDialect("llama.cpp");
  ServerConfig server;
  server.env = {{"CUDA_VISIBLE_DEVICES", "1"}, {"GGML_NO_BACKTRACE", "0"}};
  const std::map<std::string, std::string> inherited = {{"PATH", "/bin"},
                                                        {"LLAMA_ARG_PORT", "1"},
                                                        {"LLAMA_API_KEY", "old"},
                                                        {"GGML_BACKEND_PATH", "/b"},
                                                        {"CUDA_VISIBLE_DEVICES", "0"}};
  const auto environment = ChildEnvironment(inherited, dialect, server, "new", "MARK=1");
  ASSERT_TRUE(environment.ok());
  EXPECT_THAT(*environment,
              ElementsAre("CUDA_VISIBLE_DEVICES=1", "GGML_BACKEND_PATH=/b", "GGML_NO_BACKTRACE=0",
                          "LLAMA_API_KEY=new", "PATH=/bin", "MARK=1"));
  for (const char* name : {"LLAMA_ARG_PORT", "LLAMA_API_KEY", "", "A=B"}) {
    ServerConfig bad;
    bad.env = {{name, "x"}};
    EXPECT_FALSE(ChildEnvironment(inherited, dialect, bad, "new", "MARK=1").ok()) << name;
  }
}

TEST(Interrupts, AreNotedCountedAndWakeTheLoop) {
  {
    const process::InterruptGuard guard;
    EXPECT_EQ(process::InterruptSignal(), 0);
    process::WakeSet wake;
    wake.Add(process::InterruptFd());
    EXPECT_FALSE(wake.WaitUntil(std::chrono::steady_clock::now()));
    ::raise(SIGHUP);
    ::raise(SIGTERM);
    EXPECT_TRUE(wake.WaitUntil(std::chrono::steady_clock::now()));
    EXPECT_EQ(process::InterruptSignal(), SIGHUP);
    EXPECT_EQ(process::InterruptCount(), 2);
  }
  EXPECT_EQ(process::InterruptFd(), -1);
  EXPECT_EQ(process::InterruptSignal(), SIGHUP) << "stays for the exit code";
  const process::InterruptGuard again;
  EXPECT_EQ(process::InterruptSignal(), 0);
  EXPECT_EQ(process::InterruptCount(), 0);
  process::WakeSet wake;
  wake.Add(process::InterruptFd());
  EXPECT_FALSE(wake.WaitUntil(std::chrono::steady_clock::now())) << "old signals are forgotten";
}

TEST(Interrupts, HandlersComeBackAndIgnoredSignalsStayIgnored) {
  ::signal(SIGHUP, SIG_IGN);
  {
    const process::InterruptGuard guard;
    const process::InterruptGuard second;  // Does nothing.
    ::raise(SIGHUP);
    EXPECT_EQ(process::InterruptSignal(), 0);
  }
  struct sigaction now {};
  ::sigaction(SIGHUP, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  ::signal(SIGHUP, SIG_DFL);
  ::sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace bi_test::server
