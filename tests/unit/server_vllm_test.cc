// What the vLLM dialect sends, reads and refuses. The pages follow vLLM's documentation; no real
// one was run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "server/child_environment.h"
#include "server/dialects/registry.h"
#include "server_launch_case.h"

namespace bi_test::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Dialect& Vllm() { return **FindDialect("vllm"); }

std::string Joined(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : " ") + argument;
  return text;
}

TEST(VllmArguments, SayEverythingThatShapesTheExperiment) {
  LaunchCase launch("vllm");
  launch.server.flags = {"--enforce-eager"};
  launch.model.flags = {"--dtype", "bfloat16"};
  const auto arguments = Vllm().Arguments(launch.Spec(), 40'123, "key");
  ASSERT_TRUE(arguments.ok()) << arguments.error().Text();
  EXPECT_EQ(Joined(*arguments),
            "serve /models/m --served-model-name local --host 127.0.0.1 --port 40123 "
            "--max-model-len 1000 --max-num-seqs 4 --no-enable-prefix-caching "
            "--enable-prompt-tokens-details --max-logprobs 100 --generation-config vllm --seed 0 "
            "--kv-cache-dtype auto --enforce-eager --dtype bfloat16");
}

TEST(VllmArguments, TellTheInterpreterTheModule) {
  LaunchCase launch("vllm");
  launch.server.binary = "/venv/bin/python3.12";
  const auto arguments = Vllm().Arguments(launch.Spec(), 1, "key");
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(Joined(*arguments), HasSubstr("-m vllm.entrypoints.cli.main serve /models/m "));
}

TEST(VllmArguments, NeverHoldTheKey) {
  const LaunchCase launch("vllm");
  EXPECT_THAT(Joined(*Vllm().Arguments(launch.Spec(), 1, "SECRET")), Not(HasSubstr("SECRET")));
  EXPECT_EQ(Vllm().Environment("SECRET").at("VLLM_API_KEY"), "SECRET");
}

TEST(VllmArguments, TakeTheKvTypeOfTheModelIfVllmKnowsIt) {
  LaunchCase launch("vllm");
  launch.model.kv = "fp8_e5m2";
  EXPECT_THAT(*Vllm().Arguments(launch.Spec(), 1, "key"), Contains("fp8_e5m2"));
  launch.model.kv = "q8_0";
  const auto refused = Vllm().Arguments(launch.Spec(), 1, "key");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().Text(),
            "m: kv: found `q8_0`; servers of kind vllm know auto, fp8, fp8_e4m3, fp8_e5m2");
}

struct FlagCase {
  const char* flag;
  const char* why;
};
void PrintTo(const FlagCase& test, std::ostream* out) { *out << test.flag; }

class VllmForbiddenFlag : public ::testing::TestWithParam<FlagCase> {};

TEST_P(VllmForbiddenFlag, IsRefusedByName) {
  LaunchCase launch("vllm");
  launch.server.flags = {"--enforce-eager", GetParam().flag};
  const auto server = Vllm().Arguments(launch.Spec(), 1, "key");
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().code, ErrorCode::kRefused);
  EXPECT_EQ(server.error().Text(), "server.flags[1]: `" + std::string(GetParam().flag) +
                                       "`: " + GetParam().why + "; remove the flag");
  launch.server.flags.clear();
  launch.model.flags = {GetParam().flag};
  const auto model = Vllm().Arguments(launch.Spec(), 1, "key");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().where, "models.m.flags[0]");
}

