#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "server/dialects/registry.h"

namespace bi_test::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Dialect& LlamaCpp() { return **FindDialect("llama.cpp"); }

// A launch of 3 slots of 1000 tokens.
struct Launch {
  Launch() {
    model.id = "m";
    model.path = "/models/m.gguf";
  }
  ServerConfig server;
  ModelConfig model;
  GuardConfig guard;
  int ctx = 1000;
  int slots = 3;
  LaunchSpec Spec() const {
    return {.server = &server,
            .model = &model,
            .guard = &guard,
            .ctx = ctx,
            .slots = slots,
            .log_file = {},
            .role = "N"};
  }
};

Json Parse(std::string_view text) {
  Result<Json> json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *json : Json();
}

TEST(LlamaCppArguments, SayEverythingThatShapesTheExperiment) {
  Launch launch;
  launch.server.flags = {"-t", "1", "-fa", "off"};
  launch.model.flags = {"--jinja"};
  const auto arguments = LlamaCpp().Arguments(launch.Spec(), 40'123, "key");
  ASSERT_TRUE(arguments.ok()) << arguments.error().Text();
  EXPECT_THAT(*arguments,
              ElementsAre("-m", "/models/m.gguf", "--host", "127.0.0.1", "--port", "40123", "-np",
                          "3", "-c", "3000", "--no-kv-unified", "--no-cache-prompt", "--cache-ram",
                          "0", "--metrics", "--slots", "--no-ui", "--offline", "-ctk", "f16",
                          "-ctv", "f16", "-t", "1", "-fa", "off", "--jinja"));
}

TEST(LlamaCppArguments, ChooseThreadsOnlyWhenTheUserDoesNot) {
  Launch launch;
  const auto arguments = LlamaCpp().Arguments(launch.Spec(), 1, "key");
  ASSERT_TRUE(arguments.ok());
  ASSERT_GE(arguments->size(), 2U);
  EXPECT_EQ((*arguments)[arguments->size() - 2], "-t");
  EXPECT_GE(std::stoi(arguments->back()), 1);
}

TEST(LlamaCppArguments, NameTheKvTypeOfTheModel) {
  Launch launch;
  launch.model.kv = "q8_0";
  const auto arguments = LlamaCpp().Arguments(launch.Spec(), 1, "key");
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(*arguments, ::testing::IsSupersetOf({"-ctk", "q8_0", "-ctv", "q8_0"}));
}

TEST(LlamaCppArguments, RefuseAContextThatOverflows) {
  Launch launch;
  launch.ctx = 2'000'000'000;
  const auto arguments = LlamaCpp().Arguments(launch.Spec(), 1, "key");
  ASSERT_FALSE(arguments.ok());
  EXPECT_EQ(arguments.error().Text(),
            "m: ctx 2000000000 times 3 slots is more than llama.cpp can count; lower one of them");
}

TEST(LlamaCppRequest, IsTheSameBytesEveryTime) {
  WorksetRow row;
  row.prompt = "say \"hi\"\n";
  row.system = "be brief";
  RunConfig run;
  run.max_tokens = 16;
  run.n_probs = 2;
  run.ignore_eos = true;
  const std::string body = LlamaCpp().RequestBody(row, (std::uint64_t{1} << 31) + 5, run);
  EXPECT_EQ(body, R"({"cache_prompt":false,"ignore_eos":true,"logprobs":true,"max_tokens":16,)"
                  R"("messages":[{"content":"be brief","role":"system"},)"
                  R"({"content":"say \"hi\"\n","role":"user"}],"min_p":0,"model":"local",)"
                  R"("samplers":["top_k"],"seed":5,"stream":true,"stream_options":)"
                  R"({"include_usage":true},"temperature":0,"top_k":1,"top_logprobs":2,"top_p":1,)"
                  R"("verbose":true})");
  EXPECT_EQ(body, LlamaCpp().RequestBody(row, (std::uint64_t{1} << 31) + 5, run));
}

