// A real llama-server, owned: what it is, what it answers, how it fails, and that it goes away.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "http/chat_reply_reader.h"
#include "http/http_multi.h"
#include "make_model/make_model.h"
#include "process/process_table.h"
#include "process/socket_owner.h"
#include "server/dialects/registry.h"
#include "server/owned_server.h"

namespace bi_test::e2e {
namespace {

namespace fs = std::filesystem;
using server::OwnedServer;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class RealServer : public ::testing::Test {
 protected:
  // These tests prove nothing without a server, so they fail.
  void SetUp() override {
    const char* binary = std::getenv("BI_TEST_LLAMA_SERVER");
    ASSERT_TRUE(binary != nullptr && fs::exists(binary))
        << "BI_TEST_LLAMA_SERVER must name a llama-server; scripts/get-llama-server prints one";
    std::string pattern = (fs::temp_directory_path() / "bi_test_real_XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    config.binary = binary;
    config.flags = {"-t", "1"};
    model.id = "tiny";
    model.path = folder / "tiny.gguf";
    ASSERT_FALSE(ModelBytes().empty());
    std::ofstream(model.path, std::ios::binary) << ModelBytes();
    guard.memory_floor_gib = 0;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  // Made once: the bytes depend on nothing but the code.
  static const std::string& ModelBytes() {
    static const std::string bytes = [] {
      make_model::ModelSpec spec;
      spec.dim = 128;
      spec.hidden = 128;
      const auto made = make_model::ToBytes(spec);
      EXPECT_TRUE(made.ok()) << made.error().Text();
      return made.ok() ? *made : std::string();
    }();
    return bytes;
  }
  [[nodiscard]] Result<std::unique_ptr<OwnedServer>> Launch(int ctx = 512, int slots = 2) const {
    return OwnedServer::Launch({.server = &config,
                                .model = &model,
                                .guard = &guard,
                                .ctx = ctx,
                                .slots = slots,
                                .log_file = folder / "server.log",
                                .role = "N"});
  }
  [[nodiscard]] static http::HttpRequest ChatRequest(const OwnedServer& owned, int max_tokens) {
    WorksetRow row;
    row.prompt = "hello world";
    RunConfig run;
    run.max_tokens = max_tokens;
    run.n_probs = 2;
    run.ignore_eos = true;
    const server::Dialect* dialect = *server::FindDialect("llama.cpp");
    http::HttpRequest request;
    request.method = "POST";
    request.port = owned.identity().port;
    request.path = dialect->completion_path();
    request.headers = {{"Authorization", "Bearer " + owned.identity().api_key},
                       {"Content-Type", "application/json"}};
    request.body = dialect->RequestBody(row, 7, run);
    return request;
  }
  [[nodiscard]] static std::string Get(const OwnedServer& owned, const std::string& path) {
    http::HttpRequest request;
    request.port = owned.identity().port;
    request.path = path;
    request.headers = {{"Authorization", "Bearer " + owned.identity().api_key}};
    return http::HttpMulti::Fetch(request).body;
  }
  [[nodiscard]] static bool IsAlive(int pid) { return !process::ProcessTree(pid).empty(); }

  fs::path folder;
  ServerConfig config;
  ModelConfig model;
  GuardConfig guard;
};

TEST_F(RealServer, IsKnownAnswersAndGoesAway) {
  auto launched = Launch(500, 3);
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  OwnedServer& owned = **launched;
  const server::ServerIdentity& identity = owned.identity();
  EXPECT_TRUE(identity.pid_verified);
  EXPECT_EQ(identity.total_slots, 3);
  EXPECT_EQ(identity.n_ctx_slot, 512) << "rounded up to a multiple of 256";
  EXPECT_FALSE(identity.build.empty());
  EXPECT_THAT(identity.program, ::testing::EndsWith("llama-server"));
  EXPECT_EQ(identity.program_sha256.size(), 64U);
  EXPECT_EQ(identity.libraries_sha256.size(), 64U);

  const http::HttpReply reply = http::HttpMulti::Fetch(ChatRequest(owned, 8));
  ASSERT_EQ(reply.status, 200) << reply.body;
  http::ChatReplyReader reader;
  reader.Feed(reply.body);
  const auto read = reader.Finish();
  const auto* chat = std::get_if<http::ChatReply>(&read);
  ASSERT_NE(chat, nullptr) << reply.body;
  EXPECT_EQ(chat->completion_tokens, 8);
  EXPECT_EQ(chat->cached_tokens, 0);
  EXPECT_TRUE(chat->slot.has_value()) << "verbose shows the slot";
  EXPECT_TRUE(chat->token_ids.has_value());
  EXPECT_TRUE(chat->logprobs.has_value());
  EXPECT_FALSE(chat->truncated);

  const server::Dialect* dialect = *server::FindDialect("llama.cpp");
  EXPECT_EQ(dialect->ParseBusySlots(Get(owned, dialect->slots_path())), 0);
  const server::Counters counters = dialect->ParseMetrics(Get(owned, dialect->metrics_path()));
  EXPECT_EQ(counters.tokens_predicted, 9) << "one for the readiness check";
  EXPECT_GE(counters.decode_calls.value_or(0), 9);
  EXPECT_TRUE(counters.mean_busy_slots.has_value());
  EXPECT_EQ(counters.requests_processing, 0);
  EXPECT_EQ(counters.requests_deferred, 0);

  const Status stopped = owned.Stop();
  EXPECT_TRUE(stopped.ok()) << stopped.error().Text();
  EXPECT_FALSE(IsAlive(identity.pid));
  EXPECT_TRUE(process::FindListeners(identity.port).sockets.empty());
}

TEST_F(RealServer, StopsWithARequestInFlight) {
  auto launched = Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  http::HttpMulti http;
  bool output = false;
  http.Start(
      ChatRequest(**launched, 400),
      [&](std::string_view, http::Clock::time_point) {
        output = true;
        return true;
      },
      [](http::HttpReply&&) {});
  const auto until = http::Clock::now() + std::chrono::seconds(60);
  while (!output && http::Clock::now() < until) http.Run(until);
  ASSERT_TRUE(output);
  const int pid = (*launched)->identity().pid;
  EXPECT_TRUE((*launched)->Stop().ok());
  EXPECT_FALSE(IsAlive(pid));
}

TEST_F(RealServer, CrashIsSeenAndNamed) {
  auto launched = Launch();
  ASSERT_TRUE(launched.ok()) << launched.error().Text();
  ::kill((*launched)->identity().pid, SIGABRT);
  pollfd wait{(*launched)->exit_fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&wait, 1, 20'000), 1);
  EXPECT_THAT((*launched)->ExitReport().value_or(""),
              AllOf(HasSubstr("killed by signal 6 (SIGABRT)"), HasSubstr("model loaded")));
  EXPECT_TRUE((*launched)->Stop().ok());
}

TEST_F(RealServer, DamagedModelIsASwiftAndClearError) {
  const std::string& whole = ModelBytes();
  struct Damage {
    const char* name;
    std::string bytes;
    const char* words;
  };
  const Damage damages[] = {{"empty", "", "the model file"},
                            {"no GGUF", "hello, this is no model", "the model file is no GGUF"},
                            {"half", whole.substr(0, whole.size() / 2), "cut off"},
                            {"last byte missing", whole.substr(0, whole.size() - 1), "cut off"},
                            {"inside the header", whole.substr(0, 1'000), "damaged"}};
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.name);
    std::ofstream(model.path, std::ios::binary | std::ios::trunc) << damage.bytes;
    auto launched = Launch();
    ASSERT_FALSE(launched.ok());
    EXPECT_EQ(launched.error().code, ErrorCode::kServer);
    EXPECT_THAT(
        launched.error().Text(),
        AllOf(HasSubstr("exited 1 before it was ready"), HasSubstr(damage.words),
              HasSubstr("last lines of its log"), HasSubstr("exiting due to model loading error")));
  }
}

TEST_F(RealServer, ContextBeyondTheTrainingOfTheModelIsAnError) {
  auto launched = Launch(8'192, 1);
  ASSERT_FALSE(launched.ok());
  EXPECT_THAT(launched.error().Text(), HasSubstr("slot context 4096 < 8192"));
}

TEST_F(RealServer, UnknownFlagIsNamed) {
  config.flags.push_back("--no-such-flag");
  auto launched = Launch();
  ASSERT_FALSE(launched.ok());
  EXPECT_THAT(launched.error().Text(),
              AllOf(HasSubstr("does not know a flag"), HasSubstr("--no-such-flag")));
}

TEST_F(RealServer, DescriptorsStayFlatOverTwentyLaunches) {
  const auto count = [] {
    const fs::directory_iterator descriptors("/proc/self/fd");
    return std::distance(fs::begin(descriptors), fs::end(descriptors));
  };
  const auto one_life = [&] {
    auto launched = Launch(256, 1);
    ASSERT_TRUE(launched.ok()) << launched.error().Text();
    ASSERT_TRUE((*launched)->Stop().ok());
  };
  one_life();
  const auto before = count();
  for (int i = 0; i < 20; ++i) one_life();
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace bi_test::e2e
