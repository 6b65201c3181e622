#include <sched.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "base/try.h"
#include "server/dialects/built_in_dialects.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/launch_checks.h"
#include "server/dialects/metrics_page.h"
#include "server/dialects/user_flags.h"
#include "server/json_facts.h"

namespace bi_test::server {
namespace {

// Half of the processors we may use: the physical cores of a machine with two threads per core. All
// of them would be a trap: compute threads spin at barriers and starve whoever shares a core.
int DefaultThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int processors = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, processors / 2);
}

// What every request says, so that nothing is left to defaults of server or model.
Json::Object GreedyRequest() {
  Json::Object body;
  body["model"] = kServedName;
  body["stream"] = true;
  body["stream_options"] = Json::Object{{"include_usage", Json(true)}};
  body["temperature"] = 0;
  body["top_k"] = 1;
  body["top_p"] = 1;
  body["min_p"] = 0;
  body["samplers"] = Json::Array{Json("top_k")};
  body["cache_prompt"] = false;
  body["verbose"] = true;  // Adds the slot and whether the context ran out to the last event.
  return body;
}

const std::vector<ForbiddenFlags>& Forbidden() {
  static const std::vector<ForbiddenFlags> flags = {
      {{"-m", "--model", "-mu", "--model-url", "-hf", "-hfr", "--hf-repo", "-hff", "--hf-file",
        "-dr", "--docker-repo", "--models-dir", "--models-preset", "--models-max",
        "--models-autoload", "--no-models-autoload"},
       "the model comes from `models:` of the sweep file"},
      {{"--host", "--port", "--reuse-port", "--api-prefix", "--ssl-key-file", "--ssl-cert-file"},
       "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
      {{"--api-key", "--api-key-file"}, "bi_test makes a new key for each launch"},
      {{"-np", "--parallel"}, "the number of slots comes from `parallel:` of the sweep file"},
      {{"-c", "--ctx-size"}, "the context comes from `ctx:` of the sweep file"},
      {{"-kvu", "--kv-unified", "-no-kvu", "--no-kv-unified", "--kv-unified-per-slot"},
       "a shared KV pool would take the promised context away from the slots"},
      {{"--slots", "--no-slots", "--metrics", "--no-metrics"},
       "slot listing and metrics are the proof of batching and always on"},
      {{"--cache-prompt", "--no-cache-prompt", "-cram", "--cache-ram", "--cache-reuse",
        "--cache-idle-slots"},
       "prompt caches are always off: they change results without any batching"},
      {{"--offline", "--ui", "--no-ui", "--webui", "--no-webui"}, "bi_test always sets it"},
      {{"-h", "--help", "--usage", "--version", "-cl", "--cache-list", "--list-devices",
        "--completion-bash"},
       "it makes the server print something and exit"},
      {{"--embedding", "--embeddings", "--rerank", "--reranking"},
       "such a server does not answer chats"},
      {{"--log-disable"}, "the log is needed to say why a server ended"},
  };
  return flags;
}

Status CheckValue(const std::vector<UserFlag>& flags, std::size_t index, const LaunchSpec& spec) {
  const UserFlag& flag = flags[index];
  const std::string& name = flag.name;
  const std::optional<std::string> value = FlagValue(flags, index);
  if (name == "-ctk" || name == "--cache-type-k" || name == "-ctv" || name == "--cache-type-v") {
    if (value && LowerText(*value) == LowerText(spec.model->kv)) return {};
    return FlagRefused(flag, "found cache type `" + Printable(value.value_or("")) +
                                 "`, but `kv` of model " + spec.model->id + " says " +
                                 spec.model->kv + "; write the type as `kv:` and remove the flag");
  }
  if (name == "-b" || name == "--batch-size" || name == "-ub" || name == "--ubatch-size") {
    int size = 0;
    const std::string digits = value.value_or("");
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (failure != std::errc() || end != digits.data() + digits.size() || size < 1) {
      return FlagRefused(flag,
                         "found `" + Printable(digits) + "`, expected a batch size of 1 or more");
    }
    if (size < spec.slots) {
      return FlagRefused(flag, "a batch of " + std::to_string(size) +
                                   " cannot hold one token of each of " +
                                   std::to_string(spec.slots) +
                                   " slots, so that nothing would be batched; use at least " +
                                   std::to_string(spec.slots));
    }
  }
  return {};
}

class LlamaCppDialect final : public Dialect {
 public:
  std::string_view kind() const override { return "llama.cpp"; }
  std::string slots_path() const override { return "/slots"; }
  std::string tokenize_path() const override { return "/tokenize"; }
  std::string render_path() const override { return "/apply-template"; }

  Result<std::vector<std::string>> Arguments(
      const LaunchSpec& spec, std::uint16_t port,
      [[maybe_unused]] const std::string& api_key) const override {
    BI_TRY_SET(const std::vector<UserFlag> user,
               AllowedFlags(spec, Forbidden(), FlagStyle::kExact));
    for (std::size_t i = 0; i < user.size(); ++i) {
      BI_TRY(CheckValue(user, i, spec));
    }
    const std::int64_t total = static_cast<std::int64_t>(spec.ctx) * spec.slots;
    if (total > INT32_MAX) {
      return Error{ErrorCode::kRefused,
                   "ctx " + std::to_string(spec.ctx) + " times " + std::to_string(spec.slots) +
                       " slots is more than llama.cpp can count; lower one of them",
                   spec.model->id};
    }
    std::vector<std::string> out = {"-m", spec.model->path.string()};
    out.insert(out.end(), {"--host", "127.0.0.1", "--port", std::to_string(port)});
    out.insert(out.end(), {"-np", std::to_string(spec.slots), "-c", std::to_string(total)});
    out.insert(out.end(), {"--no-kv-unified", "--no-cache-prompt", "--cache-ram", "0"});
    out.insert(out.end(), {"--metrics", "--slots", "--no-ui", "--offline"});
    out.insert(out.end(), {"-ctk", spec.model->kv, "-ctv", spec.model->kv});
    if (!HasFlag(user, {"-t", "--threads"})) {
      out.insert(out.end(), {"-t", std::to_string(DefaultThreads())});
    }
    return WithUserFlags(std::move(out), user);
  }

  std::vector<std::string> ScrubbedEnvPrefixes() const override { return {"LLAMA_", "GGML_"}; }

  std::vector<std::string> KeptEnvNames() const override { return {"GGML_BACKEND_PATH"}; }

  std::map<std::string, std::string> Environment(const std::string& api_key) const override {
    // Without a backtrace an assertion ends the server at once instead of starting a debugger on
    // it.
    return {{"LLAMA_API_KEY", api_key}, {"GGML_NO_BACKTRACE", "1"}};
  }

  Status CheckEnvName(std::string_view name) const override {
    if (name == "LLAMA_API_KEY") {
      return Error{ErrorCode::kRefused, "bi_test makes a new key for each launch; remove it", {}};
    }
    if (name.starts_with("LLAMA_ARG_")) {
      return Error{ErrorCode::kRefused, "found a flag in a variable; write it in server.flags", {}};
    }
    return {};
  }

  Status CheckRow(const WorksetRow& row) const override {
    const Json* format = row.sampling.Find("response_format");
    if (!row.completion || format == nullptr) return {};
    return Error{ErrorCode::kUsage,
                 "found a response_format of a plain completion, allowed with kind llama.cpp: "
                 "json_schema or grammar (llama-server reads response_format in chats only)",
                 "sampling.response_format"};
  }

  std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                          const RunConfig& run) const override {
    Json::Object body = GreedyRequest();
    AddQuestion(row, seed, run, body);
    if (row.completion && body.erase("logprobs") > 0) body["n_probs"] = run.n_probs;
    if (row.sampling.Find("tools") != nullptr) {
      // llama-server refuses log-probabilities of a streamed reply that may call tools.
      body.erase("logprobs");
      body.erase("top_logprobs");
    }
    if (run.ignore_eos) body["ignore_eos"] = true;
    return CompactText(Json(std::move(body)));
  }

  std::string ProbeBody() const override { return ProbeText(GreedyRequest()); }

  Counters ParseMetrics(std::string_view text) const override {
    const MetricsPage page(text);
    return {.decode_calls = page.Sum("llamacpp:n_decode_total"),
            .mean_busy_slots = page.Sum("llamacpp:n_busy_slots_per_decode"),
            .tokens_predicted = page.Sum("llamacpp:tokens_predicted_total"),
            .requests_processing = page.Sum("llamacpp:requests_processing"),
            .requests_deferred = page.Sum("llamacpp:requests_deferred")};
  }

  std::optional<int> ParseBusySlots(std::string_view listing) const override {
    const Result<Json> parsed = ParseJson(listing);
    if (!parsed.ok() || !parsed->is_array() || parsed->if_array()->empty()) return std::nullopt;
    int busy = 0;
    for (const Json& slot : *parsed->if_array()) {
      // `is_processing` alone decides where it is present, and only `true` is busy; `state` is how
      // builds before 2024-10 say it. Anything else is an unknown shape, which proves nothing.
      if (const Json* processing = slot.Find("is_processing")) {
        busy += processing->if_bool() != nullptr && *processing->if_bool() ? 1 : 0;
      } else if (const std::optional<std::int64_t> state = WholeNumber(slot.Find("state"))) {
        busy += *state != 0 ? 1 : 0;
      } else {
        return std::nullopt;
      }
    }
    return busy;
  }

  std::string WidthHint() const override {
    return "use a llama-server that counts n_decode_total and n_busy_slots_per_decode at /metrics, "
           "or lists is_processing at /slots; bi_test passes --metrics and --slots, so that a page "
           "that is missing is one this build lacks";
  }

  std::vector<SelfPage> self_pages() const override {
    return {{"/props"}, {"/slots", /*required=*/false}};
  }

  std::string ContextSource() const override {
    return "a llama-server that has n_ctx in /props or /slots";
  }

  Result<bool> CheckPage(std::string_view path, std::string_view page, const LaunchSpec& spec,
                         ServerIdentity& identity) const override {
    const Result<Json> parsed = ParseJson(page);
    const bool props = path == "/props";
    if (!parsed.ok()) {
      // A listing of slots that cannot be read says nothing.
      if (!props) return true;
      return NotAsLaunched("GET /props: " + parsed.error().message, spec);
    }
    BI_TRY(props ? CheckProps(*parsed, spec, identity) : CheckSlots(*parsed, spec, identity));
    return true;
  }

  std::string ExitHint(std::string_view log) const override {
    return FirstHint(
        log,
        {{"invalid argument:",
          "this llama-server does not know a flag; see the log, update "
          "llama.cpp or remove the flag"},
         {"quantized V cache",
          "a quantised V cache needs flash attention; add `-fa on` to the flags "
          "or use kv: f16"},
         {"invalid magic", "the model file is no GGUF file; check the model's path"},
         {"failed to read magic", "the model file is empty or cut off; download it again"},
         {"corrupted or incomplete", "the model file is cut off; download it again"},
         {"failed to read", "the model file is damaged; download it again"},
         {"failed to open", "the model file cannot be opened; check path and permissions"},
         {"no backends are loaded", "llama-server finds no backend library; set GGML_BACKEND_PATH"},
         {"out of memory", "the memory of the device does not suffice; lower ctx or parallel"},
         {"failed to allocate", "the memory does not suffice; lower ctx or parallel"}});
  }

 private:
  static Status CheckProps(const Json& props, const LaunchSpec& spec, ServerIdentity& identity) {
    if (!props.is_object()) return NotAsLaunched("GET /props: expected an object", spec);
    if (TextOf(props.Find("role")) == "router") {
      return NotAsLaunched("the server runs as a router without a model; check the model's path",
                           spec);
    }
    BI_TRY(CheckModelPath(TextOf(props.Find("model_path")), spec));
    const std::optional<std::int64_t> total_slots = WholeNumber(props.Find("total_slots"));
    if (!total_slots) {
      return NotAsLaunched("GET /props: no total_slots; this is no llama-server, or one too old",
                           spec);
    }
    BI_TRY(CheckSlotCount(*total_slots, spec));
    identity.total_slots = static_cast<int>(*total_slots);

    const Json* settings = props.Find("default_generation_settings");
    for (const Json* context :
         {settings == nullptr ? nullptr : settings->Find("n_ctx"), props.Find("n_ctx")}) {
      BI_TRY(CheckContext(WholeNumber(context), spec, identity));
    }
    identity.build = TextOf(props.Find("build_info"));
    Json::Object facts;
    for (const char* name :
         {"build_info", "model_path", "model_alias", "total_slots", "model_ftype"}) {
      if (const Json* value = props.Find(name)) facts[name] = *value;
    }
    // Absent, or 0, for models without a sliding window.
    for (const Json* window :
         {settings == nullptr ? nullptr : settings->Find("n_swa"), props.Find("n_swa")}) {
      const std::optional<std::int64_t> tokens = WholeNumber(window);
      if (!tokens) continue;
      facts["n_swa"] = *tokens;
      break;
    }
    if (const std::string chat_template = TextOf(props.Find("chat_template"));
        !chat_template.empty()) {
      facts["chat_template_sha256"] = Sha256Hex(chat_template);
    }
    identity.props = Json(std::move(facts));
    return {};
  }

  static Status CheckSlots(const Json& listing, const LaunchSpec& spec, ServerIdentity& identity) {
    const Json::Array* slots = listing.if_array();
    if (slots == nullptr) return {};
    BI_TRY(CheckSlotCount(static_cast<std::int64_t>(slots->size()), spec));
    for (const Json& slot : *slots) {
      BI_TRY(CheckContext(WholeNumber(slot.Find("n_ctx")), spec, identity));
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<const Dialect> MakeLlamaCppDialect() { return std::make_unique<LlamaCppDialect>(); }

}  // namespace bi_test::server
