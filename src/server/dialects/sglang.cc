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

const std::vector<ForbiddenFlags>& Forbidden() {
  static const std::vector<ForbiddenFlags> flags = {
      {{"--model-path", "--model", "--served-model-name"},
       "the model comes from `models:` of the sweep file"},
      {{"--host", "--port", "--ssl-keyfile", "--ssl-certfile", "--ssl-ca-certs"},
       "bi_test listens on 127.0.0.1, on a port the kernel chooses"},
      {{"--api-key", "--admin-api-key"}, "bi_test makes a new key for each launch"},
      {{"--max-running-requests"},
       "the number of requests at once comes from `parallel:` of the sweep file"},
      {{"--context-length"}, "the context comes from `ctx:` of the sweep file"},
      {{"--allow-auto-truncate"}, "a prompt that is cut silently is another prompt"},
      {{"--kv-cache-dtype"}, "the cache type comes from `kv:` of the model"},
      {{"--enable-metrics", "--decode-log-interval"},
       "the metrics are the proof of batching and always on, fresh at every step"},
      {{"--disable-radix-cache", "--enable-hierarchical-cache", "--enable-lmcache"},
       "prompt caches are always off: they change results without any batching"},
      {{"--random-seed", "--enable-cache-report"}, "bi_test always sets it"},
      {{"--config"}, "a file of flags cannot be checked; write them in server.flags"},
      {{"--is-embedding"}, "such a server does not answer chats"},
      {{"-h", "--help", "--version"}, "it makes the server print something and exit"},
  };
  return flags;
}

// The interpreter needs the module, SGLang's own program a command; a wrapper script is expected to
// know what it wraps.
std::vector<std::string> Head(const LaunchSpec& spec) {
  if (IsPython(spec)) return {"-m", "sglang.launch_server"};
  if (spec.server->binary.filename() == "sglang") return {"serve"};
  return {};
}

// The smallest limit on requests at once that the page tells; nothing when it tells none.
std::optional<std::int64_t> AdmittedRequests(const Json& info) {
  std::optional<std::int64_t> admitted = WholeNumber(info.Find("max_running_requests"));
  const Json* states = info.Find("internal_states");
  if (states == nullptr || !states->is_array()) return admitted;
  for (const Json& state : *states->if_array()) {
    if (!state.is_object()) continue;
    const std::optional<std::int64_t> limit =
        WholeNumber(state.Find("effective_max_running_requests_per_dp"));
    if (limit) admitted = std::min(admitted.value_or(*limit), *limit);
  }
  return admitted;
}

// What the server says of its settings. Never all of it: the page holds the API key.
Status CheckServerInfo(const Json& info, const LaunchSpec& spec, ServerIdentity& identity) {
  BI_TRY(CheckModelPath(TextOf(info.Find("model_path")), spec));
  if (const std::optional<std::int64_t> admitted = AdmittedRequests(info)) {
    BI_TRY(CheckSlotCount(*admitted, spec));
    identity.total_slots = static_cast<int>(*admitted);
  }
  BI_TRY(CheckContext(WholeNumber(info.Find("context_length")), spec, identity));
  const Json* cache_off = info.Find("disable_radix_cache");
  if (cache_off != nullptr && cache_off->if_bool() != nullptr && !*cache_off->if_bool()) {
    return NotAsLaunched(
        "disable_radix_cache is false, launched was --disable-radix-cache; a prompt cache changes "
        "results without any batching: check what the program adds",
        spec);
  }
  if (const std::string version = TextOf(info.Find("version")); !version.empty()) {
    identity.build = "sglang " + Printable(version);
  }
  for (const char* fact :
       {"enable_deterministic_inference", "attention_backend", "sampling_backend", "dtype",
        "kv_cache_dtype", "quantization", "chunked_prefill_size", "disable_cuda_graph",
        "disable_overlap_schedule", "tp_size", "dp_size", "random_seed"}) {
    const Json* value = info.Find(fact);
    if (value == nullptr || value->is_null() || value->is_object() || value->is_array()) continue;
    identity.props[fact] =
        value->if_string() != nullptr ? Json(Printable(*value->if_string())) : *value;
  }
  return {};
}

class SglangDialect final : public Dialect {
 public:
  std::string_view kind() const override { return "sglang"; }
  std::string slots_path() const override { return "/metrics"; }

