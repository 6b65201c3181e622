#include "support/stub/pages.h"

#include <algorithm>
#include <atomic>

#include "bi_test/json.h"

namespace bi_test::stub {
namespace {

Page JsonPage(const Json& body) { return {200, "application/json", CompactText(body)}; }

Page TextPage(std::string text) { return {200, "text/plain; version=0.0.4", std::move(text)}; }

Page ModelList(const Script& script) {
  Json::Object model{
      {"id", Json(script.kind == Script::Kind::kOpenAi ? "some-model" : script.served_as)},
      {"object", Json("model")}};
  if (script.kind == Script::Kind::kVllm) model["root"] = script.model_path;
  if (script.kind != Script::Kind::kOpenAi) model["max_model_len"] = script.slot_context;
  return JsonPage(Json(
      Json::Object{{"object", Json("list")}, {"data", Json(Json::Array{Json(std::move(model))})}}));
}

// Labels and float spelling as vLLM's page has them.
Page VllmMetrics(const Script& script, Engine& engine) {
  const Engine::Numbers numbers = engine.Read();
  const std::string labels = "{engine=\"0\",model_name=\"" + script.served_as + "\"} ";
  std::string page =
      "# HELP python_gc_objects_collected_total Objects\n"
      "python_gc_objects_collected_total{generation=\"0\"} 1.2e+04\n";
  const auto add = [&](const std::string& name, std::int64_t value) {
    page += name + labels + std::to_string(value) + ".0\n";
  };
  page += "vllm:cache_config_info{block_size=\"16\",cache_dtype=\"auto\",enable_prefix_caching=\"" +
          std::string(script.cache_on.empty() ? "False" : "True") +
          "\",num_gpu_blocks=\"573\"} 1.0\n";
  if (script.no_metrics) return TextPage(page);
  add("vllm:num_requests_running", numbers.processing);
  add("vllm:num_requests_waiting", numbers.deferred);
  page += "# TYPE vllm:iteration_tokens_total histogram\n";
  add("vllm:iteration_tokens_total_sum", numbers.busy_sum + 5);
  add("vllm:iteration_tokens_total_count", numbers.decode_calls);
  // vLLM counts a token when it is made, not when its request ends.
  add("vllm:generation_tokens_total", numbers.busy_sum);
  return TextPage(page);
}

// Gauges that are refreshed by the steps of decoding, and keep their last value when these end.
Page SglangMetrics(const Script& script, Engine& engine) {
  static std::atomic<std::int64_t> last_running{0};
  const Engine::Numbers numbers = engine.Read();
  if (numbers.processing > 0) {
    last_running = numbers.processing;
  }
  std::string page;
  for (const char* rank : {"0", "1"}) {
    page += "sglang:num_running_reqs{model_name=\"" + script.served_as + "\",tp_rank=\"" + rank +
            "\"} " + std::to_string(last_running) + ".0\n";
  }
  page += "sglang:num_queue_reqs{model_name=\"" + script.served_as + "\"} 0.0\n";
  page += "sglang:generation_tokens_total{model_name=\"" + script.served_as + "\"} " +
          std::to_string(numbers.tokens) + ".0\n";
  return TextPage(page);
}

Page ServerInfo(const Script& script) {
  const Json state = Json::Object{{"effective_max_running_requests_per_dp", Json(script.admitted)}};
  return JsonPage(Json(Json::Object{{"model_path", Json(script.model_path)},
                                    {"api_key", Json(script.api_key)},
                                    {"max_running_requests", Json(script.slots)},
                                    {"context_length", Json(script.slot_context)},
                                    {"disable_radix_cache", Json(script.cache_on.empty())},
                                    {"enable_deterministic_inference", Json(false)},
                                    {"internal_states", Json(Json::Array{state})},
                                    {"version", Json("0.5.stub")}}));
}

}  // namespace

std::optional<Page> OtherKindsPage(const Script& script, const std::string& path, Engine& engine) {
  if (path == "/v1/models") return ModelList(script);
  if (script.kind == Script::Kind::kVllm) {
    if (path == "/version") return JsonPage(Json(Json::Object{{"version", Json("0.11.stub")}}));
    if (path == "/metrics") return VllmMetrics(script, engine);
  }
  if (script.kind == Script::Kind::kSglang) {
    if (path == "/server_info") return ServerInfo(script);
    if (path == "/metrics" && !script.no_metrics) return SglangMetrics(script, engine);
  }
  return std::nullopt;
}

}  // namespace bi_test::stub
