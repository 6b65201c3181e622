#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/json.h"
#include "bi_test/known_verdicts.h"
#include "bi_test/policy.h"
#include "bi_test/result.h"
#include "bi_test/spark.h"

namespace bi_test {

/// Where something was written in a sweep file, for messages, RegisterTest and JUnit. 1-based.
struct SourceLocation {
  std::string file;
  int line = 0;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// `server:` of a sweep file.
struct ServerConfig {
  std::string kind = "llama.cpp";  ///< Dialect: llama.cpp, vllm, sglang, openai.
  std::filesystem::path binary;    ///< Resolved program; empty when it could not be found.
  std::string binary_as_written;
  std::vector<std::string> flags;  ///< Passed to every launch, before the model's own flags.
  std::map<std::string, std::string> env;
  std::chrono::milliseconds ready_timeout{180'000};
  std::chrono::milliseconds stop_grace{5'000};
  friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

/// One entry of `models:`.
struct ModelConfig {
  std::string id;
  std::filesystem::path path;
  std::vector<std::string> flags;
  std::string kv = "f16";  ///< KV cache type label, both K and V.
  std::string sha256;      ///< Digest that the file must have; empty: any.
  std::vector<std::string> labels;
  SourceLocation location;
  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

/// One message of a conversation.
struct ChatMessage {
  std::string role;  ///< `system`, `developer`, `user` or `assistant`.
  std::string content;
  friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

/// One row of a work-set file, already checked (docs/work-sets.md).
struct WorksetRow {
  /// What the user asks; with `messages` the last of them; with `completion` the text to go on
  /// from.
  std::string prompt;
  std::optional<std::string> system;
  Json expected_answer = std::string();
  std::string family = "default";
  double fill = 0.0;
  std::vector<ChatMessage> messages;  ///< A whole conversation in place of `system` and `prompt`.
  bool completion = false;            ///< Plain text completion, without any chat template.
  /// What this row's request asks for beside its text, checked and in canonical form: an object of
  /// `max_tokens`, `seed`, `stop`, `logit_bias`, `response_format`, `json_schema`, `grammar`,
  /// `tools`, `tool_choice`, `parallel_tool_calls`; null when the row asks for nothing.
  Json sampling;
  friend bool operator==(const WorksetRow&, const WorksetRow&) = default;
};

/// A whole work-set.
struct Workset {
  std::vector<WorksetRow> rows;
  std::string name;    ///< File name, or `built-in smoke`.
  std::string sha256;  ///< Hex, of the canonical text of the rows.
  int reps_in_rows =
      1;         ///< So many rows in a row are repetitions of one, each with a prompt of its own.
  Json stamp{};  ///< What shaped generated rows, for the cert; else null.
  friend bool operator==(const Workset&, const Workset&) = default;
};

/// A program that scores answers (docs/scorers.md).
struct ScorerCommand {
  std::vector<std::string> argv;  ///< Empty: a scorer of this program is used.
  std::filesystem::path program;  ///< argv[0] resolved; empty when it could not be found.
  std::filesystem::path folder;   ///< Where it runs: the folder of the sweep file.
  std::map<std::string, std::string> env;
  std::chrono::milliseconds timeout{10'000};  ///< For one answer.
  int max_restarts = 3;  ///< In one cell, after a crash, a silence or nonsense.
  friend bool operator==(const ScorerCommand&, const ScorerCommand&) = default;
};

/// A built-in work-set whose rows are made for each cell with the server under test.
struct MadeWorkset {
  enum class Kind {
    kLengths,  ///< Prompt lengths around those at which kernels change their path.
    kFragile   ///< The rows of `pool` whose answers hang by the thinnest margin.
  };
  Kind kind = Kind::kLengths;
  Workset pool;   ///< Of kFragile.
  int size = 40;  ///< Of kFragile: rows to keep, >= 5.
  friend bool operator==(const MadeWorkset&, const MadeWorkset&) = default;
};

/// `run:` of a sweep file.
struct RunConfig {
  int passes = 8;             ///< T, >= 1.
  int max_tokens = 128;       ///< Completion limit, >= 1.
  int reps = 1;               ///< Repetitions of each row, >= 1.
  std::uint64_t seed = 1234;  ///< Selects dispatch orders; never enters a request.
  int n_probs = 2;          ///< Alternatives asked for per token (2 show the margin); 0 asks for no
                            ///< log-probabilities.
  bool ignore_eos = false;  ///< Ask the server to go on past end-of-text (llama.cpp, vLLM).
  /// Items that arm A3 (a fresh launch) and arm B2 (after the concurrent passes) ask again, spread
  /// evenly over the work-set; >= 1.
  int control_sample = 8;
  std::chrono::milliseconds request_timeout{120'000};
  std::chrono::milliseconds arm_timeout{900'000};
  std::chrono::milliseconds run_timeout{14'400'000};  ///< Whole cell.
  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

/// Rule of thumb for the memory of a key-value cache; `guard.kv_profiles` replaces it.
struct KvTable {
  double kv_gib = 13.0;  ///< Of one slot of `reference_ctx` tokens in q8_0.
  int reference_ctx = 131'072;
  double overhead_gib = 1.5;  ///< Of a server beside weights and cache.
  /// Size of a cache type relative to q8_0.
  std::map<std::string, double, std::less<>> factors = {
      {"f32", 4.0},  {"f16", 2.0},    {"bf16", 2.0},   {"q8_0", 1.0},  {"q4_0", 0.5},
      {"q4_1", 0.5}, {"q5_0", 0.625}, {"q5_1", 0.625}, {"iq4_nl", 0.5}};
  friend bool operator==(const KvTable&, const KvTable&) = default;
};

/// `guard:` of a sweep file.
struct GuardConfig {
  double max_footprint_gib = 15.0;  ///< Cap of the projected footprint, > 0.
  double memory_floor_gib = 8.0;    ///< Memory that must stay free, >= 0.
  std::vector<int> reserved_ports;
  std::vector<int> reserved_pids;
  int max_ctx = 131'072;                 ///< Ceiling of the context of one slot, tokens, >= 1.
  bool allow_unknown_memory = false;     ///< Launch even when the free memory cannot be read.
  bool require_acknowledgement = false;  ///< Launch only for a caller that acknowledges it.
  KvTable kv_table{};
  friend bool operator==(const GuardConfig&, const GuardConfig&) = default;
};

/// An AMBER that a person accepts, by cell name.
struct SignOff {
  std::string cell;  ///< Test name of the cell, or `model/ctx/N`.
  std::string by;
  std::string reason;
  std::string expires;  ///< `YYYY-MM-DD`.
  friend bool operator==(const SignOff&, const SignOff&) = default;
};

/// `output:` of a sweep file.
struct OutputConfig {
  std::filesystem::path dir = "bi_test-out";
  bool keep_content = true;  ///< Else digests for the texts of answers; prompts never.
  friend bool operator==(const OutputConfig&, const OutputConfig&) = default;
};

/// One cell of the sweep, with all that is needed to run it.
struct SweepCell {
  Cell cell;
  std::string test_name;        ///< `[A-Za-z0-9_]+`, unique in the sweep, made from content.
  std::size_t model_index = 0;  ///< Into Sweep::models.
  SourceLocation location;
  friend bool operator==(const SweepCell&, const SweepCell&) = default;
};

/// A sweep file, read and checked as a whole.
struct Sweep {
  std::string file;
  ServerConfig server;
  std::vector<ModelConfig> models;
  std::vector<int> ctx;
  std::vector<int> parallel;
  std::string dense_baseline;  ///< Id of the model that is the dense smoke model; may be empty.
  Workset workset;
  /// Set: the rows are generated for each cell, and `workset` has none before.
  std::optional<SparkConfig> spark;
  std::optional<MadeWorkset> made;  ///< The same for `builtin: lengths` and `builtin: fragile`.
  std::string scorer = "exact";     ///< Name of the scorer; `command` for a program.
  Json scorer_options;              ///< Object of all its options, defaults included; or null.
  ScorerCommand scorer_command;     ///< Of `scorer: {command: ...}`.
  RunConfig run;
  GuardConfig guard;
  Policy policy;
  std::vector<SignOff> sign_offs;
  KnownVerdicts known_verdicts;
  OutputConfig output;
  /// models x ctx x parallel minus `exclude`, in file order; ctx then N within a model.
  std::vector<SweepCell> cells;
  /// What is allowed but probably not meant, one line each, for people.
  std::vector<std::string> warnings;
};

/// What a sweep file is read for; decides what has to be at hand.
enum class SweepUse {
  kRun,   ///< Cells may be run: this program has the scorer, and the models are there.
  kPlan,  ///< As for kRun, but the scorer may be another program's, which registers it.
  kLook,  ///< Cells are only named: neither has to be here.
};

/// Reads a sweep file. Every mistake in it is reported at once, one per line, as
/// `file:line: key: found ..., allowed ...`. Opens no model, starts nothing. `env` stands in for
/// the process environment (variables expand as `${NAME}`; `{MODELS_DIR}` is the variable
/// MODELS_DIR).
[[nodiscard]] Result<Sweep> LoadSweep(const std::filesystem::path& file,
                                      const std::map<std::string, std::string>& env,
                                      SweepUse use = SweepUse::kRun);

/// The process environment as a map.
[[nodiscard]] std::map<std::string, std::string> ProcessEnvironment();

}  // namespace bi_test
