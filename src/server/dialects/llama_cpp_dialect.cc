#include "server/dialects/llama_cpp_dialect.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/json_reader.h"
#include "base/sha256.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/llama_cpp_flags.h"
#include "server/dialects/user_flags.h"
#include "server/launch_checks.h"
#include "server/metrics_page.h"

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

}  // namespace

Result<std::vector<std::string>> LlamaCppDialect::Arguments(
    const LaunchSpec& spec, std::uint16_t port, [[maybe_unused]] const std::string& api_key) const {
  Result<std::vector<std::string>> user = CheckedUserFlags(spec);
  if (!user.ok()) return user.error();
  const std::int64_t total = static_cast<std::int64_t>(spec.ctx) * spec.slots;
  if (total > INT32_MAX) {
    return Error{ErrorCode::kRefused,
                 "ctx " + std::to_string(spec.ctx) + " times " + std::to_string(spec.slots) +
                     " slots is more than llama.cpp can count; lower one of them",
                 spec.model->id};
  }
  std::vector<std::string> arguments = {"-m",
                                        spec.model->path.string(),
                                        "--host",
                                        "127.0.0.1",
                                        "--port",
                                        std::to_string(port),
                                        "-np",
                                        std::to_string(spec.slots),
                                        "-c",
                                        std::to_string(total),
                                        "--no-kv-unified",
                                        "--no-cache-prompt",
                                        "--cache-ram",
                                        "0",
                                        "--metrics",
                                        "--slots",
                                        "--no-ui",
                                        "--offline",
                                        "-ctk",
                                        spec.model->kv,
                                        "-ctv",
                                        spec.model->kv};
  if (!HasFlag(*user, {"-t", "--threads"})) {
    arguments.insert(arguments.end(), {"-t", std::to_string(DefaultThreads())});
  }
  // Last, so that a value missing at their end cannot swallow one of ours.
  arguments.insert(arguments.end(), user->begin(), user->end());
  return arguments;
}

std::vector<std::string> LlamaCppDialect::ScrubbedEnvPrefixes() const {
  return {"LLAMA_", "GGML_"};
}

std::vector<std::string> LlamaCppDialect::KeptEnvNames() const { return {"GGML_BACKEND_PATH"}; }

std::map<std::string, std::string> LlamaCppDialect::Environment(const std::string& api_key) const {
  // Without a backtrace an assertion ends the server at once instead of starting a debugger on it.
  return {{"LLAMA_API_KEY", api_key}, {"GGML_NO_BACKTRACE", "1"}};
}

Status LlamaCppDialect::CheckEnvName(std::string_view name) const {
  if (name == "LLAMA_API_KEY") {
    return Error{ErrorCode::kRefused, "bi_test makes a new key for each launch; remove it", {}};
  }
  if (name.starts_with("LLAMA_ARG_")) {
    return Error{ErrorCode::kRefused, "found a flag in a variable; write it in server.flags", {}};
  }
  return {};
}

Status LlamaCppDialect::CheckRow(const WorksetRow& row) const {
  const Json* format = row.sampling.Find("response_format");
  if (!row.completion || format == nullptr) return {};
  return Error{ErrorCode::kUsage,
               "found a response_format of a plain completion, allowed with kind llama.cpp: "
               "json_schema or grammar (llama-server reads response_format in chats only)",
               "sampling.response_format"};
}

