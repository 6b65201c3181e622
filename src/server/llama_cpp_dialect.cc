#include "server/llama_cpp_dialect.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/llama_cpp_flags.h"
#include "server/text.h"
#include "wire/json_reader.h"
#include "wire/sha256.h"

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

std::optional<std::int64_t> Integer(const Json* value) {
  if (value == nullptr || value->if_int64() == nullptr) return std::nullopt;
  return *value->if_int64();
}

std::string Text(const Json* value) {
  return value != nullptr && value->if_string() != nullptr ? *value->if_string() : std::string();
}

Error NotAsLaunched(std::string message, const LaunchSpec& spec) {
  return Error{ErrorCode::kServer, std::move(message), "server " + spec.role};
}

// Context of a slot, as a server may report it: once for all, or per slot.
std::optional<Error> CheckContext(std::int64_t context, const LaunchSpec& spec,
                                  ServerIdentity& identity) {
  if (context < spec.ctx) {
    return NotAsLaunched("slot context " + std::to_string(context) + " < " +
                             std::to_string(spec.ctx) +
                             "; the model is trained for less, or a flag divides the context: "
                             "lower ctx or check the "
                             "flags",
                         spec);
  }
  const int reported = static_cast<int>(std::min<std::int64_t>(context, INT32_MAX));
  identity.n_ctx_slot =
      identity.n_ctx_slot == 0 ? reported : std::min(identity.n_ctx_slot, reported);
  return std::nullopt;
}

std::optional<Error> CheckSlotCount(std::int64_t count, const LaunchSpec& spec) {
  if (count == spec.slots) return std::nullopt;
  return NotAsLaunched("the server reports " + std::to_string(count) + " slots, launched were " +
                           std::to_string(spec.slots) + "; check the program and its flags",
                       spec);
}

// One number of a metrics page; nothing when absent or no finite number >= 0.
std::optional<double> Metric(std::string_view page, std::string_view name) {
  for (const std::string_view line : SplitLines(page)) {
    if (!line.starts_with(name)) continue;
    std::string_view rest = line.substr(name.size());
    if (rest.starts_with('{')) {  // Labels; none are used today.
      const std::size_t close = rest.find('}');
      if (close == std::string_view::npos) continue;
      rest.remove_prefix(close + 1);
    }
    if (!rest.starts_with(' ') && !rest.starts_with('\t')) continue;
    const std::vector<std::string_view> fields = SplitFields(rest);
    if (fields.empty()) continue;
    double value = 0;
    const auto [end, failure] =
        std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), value);
    if (failure != std::errc() || end != fields[0].data() + fields[0].size()) continue;
    if (std::isfinite(value) && value >= 0) return value;
  }
  return std::nullopt;
}

Json Message(const char* role, const std::string& content) {
  return Json(Json::Object{{"role", Json(role)}, {"content", Json(content)}});
}