TEST(LlamaCppRequest, APlainCompletionHasAPromptAndItsOwnPath) {
  WorksetRow row;
  row.prompt = "Once upon";
  EXPECT_EQ(LlamaCpp().PathOf(row), "/v1/chat/completions");
  row.completion = true;
  EXPECT_EQ(LlamaCpp().PathOf(row), "/v1/completions");
  RunConfig run;
  run.max_tokens = 16;
  EXPECT_EQ(LlamaCpp().RequestBody(row, 5, run),
            R"({"cache_prompt":false,"max_tokens":16,"min_p":0,"model":"local","n_probs":2,)"
            R"("prompt":"Once upon","samplers":["top_k"],"seed":5,"stream":true,"stream_options":)"
            R"({"include_usage":true},"temperature":0,"top_k":1,"top_p":1,"verbose":true})");
  run.n_probs = 0;
  EXPECT_EQ(Parse(LlamaCpp().RequestBody(row, 5, run)).Find("n_probs"), nullptr);
}

TEST(LlamaCppRequest, AConversationTakesThePlaceOfSystemAndPrompt) {
  WorksetRow row;
  row.prompt = "two";
  row.messages = {{"system", "s"}, {"user", "one"}, {"assistant", "1"}, {"user", "two"}};
  EXPECT_EQ(CompactText(*Parse(LlamaCpp().RequestBody(row, 5, RunConfig{})).Find("messages")),
            R"([{"content":"s","role":"system"},{"content":"one","role":"user"},)"
            R"({"content":"1","role":"assistant"},{"content":"two","role":"user"}])");
}

struct SamplingCase {
  const char* name;
  const char* kind;
  bool completion;
  const char* sampling;
  const char* key;    ///< Of the body.
  const char* value;  ///< Nothing: the body has no such key.
};

TEST(RequestSampling, StandsInTheBodyOfEachKindAsItKnowsIt) {
  const SamplingCase cases[] = {
      {"its own length", "llama.cpp", false, R"({"max_tokens":7})", "max_tokens", "7"},
      {"its own seed", "openai", false, R"({"seed":9})", "seed", "9"},
      {"stops", "vllm", true, R"({"stop":["a"]})", "stop", R"(["a"])"},
      {"biases", "sglang", false, R"({"logit_bias":{"7":1.5}})", "logit_bias", R"({"7":1.5})"},
      {"a grammar", "llama.cpp", true, R"({"grammar":"g"})", "grammar", "\"g\""},
      {"a schema", "llama.cpp", false, R"({"json_schema":{"a":1}})", "json_schema", R"({"a":1})"},
      {"a schema as a format", "vllm", false, R"({"json_schema":{"a":1}})", "response_format",
       R"({"json_schema":{"name":"answer","schema":{"a":1},"strict":true},"type":"json_schema"})"},
      {"and not as a schema", "sglang", true, R"({"json_schema":{"a":1}})", "json_schema", nullptr},
      {"a schema of the plain interface", "openai", false, R"({"json_schema":{"a":1}})",
       "response_format",
       R"({"json_schema":{"name":"answer","schema":{"a":1},"strict":true},"type":"json_schema"})"},
      {"a format", "openai", false, R"({"response_format":{"type":"json_object"}})",
       "response_format", R"({"type":"json_object"})"},
      {"log-probabilities of a completion", "vllm", true, "{}", "logprobs", "2"},
      {"no log-probabilities of tool calls", "llama.cpp", false, R"({"tools":[{}]})", "logprobs",
       nullptr},
      {"nor alternatives", "llama.cpp", false, R"({"tools":[{}]})", "top_logprobs", nullptr},
      {"which others have", "vllm", false, R"({"tools":[{}]})", "top_logprobs", "2"},
      {"greedy all the same", "llama.cpp", false, R"({"seed":9})", "temperature", "0"},
  };
  for (const SamplingCase& c : cases) {
    WorksetRow row;
    row.prompt = "p";
    row.completion = c.completion;
    row.sampling = Parse(c.sampling);
    const Dialect& dialect = **FindDialect(c.kind);
    ASSERT_TRUE(dialect.CheckRow(row).ok()) << c.name;
    const Json body = Parse(dialect.RequestBody(row, 5, RunConfig{}));
    const Json* value = body.Find(c.key);
    if (c.value == nullptr) {
      EXPECT_EQ(value, nullptr) << c.name;
    } else {
      ASSERT_NE(value, nullptr) << c.name;
      EXPECT_EQ(CompactText(*value), c.value) << c.name;
    }
  }
}

