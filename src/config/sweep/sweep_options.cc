#include <algorithm>
#include <limits>
#include <set>

#include "config/name_match.h"
#include "config/sweep/cell_name.h"
#include "config/sweep/known_verdicts.h"
#include "config/sweep/kv_profiles.h"
#include "config/sweep/sweep_reader.h"
#include "config/worksets/items.h"
#include "config/yaml/scalar.h"

namespace bi_test::config {
namespace {

constexpr double kMostGib = 1e6;
constexpr int kMostInt = std::numeric_limits<int>::max();

std::vector<int> ReadNumbers(const SweepReader& reader, const Section& section,
                             std::string_view key, int min, int max) {
  std::vector<int> values;
  const YamlNode* node = section.Find(key);
  if (node == nullptr) return values;
  const std::vector<YamlNode>& entries =
      reader.Entries(*node, section.PathOf(key), "a list of integers");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = section.PathOf(key) + "[" + std::to_string(i) + "]";
    const auto value = ScalarReader(entries[i], path, reader.problems).Integer(min, max);
    if (value) values.push_back(static_cast<int>(*value));
  }
  return values;
}

// Which fields may be added is known to `src/verdict` alone; it is asked about one name at a time,
// so that each mistake has its own line.
void ReadExtraFields(const SweepReader& reader, const Section& section, Policy& policy) {
  constexpr std::string_view kKey = "extra_invariant_fields";
  const YamlNode* node = section.Find(kKey);
  if (node == nullptr) return;
  const std::vector<YamlNode>& entries =
      reader.Entries(*node, section.PathOf(kKey), "a list of field names");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = section.PathOf(kKey) + "[" + std::to_string(i) + "]";
    auto name = ScalarReader(entries[i], path, reader.problems).Text("the name of a field");
    if (!name) continue;
    Policy alone;
    alone.extra_invariant_fields = {*name};
    const std::vector<std::string> mistakes = Validate(alone);
    if (mistakes.empty()) {
      policy.extra_invariant_fields.push_back(*std::move(name));
    } else {
      reader.problems.Add(entries[i].line, path, mistakes.front().substr(kKey.size() + 2));
    }
  }
}

// `signed_off`: names of the cells of the entries before this one.
void ReadSignOff(const SweepReader& reader, const YamlNode& node, const std::string& path,
                 std::set<std::string>& signed_off) {
  const Section section(&node, path, {"cell", "by", "reason", "expires"}, reader.problems);
  if (node.kind != YamlNode::Kind::kMap) return;
  SignOff sign_off;
  const auto read = [&section](std::string_view key, std::string_view allowed, std::string& out) {
    section.Require(key, allowed);
    section.ReadText(key, allowed, out);
  };
  read("cell", "the name of a cell, or model/ctx/N", sign_off.cell);
  read("by", "who accepts the AMBER", sign_off.by);
  read("reason", "why it is accepted", sign_off.reason);
  read("expires", "a date such as 2030-12-31", sign_off.expires);
  if (!sign_off.expires.empty() && !IsDate(sign_off.expires)) {
    section.Reader("expires").Refuse("a date such as 2030-12-31");
  }
  const std::vector<SweepCell>& cells = reader.sweep.cells;
  const SweepCell* cell = FindCell(cells, sign_off.cell);
  if (!sign_off.cell.empty() && !cells.empty() && cell == nullptr) {
    std::string allowed = "the name of a cell of this sweep, or model/ctx/N";
    for (const std::string& near : NearCells(cells, sign_off.cell, 1)) {
      allowed += " (did you mean \"" + near + "\"?)";
    }
    section.Reader("cell").Refuse(allowed);
  }
  if (cell != nullptr && !signed_off.insert(cell->test_name).second) {
    reader.problems.Found(node.line, path, "a second sign-off of " + cell->test_name,
                          "one sign-off per cell");
  }
  reader.sweep.sign_offs.push_back(std::move(sign_off));
}

void ReadKvTable(const SweepReader& reader, const Section& section) {
  const YamlNode* node = section.Find("kv_profiles");
  if (node == nullptr) return;
  const std::string key = section.PathOf("kv_profiles");
  const auto path = reader.ExpandedText(*node, key, "the path of a KV table");
  if (!path) return;
  Result<KvProfiles> profiles = LoadKvProfiles(reader.Resolve(*path));
  if (!profiles.ok()) {
    reader.problems.AddEach(node->line, key, profiles.error().Text());
    return;
  }
  GuardConfig& guard = reader.sweep.guard;
  guard.kv_table = std::move(profiles->table);
  guard.memory_floor_gib = profiles->memory_floor_gib;
  guard.max_ctx = profiles->max_ctx;
}

}  // namespace