INSTANTIATE_TEST_SUITE_P(
    Flags, VllmForbiddenFlag,
    ::testing::Values(
        FlagCase{"--host", "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
        FlagCase{"--host=0.0.0.0", "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
        FlagCase{"--port=8000", "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
        FlagCase{"--max-num-seqs",
                 "the number of sequences comes from `parallel:` of the sweep file"},
        FlagCase{"--max_num_seqs=8",
                 "the number of sequences comes from `parallel:` of the sweep file"},
        FlagCase{"--max-num-s",
                 "it can stand for --max-num-seqs, and the number of sequences comes from "
                 "`parallel:` of the sweep file"},
        FlagCase{"--max-model-len", "the context comes from `ctx:` of the sweep file"},
        FlagCase{"--max-mod=9",
                 "it can stand for --max-model-len, and the context comes from `ctx:` of the sweep "
                 "file"},
        FlagCase{"--enable-prefix-caching",
                 "prompt caches are always off: they change results without any batching"},
        FlagCase{"--kv-transfer-config.kv_connector=X",
                 "prompt caches are always off: they change results without any batching"},
        FlagCase{"--api-key", "bi_test makes a new key for each launch"},
        FlagCase{"--disable-log-stats", "the metrics are the proof of batching and always on"},
        FlagCase{"--num-scheduler-steps=8",
                 "several tokens per step would pass for several requests at once"},
        FlagCase{"--config", "a file of flags cannot be checked; write them in server.flags"},
        FlagCase{"--model", "the model comes from `models:` of the sweep file"},
        FlagCase{"--kv-cache-dtype", "the cache type comes from `kv:` of the model"},
        FlagCase{"--runner", "such a server does not answer chats"},
        FlagCase{"--version", "it makes the server print something and exit"}),
    [](const auto& test) { return "Case" + std::to_string(test.index); });

TEST(VllmFlags, OrdinaryOnesPass) {
  LaunchCase launch("vllm");
  launch.server.flags = {"-tp",
                         "2",
                         "--gpu-memory-utilization=0.8",
                         "--dtype",
                         "half",
                         "--max-num-batched-tokens",
                         "4096",
                         "--speculative-config",
                         R"({"method":"ngram"})"};
  EXPECT_TRUE(Vllm().Arguments(launch.Spec(), 1, "key").ok());
}

TEST(VllmEnvironment, IsScrubbedOfflineAndRecorded) {
  ServerConfig server;
  server.env = {{"VLLM_BATCH_INVARIANT", "1"},
                {"VLLM_ATTENTION_BACKEND", "FLASH_ATTN"},
                {"CUDA_VISIBLE_DEVICES", "0,1"},
                {"MY_PLACE", "somewhere"},
                {"VLLM_SECRET_TOKEN", "hunter2"}};
  const auto environment = ChildEnvironment({{"VLLM_ATTENTION_BACKEND", "XFORMERS"},
                                             {"NCCL_ALGO", "Ring"},
                                             {"HF_HOME", "/h"},
                                             {"HF_TOKEN", "t"},
                                             {"PATH", "/bin"}},
                                            Vllm(), server, "key", "MARK=1");
  ASSERT_TRUE(environment.ok()) << environment.error().Text();
  EXPECT_THAT(
      *environment,
      ElementsAre("CUDA_VISIBLE_DEVICES=0,1", "DO_NOT_TRACK=1", "HF_HOME=/h", "HF_HUB_OFFLINE=1",
                  "MY_PLACE=somewhere", "PATH=/bin", "TRANSFORMERS_OFFLINE=1", "VLLM_API_KEY=key",
                  "VLLM_ATTENTION_BACKEND=FLASH_ATTN", "VLLM_BATCH_INVARIANT=1",
                  "VLLM_NO_USAGE_STATS=1", "VLLM_SECRET_TOKEN=hunter2", "MARK=1"));
  const auto recorded = RecordedEnvironment(Vllm(), server);
  EXPECT_EQ(recorded.at("VLLM_BATCH_INVARIANT"), "1");
  EXPECT_EQ(recorded.at("VLLM_ATTENTION_BACKEND"), "FLASH_ATTN");
  EXPECT_EQ(recorded.at("CUDA_VISIBLE_DEVICES"), "0,1");
  EXPECT_THAT(recorded.at("MY_PLACE"), ::testing::MatchesRegex("sha256:[0-9a-f]{64}"));
  EXPECT_THAT(recorded.at("VLLM_SECRET_TOKEN"), ::testing::MatchesRegex("sha256:[0-9a-f]{64}"));
  for (const char* name : {"VLLM_API_KEY", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"}) {
    server.env = {{name, "x"}};
    EXPECT_FALSE(ChildEnvironment({}, Vllm(), server, "key", "MARK=1").ok()) << name;
  }
}

TEST(VllmRequest, LeavesNothingToTheModelsDefaults) {
  WorksetRow row;
  row.prompt = "hi";
  RunConfig run;
  run.max_tokens = 16;
  run.n_probs = 2;
  EXPECT_EQ(Vllm().RequestBody(row, 7, run),
            R"({"frequency_penalty":0,"ignore_eos":false,"logprobs":true,"max_tokens":16,)"
            R"("messages":[{"content":"hi","role":"user"}],"min_p":0,"model":"local","n":1,)"
            R"("presence_penalty":0,"repetition_penalty":1,"return_token_ids":true,)"
            R"("return_tokens_as_token_ids":true,"seed":7,"stream":true,"stream_options":)"
            R"({"include_usage":true},"temperature":0,"top_k":-1,"top_logprobs":2,"top_p":1})");
  EXPECT_EQ(Vllm().TokenizeBody("a \"b\""), R"({"model":"local","prompt":"a \"b\""})");
}

struct CountersCase {
  const char* name;
  std::string page;
  std::optional<double> steps, tokens, mean, running, waiting;
  std::optional<int> busy;
};
void PrintTo(const CountersCase& test, std::ostream* out) { *out << test.name; }

class VllmMetrics : public ::testing::TestWithParam<CountersCase> {};

TEST_P(VllmMetrics, ProveWidthOrNothing) {
  const CountersCase& test = GetParam();
  const Counters counters = Vllm().ParseMetrics(test.page);
  EXPECT_EQ(counters.decode_calls, test.steps);
  EXPECT_EQ(counters.tokens_predicted, test.tokens);
  EXPECT_EQ(counters.mean_busy_slots, test.mean);
  EXPECT_EQ(counters.requests_processing, test.running);
  EXPECT_EQ(counters.requests_deferred, test.waiting);
  EXPECT_EQ(Vllm().ParseBusySlots(test.page), test.busy);
  EXPECT_EQ(Vllm().ParseProgress(test.page), std::nullopt);
}

const std::string kEngine0 =
    "vllm:num_requests_running{engine=\"0\"} 3.0\nvllm:num_requests_waiting{engine=\"0\"} 1.0\n"
    "vllm:iteration_tokens_total_sum{engine=\"0\"} 999.0\n"
    "vllm:iteration_tokens_total_count{engine=\"0\"} 100.0\n"
    "vllm:generation_tokens_total{engine=\"0\"} 350.0\n";
const std::string kEngine1 =
    "vllm:num_requests_running{engine=\"1\"} 2.0\nvllm:num_requests_waiting{engine=\"1\"} 0.0\n"
    "vllm:iteration_tokens_total_count{engine=\"1\"} 100.0\n"
    "vllm:generation_tokens_total{engine=\"1\"} 50.0\n";

INSTANTIATE_TEST_SUITE_P(
    Pages, VllmMetrics,
    ::testing::Values(
        CountersCase{"OneEngine", kEngine0, 100, 350, 3.5, 3, 1, 3},
        CountersCase{"RequestsOfTwoEnginesShareNoBatch", kEngine0 + kEngine1, 200, 400, 2.0, 5, 1,
                     3},
        CountersCase{"NotYetAStep",
                     "vllm:iteration_tokens_total_count 0.0\nvllm:generation_tokens_total 0.0\n",
                     0,
                     0,
                     0,
                     {},
                     {},
                     {}},
        CountersCase{"DraftTokensAreNoCompany",
                     kEngine0 + "vllm:spec_decode_num_draft_tokens_total{engine=\"0\"} 0.0\n",
                     100,
                     350,
                     {},
                     3,
                     1,
                     3},
        CountersCase{
            "StatisticsOff", "python_gc_objects_collected_total 1.0\n", {}, {}, {}, {}, {}, {}},
        CountersCase{"NotANumber", "vllm:num_requests_running NaN\n", {}, {}, {}, {}, {}, {}},
        CountersCase{
            "Hostile", "vllm:num_requests_running 1e12\n", {}, {}, {}, 1e12, {}, 1'000'000'000},
        CountersCase{"Nothing", "", {}, {}, {}, {}, {}, {}}),
    [](const auto& test) { return std::string(test.param.name); });

struct SelfCase {
  const char* name;
  const char* path;
  const char* page;
  const char* error;  ///< Empty: as launched.
};
void PrintTo(const SelfCase& test, std::ostream* out) { *out << test.name; }

class VllmSelf : public ::testing::TestWithParam<SelfCase> {};

TEST_P(VllmSelf, IsAsLaunchedOrRefused) {
  const LaunchCase launch("vllm");
  ServerIdentity identity;
  const auto checked = Vllm().CheckPage(GetParam().path, GetParam().page, launch.Spec(), identity);
  EXPECT_EQ(checked.ok() ? "" : checked.error().Text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, VllmSelf,
    ::testing::Values(
        SelfCase{"AsLaunched", "/v1/models",
                 R"({"data":[{"id":"local","root":"/models/m","max_model_len":1000}]})", ""},
        SelfCase{"BesideAnAdapter", "/v1/models",
                 R"({"data":[{"id":"lora"},{"id":"local","max_model_len":1000}]})", ""},
        SelfCase{"OtherName", "/v1/models", R"({"data":[{"id":"gpt-x"}]})",
                 "server N: GET /v1/models: the model `local` that was launched is not listed; it "
                 "may be another server"},
        SelfCase{"EmptyList", "/v1/models", R"({"data":[]})",
                 "server N: GET /v1/models: the model `local` that was launched is not listed; it "
                 "may be another server"},
        SelfCase{"NoList", "/v1/models", "<html>",
                 "server N: GET /v1/models: the model `local` that was launched is not listed; it "
                 "may be another server"},
        SelfCase{"OtherFolder", "/v1/models",
                 R"({"data":[{"id":"local","root":"/models/other","max_model_len":1000}]})",
                 "server N: the server has loaded `/models/other`, launched was `/models/m`"},
        SelfCase{"ShorterContext", "/v1/models", R"({"data":[{"id":"local","max_model_len":512}]})",
                 "server N: slot context 512 < 1000; the model is trained for less, or a flag "
                 "divides the context: lower ctx or check the flags"},
        SelfCase{"VersionThatIsNone", "/version", "[]", ""},
        SelfCase{"CacheOff", "/metrics",
                 "vllm:cache_config_info{enable_prefix_caching=\"False\"} 1.0\n", ""},
        SelfCase{"CacheOn", "/metrics",
                 "vllm:cache_config_info{block_size=\"16\",enable_prefix_caching=\"True\"} 1.0\n",
                 "server N: GET /metrics: enable_prefix_caching is True, launched was "
                 "--no-enable-prefix-caching; a prompt cache changes results without any "
                 "batching: check what the program adds"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(VllmSelfDescription, IsKeptWithTheMode) {
  LaunchCase launch("vllm");
  launch.server.env = {{"VLLM_BATCH_INVARIANT", "1"}};
  ServerIdentity identity;
  ASSERT_TRUE(Vllm()
                  .CheckPage("/v1/models", R"({"data":[{"id":"local","max_model_len":1024}]})",
                             launch.Spec(), identity)
                  .ok());
  ASSERT_TRUE(
      Vllm().CheckPage("/version", R"({"version":"0.11.0"})", launch.Spec(), identity).ok());
  ASSERT_TRUE(Vllm()
                  .CheckPage("/metrics",
                             "vllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"573\"} 1\n",
                             launch.Spec(), identity)
                  .ok());
  EXPECT_EQ(identity.n_ctx_slot, 1024);
  EXPECT_EQ(identity.total_slots, 4);
  EXPECT_EQ(identity.build, "vllm 0.11.0");
  EXPECT_EQ(CompactText(identity.props),
            R"({"batch_invariant":true,"block_size":"16","num_gpu_blocks":"573"})");
}

TEST(VllmLog, SaysWhyAServerEnded) {
  EXPECT_TRUE(Vllm().SaysPortTaken(
      "[Errno 98] error while attempting to bind on address ('127.0.0.1', 1): address already in "
      "use"));
  EXPECT_THAT(Vllm().ExitHint("vllm: error: unrecognized arguments: --x"), HasSubstr("remove"));
  EXPECT_THAT(Vllm().ExitHint("max_model_len (9000) is greater than the derived max_model_len"),
              HasSubstr("lower ctx"));
  EXPECT_EQ(Vllm().ExitHint("all is well"), "");
}

}  // namespace
}  // namespace bi_test::server