  Result<std::vector<std::string>> Arguments(const LaunchSpec& spec, std::uint16_t port,
                                             const std::string& api_key) const override {
    BI_TRY_SET(const std::vector<UserFlag> user,
               AllowedFlags(spec, Forbidden(), FlagStyle::kAbbreviated));
    BI_TRY_SET(const std::string kv, KvCacheType(spec, {"auto", "fp8_e5m2", "fp8_e4m3", "bf16"}));
    std::vector<std::string> out = Head(spec);
    out.insert(out.end(), {"--model-path", spec.model->path.string()});
    out.insert(out.end(), {"--served-model-name", kServedName});
    out.insert(out.end(), {"--host", "127.0.0.1", "--port", std::to_string(port)});
    out.insert(out.end(), {"--api-key", api_key, "--context-length", std::to_string(spec.ctx)});
    out.insert(out.end(), {"--max-running-requests", std::to_string(spec.slots)});
    out.insert(out.end(), {"--disable-radix-cache", "--enable-metrics", "--enable-cache-report"});
    out.insert(out.end(), {"--decode-log-interval", "1", "--random-seed", "0"});
    out.insert(out.end(), {"--kv-cache-dtype", kv});
    return WithUserFlags(std::move(out), user);
  }

  std::vector<std::string> ScrubbedEnvPrefixes() const override {
    std::vector<std::string> prefixes = TorchEnvPrefixes();
    prefixes.insert(prefixes.end(), {"SGLANG_", "SGL_"});
    return prefixes;
  }

  std::vector<std::string> KeptEnvNames() const override { return TorchEnvPlaces(); }

  std::map<std::string, std::string> Environment(
      [[maybe_unused]] const std::string& api_key) const override {
    return OfflineEnvironment();
  }

  Status CheckEnvName(std::string_view name) const override { return CheckOfflineEnvName(name); }

  Status CheckRow(const WorksetRow& row) const override { return NoGrammar(row, kind()); }

  std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                          const RunConfig& run) const override {
    return TorchRequest(GreedyTorchRequest(), row, seed, run);
  }

  std::string ProbeBody() const override { return ProbeText(GreedyTorchRequest()); }

  Counters ParseMetrics(std::string_view text) const override {
    // The gauges of running and waiting requests may keep their last values for 30 s after the work
    // has ended, so that an idle server cannot be told by them. Steps are not counted at all.
    Counters counters;
    counters.tokens_predicted = MetricsPage(text).Sum("sglang:generation_tokens_total");
    return counters;
  }

  std::optional<int> ParseBusySlots(std::string_view text) const override {
    // One series per rank: ranks of one tensor say the same, ranks of different data share no
    // batch.
    const std::optional<double> running = MetricsPage(text).Max("sglang:num_running_reqs");
    if (!running) return std::nullopt;
    return static_cast<int>(std::min(*running, 1e9));
  }

  std::optional<double> ParseProgress(std::string_view text) const override {
    // Absent counts as zero: the series appears with the first answer.
    return MetricsPage(text).Sum("sglang:generation_tokens_total").value_or(0.0);
  }

  std::string WidthHint() const override {
    return "let SGLang show sglang:num_running_reqs and sglang:generation_tokens_total at /metrics: "
           "bi_test passes --enable-metrics and --decode-log-interval 1, so that a wrapper script "
           "may have dropped them; give answers enough tokens to be seen while they run";
  }

  std::vector<SelfPage> self_pages() const override {
    return {{"/v1/models"},
            {"/server_info", /*required=*/false},
            {"/get_server_info", /*required=*/false}};
  }

  std::string ContextSource() const override {
    return "an SGLang that has max_model_len in /v1/models or context_length in /server_info";
  }

  Result<bool> CheckPage(std::string_view path, std::string_view page, const LaunchSpec& spec,
                         ServerIdentity& identity) const override {
    if (path == "/v1/models") {
      BI_TRY_SET(const ListedModel ours, FindServedModel(page, spec));
      BI_TRY(CheckContext(ours.context, spec, identity));
      return true;
    }
    const Result<Json> info = ParseJson(page);
    if (!info.ok() || !info->is_object())
      return true;  // It says nothing, so nothing is proven by it.
    BI_TRY(CheckServerInfo(*info, spec, identity));
    return true;
  }

  std::string ExitHint(std::string_view log) const override {
    return FirstHint(
        log, {{"unrecognized arguments",
               "this SGLang does not know a flag; see the log, update SGLang or remove the flag"},
              {"is greater than the derived context_length",
               "the model is made for a shorter context; lower ctx"},
              {"Not enough memory",
               "no memory is left for the KV cache; raise --mem-fraction-static or lower ctx"},
              {"deterministic inference",
               "this attention backend has no deterministic mode; choose one that has, with "
               "--attention-backend"},
              {"No module named", "the Python of this program lacks a module; see the log"},
              {"out of memory", "the memory of the device does not suffice; lower ctx or parallel"},
              {"offline mode",
               "SGLang wants a file that is not in the model's folder; bi_test "
               "never lets it fetch one"}});
  }
};

}  // namespace

std::unique_ptr<const Dialect> MakeSglangDialect() { return std::make_unique<SglangDialect>(); }

}  // namespace bi_test::server