void ReadRun(const SweepReader& reader, const YamlNode* node) {
  const Section section(node, "run",
                        {"passes", "max_tokens", "reps", "seed", "n_probs", "ignore_eos",
                         "control_sample", "request_timeout", "arm_timeout", "run_timeout"},
                        reader.problems);
  RunConfig& run = reader.sweep.run;
  section.Read("passes", run.passes, 1, 1'000);
  section.Read("max_tokens", run.max_tokens, 1, 1'000'000);
  section.Read("reps", run.reps, 1, 1'000);
  section.ReadSeed("seed", run.seed);
  section.Read("n_probs", run.n_probs, 0, 100);
  section.Read("ignore_eos", run.ignore_eos);
  section.Read("control_sample", run.control_sample, 1, 1'000'000);
  section.Read("request_timeout", run.request_timeout);
  section.Read("arm_timeout", run.arm_timeout);
  section.Read("run_timeout", run.run_timeout);
  const std::size_t items = reader.sweep.workset.rows.size() * static_cast<std::size_t>(run.reps);
  if (items > kMostItems) {
    reader.problems.Found(section.LineOf("reps"), section.PathOf("reps"),
                          std::to_string(items) + " items (rows times reps)",
                          "at most " + std::to_string(kMostItems));
  }
}

void ReadGuard(const SweepReader& reader, const YamlNode* node) {
  const Section section(
      node, "guard",
      {"max_footprint_gib", "memory_floor_gib", "reserved_ports", "reserved_pids", "max_ctx",
       "allow_unknown_memory", "require_acknowledgement", "kv_profiles"},
      reader.problems);
  GuardConfig& guard = reader.sweep.guard;
  // First, because what the section says itself wins.
  ReadKvTable(reader, section);
  section.Read("max_footprint_gib", guard.max_footprint_gib, 0.001, kMostGib);
  section.Read("memory_floor_gib", guard.memory_floor_gib, 0.0, kMostGib);
  guard.reserved_ports = ReadNumbers(reader, section, "reserved_ports", 1, 65'535);
  guard.reserved_pids = ReadNumbers(reader, section, "reserved_pids", 2, kMostInt);
  section.Read("max_ctx", guard.max_ctx, 256, kMostInt);
  section.Read("allow_unknown_memory", guard.allow_unknown_memory);
  section.Read("require_acknowledgement", guard.require_acknowledgement);
}

void ReadPolicy(const SweepReader& reader, const YamlNode* node) {
  const Section section(node, "policy",
                        {"logprobs", "logit_drift_eps", "min_ok_fraction", "min_coverage_fraction",
                         "min_width_fraction", "min_effective_prompts", "min_promotion_prompts",
                         "expires_days", "extra_invariant_fields"},
                        reader.problems);
  Policy& policy = reader.sweep.policy;
  if (section.Find("logprobs") != nullptr) {
    const auto word = section.Reader("logprobs").Word({"record", "exact", "eps"});
    if (word == "record") policy.logprobs = LogprobPolicy::kRecord;
    if (word == "exact") policy.logprobs = LogprobPolicy::kExact;
    if (word == "eps") policy.logprobs = LogprobPolicy::kEps;
  }
  section.Read("logit_drift_eps", policy.logit_drift_eps, 0.0, 1e6);
  const Policy floor;  // Nobody may ask for less than the defaults.
  section.Read("min_ok_fraction", policy.min_ok_fraction, floor.min_ok_fraction, 1.0);
  section.Read("min_coverage_fraction", policy.min_coverage_fraction, floor.min_coverage_fraction,
               1.0);
  section.Read("min_width_fraction", policy.min_width_fraction, floor.min_width_fraction, 1.0);
  section.Read("min_effective_prompts", policy.min_effective_prompts, floor.min_effective_prompts,
               1'000'000);
  section.Read("min_promotion_prompts", policy.min_promotion_prompts, floor.min_promotion_prompts,
               1'000'000);
  section.Read("expires_days", policy.expires_days, 1, 3650);
  ReadExtraFields(reader, section, policy);
  if (policy.logprobs != LogprobPolicy::kRecord && reader.sweep.run.n_probs == 0) {
    reader.problems.Found(section.LineOf("logprobs"), section.PathOf("logprobs"),
                          "a comparison of log-probabilities that run.n_probs: 0 does not ask for",
                          "record, or run.n_probs of at least 1");
  }
}

void ReadSignOffs(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  const std::vector<YamlNode>& entries = reader.Entries(
      *node, "sign_offs", "a list of mappings with the keys cell, by, reason, expires");
  std::set<std::string> signed_off;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ReadSignOff(reader, entries[i], "sign_offs[" + std::to_string(i) + "]", signed_off);
  }
}

void ReadOutput(const SweepReader& reader, const YamlNode* node) {
  const Section section(node, "output", {"dir", "keep_content"}, reader.problems);
  OutputConfig& output = reader.sweep.output;
  if (const YamlNode* dir = section.Find("dir")) {
    const auto text = reader.ExpandedText(*dir, section.PathOf("dir"), "the path of a folder");
    if (text) output.dir = *text;
  }
  output.dir = reader.Resolve(output.dir.string());
  section.Read("keep_content", output.keep_content);
}

void ReadKnownVerdicts(const SweepReader& reader, const YamlNode* node) {
  if (node == nullptr) return;
  const auto path =
      reader.ExpandedText(*node, "known_verdicts", "the path of a known-verdicts file");
  if (!path) return;
  Result<KnownVerdicts> known = LoadKnownVerdicts(reader.Resolve(*path));
  if (known.ok()) {
    reader.sweep.known_verdicts = *std::move(known);
  } else {
    reader.problems.AddEach(node->line, "known_verdicts", known.error().Text());
  }
}

}  // namespace bi_test::config