TEST(RequestSampling, WhatAKindCannotBeAskedIsRefused) {
  WorksetRow grammar;
  grammar.sampling["grammar"] = "g";
  for (const char* kind : {"vllm", "sglang", "openai"}) {
    EXPECT_EQ((*FindDialect(kind))->CheckRow(grammar).error().Text(),
              "sampling.grammar: found a grammar, allowed with kind " + std::string(kind) +
                  ": json_schema or response_format (GBNF grammars are llama.cpp's own)");
  }
  WorksetRow format;
  format.completion = true;
  format.sampling["response_format"]["type"] = "json_object";
  EXPECT_EQ(LlamaCpp().CheckRow(format).error().Text(),
            "sampling.response_format: found a response_format of a plain completion, allowed with "
            "kind llama.cpp: json_schema or grammar (llama-server reads response_format in chats "
            "only)");
  EXPECT_TRUE((*FindDialect("vllm"))->CheckRow(format).ok());
}

TEST(LlamaCppRequest, LeavesOutWhatIsNotAskedFor) {
  WorksetRow row;
  row.prompt = "hi";
  row.system = "";
  RunConfig run;
  run.n_probs = 0;
  const Json body = Parse(LlamaCpp().RequestBody(row, 7, run));
  EXPECT_EQ(body.Find("logprobs"), nullptr);
  EXPECT_EQ(body.Find("top_logprobs"), nullptr);
  EXPECT_EQ(body.Find("ignore_eos"), nullptr);
  EXPECT_EQ(body.Find("messages")->if_array()->size(), 1U);
}

TEST(LlamaCppRequest, KeepsForeignTextValidJson) {
  WorksetRow row;
  row.prompt = "n\xc3\xa9\xf0\x9f\x99\x82\x01 \xff";
  const std::string body = LlamaCpp().RequestBody(row, 7, RunConfig{});
  JsonLimits limits;
  limits.tolerate_broken_text = true;  // the byte that is no UTF-8 travels as a lone surrogate
  EXPECT_TRUE(ParseJson(body, limits).ok()) << body;
}

struct Page {
  const char* name;
  const char* text;
  std::optional<double> decode_calls, mean_busy, processing;
};

std::ostream& operator<<(std::ostream& out, const Page& tested) { return out << tested.name; }

class MetricsPage : public ::testing::TestWithParam<Page> {};