std::string LlamaCppDialect::RequestBody(const WorksetRow& row, std::uint64_t seed,
                                         const RunConfig& run) const {
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

std::string LlamaCppDialect::ProbeBody() const {
  Json::Object body = GreedyRequest();
  AddProbe(body);
  return CompactText(Json(std::move(body)));
}

Counters LlamaCppDialect::ParseMetrics(std::string_view text) const {
  const MetricsPage page(text);
  return {.decode_calls = page.Sum("llamacpp:n_decode_total"),
          .mean_busy_slots = page.Sum("llamacpp:n_busy_slots_per_decode"),
          .tokens_predicted = page.Sum("llamacpp:tokens_predicted_total"),
          .requests_processing = page.Sum("llamacpp:requests_processing"),
          .requests_deferred = page.Sum("llamacpp:requests_deferred")};
}

std::optional<int> LlamaCppDialect::ParseBusySlots(std::string_view listing) const {
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

std::string LlamaCppDialect::WidthHint() const {
  return "use a llama-server that counts n_decode_total and n_busy_slots_per_decode at /metrics, "
         "or "
         "lists is_processing at /slots; bi_test passes --metrics and --slots, so that a page that "
         "is "
         "missing is one this build lacks";
}

std::vector<SelfPage> LlamaCppDialect::self_pages() const {
  return {{"/props"}, {"/slots", /*required=*/false}};
}

std::string LlamaCppDialect::ContextSource() const {
  return "a llama-server that has n_ctx in /props or /slots";
}

Result<bool> LlamaCppDialect::CheckPage(std::string_view path, std::string_view page,
                                        const LaunchSpec& spec, ServerIdentity& identity) const {
  const Result<Json> parsed = ParseJson(page);
  const bool props = path == "/props";
  if (!parsed.ok()) {
    // A listing of slots that cannot be read says nothing.
    if (!props) return true;
    return NotAsLaunched("GET /props: " + parsed.error().message, spec);
  }
  const Status status =
      props ? CheckProps(*parsed, spec, identity) : CheckSlots(*parsed, spec, identity);
  if (!status.ok()) return status.error();
  return true;
}

Status LlamaCppDialect::CheckProps(const Json& props, const LaunchSpec& spec,
                                   ServerIdentity& identity) {
  if (!props.is_object()) return NotAsLaunched("GET /props: expected an object", spec);
  if (TextOf(props.Find("role")) == "router") {
    return NotAsLaunched("the server runs as a router without a model; check the model's path",
                         spec);
  }
  if (std::optional<Error> wrong = CheckModelPath(TextOf(props.Find("model_path")), spec)) {
    return *wrong;
  }
  const std::optional<std::int64_t> total_slots = WholeNumber(props.Find("total_slots"));
  if (!total_slots) {
    return NotAsLaunched("GET /props: no total_slots; this is no llama-server, or one too old",
                         spec);
  }
  if (std::optional<Error> wrong = CheckSlotCount(*total_slots, spec)) return *wrong;
  identity.total_slots = static_cast<int>(*total_slots);

  const Json* settings = props.Find("default_generation_settings");
  for (const Json* context :
       {settings == nullptr ? nullptr : settings->Find("n_ctx"), props.Find("n_ctx")}) {
    if (const std::optional<std::int64_t> value = WholeNumber(context)) {
      if (std::optional<Error> wrong = CheckContext(*value, spec, identity)) return *wrong;
    }
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

Status LlamaCppDialect::CheckSlots(const Json& listing, const LaunchSpec& spec,
                                   ServerIdentity& identity) {
  const Json::Array* slots = listing.if_array();
  if (slots == nullptr) return {};
  if (std::optional<Error> wrong = CheckSlotCount(static_cast<std::int64_t>(slots->size()), spec)) {
    return *wrong;
  }
  for (const Json& slot : *slots) {
    if (const std::optional<std::int64_t> context = WholeNumber(slot.Find("n_ctx"))) {
      if (std::optional<Error> wrong = CheckContext(*context, spec, identity)) return *wrong;
    }
  }
  return {};
}

bool LlamaCppDialect::SaysPortTaken(std::string_view log) const { return LogSaysPortTaken(log); }

std::string LlamaCppDialect::ExitHint(std::string_view log) const {
  constexpr std::array kKnown = {
      LogHint{"invalid argument:",
              "this llama-server does not know a flag; see the log, update "
              "llama.cpp or remove the flag"},
      LogHint{"quantized V cache",
              "a quantised V cache needs flash attention; add `-fa on` to the flags "
              "or use kv: f16"},
      LogHint{"invalid magic", "the model file is no GGUF file; check the model's path"},
      LogHint{"failed to read magic", "the model file is empty or cut off; download it again"},
      LogHint{"corrupted or incomplete", "the model file is cut off; download it again"},
      LogHint{"failed to read", "the model file is damaged; download it again"},
      LogHint{"failed to open", "the model file cannot be opened; check path and permissions"},
      LogHint{"no backends are loaded",
              "llama-server finds no backend library; set GGML_BACKEND_PATH"},
      LogHint{"out of memory", "the memory of the device does not suffice; lower ctx or parallel"},
      LogHint{"failed to allocate", "the memory does not suffice; lower ctx or parallel"},
  };
  return FirstHint(log, kKnown);
}

}  // namespace bi_test::server
