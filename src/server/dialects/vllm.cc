#include <algorithm>
#include <utility>

#include "base/json_reader.h"
#include "base/safe_text.h"
#include "base/try.h"
#include "server/dialects/built_in_dialects.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/launch_checks.h"
#include "server/dialects/metrics_page.h"
#include "server/dialects/python_server.h"
#include "server/dialects/user_flags.h"
#include "server/json_facts.h"

namespace bi_test::server {
namespace {

constexpr const char* kMostLogprobs = "100";  // What run.n_probs allows; vLLM's own limit is 20.

const std::vector<ForbiddenFlags>& Forbidden() {
  static const std::vector<ForbiddenFlags> flags = {
      {{"--model", "--served-model-name"}, "the model comes from `models:` of the sweep file"},
      {{"--host", "--port", "--uds", "--root-path", "--ssl-keyfile", "--ssl-certfile",
        "--ssl-ca-certs", "--ssl-cert-reqs"},
       "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
      {{"--api-key"}, "bi_test makes a new key for each launch"},
      {{"--max-num-seqs"}, "the number of sequences comes from `parallel:` of the sweep file"},
      {{"--max-model-len"}, "the context comes from `ctx:` of the sweep file"},
      {{"--kv-cache-dtype"}, "the cache type comes from `kv:` of the model"},
      {{"--disable-log-stats"}, "the metrics are the proof of batching and always on"},
      {{"--num-scheduler-steps"},
       "several tokens per step would pass for several requests at once"},
      {{"--enable-prefix-caching", "--no-enable-prefix-caching", "--kv-transfer-config",
        "--kv-offloading-size"},
       "prompt caches are always off: they change results without any batching"},
      {{"--generation-config", "--override-generation-config", "--seed", "--max-logprobs",
        "--logprobs-mode", "--enable-prompt-tokens-details", "--no-enable-prompt-tokens-details"},
       "bi_test always sets it, or leaves it at the raw values of the model"},
      {{"--config"}, "a file of flags cannot be checked; write them in server.flags"},
      {{"--task", "--runner", "--convert", "--headless"}, "such a server does not answer chats"},
      {{"-h", "--help", "-v", "--version"}, "it makes the server print something and exit"},
  };
  return flags;
}

Json::Object GreedyRequest() {
  Json::Object body = GreedyTorchRequest();
  // Ids of the tokens, in the form of newer builds and in that of older ones.
  body["return_token_ids"] = true;
  body["return_tokens_as_token_ids"] = true;
  return body;
}

class VllmDialect final : public Dialect {
 public:
  std::string_view kind() const override { return "vllm"; }
  std::string slots_path() const override { return "/metrics"; }
  std::string tokenize_path() const override { return "/tokenize"; }

  Result<std::vector<std::string>> Arguments(
      const LaunchSpec& spec, std::uint16_t port,
      [[maybe_unused]] const std::string& api_key) const override {
    BI_TRY_SET(const std::vector<UserFlag> user,
               AllowedFlags(spec, Forbidden(), FlagStyle::kAbbreviated));
    BI_TRY_SET(const std::string kv, KvCacheType(spec, {"auto", "fp8", "fp8_e4m3", "fp8_e5m2"}));
    std::vector<std::string> out;
    if (IsPython(spec)) out.insert(out.end(), {"-m", "vllm.entrypoints.cli.main"});
    out.insert(out.end(), {"serve", spec.model->path.string(), "--served-model-name", kServedName});
    out.insert(out.end(), {"--host", "127.0.0.1", "--port", std::to_string(port)});
    out.insert(out.end(), {"--max-model-len", std::to_string(spec.ctx)});
    out.insert(out.end(), {"--max-num-seqs", std::to_string(spec.slots)});
    out.insert(out.end(), {"--no-enable-prefix-caching", "--enable-prompt-tokens-details"});
    out.insert(out.end(), {"--max-logprobs", kMostLogprobs, "--generation-config", "vllm"});
    out.insert(out.end(), {"--seed", "0", "--kv-cache-dtype", kv});
    return WithUserFlags(std::move(out), user);
  }

  std::vector<std::string> ScrubbedEnvPrefixes() const override {
    std::vector<std::string> prefixes = TorchEnvPrefixes();
    prefixes.emplace_back("VLLM_");
    return prefixes;
  }

  std::vector<std::string> KeptEnvNames() const override {
    std::vector<std::string> names = TorchEnvPlaces();
    names.insert(names.end(), {"VLLM_CACHE_ROOT", "VLLM_CONFIG_ROOT"});
    return names;
  }

  std::map<std::string, std::string> Environment(const std::string& api_key) const override {
    std::map<std::string, std::string> variables = OfflineEnvironment();
    variables["VLLM_API_KEY"] = api_key;
    variables["VLLM_NO_USAGE_STATS"] = "1";
    return variables;
  }

  Status CheckEnvName(std::string_view name) const override {
    if (name == "VLLM_API_KEY") {
      return Error{ErrorCode::kRefused, "bi_test makes a new key for each launch; remove it", {}};
    }
    return CheckOfflineEnvName(name);
  }

  Status CheckRow(const WorksetRow& row) const override { return NoGrammar(row, kind()); }

  std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                          const RunConfig& run) const override {
    return TorchRequest(GreedyRequest(), row, seed, run);
  }

  std::string ProbeBody() const override { return ProbeText(GreedyRequest()); }

  Counters ParseMetrics(std::string_view text) const override {
    const MetricsPage page(text);
    Counters counters;
    // A series per engine; each engine has steps of its own, so that the sums stay a mean per step.
    counters.decode_calls = page.Sum("vllm:iteration_tokens_total_count");
    counters.tokens_predicted = page.Sum("vllm:generation_tokens_total");
    counters.requests_processing = page.Sum("vllm:num_requests_running");
    counters.requests_deferred = page.Sum("vllm:num_requests_waiting");
    // One token per step and sequence: tokens per step are sequences per step. A draft model gives
    // one sequence several, which would pass for company.
    const bool one_token_each = !page.HasPrefix("vllm:spec_decode_");
    if (counters.decode_calls && counters.tokens_predicted && one_token_each) {
      const double steps = *counters.decode_calls;
      counters.mean_busy_slots = steps > 0 ? *counters.tokens_predicted / steps : 0.0;
    }
    return counters;
  }

  std::optional<int> ParseBusySlots(std::string_view text) const override {
    // The largest, not the sum: requests of two engines do not share a batch.
    const std::optional<double> running = MetricsPage(text).Max("vllm:num_requests_running");
    if (!running) return std::nullopt;
    return static_cast<int>(std::min(*running, 1e9));
  }

  std::string WidthHint() const override {
    return "let vLLM show vllm:num_requests_running, vllm:iteration_tokens_total and "
           "vllm:generation_tokens_total at /metrics: do not switch its statistics off "
           "(--disable-log-stats, in a wrapper script or a build without them)";
  }

  std::vector<SelfPage> self_pages() const override {
    return {{"/v1/models"}, {"/version", /*required=*/false}, {"/metrics", /*required=*/false}};
  }

  std::string ContextSource() const override {
    return "a vLLM that has max_model_len in /v1/models";
  }

  Result<bool> CheckPage(std::string_view path, std::string_view page, const LaunchSpec& spec,
                         ServerIdentity& identity) const override {
    if (path == "/v1/models") {
      BI_TRY_SET(const ListedModel ours, FindServedModel(page, spec));
      BI_TRY(CheckModelPath(ours.root, spec));
      BI_TRY(CheckContext(ours.context, spec, identity));
      // vLLM does not say how many sequences it admits; that N run at once is for the metrics to
      // show.
      identity.total_slots = spec.slots;
      const auto mode = spec.server->env.find("VLLM_BATCH_INVARIANT");
      identity.props["batch_invariant"] = mode != spec.server->env.end() && mode->second == "1";
      return true;
    }
    if (path == "/version") {
      const Result<Json> version = ParseJson(page);
      if (version.ok() && version->is_object()) {
        const std::string text = TextOf(version->Find("version"));
        if (!text.empty()) identity.build = "vllm " + Printable(text);
      }
      return true;
    }
    const MetricsPage metrics(page);
    constexpr std::string_view kCache = "vllm:cache_config_info";
    if (metrics.Label(kCache, "enable_prefix_caching") == "True") {
      return NotAsLaunched(
          "GET /metrics: enable_prefix_caching is True, launched was --no-enable-prefix-caching; a "
          "prompt cache changes results without any batching: check what the program adds",
          spec);
    }
    for (const char* fact : {"block_size", "num_gpu_blocks", "cache_dtype"}) {
      if (const std::optional<std::string> value = metrics.Label(kCache, fact)) {
        identity.props[fact] = Printable(*value);
      }
    }
    return true;
  }

  std::string ExitHint(std::string_view log) const override {
    return FirstHint(
        log, {{"unrecognized arguments",
               "this vLLM does not know a flag; see the log, update vLLM or remove the flag"},
              {"is greater than the derived max_model_len",
               "the model is made for a shorter context; lower ctx"},
              {"can be stored in KV cache",
               "the KV cache does not hold one request of this length; lower ctx or give vLLM more "
               "memory (--gpu-memory-utilization)"},
              {"KV cache is needed",
               "the KV cache does not hold one request of this length; lower ctx or give vLLM more "
               "memory (--gpu-memory-utilization)"},
              {"No available memory for the cache blocks",
               "no memory is left for the KV cache; give vLLM more (--gpu-memory-utilization)"},
              {"Failed to infer device type", "vLLM finds no device that it was built for"},
              {"No module named", "the Python of this program lacks a module; see the log"},
              {"out of memory", "the memory of the device does not suffice; lower ctx or parallel"},
              {"offline mode",
               "vLLM wants a file that is not in the model's folder; bi_test never "
               "lets it fetch one"}});
  }

  std::string TokenizeBody(const std::string& prompt) const override {
    return CompactText(Json(Json::Object{{"model", Json(kServedName)}, {"prompt", Json(prompt)}}));
  }
};

}  // namespace

std::unique_ptr<const Dialect> MakeVllmDialect() { return std::make_unique<VllmDialect>(); }

}  // namespace bi_test::server
