#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/guard_config.h"
#include "bi_test/json.h"
#include "bi_test/known_verdicts.h"
#include "bi_test/model_config.h"
#include "bi_test/policy.h"
#include "bi_test/result.h"
#include "bi_test/run_config.h"
#include "bi_test/scorer_command.h"
#include "bi_test/server_config.h"
#include "bi_test/sweep_cell.h"
#include "bi_test/workset.h"

namespace bi_test {

class WorksetMaker;

/// An AMBER that a person accepts, by cell name (`sign_offs:`).
struct SignOff {
  std::string cell;     ///< Test name of the cell, or `model/ctx/N`.
  std::string by;       ///< Who accepts it.
  std::string reason;   ///< Why.
  std::string expires;  ///< Last UTC day it holds, `YYYY-MM-DD`.
  friend bool operator==(const SignOff&, const SignOff&) = default;
};

/// `output:` of a sweep file.
struct OutputConfig {
  std::filesystem::path dir = "bi_test-out";  ///< Of certs, traces, logs and reports.
  bool keep_content = true;  ///< Else digests for the texts of answers; prompts never.
  friend bool operator==(const OutputConfig&, const OutputConfig&) = default;
};

/// A sweep file, read and checked as a whole. A plain value: once it is made, threads may share it.
/// A program may also fill one itself, without any file.
struct Sweep {
  std::string file;  ///< As it was named; for messages.
  ServerConfig server;
  std::vector<ModelConfig> models;  ///< At least one.
  std::vector<int> ctx;             ///< Contexts of one slot, tokens, >= 1.
  std::vector<int> parallel;        ///< Values of N, >= 2.
  std::string dense_baseline;  ///< Id of the model that is the dense smoke model; may be empty.
  Workset workset;
  /// Set: the rows are made for each cell, and `workset` has none before.
  std::shared_ptr<const WorksetMaker> workset_maker;
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
/// MODELS_DIR). Errors: kNotFound for a file that is not there, kInvalidFile for mistakes in it.
/// Thread safe once all scorers are registered.
///
///     const auto sweep = bi_test::LoadSweep("cells.yaml", bi_test::ProcessEnvironment());
///     if (!sweep.ok()) std::cerr << sweep.error().Text() << "\n";
[[nodiscard]] Result<Sweep> LoadSweep(const std::filesystem::path& file,
                                      const std::map<std::string, std::string>& env,
                                      SweepUse use = SweepUse::kRun);

/// The process environment as a map. Not while another thread changes it.
[[nodiscard]] std::map<std::string, std::string> ProcessEnvironment();

}  // namespace bi_test