// What every request says, so that nothing is left to defaults of server or model.
Json::Object GreedyRequest() {
  Json::Object body;
  body["model"] = "local";
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

std::string LlamaCppDialect::RequestBody(const WorksetRow& row, std::uint64_t seed,
                                         const RunConfig& run) const {
  Json::Object body = GreedyRequest();
  Json::Array messages;
  if (row.system && !row.system->empty()) messages.push_back(Message("system", *row.system));
  messages.push_back(Message("user", row.prompt));
  body["messages"] = std::move(messages);
  body["max_tokens"] = run.max_tokens;
  body["seed"] = seed % (std::uint64_t{1} << 31);
  if (run.n_probs > 0) {
    body["logprobs"] = true;
    body["top_logprobs"] = run.n_probs;
  }
  if (run.ignore_eos) body["ignore_eos"] = true;
  return CompactText(Json(std::move(body)));
}

std::string LlamaCppDialect::ProbeBody() const {
  Json::Object body = GreedyRequest();
  body["messages"] = Json::Array{Message("user", "ready?")};
  body["max_tokens"] = 1;
  body["seed"] = 0;
  return CompactText(Json(std::move(body)));
}

Counters LlamaCppDialect::ParseMetrics(std::string_view page) const {
  return {.decode_calls = Metric(page, "llamacpp:n_decode_total"),
          .mean_busy_slots = Metric(page, "llamacpp:n_busy_slots_per_decode"),
          .tokens_predicted = Metric(page, "llamacpp:tokens_predicted_total"),
          .requests_processing = Metric(page, "llamacpp:requests_processing"),
          .requests_deferred = Metric(page, "llamacpp:requests_deferred")};
}

std::optional<int> LlamaCppDialect::ParseBusySlots(std::string_view listing) const {
  const Result<Json> parsed = wire::ParseJson(listing);
  if (!parsed.ok() || !parsed->is_array() || parsed->if_array()->empty()) return std::nullopt;
  int busy = 0;
  for (const Json& slot : *parsed->if_array()) {
    // `is_processing` alone decides where it is present, and only `true` is busy; `state` is how
    // builds before 2024-10 say it. Anything else is an unknown shape, which proves nothing.
    if (const Json* processing = slot.Find("is_processing")) {
      busy += processing->if_bool() != nullptr && *processing->if_bool() ? 1 : 0;
    } else if (const std::optional<std::int64_t> state = Integer(slot.Find("state"))) {
      busy += *state != 0 ? 1 : 0;
    } else {
      return std::nullopt;
    }
  }
  return busy;
}

Status LlamaCppDialect::CheckProps(const Json& props, const LaunchSpec& spec,
                                   ServerIdentity& identity) const {
  if (!props.is_object()) return NotAsLaunched("GET /props: expected an object", spec);
  if (Text(props.Find("role")) == "router") {
    return NotAsLaunched("the server runs as a router without a model; check the model's path",
                         spec);
  }
  const std::string model_path = Text(props.Find("model_path"));
  if (!model_path.empty() && model_path != spec.model->path.string()) {
    std::error_code failure;
    if (!std::filesystem::equivalent(model_path, spec.model->path, failure)) {
      return NotAsLaunched("the server has loaded `" + Printable(model_path) + "`, launched was `" +
                               spec.model->path.string() + "`",
                           spec);
    }
  }
  const std::optional<std::int64_t> total_slots = Integer(props.Find("total_slots"));
  if (!total_slots) {
    return NotAsLaunched("GET /props: no total_slots; this is no llama-server, or one too old",
                         spec);
  }
  if (std::optional<Error> wrong = CheckSlotCount(*total_slots, spec)) return *wrong;
  identity.total_slots = static_cast<int>(*total_slots);

  const Json* settings = props.Find("default_generation_settings");
  for (const Json* context :
       {settings == nullptr ? nullptr : settings->Find("n_ctx"), props.Find("n_ctx")}) {
    if (const std::optional<std::int64_t> value = Integer(context)) {
      if (std::optional<Error> wrong = CheckContext(*value, spec, identity)) return *wrong;
    }
  }
  identity.build = Text(props.Find("build_info"));
  Json::Object facts;
  for (const char* name :
       {"build_info", "model_path", "model_alias", "total_slots", "model_ftype"}) {
    if (const Json* value = props.Find(name)) facts[name] = *value;
  }
  if (const std::string chat_template = Text(props.Find("chat_template")); !chat_template.empty()) {
    facts["chat_template_sha256"] = wire::Sha256::Of(chat_template);
  }
  identity.props = Json(std::move(facts));
  return {};
}

Status LlamaCppDialect::CheckSlots(const Json& listing, const LaunchSpec& spec,
                                   ServerIdentity& identity) const {
  const Json::Array* slots = listing.if_array();
  if (slots == nullptr) return {};
  if (std::optional<Error> wrong = CheckSlotCount(static_cast<std::int64_t>(slots->size()), spec)) {
    return *wrong;
  }
  for (const Json& slot : *slots) {
    if (const std::optional<std::int64_t> context = Integer(slot.Find("n_ctx"))) {
      if (std::optional<Error> wrong = CheckContext(*context, spec, identity)) return *wrong;
    }
  }
  return {};
}

bool LlamaCppDialect::SaysPortTaken(std::string_view log) const {
  std::string lower(log);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return lower.find("couldn't bind") != std::string::npos ||
         lower.find("address already in use") != std::string::npos;
}

std::string LlamaCppDialect::ExitHint(std::string_view log) const {
  struct Known {
    std::string_view words;
    const char* hint;
  };
  constexpr std::array kKnown = {
      Known{"invalid argument:",
            "this llama-server does not know a flag; see the log, update "
            "llama.cpp or remove the flag"},
      Known{"quantized V cache",
            "a quantised V cache needs flash attention; add `-fa on` to the flags "
            "or use kv: f16"},
      Known{"invalid magic", "the model file is no GGUF file; check the model's path"},
      Known{"failed to read magic", "the model file is empty or cut off; download it again"},
      Known{"corrupted or incomplete", "the model file is cut off; download it again"},
      Known{"failed to read", "the model file is damaged; download it again"},
      Known{"failed to open", "the model file cannot be opened; check path and permissions"},
      Known{"no backends are loaded",
            "llama-server finds no backend library; set GGML_BACKEND_PATH"},
      Known{"out of memory", "the memory of the device does not suffice; lower ctx or parallel"},
      Known{"failed to allocate", "the memory does not suffice; lower ctx or parallel"},
  };
  for (const Known& known : kKnown) {
    if (log.find(known.words) != std::string_view::npos) return known.hint;
  }
  return {};
}

}  // namespace bi_test::server
