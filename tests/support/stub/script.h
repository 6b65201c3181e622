#pragma once

#include <chrono>
#include <string>

namespace bi_test::stub {

/// What the stub server is told to do: flags as llama-server, vLLM, SGLang or a plain server take
/// them, and STUB_* variables. Without any variable it is honest.
struct Script {
  enum class Kind { kLlamaCpp, kVllm, kSglang, kOpenAi };
  /// `serve` as first argument makes it vLLM, `--model-path` SGLang, `plain` a server without any
  /// pages of its own, everything else llama-server.
  Kind kind = Kind::kLlamaCpp;
  int port = 0;
  int slots = 1;
  int context = 4096;  ///< Of all slots together, as `-c`.
  std::string model;
  std::string served_name;
  /// LLAMA_API_KEY, VLLM_API_KEY or `--api-key`; empty: none is asked for.
  std::string api_key;

  std::chrono::milliseconds service{150};       ///< STUB_SERVICE_MS: one chat, alone or not.
  int gather_after = 0;                         ///< STUB_GATHER_AFTER: chats (engine.h).
  std::chrono::milliseconds gather_wait{0};     ///< STUB_GATHER_MS.
  int exit_at_start = -1;                       ///< STUB_EXIT_AT_START: exit code.
  std::chrono::milliseconds sleep_at_start{0};  ///< STUB_SLEEP_AT_START_MS, before it listens.
  std::chrono::milliseconds loading{0};         ///< STUB_LOADING_MS: 503 for everything.
  bool never_ready = false;                     ///< STUB_NEVER_READY: 503 for ever.
  bool silent = false;                          ///< STUB_SILENT: accepts and never answers.
  bool router = false;                          ///< STUB_ROUTER: no model, /health 200.
  int total_slots = -1;         ///< STUB_TOTAL_SLOTS: reported instead of the truth.
  int slot_context = -1;        ///< STUB_N_CTX: reported instead of the truth.
  std::string model_path;       ///< STUB_MODEL_PATH: reported instead of the truth.
  int die_after = -1;           ///< STUB_DIE_AFTER: the chat after that many kills it.
  int die_signal = 9;           ///< STUB_DIE_SIGNAL.
  int bad_gateways = 0;         ///< STUB_BAD_GATEWAYS: so many chats get 502 first.
  bool no_metrics = false;      ///< STUB_NO_METRICS: /metrics (vLLM: its series) is not there.
  bool cached_prompts = false;  ///< STUB_CACHED_PROMPTS: prompts come from a cache, and it says so.
  std::string served_as;        ///< STUB_SERVED_AS: reported instead of the served name.
  std::string cache_on;         ///< STUB_CACHE_ON: reports that prefix caching is on.
  int admitted = -1;            ///< STUB_ADMITTED: requests at once that SGLang reports.
  bool ignore_term = false;     ///< STUB_IGNORE_TERM.
  bool endless = false;         ///< STUB_ENDLESS: a stream that never ends.
  bool diverge = false;         ///< STUB_DIVERGE: another answer in company.
  /// STUB_GRANDCHILD: `group`, `session` or `hidden`: a process that keeps the listening socket, in
  /// the stub's group, in its own session, or in its own session and without our environment.
  std::string grandchild;
  /// STUB_STRANGER: the port is served by a process that has nothing to do with the stub any more.
  bool stranger = false;
  long long spam_bytes = 0;  ///< STUB_SPAM_BYTES to standard error at start.
  int bind_failures = 0;     ///< STUB_BIND_FAILURES: so many launches cannot bind.
  std::string state_file;    ///< STUB_STATE_FILE: grows by one byte per launch.
  int launch = 1;            ///< Which launch this is, by the state file.
  std::string report_file;   ///< STUB_REPORT_FILE: pid, arguments, environment.
  std::string rules_file;    ///< STUB_RULES: exceptions from honesty (rules.h).
  int engine_slots = 1;      ///< STUB_ENGINE_SLOTS: so many at once, whatever the flags say.
  /// STUB_SLOT_SHAPE: `state` (a number) or `bare` (ids only) in place of `is_processing`.
  std::string slot_shape;
  bool slot_prompts = false;      ///< STUB_SLOT_PROMPTS: /slots shows `SECRET-` and the prompt.
  bool build_per_launch = false;  ///< STUB_BUILD_PER_LAUNCH: each launch reports another build.
  bool listen_on_ipv6 = false;    ///< STUB_LISTEN_ON_IPV6: on ::1 only.
  bool close_output = false;      ///< STUB_CLOSE_OUTPUT: closes standard output and error.
  bool unfinished_line = false;   ///< STUB_UNFINISHED_LINE: logs without a newline.
  /// STUB_TWIN: a process that has nothing to do with the stub listens on the same port too, and
  /// gets every other connection.
  bool twin = false;
  bool reuse_port = false;  ///< STUB_REUSE_PORT, and with a twin.
  /// STUB_DAEMON: the process that was started ends with 0; a child in a session of its own serves.
  bool daemon = false;
};

/// Reads both; ends the program with 2 when a flag lacks its value.
[[nodiscard]] Script ReadScript(int argc, char** argv);

}  // namespace bi_test::stub
