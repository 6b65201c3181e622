// How many concurrent requests it takes to see the first divergence on a real llama-server, for
// each way to order and release them and each work-set, at one request budget.
//
// usage: detection_power LLAMA_SERVER SCRATCH_DIR [SEEDS]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bi_test/driver.h"
#include "bi_test/sweep.h"
#include "make_model/make_model.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using bi_test::PassPlan;

constexpr int kPasses = 3;

struct Plan {
  const char* name;
  const char* workset;
  PassPlan passes;
};

const std::vector<Plan> kPlans = {
    {"smoke, plain order", "{builtin: smoke}", PassPlan::kPlain},
    {"smoke, shuffled passes", "{builtin: smoke}", PassPlan::kShuffled},
    {"smoke, staggered", "{builtin: smoke}", PassPlan::kStaggered},
    {"smoke, lengths mixed", "{builtin: smoke}", PassPlan::kMixed},
    {"smoke, default plan", "{builtin: smoke}", PassPlan::kDefault},
    {"lengths, default plan", "{builtin: lengths}", PassPlan::kDefault},
    {"fragile, plain order", "{builtin: fragile, size: 40}", PassPlan::kPlain},
    {"fragile, default plan", "{builtin: fragile, size: 40}", PassPlan::kDefault},
};

/// What one run shows. `first`: place of the first divergent request, from 1, in order of
/// completion.
struct Seen {
  int requests = 0;
  int divergent = 0;
  std::optional<int> first;
  std::optional<int> first_logprob;
};

template <typename Differs>
std::optional<int> FirstOf(const std::vector<const bi_test::Trial*>& trials, Differs differs) {
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (differs(*trials[i])) return static_cast<int>(i) + 1;
  }
  return std::nullopt;
}

Seen Look(const bi_test::Record& record) {
  std::map<std::string, const bi_test::Trial*> serial;
  std::vector<const bi_test::Trial*> concurrent;
  for (const bi_test::Trial& trial : record.trials) {
    if (trial.arm == bi_test::Arm::kA && trial.pass == 0) serial[trial.test_id] = &trial;
    if (trial.arm == bi_test::Arm::kC) concurrent.push_back(&trial);
  }
  std::ranges::sort(concurrent, {}, [](const bi_test::Trial* trial) {
    return std::tuple(trial->pass, trial->complete_ts.value_or(0.0));
  });
  const auto text = [&](const bi_test::Trial& trial) {
    return !(serial.at(trial.test_id)->content == trial.content);
  };
  const auto logprob = [&](const bi_test::Trial& trial) {
    return serial.at(trial.test_id)->logprobs != trial.logprobs;
  };
  Seen seen;
  seen.requests = static_cast<int>(concurrent.size());
  seen.divergent = static_cast<int>(
      std::ranges::count_if(concurrent, [&](const auto* trial) { return text(*trial); }));
  seen.first = FirstOf(concurrent, text);
  seen.first_logprob = FirstOf(concurrent, logprob);
  return seen;
}

std::string Median(std::vector<std::optional<int>> values, int budget) {
  std::ranges::sort(values, {}, [&](const auto& value) { return value.value_or(budget + 1); });
  const auto& middle = values[values.size() / 2];
  return middle ? std::to_string(*middle) : "> " + std::to_string(budget);
}

/// The smallest and the largest of some shares, in percent.
std::string Range(std::vector<double> shares) {
  const auto [low, high] = std::ranges::minmax(shares);
  std::ostringstream out;
  out << std::lround(low) << ".." << std::lround(high);
  return out.str();
}

struct Model {
  const char* name;
  std::vector<std::string> flags;
  std::vector<int> widths;
};

bool MakeModel(const fs::path& file, const Model& model) {
  std::vector<std::string> words = {"bi-test", "make-model", file.string()};
  words.insert(words.end(), model.flags.begin(), model.flags.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  std::ostringstream ignored;
  return bi_test::make_model::MakeModelMain(static_cast<int>(argv.size()) - 1, argv.data() + 1,
                                            ignored, std::cerr) == 0;
}

std::optional<Seen> RunOnce(const std::string& server, const fs::path& dir, const Model& model,
                            const Plan& plan, int width, int seed) {
  const fs::path sweep_file = dir / (std::string(model.name) + ".yaml");
  std::ofstream(sweep_file) << "server: {binary: " << server << ", flags: [-t, 1, -fa, on]}\n"
                            << "models: [{id: " << model.name << ", path: " << model.name
                            << ".gguf}]\nmatrix: {ctx: 1024, parallel: " << width
                            << "}\nworkset: " << plan.workset
                            << "\nguard: {memory_floor_gib: 0.5}\nrun: {passes: " << kPasses
                            << ", max_tokens: 16, ignore_eos: true, seed: " << seed
                            << "}\noutput: {dir: out}\n";
  const auto sweep = bi_test::LoadSweep(sweep_file, bi_test::ProcessEnvironment());
  if (!sweep.ok()) {
    std::fprintf(stderr, "%s\n", sweep.error().Text().c_str());
    return std::nullopt;
  }
  bi_test::RunOptions options;
  options.pass_plan = plan.passes;
  const bi_test::CellRun run = bi_test::RunCell(*sweep, sweep->cells.at(0), options);
  if (run.error) {
    std::fprintf(stderr, "%s\n", run.error->Text().c_str());
    return std::nullopt;
  }
  return Look(run.record);
}

bool PrintLine(const std::string& server, const fs::path& dir, const Model& model, const Plan& plan,
               int width, int seeds) {
  int requests = 0;
  int divergent = 0;
  int budget = 0;
  std::vector<double> shares;
  std::vector<std::optional<int>> first, first_logprob;
  for (int seed = 1; seed <= seeds; ++seed) {
    const std::optional<Seen> seen = RunOnce(server, dir, model, plan, width, seed);
    if (!seen) return false;
    requests += seen->requests;
    divergent += seen->divergent;
    budget = std::max(budget, seen->requests);
    shares.push_back(100.0 * seen->divergent / std::max(seen->requests, 1));
    first.push_back(seen->first);
    first_logprob.push_back(seen->first_logprob);
  }
  std::printf("%-8s %2d %-24s %8d %9.1f%% %10s %14s %15s\n", model.name, width, plan.name, requests,
              100.0 * divergent / std::max(requests, 1), Range(shares).c_str(),
              Median(first, budget).c_str(), Median(first_logprob, budget).c_str());
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: detection_power LLAMA_SERVER SCRATCH_DIR [SEEDS]\n");
    return 2;
  }
  const fs::path dir = argv[2];
  const int seeds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 5;
  fs::create_directories(dir);
  const std::vector<Model> models = {{"random", {"--seed", "3"}, {2, 4}},
                                     {"wide", {"--seed", "3", "--margin", "wide"}, {4}}};
  std::printf("%-8s %2s %-24s %8s %10s %10s %14s %15s\n", "model", "N", "plan", "requests",
              "divergent", "per seed %", "first (median)", "first log-prob");
  for (const Model& model : models) {
    if (!MakeModel(dir / (std::string(model.name) + ".gguf"), model)) return 1;
    for (const int width : model.widths) {
      for (const Plan& plan : kPlans) {
        if (!PrintLine(argv[1], dir, model, plan, width, seeds)) return 1;
      }
    }
  }
  return 0;
}
