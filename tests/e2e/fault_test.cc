// Faults on a real llama-server: each ends in the right verdict within its deadline, with nothing
// left running. The time each took is printed for the record; only the deadline is tested.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "bi_test/matchers.h"
#include "e2e/real_world.h"

namespace bi_test::e2e {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A run, and what happened around it.
struct Disturbed {
  CellRun run;
  int n_signals = 0;
  double seconds_after = 0.0;  ///< From the disturbance to the end of the run.
};

Sweep Load(const Experiment& experiment) {
  Result<Sweep> sweep = LoadSweep(WriteSweep(experiment), ProcessEnvironment());
  if (!sweep.ok()) ADD_FAILURE() << sweep.error().Text();
  return *sweep;
}

/// Runs the cell and sends `signal` to its server when `done` requests of `arm` are finished.
Disturbed RunAndSignal(const Sweep& sweep, const std::string& arm, int done, int signal) {
  Disturbed out;
  const std::string model = sweep.models.at(0).path.string();
  std::chrono::steady_clock::time_point sent;
  RunOptions options;
  options.on_progress = [&](const Progress& progress) {
    if (out.n_signals > 0 || progress.arm != arm || progress.done < done) return;
    for (const int pid : ProcessesNaming(model)) {
      if (kill(pid, signal) == 0) ++out.n_signals;
    }
    sent = std::chrono::steady_clock::now();
  };
  out.run = RunCell(sweep, sweep.cells.at(0), options);
  out.seconds_after =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count();
  std::cout << "signal " << signal << " in arm " << arm << ": " << out.run.judgement << " after "
            << out.seconds_after << " s\n";
  return out;
}

/// Every id is accounted for in every pass that was planned.
void ExpectNoIdLost(const CellRun& run, const Sweep& sweep) {
  for (int pass = 0; pass < sweep.run.passes; ++pass) {
    std::set<std::string> ids;
    for (const Trial& trial : run.record.trials) {
      if (trial.arm == Arm::kC && trial.pass == pass) ids.insert(trial.test_id);
    }
    EXPECT_THAT(ids, SizeIs(sweep.workset.rows.size())) << "pass " << pass;
  }
}

TEST(RealFaults, AServerKilledInTheMiddleOfTheConcurrentArm) {
  const Sweep sweep = Load({.name = "kill9", .flash_attention = "off", .passes = 3});
  const Disturbed d = RunAndSignal(sweep, "c2", 10, SIGKILL);
  ASSERT_EQ(d.n_signals, 1);
  ASSERT_FALSE(d.run.error.has_value()) << d.run.error->Text();
  EXPECT_THAT(d.run, HasVerdict(Verdict::kRed));
  EXPECT_THAT(d.run, HasDivergenceClass("infrastructure"));
  EXPECT_TRUE(d.run.judgement.transport_only);
  EXPECT_THAT(d.run.judgement.first_cause, HasSubstr("SIGKILL"));
  ExpectNoIdLost(d.run, sweep);
  EXPECT_LT(d.seconds_after, 30.0);
  EXPECT_TRUE(NoProcessNames(sweep.models[0].path.string()));
}

TEST(RealFaults, AServerKilledInTheSerialArmLicensesNothing) {
  const Sweep sweep = Load({.name = "kill9_a", .flash_attention = "off", .passes = 2});
  const Disturbed d = RunAndSignal(sweep, "A", 10, SIGKILL);
  ASSERT_EQ(d.n_signals, 1);
  EXPECT_THAT(d.run.judgement.verdict, AnyOf(Verdict::kRed, Verdict::kUnverified));
  EXPECT_THAT(d.run, Not(IsBatchInvariant()));
  EXPECT_LT(d.seconds_after, 60.0);
  EXPECT_TRUE(NoProcessNames(sweep.models[0].path.string()));
  // No other N may build on half a baseline.
  std::size_t kept = 0;
  for (const auto& entry : fs::directory_iterator(sweep.output.dir / "baselines")) {
    kept += entry.path().string().ends_with(".trace.jsonl") ? 1 : 0;
  }
  EXPECT_EQ(kept, 0u);
}

TEST(RealFaults, AServerThatHangsEndsAtTheDeadline) {
  Sweep sweep = Load({.name = "sigstop", .flash_attention = "off", .passes = 3});
  sweep.run.request_timeout = seconds{3};
  sweep.run.arm_timeout = seconds{10};
  const Disturbed d = RunAndSignal(sweep, "c1", 10, SIGSTOP);
  ASSERT_EQ(d.n_signals, 1);
  ASSERT_FALSE(d.run.error.has_value()) << d.run.error->Text();
  EXPECT_THAT(d.run, HasVerdict(Verdict::kRed));
  EXPECT_THAT(d.run, HasDivergenceClass("infrastructure"));
  EXPECT_TRUE(d.run.judgement.transport_only);
  ExpectNoIdLost(d.run, sweep);
  EXPECT_LT(d.seconds_after, 60.0);
  EXPECT_TRUE(NoProcessNames(sweep.models[0].path.string()));
}

/// A listener of ours on a port of loopback; closed in the destructor.
class Thief {
 public:
  explicit Thief(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    holds_ = bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
             listen(fd_, 8) == 0;
  }
  ~Thief() { close(fd_); }
  Thief(const Thief&) = delete;
  Thief& operator=(const Thief&) = delete;
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  int fd_;
  bool holds_ = false;
};

TEST(RealFaults, APortStolenBetweenChoiceAndBind) {
  Sweep sweep = Load({.name = "stolen", .flash_attention = "off", .passes = 2});
  // A wrapper that tells its port and waits until somebody has taken it, the first time only.
  const fs::path wrapper = Scratch() / "wrapper.sh";
  const fs::path told = Scratch() / "port", go = Scratch() / "go", once = Scratch() / "once";
  ASSERT_EQ(mkfifo(told.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(go.c_str(), 0600), 0);
  std::ofstream(wrapper) << "#!/bin/sh\n"
                         << "before=\n"
                         << "for argument; do\n"
                         << "  if [ \"$before\" = --port ] && mkdir " << once.string()
                         << " 2>/dev/null; then\n"
                         << "    echo \"$argument\" >" << told.string() << "\n"
                         << "    read -r reply <" << go.string() << "\n"
                         << "  fi\n"
                         << "  before=$argument\n"
                         << "done\n"
                         << "exec " << RealServer() << " \"$@\"\n";
  fs::permissions(wrapper, fs::perms::owner_all);
  sweep.server.binary = wrapper;

  std::atomic<bool> stolen = false;
  std::atomic<bool> over = false;
  std::thread thief([&] {
    int port = 0;
    std::ifstream(told) >> port;
    const Thief holder(port);
    stolen = holder.holds();
    std::ofstream(go) << "taken" << std::endl;
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  });
  CellRun run;
  for (int attempt = 0; attempt < 3; ++attempt) {
    run = RunCell(sweep, sweep.cells.at(0), RunOptions{});
    if (run.judgement.verdict != Verdict::kUnverified) break;  // a busy machine missed the width
  }
  over = true;
  thief.join();
  EXPECT_TRUE(stolen);
  ASSERT_FALSE(run.error.has_value()) << run.error->Text();
  EXPECT_THAT(run, HasVerdict(Verdict::kGreen));
  EXPECT_EQ(*run.cert.document.Find("server")->Find("pid_verified"), Json(true));
  EXPECT_TRUE(NoProcessNames(sweep.models[0].path.string()));
}

}  // namespace
}  // namespace bi_test::e2e
