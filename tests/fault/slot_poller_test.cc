// Busy numbers that a server leaves standing after its work: they prove nothing about the next
// pass.
#include "run/evidence.h"
#include "server/dialects/registry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "stub_launch.h"

namespace bi_test::fault {
namespace {

using std::chrono::milliseconds;

class LingeringGauge : public ::testing::Test {
 protected:
  LingeringGauge() : launch_(Script{{"STUB_SERVICE_MS", "120"}}) {
    launch_.server.kind = "sglang";
    launch_.model.kv = "auto";
    launch_.model.path = launch_.folder() / "model";
    std::filesystem::create_directories(launch_.model.path);
    std::ofstream(launch_.model.path / "model.safetensors") << "weights";
  }

  void Ask(int chats) {
    std::vector<std::thread> threads;
    for (int i = 0; i < chats; ++i) {
      threads.emplace_back([this] { EXPECT_EQ(Chat(*server_, "ask 1", "sglang").status, 200); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  // What a poller sees during `time`.
  PassEvidence Poll(milliseconds time) {
    const server::Dialect& dialect = **server::FindDialect("sglang");
    http::HttpMulti http;
    run::SlotPoller poller(http, dialect, server_->identity());
    const auto end = run::Clock::now() + time;
    while (run::Clock::now() < end) {
      poller.Tick(run::Clock::now());
      http.Run(std::min(end, poller.next_due()));
    }
    poller.Stop();
    PassEvidence evidence;
    poller.Fill(evidence);
    return evidence;
  }

  StubLaunch launch_;
  std::unique_ptr<server::OwnedServer> server_;
};

TEST_F(LingeringGauge, IsNoEvidenceForThePassThatFollows) {
  auto launched = launch_.Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  server_ = std::move(*launched);
  Ask(2);  // The gauge now says 2, and keeps saying it.
  const PassEvidence idle = Poll(milliseconds(300));
  EXPECT_EQ(idle.server_peak_busy_slots, std::nullopt);
  EXPECT_EQ(idle.polls, 0);
  EXPECT_EQ(idle.missed_polls, 0);

  std::thread work([this] {
    for (int i = 0; i < 5; ++i) Ask(1);
  });
  const PassEvidence alone = Poll(milliseconds(800));
  work.join();
  EXPECT_EQ(alone.server_peak_busy_slots, 1);
}

}  // namespace
}  // namespace bi_test::fault
