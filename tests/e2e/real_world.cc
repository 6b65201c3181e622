#include "e2e/real_world.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "make_model/make_model.h"

namespace bi_test::e2e {
namespace fs = std::filesystem;

std::string RealServer() {
  const char* path = std::getenv("BI_TEST_LLAMA_SERVER");
  if (path != nullptr && access(path, X_OK) == 0) return path;
  std::cerr << "BI_TEST_LLAMA_SERVER does not name an executable: the end-to-end tests need a real "
               "llama-server (scripts/get-llama-server finds or fetches one)\n";
  std::exit(EXIT_FAILURE);
}

const fs::path& Scratch() {
  static const fs::path dir = [] {
    fs::path path = fs::temp_directory_path() / ("bi_test_e2e_" + std::to_string(getpid()));
    fs::remove_all(path);
    fs::create_directories(path);
    std::atexit([] {
      std::error_code ignored;
      fs::remove_all(fs::temp_directory_path() / ("bi_test_e2e_" + std::to_string(getpid())),
                     ignored);
    });
    return path;
  }();
  return dir;
}

fs::path TinyModel(const std::string& name) {
  const fs::path path = Scratch() / (name + ".gguf");
  if (fs::exists(path)) return path;
  make_model::ModelSpec spec;
  spec.seed = 1;
  spec.type = make_model::TensorType::kQ8_0;
  spec.layers = 2;
  if (name == "moe") spec.arch = make_model::Arch::kMoe;
  if (name == "wide") spec.margin = make_model::Margin::kWide;
  const auto written = make_model::Write(spec, path.string());
  if (!written.ok()) {
    std::cerr << "cannot make the model " << name << ": " << written.error().Text() << '\n';
    std::exit(EXIT_FAILURE);
  }
  return path;
}

fs::path WriteSweep(const Experiment& experiment) {
  const fs::path path = Scratch() / (experiment.name + ".yaml");
  std::ostringstream workset;
  if (experiment.rows < 40) {
    workset << "workset:\n";
    for (int i = 0; i < experiment.rows; ++i) {
      workset << "  - {prompt: \"question number " << i << " of a few\", expected_answer: \"" << i
              << "\"}\n";
    }
  } else {
    workset << "workset: " << experiment.workset << "\n";
  }
  std::ofstream(path) << "server:\n"
                      << "  kind: llama.cpp\n"
                      << "  binary: " << RealServer() << "\n"
                      << "  flags: [-t, 1, -ub, 64]\n"
                      << "models:\n"
                      << "  - id: " << experiment.model << "\n"
                      << "    path: " << TinyModel(experiment.model).string() << "\n"
                      << "    flags: [-fa, \"" << experiment.flash_attention << "\"]\n"
                      << "matrix:\n"
                      << "  ctx: [" << experiment.ctx << "]\n"
                      << "  parallel: [" << experiment.parallel << "]\n"
                      << workset.str()  //
                      << "run:\n"
                      << "  passes: " << experiment.passes << "\n"
                      << "  max_tokens: " << experiment.max_tokens << "\n"
                      << "  ignore_eos: true\n"
                      << "policy:\n"
                      << "  logprobs: " << experiment.logprobs << "\n"
                      << "output:\n"
                      << "  dir: " << experiment.name << "-out\n";
  return path;
}

CellRun RunExperiment(const Experiment& experiment) {
  const Result<Sweep> sweep = LoadSweep(WriteSweep(experiment), ProcessEnvironment());
  if (!sweep.ok()) {
    CellRun run;
    run.error = sweep.error();
    return run;
  }
  CellRun run;
  for (int attempt = 0; attempt < 3; ++attempt) {
    run = RunCell(*sweep, sweep->cells.at(0), RunOptions{});
    const auto& codes = run.judgement.reason_codes;
    if (codes.empty() || (codes.front() != "COVERAGE" && codes.front() != "WIDTH")) break;
    std::cout << "a pass did not reach its width on this machine; once more\n";
  }
  return run;
}

std::vector<int> ProcessesNaming(const std::string& text) {
  std::vector<int> found;
  std::error_code code;
  for (fs::directory_iterator it("/proc", code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      continue;
    }
    const int pid = std::atoi(name.c_str());
    if (pid == getpid()) continue;
    std::ifstream file(it->path() / "cmdline");
    std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.find(text) != std::string::npos) found.push_back(pid);
  }
  return found;
}

bool NoProcessNames(const std::string& text) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!ProcessesNaming(text).empty()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return true;
}

}  // namespace bi_test::e2e
