// What the SGLang dialect sends, reads and refuses. The pages follow SGLang's documentation; no
// real one was run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "server/child_environment.h"
#include "server/dialects/registry.h"
#include "server_launch_case.h"

namespace bi_test::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Dialect& Sglang() { return **FindDialect("sglang"); }

std::string Joined(const Result<std::vector<std::string>>& arguments) {
  if (!arguments.ok()) return arguments.error().Text();
  std::string text;
  for (const std::string& argument : *arguments) text += (text.empty() ? "" : " ") + argument;
  return text;
}

constexpr const char* kOurs =
    "--model-path /models/m --served-model-name local --host 127.0.0.1 --port 40123 --api-key KEY "
    "--context-length 1000 --max-running-requests 4 --disable-radix-cache --enable-metrics "
    "--enable-cache-report --decode-log-interval 1 --random-seed 0 --kv-cache-dtype auto "
    "--enable-deterministic-inference";

struct ProgramCase {
  const char* program;
  const char* head;
};

TEST(SglangArguments, FitTheProgramThatTakesThem) {
  for (const ProgramCase& test :
       {ProgramCase{"/venv/bin/python3", "-m sglang.launch_server "},
        ProgramCase{"/venv/bin/sglang", "serve "}, ProgramCase{"/opt/wrapper", ""}}) {
    LaunchCase launch("sglang");
    launch.server.binary = test.program;
    launch.server.flags = {"--enable-deterministic-inference"};
    EXPECT_EQ(Joined(Sglang().Arguments(launch.Spec(), 40'123, "KEY")),
              std::string(test.head) + kOurs);
  }
}

struct FlagCase {
  const char* flag;
  const char* why;
};
void PrintTo(const FlagCase& test, std::ostream* out) { *out << test.flag; }

class SglangForbiddenFlag : public ::testing::TestWithParam<FlagCase> {};

TEST_P(SglangForbiddenFlag, IsRefusedByName) {
  LaunchCase launch("sglang");
  launch.server.flags = {GetParam().flag};
  EXPECT_EQ(Joined(Sglang().Arguments(launch.Spec(), 1, "key")),
            "server.flags[0]: `" + std::string(GetParam().flag) + "`: " + GetParam().why +
                "; remove the flag");
}

INSTANTIATE_TEST_SUITE_P(
    Flags, SglangForbiddenFlag,
    ::testing::Values(
        FlagCase{"--port=30000", "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
        FlagCase{"--host", "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
        FlagCase{"--max-running-requests",
                 "the number of requests at once comes from `parallel:` of the sweep file"},
        FlagCase{"--max-run",
                 "it can stand for --max-running-requests, and the number of requests at once "
                 "comes from `parallel:` of the sweep file"},
        FlagCase{"--context_length=9", "the context comes from `ctx:` of the sweep file"},
        FlagCase{"--allow-auto-truncate", "a prompt that is cut silently is another prompt"},
        FlagCase{"--decode-log-interval",
                 "the metrics are the proof of batching and always on, fresh at every step"},
        FlagCase{"--enable-hierarchical-cache",
                 "prompt caches are always off: they change results without any batching"},
        FlagCase{"--admin-api-key", "bi_test makes a new key for each launch"},
        FlagCase{"--config", "a file of flags cannot be checked; write them in server.flags"}),
    [](const auto& test) { return "Case" + std::to_string(test.index); });

TEST(SglangRequest, LeavesNothingToTheModelsDefaults) {
  WorksetRow row;
  row.prompt = "hi";
  RunConfig run;
  run.max_tokens = 16;
  run.n_probs = 0;
  run.ignore_eos = true;
  EXPECT_EQ(Sglang().RequestBody(row, 7, run),
            R"({"frequency_penalty":0,"ignore_eos":true,"max_tokens":16,)"
            R"("messages":[{"content":"hi","role":"user"}],"min_p":0,"model":"local","n":1,)"
            R"("presence_penalty":0,"repetition_penalty":1,"seed":7,"stream":true,)"
            R"("stream_options":{"include_usage":true},"temperature":0,"top_k":-1,"top_p":1})");
}

TEST(SglangEnvironment, IsScrubbedAndOffline) {
  const auto environment = ChildEnvironment(
      {{"SGLANG_X", "1"}, {"SGL_Y", "1"}, {"TORCH_HOME", "/t"}}, Sglang(), {}, "key", "MARK=1");
  ASSERT_TRUE(environment.ok());
  EXPECT_THAT(*environment,
              ::testing::ElementsAre("DO_NOT_TRACK=1", "HF_HUB_OFFLINE=1", "TORCH_HOME=/t",
                                     "TRANSFORMERS_OFFLINE=1", "MARK=1"));
}

struct GaugeCase {
  const char* name;
  const char* page;
  std::optional<int> busy;
  double progress;
};
void PrintTo(const GaugeCase& test, std::ostream* out) { *out << test.name; }

class SglangGauges : public ::testing::TestWithParam<GaugeCase> {};

TEST_P(SglangGauges, TellTheBusiestRank) {
  EXPECT_EQ(Sglang().ParseBusySlots(GetParam().page), GetParam().busy);
  EXPECT_EQ(Sglang().ParseProgress(GetParam().page), GetParam().progress);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, SglangGauges,
    ::testing::Values(GaugeCase{"RanksOfOneTensorSayTheSame",
                                "sglang:num_running_reqs{tp_rank=\"0\"} 4.0\n"
                                "sglang:num_running_reqs{tp_rank=\"1\"} 4.0\n"
                                "sglang:generation_tokens_total 12.0\n",
                                4, 12},
                      GaugeCase{"RanksOfDataShareNoBatch",
                                "sglang:num_running_reqs{dp_rank=\"0\"} 1.0\n"
                                "sglang:num_running_reqs{dp_rank=\"1\"} 2.0\n",
                                2, 0},
                      GaugeCase{"OtherServersGauge", "vllm:num_requests_running 9\n", {}, 0},
                      GaugeCase{"TotalIsNoGauge", "sglang:num_running_reqs_total 100\n", {}, 0},
                      GaugeCase{"NotANumber", "sglang:num_running_reqs NaN\n", {}, 0},
                      GaugeCase{"Nothing", "", {}, 0}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(SglangCounters, SayNothingOfIdlenessBecauseGaugesLinger) {
  const Counters counters = Sglang().ParseMetrics(
      "sglang:num_running_reqs 4.0\nsglang:num_queue_reqs 2.0\nsglang:generation_tokens_total "
      "7.0\n");
  EXPECT_EQ(counters.tokens_predicted, 7);
  EXPECT_EQ(counters.requests_processing, std::nullopt);
  EXPECT_EQ(counters.requests_deferred, std::nullopt);
  EXPECT_EQ(counters.mean_busy_slots, std::nullopt);
  EXPECT_EQ(counters.decode_calls, std::nullopt);
}

struct SelfCase {
  const char* name;
  const char* path;
  const char* page;
  const char* error;
};
void PrintTo(const SelfCase& test, std::ostream* out) { *out << test.name; }

class SglangSelf : public ::testing::TestWithParam<SelfCase> {};

TEST_P(SglangSelf, IsAsLaunchedOrRefused) {
  const LaunchCase launch("sglang");
  ServerIdentity identity;
  const auto checked =
      Sglang().CheckPage(GetParam().path, GetParam().page, launch.Spec(), identity);
  EXPECT_EQ(checked.ok() ? "" : checked.error().Text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, SglangSelf,
    ::testing::Values(
        SelfCase{"AsLaunched", "/server_info",
                 R"({"model_path":"/models/m","max_running_requests":4,"context_length":1000,
                     "disable_radix_cache":true,
                     "internal_states":[{"effective_max_running_requests_per_dp":4}]})",
                 ""},
        SelfCase{"SaysNothing", "/server_info", "{}", ""},
        SelfCase{"NoJson", "/server_info", "<html>", ""},
        SelfCase{"AdmitsFewerThanAsked", "/server_info",
                 R"({"max_running_requests":4,
                     "internal_states":[{"effective_max_running_requests_per_dp":3}]})",
                 "server N: the server reports 3 slots, launched were 4; check the program and its "
                 "flags"},
        SelfCase{"CacheOn", "/server_info", R"({"disable_radix_cache":false})",
                 "server N: disable_radix_cache is false, launched was --disable-radix-cache; a "
                 "prompt cache changes results without any batching: check what the program adds"},
        SelfCase{"OtherModel", "/get_server_info", R"({"model_path":"/models/x"})",
                 "server N: the server has loaded `/models/x`, launched was `/models/m`"},
        SelfCase{"ShorterContext", "/v1/models", R"({"data":[{"id":"local","max_model_len":512}]})",
                 "server N: slot context 512 < 1000; the model is trained for less, or a flag "
                 "divides the context: lower ctx or check the flags"},
        SelfCase{"OtherName", "/v1/models", R"({"data":[{"id":"x"}]})",
                 "server N: GET /v1/models: the model `local` that was launched is not listed; it "
                 "may be another server"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(SglangSelfDescription, IsKeptWithoutItsSecrets) {
  const LaunchCase launch("sglang");
  ServerIdentity identity;
  ASSERT_TRUE(Sglang()
                  .CheckPage("/server_info",
                             R"({"api_key":"SECRET","admin_api_key":"SECRET","version":"0.5.19",
                                 "enable_deterministic_inference":true,"attention_backend":"fa3",
                                 "max_running_requests":4,"internal_states":[{"x":"SECRET"}]})",
                             launch.Spec(), identity)
                  .ok());
  EXPECT_EQ(identity.build, "sglang 0.5.19");
  EXPECT_EQ(identity.total_slots, 4);
  EXPECT_EQ(CompactText(identity.props),
            R"({"attention_backend":"fa3","enable_deterministic_inference":true})");
}

}  // namespace
}  // namespace bi_test::server
