#include "support/stub/script.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace bi_test::stub {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

long long Number(const char* name, long long otherwise) {
  const std::string value = Variable(name);
  return value.empty() ? otherwise : std::atoll(value.c_str());
}

int Int(const char* name, int otherwise) { return static_cast<int>(Number(name, otherwise)); }

}  // namespace

Script ReadScript(int argc, char** argv) {
  Script script;
  if (argc > 1 && std::string_view(argv[1]) == "serve") {
    script.kind = Script::Kind::kVllm;
    if (argc > 2) script.model = argv[2];
  }
  if (argc > 1 && std::string_view(argv[1]) == "plain") script.kind = Script::Kind::kOpenAi;
  int context_each = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag(argv[i]);
    const auto is = [&flag](auto... names) { return ((flag == names) || ...); };
    const bool model = is("-m", "--model", "--model-path");
    const bool slots = is("-np", "--parallel", "--max-num-seqs", "--max-running-requests");
    const bool each = is("--max-model-len", "--context-length", "--ctx");
    const bool total = is("-c", "--ctx-size");
    const bool name = is("--served-model-name");
    const bool key = is("--api-key");
    const bool port = is("--port");
    if (!(model || slots || each || total || name || key || port)) continue;
    if (i + 1 >= argc) {
      std::fprintf(stderr, "error: %s needs a value\n", argv[i]);
      std::exit(2);
    }
    const char* value = argv[++i];
    if (port) script.port = std::atoi(value);
    if (slots) script.slots = std::atoi(value);
    if (total) script.context = std::atoi(value);
    if (each) context_each = std::atoi(value);
    if (model) script.model = value;
    if (name) script.served_name = value;
    if (key) script.api_key = value;
    if (flag == "--model-path") script.kind = Script::Kind::kSglang;
  }
  if (context_each > 0) script.context = context_each * script.slots;
  for (const char* name : {"LLAMA_API_KEY", "VLLM_API_KEY"}) {
    if (script.api_key.empty()) script.api_key = Variable(name);
  }
  script.service = std::chrono::milliseconds(Number("STUB_SERVICE_MS", 150));
  script.gather_after = Int("STUB_GATHER_AFTER", 0);
  script.gather_wait = std::chrono::milliseconds(Number("STUB_GATHER_MS", 0));
  script.exit_at_start = Int("STUB_EXIT_AT_START", -1);
  script.sleep_at_start = std::chrono::milliseconds(Number("STUB_SLEEP_AT_START_MS", 0));
  script.loading = std::chrono::milliseconds(Number("STUB_LOADING_MS", 0));
  script.never_ready = Int("STUB_NEVER_READY", 0) != 0;
  script.silent = Int("STUB_SILENT", 0) != 0;
  script.router = Int("STUB_ROUTER", 0) != 0;
  script.total_slots = Int("STUB_TOTAL_SLOTS", script.slots);
  script.slot_context = Int("STUB_N_CTX", script.context / (script.slots > 0 ? script.slots : 1));
  script.model_path = Variable("STUB_MODEL_PATH");
  if (script.model_path.empty()) script.model_path = script.model;
  script.die_after = Int("STUB_DIE_AFTER", -1);
  script.die_signal = Int("STUB_DIE_SIGNAL", 9);
  script.bad_gateways = Int("STUB_BAD_GATEWAYS", 0);
  script.no_metrics = Int("STUB_NO_METRICS", 0) != 0;
  script.cached_prompts = Int("STUB_CACHED_PROMPTS", 0) != 0;
  script.served_as = Variable("STUB_SERVED_AS");
  if (script.served_as.empty()) script.served_as = script.served_name;
  script.cache_on = Variable("STUB_CACHE_ON");
  script.admitted = Int("STUB_ADMITTED", script.slots);
  script.ignore_term = Int("STUB_IGNORE_TERM", 0) != 0;
  script.endless = Int("STUB_ENDLESS", 0) != 0;
  script.diverge = Int("STUB_DIVERGE", 0) != 0;
  script.grandchild = Variable("STUB_GRANDCHILD");
  script.stranger = Int("STUB_STRANGER", 0) != 0;
  script.spam_bytes = Number("STUB_SPAM_BYTES", 0);
  script.bind_failures = Int("STUB_BIND_FAILURES", 0);
  script.state_file = Variable("STUB_STATE_FILE");
  script.report_file = Variable("STUB_REPORT_FILE");
  script.rules_file = Variable("STUB_RULES");
  script.engine_slots = Int("STUB_ENGINE_SLOTS", script.slots);
  script.slot_shape = Variable("STUB_SLOT_SHAPE");
  script.slot_prompts = Int("STUB_SLOT_PROMPTS", 0) != 0;
  script.build_per_launch = Int("STUB_BUILD_PER_LAUNCH", 0) != 0;
  script.listen_on_ipv6 = Int("STUB_LISTEN_ON_IPV6", 0) != 0;
  script.close_output = Int("STUB_CLOSE_OUTPUT", 0) != 0;
  script.unfinished_line = Int("STUB_UNFINISHED_LINE", 0) != 0;
  script.twin = Int("STUB_TWIN", 0) != 0;
  script.reuse_port = script.twin || Int("STUB_REUSE_PORT", 0) != 0;
  script.daemon = Int("STUB_DAEMON", 0) != 0;
  return script;
}

}  // namespace bi_test::stub
