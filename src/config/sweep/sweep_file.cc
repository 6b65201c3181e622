#include <system_error>

#include "base/try.h"
#include "bi_test/sweep.h"
#include "config/sweep/sweep_reader.h"
#include "config/yaml/text_file.h"
#include "process/environment.h"
#include "spark/spark_scorer.h"

namespace bi_test {
namespace config {

void ReadSweep(const YamlNode& root, const SweepReader& given) {
  SweepReader reader = given;
  const Section top(&root, "",
                    {"server", "models", "matrix", "workset", "scorer", "run", "guard", "policy",
                     "sign_offs", "known_verdicts", "output", "dense_baseline", "registry"},
                    reader.problems,
                    {"matrix.ctx", "matrix.parallel", "matrix.exclude", "server.binary",
                     "server.flags", "server.env", "run.passes", "run.max_tokens", "run.reps",
                     "run.seed", "run.n_probs", "run.ignore_eos", "run.request_timeout",
                     "run.arm_timeout", "run.run_timeout", "policy.logprobs", "output.dir"});
  if (root.kind != YamlNode::Kind::kMap) return;
  top.Require("models", "a list of models");
  top.Require("matrix", "a mapping with the keys ctx, parallel, exclude");
  top.Require("workset", "the path of a work-set file, or {builtin: smoke}");
  ReadServer(reader, top.Find("server"));
  const std::optional<ModelRegistry> registry = ReadRegistry(reader, top.Find("registry"));
  if (registry) reader.registry = &*registry;
  ReadModels(reader, top.Find("models"));
  ReadDenseBaseline(reader, top.Find("dense_baseline"));
  if (registry) ApplyRegistry(reader, root);
  ReadMatrix(reader, top.Find("matrix"));
  ReadWorkset(reader, top.Find("workset"));
  ReadScorer(reader, top.Find("scorer"));
  CheckSparkGolds(reader, top.Find("workset"));
  ReadRun(reader, top.Find("run"));
  ReadGuard(reader, top.Find("guard"));
  ReadPolicy(reader, top.Find("policy"));
  ReadSignOffs(reader, top.Find("sign_offs"));
  ReadKnownVerdicts(reader, top.Find("known_verdicts"));
  ReadOutput(reader, top.Find("output"));
}

}  // namespace config

Result<Sweep> LoadSweep(const std::filesystem::path& file,
                        const std::map<std::string, std::string>& env, SweepUse use) {
  namespace fs = std::filesystem;
  const config::YamlLimits limits;
  BI_TRY_SET(const std::string text,
             config::ReadTextFile(file, limits.max_bytes, "the path of a sweep file"));
  Sweep sweep;
  sweep.file = file.string();
  config::FileProblems problems;
  config::YamlNode root;
  if (config::ParseYaml(text, limits, root, problems)) {
    std::error_code error;
    const fs::path folder = fs::absolute(file, error).parent_path();
    config::ReadSweep(root, {folder, env, problems, sweep, use, spark::SweepScorers()});
  }
  if (!problems.empty()) return problems.ToError(sweep.file);
  return sweep;
}

std::map<std::string, std::string> ProcessEnvironment() { return process::Environment(); }

}  // namespace bi_test