TEST_P(MetricsPage, GivesOnlyNumbersThatAreThere) {
  const Counters counters = LlamaCpp().ParseMetrics(GetParam().text);
  EXPECT_EQ(counters.decode_calls, GetParam().decode_calls);
  EXPECT_EQ(counters.mean_busy_slots, GetParam().mean_busy);
  EXPECT_EQ(counters.requests_processing, GetParam().processing);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, MetricsPage,
    ::testing::Values(
        Page{"AllThere",
             "# HELP llamacpp:n_decode_total Total\n# TYPE llamacpp:n_decode_total counter\n"
             "llamacpp:n_decode_total 180\nllamacpp:n_busy_slots_per_decode 2.6\n"
             "llamacpp:requests_processing 3\n",
             180, 2.6, 3},
        Page{"Empty", "", {}, {}, {}}, Page{"Html", "<html>Bad Gateway</html>", {}, {}, {}},
        Page{"Labels", "llamacpp:n_decode_total{model=\"a b\"} 7\r\n", 7, {}, {}},
        Page{"LongerNameIsAnotherNumber", "llamacpp:n_decode_total_seconds 9\n", {}, {}, {}},
        Page{"NotFinite",
             "llamacpp:n_decode_total NaN\nllamacpp:requests_processing +Inf\n",
             {},
             {},
             {}},
        Page{"Negative", "llamacpp:n_decode_total -1\n", {}, {}, {}},
        Page{"Junk", "llamacpp:n_decode_total 12x\nllamacpp:requests_processing\n", {}, {}, {}},
        Page{"Exponent", "llamacpp:n_decode_total 1.5e+03\n", 1500, {}, {}},
        Page{"Timestamp", "llamacpp:n_decode_total 4 1700000000\n", 4, {}, {}},
        Page{"NoNewlineAtTheEnd", "llamacpp:n_decode_total 4", 4, {}, {}},
        Page{"CutInsideTheLabels", "llamacpp:n_decode_total{model=", {}, {}, {}}),
    [](const auto& tested) { return tested.param.name; });

struct Listing {
  const char* name;
  const char* text;
  std::optional<int> busy;
};

std::ostream& operator<<(std::ostream& out, const Listing& tested) { return out << tested.name; }

class SlotListing : public ::testing::TestWithParam<Listing> {};

TEST_P(SlotListing, CountsBusySlotsOrNothing) {
  EXPECT_EQ(LlamaCpp().ParseBusySlots(GetParam().text), GetParam().busy);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SlotListing,
    ::testing::Values(
        // An unknown shape (cases 93, 94, 95, 97) could count as idle; as no observation it proves
        // as little, and the message can say that the listing is not understood.
        Listing{"States", R"([{"id":0,"state":1},{"id":1,"state":0}])", 1},  // cases 94, 95
        Listing{"IsProcessing", R"([{"id":0,"is_processing":true}])", 1},
        Listing{"OneOfTwo", R"([{"is_processing":true},{"is_processing":false}])", 1},  // case 90
        Listing{"NothingKnown", R"([{"id":0}])", {}},
        Listing{"NoTask", R"([{"id_task":-1}])", {}},                // case 93
        Listing{"LastTask", R"([{"id_task":7}])", {}},               // case 93
        Listing{"NullState", R"([{"state":null}])", {}},             // case 95
        Listing{"StateInWords", R"([{"state":"processing"}])", {}},  // case 94
        Listing{"IdleInWords", R"([{"state":"idle"}])", {}},         // case 95
        Listing{"NoObjects", "[5,null]", {}},                        // case 97
        Listing{"ErrorObject", R"({"error":{"code":501}})", {}},     // case 99
        Listing{"JsonNull", "null", {}},                             // case 99
        Listing{"OneSlotUnknown", R"([{"id":0,"is_processing":true},{"id":1}])", {}},
        Listing{"IdleSlotKeepsItsLastTask", R"([{"id":0,"is_processing":false,"id_task":5}])",
                0},  // case 91
        Listing{"IsProcessingOverrulesState", R"([{"is_processing":false,"state":1}])",
                0},  // case 96
        Listing{"IsProcessingIsBusyOnlyWhenTrue", R"([{"is_processing":1,"state":1}])",
                0},  // case 92
        Listing{"StateMustBeAnInteger", R"([{"state":"1"}])", {}},
        Listing{"SummaryIsNoEvidence",
                R"({"max_observed_concurrency":4,"in_flight":4})",
                {}},  // case 98
        Listing{"NoSlots", "[]", {}}, Listing{"NumbersInTheList", "[1,2]", {}},
        Listing{"NotJson", "<html>", {}}, Listing{"Nothing", "", {}}),
    [](const auto& tested) { return tested.param.name; });

struct Props {
  const char* name;
  const char* text;
  const char* error;  ///< Empty: accepted.
};

std::ostream& operator<<(std::ostream& out, const Props& tested) { return out << tested.name; }

class PropsCheck : public ::testing::TestWithParam<Props> {};

