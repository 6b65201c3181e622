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
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag(argv[i]);
    const bool wanted = flag == "--port" || flag == "-np" || flag == "--parallel" || flag == "-c" ||
                        flag == "--ctx-size" || flag == "-m" || flag == "--model";
    if (!wanted) continue;
    if (i + 1 >= argc) {
      std::fprintf(stderr, "error: %s needs a value\n", argv[i]);
      std::exit(2);
    }
    const char* value = argv[++i];
    if (flag == "--port") script.port = std::atoi(value);
    if (flag == "-np" || flag == "--parallel") script.slots = std::atoi(value);
    if (flag == "-c" || flag == "--ctx-size") script.context = std::atoi(value);
    if (flag == "-m" || flag == "--model") script.model = value;
  }
  script.api_key = Variable("LLAMA_API_KEY");
  script.service = std::chrono::milliseconds(Number("STUB_SERVICE_MS", 150));
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
  script.ignore_term = Int("STUB_IGNORE_TERM", 0) != 0;
  script.endless = Int("STUB_ENDLESS", 0) != 0;
  script.diverge = Int("STUB_DIVERGE", 0) != 0;
  script.grandchild = Variable("STUB_GRANDCHILD");
  script.stranger = Int("STUB_STRANGER", 0) != 0;
  script.spam_bytes = Number("STUB_SPAM_BYTES", 0);
  script.bind_failures = Int("STUB_BIND_FAILURES", 0);
  script.state_file = Variable("STUB_STATE_FILE");
  script.report_file = Variable("STUB_REPORT_FILE");
  return script;
}

}  // namespace bi_test::stub
