#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/dialects/registry.h"
#include "server/dialects/user_flags.h"

namespace bi_test::server {
namespace {

/// The flags that a llama-server gets of these, which come last.
Result<std::vector<std::string>> Check(std::vector<std::string> server_flags,
                                       std::vector<std::string> model_flags = {}) {
  ServerConfig server;
  server.flags = std::move(server_flags);
  ModelConfig model;
  model.id = "m";
  model.path = "/m.gguf";
  model.flags = std::move(model_flags);
  model.kv = "q8_0";
  const GuardConfig guard;
  Result<std::vector<std::string>> arguments = (*FindDialect("llama.cpp"))
                                                   ->Arguments({.server = &server,
                                                                .model = &model,
                                                                .guard = &guard,
                                                                .ctx = 1024,
                                                                .slots = 4,
                                                                .log_file = {},
                                                                .role = "N"},
                                                               8080, "key");
  if (!arguments.ok()) return arguments.error();
  const std::size_t count = server.flags.size() + model.flags.size();
  return std::vector<std::string>(arguments->end() - static_cast<std::ptrdiff_t>(count),
                                  arguments->end());
}

class ForbiddenFlag : public ::testing::TestWithParam<const char*> {};

TEST_P(ForbiddenFlag, IsRefusedInServerAndModelFlags) {
  const std::string flag = GetParam();
  const auto server = Check({"-fa", "off", flag});
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().code, ErrorCode::kRefused);
  EXPECT_EQ(server.error().where, "server.flags[2]");
  EXPECT_THAT(server.error().message, ::testing::StartsWith("`" + flag + "`: "));
  EXPECT_THAT(server.error().message, ::testing::EndsWith("; remove the flag"));
  const auto model = Check({}, {flag});
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().where, "models.m.flags[0]");
}

INSTANTIATE_TEST_SUITE_P(
    Flags, ForbiddenFlag,
    ::testing::Values("--host", "--host=0.0.0.0", "--port", "--port=8192", "--reuse-port", "-c",
                      "--ctx-size", "--ctx-size=1", "--ctx_size", "--ctx_size=1", "-c=1", "-np",
                      "-np=1", "--parallel", "--parallel=1", "--slots", "--no-slots", "--metrics",
                      "--api-key", "--api-key=x", "--api_key_file", "-kvu", "--kv-unified",
                      "--kv-unified-per-slot", "--cache-prompt", "--no-cache-prompt", "--cache-ram",
                      "-cram", "--cache-reuse", "-m", "--model", "-hf", "--model-url",
                      "--models-dir", "--offline", "--help", "--version", "--embedding",
                      "--log-disable", "--api-prefix=/x"));

TEST(UserFlags, OrdinaryOnesPassInTheirOrder) {
  const auto flags = Check({"-fa", "off", "-t", "1"}, {"--jinja", "-b", "512", "--ubatch-size=4"});
  ASSERT_TRUE(flags.ok()) << flags.error().Text();
  EXPECT_THAT(*flags, ::testing::ElementsAre("-fa", "off", "-t", "1", "--jinja", "-b", "512",
                                             "--ubatch-size=4"));
}

TEST(UserFlags, CacheTypeMayRepeatTheKvLabelOnly) {
  EXPECT_TRUE(Check({"-ctk", "q8_0", "--cache-type-v=Q8_0"}).ok());
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"-ctk", "f16"},
                                                {"--cache-type-v", "f16"},
                                                {"--cache_type_k=f16"},
                                                {"-ctv"}}) {
    const auto checked = Check(flags);
    ASSERT_FALSE(checked.ok()) << flags[0];
    EXPECT_THAT(checked.error().Text(), ::testing::HasSubstr("but `kv` of model m says q8_0"));
  }
}

TEST(UserFlags, BatchHoldsATokenOfEachSlot) {
  EXPECT_TRUE(Check({"-ub", "4"}).ok());
  for (const char* flag : {"-b", "-ub", "--batch-size", "--ubatch-size"}) {
    const auto checked = Check({flag, "3"});
    ASSERT_FALSE(checked.ok()) << flag;
    EXPECT_EQ(checked.error().message,
              "`" + std::string(flag) +
                  "`: a batch of 3 cannot hold one token of each of 4 slots, so that nothing would "
                  "be batched; use at least 4");
  }
  EXPECT_FALSE(Check({"-b", "many"}).ok());
  EXPECT_FALSE(Check({"-b", "-4"}).ok());
  EXPECT_FALSE(Check({"-b"}).ok());
}

TEST(UserFlags, EmptyAndZeroBytesAreRefused) {
  EXPECT_FALSE(Check({""}).ok());
  EXPECT_FALSE(Check({std::string("-t\0", 3)}).ok());
}

TEST(UserFlags, AreFoundInAllSpellings) {
  const auto has_threads = [](const std::vector<std::string>& texts) {
    std::vector<UserFlag> flags;
    for (const std::string& text : texts) flags.push_back({text, "", NormalFlag(text)});
    return HasFlag(flags, {"-t", "--threads"});
  };
  EXPECT_TRUE(has_threads({"-fa", "-t"}));
  EXPECT_TRUE(has_threads({"--threads=4"}));
  EXPECT_FALSE(has_threads({"-tb", "4", "--threads-batch"}));
}

}  // namespace
}  // namespace bi_test::server