TEST_P(PropsCheck, AcceptsOnlyWhatWasLaunched) {
  const Launch launch;
  ServerIdentity identity;
  const auto checked = LlamaCpp().CheckPage("/props", GetParam().text, launch.Spec(), identity);
  EXPECT_EQ(checked.ok() ? "" : checked.error().Text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Answers, PropsCheck,
    ::testing::Values(
        Props{"AsLaunched",
              R"({"total_slots":3,"model_path":"/models/m.gguf",
                  "default_generation_settings":{"n_ctx":1024}})",
              ""},
        Props{"ContextAtTopLevel", R"({"total_slots":3,"n_ctx":1000})", ""},
        Props{"ContextNotStatedHere", R"({"total_slots":3})", ""},
        Props{"TooFewSlots", R"({"total_slots":1,"n_ctx":1000})",
              "server N: the server reports 1 slots, launched were 3; check the program and its "
              "flags"},
        Props{"NoSlots", R"({"n_ctx":1000})",
              "server N: GET /props: no total_slots; this is no llama-server, or one too old"},
        Props{"ContextDivided", R"({"total_slots":3,"default_generation_settings":{"n_ctx":333}})",
              "server N: slot context 333 < 1000; the model is trained for less, or a flag divides "
              "the context: lower ctx or check the flags"},
        Props{"OtherModel", R"({"total_slots":3,"model_path":"/models/x.gguf"})",
              "server N: the server has loaded `/models/x.gguf`, launched was `/models/m.gguf`"},
        Props{"Router", R"({"role":"router"})",
              "server N: the server runs as a router without a model; check the model's path"},
        Props{"NoObject", "[]", "server N: GET /props: expected an object"},
        Props{"NoJson", "<html>", "server N: GET /props: invalid JSON at byte 0: no JSON value"}),
    [](const auto& tested) { return tested.param.name; });

TEST(LlamaCppChat, IsRenderedAsItIsSent) {
  EXPECT_EQ(LlamaCpp().render_path(), "/apply-template");
  EXPECT_EQ(LlamaCpp().RenderBody("s\"", "q"),
            R"({"messages":[{"content":"s\"","role":"system"},{"content":"q","role":"user"}]})");
}

TEST(LlamaCppProps, SayTheSlidingWindow) {
  const Launch launch;
  const std::pair<const char*, Json> kPages[] = {
      {R"("default_generation_settings":{"n_ctx":1024,"n_swa":512},"n_swa":7)", 512},
      {R"("default_generation_settings":{"n_ctx":1024,"n_swa":true},"n_swa":7)", 7},
      {R"("default_generation_settings":{"n_ctx":1024},"n_swa":0)", 0},
      {R"("default_generation_settings":{"n_ctx":1024,"n_swa":"512"})", Json()},
  };
  for (const auto& [page, window] : kPages) {
    ServerIdentity identity;
    const std::string text =
        R"({"total_slots":3,"n_ctx":2048,"build_info":"b1",)" + std::string(page) + "}";
    const auto checked = LlamaCpp().CheckPage("/props", text, launch.Spec(), identity);
    ASSERT_TRUE(checked.ok()) << checked.error().Text();
    const Json* found = identity.props.Find("n_swa");
    EXPECT_EQ(found == nullptr ? Json() : *found, window) << page;
  }
}

TEST(LlamaCppProps, KeepTheSmallestContextAndNoTemplate) {
  const Launch launch;
  ServerIdentity identity;
  ASSERT_TRUE(LlamaCpp()
                  .CheckPage("/props", R"({"total_slots":3,"n_ctx":2048,"build_info":"b1",
                                           "chat_template":"SECRET",
                                           "default_generation_settings":{"n_ctx":1024,
                                           "params":{"prompt":"SECRET"}}})",
                             launch.Spec(), identity)
                  .ok());
  EXPECT_EQ(identity.n_ctx_slot, 1024);
  EXPECT_EQ(identity.build, "b1");
  EXPECT_THAT(CompactText(identity.props), Not(HasSubstr("SECRET")));
  EXPECT_EQ(identity.props.Find("n_swa"), nullptr);
  EXPECT_TRUE(LlamaCpp().CheckPage("/slots", "no list", launch.Spec(), identity).ok());
  const auto slots = LlamaCpp().CheckPage(
      "/slots", R"([{"n_ctx":1024},{"n_ctx":1024},{"n_ctx":768}])", launch.Spec(), identity);
  ASSERT_FALSE(slots.ok());
  EXPECT_THAT(slots.error().Text(), HasSubstr("slot context 768 < 1000"));
}

TEST(LlamaCppLog, SaysWhyAServerEnded) {
  EXPECT_TRUE(LlamaCpp().SaysPortTaken("E srv couldn't bind HTTP server socket, hostname: x"));
  EXPECT_TRUE(LlamaCpp().SaysPortTaken("bind: Address already in use"));
  EXPECT_FALSE(LlamaCpp().SaysPortTaken("exiting due to model loading error"));
  EXPECT_THAT(LlamaCpp().ExitHint("error: invalid argument: --no-ui"), HasSubstr("know a flag"));
  EXPECT_THAT(LlamaCpp().ExitHint("quantized V cache requires flash_attn"), HasSubstr("-fa on"));
  EXPECT_THAT(LlamaCpp().ExitHint("CUDA error: out of memory"), HasSubstr("lower ctx"));
  EXPECT_EQ(LlamaCpp().ExitHint("all is well"), "");
}

TEST(Dialects, AreFoundByTheirKind) {
  for (const char* kind : {"llama.cpp", "vllm", "sglang", "openai"}) {
    const auto found = FindDialect(kind);
    ASSERT_TRUE(found.ok()) << kind;
    EXPECT_EQ((*found)->kind(), kind);
    EXPECT_FALSE((*found)->WidthHint().empty()) << kind;
  }
}

TEST(Dialects, UnknownKindNamesTheKnownOnes) {
  for (const char* kind : {"tgi", "", "LLAMA.CPP", "vLLM"}) {
    const auto found = FindDialect(kind);
    ASSERT_FALSE(found.ok()) << kind;
    EXPECT_EQ(found.error().Text(),
              "server.kind: found `" + std::string(kind) +
                  "`; the kinds of server this build can launch are: llama.cpp, vllm, "
                  "sglang, openai");
  }
}

/// The least that a dialect can be.
class AcmeDialect final : public Dialect {
 public:
  std::string_view kind() const override { return "acme"; }
  Result<std::vector<std::string>> Arguments(const LaunchSpec&, std::uint16_t,
                                             const std::string&) const override {
    return std::vector<std::string>{};
  }
  std::vector<std::string> ScrubbedEnvPrefixes() const override { return {}; }
  std::string RequestBody(const WorksetRow&, std::uint64_t, const RunConfig&) const override {
    return {};
  }
  std::string ProbeBody() const override { return {}; }
  std::string WidthHint() const override { return {}; }
  Result<bool> CheckPage(std::string_view, std::string_view, const LaunchSpec&,
                         ServerIdentity&) const override {
    return true;
  }
};

TEST(DialectRegistry, TakesOneDialectOfEachKind) {
  DialectRegistry registry;
  EXPECT_FALSE(registry.Find("acme").ok());
  ASSERT_TRUE(registry.Add(std::make_unique<AcmeDialect>()).ok());
  const Dialect* acme = *registry.Find("acme");
  EXPECT_EQ(acme->kind(), "acme");
  const Status second = registry.Add(std::make_unique<AcmeDialect>());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().Text(),
            "server.kind: found a second dialect `acme`, allowed: one of each kind");
  EXPECT_EQ(*registry.Find("acme"), acme);
  EXPECT_FALSE(FindDialect("acme").ok()) << "a registry of its own";
}

}  // namespace
}  // namespace bi_test::server
