// The demo for a machine on which no llama-server can be had: the same sweep of cells against the
// in-process mock. It shows what the tool prints; it proves nothing about any server or model.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include "bi_test/mock_run.h"
#include "bi_test/sweep.h"
#include "session/sweep_session.h"

namespace {

constexpr const char* kSweep = R"(server:
  kind: llama.cpp
models:
  - {id: mock-divergent, path: none.gguf}
  - {id: mock-honest, path: none.gguf}
matrix: {ctx: [4096], parallel: [2, 4, 8]}
workset: {builtin: smoke}
run: {passes: 2, max_tokens: 16}
)";

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  const fs::path out_dir = argc > 1 ? argv[1] : "bi_test-mock-demo";
  fs::create_directories(out_dir);
  std::ofstream(out_dir / "none.gguf") << "no model: the mock needs none\n";
  std::ofstream(out_dir / "cells.yaml") << kSweep;
  auto sweep = bi_test::LoadSweep(out_dir / "cells.yaml", bi_test::ProcessEnvironment());
  if (!sweep.ok()) {
    std::cerr << sweep.error().Text() << '\n';
    return bi_test::kExitError;
  }
  sweep->output.dir = out_dir / "certs";
  const auto shared = std::make_shared<const bi_test::Sweep>(*std::move(sweep));
  bi_test::session::SessionOptions options;
  options.color = false;
  options.run_cell = [](const bi_test::Sweep& of, const bi_test::SweepCell& cell,
                        const bi_test::RunOptions& run) {
    bi_test::MockKnobs knobs;
    knobs.batch_divergence = cell.cell.model == "mock-divergent";
    knobs.serve_time = std::chrono::milliseconds{5};
    return bi_test::RunCellOnMock(of, cell, knobs, run);
  };
  bi_test::session::SweepSession session(std::move(options), std::cout);
  for (const bi_test::SweepCell& cell : shared->cells) session.Add(shared, cell, cell.test_name);
  const bi_test::Status done = session.RunAll();
  std::cout << "\nThis was the IN-PROCESS MOCK: it proves nothing about any server or model.\n";
  if (done.ok()) return bi_test::kExitOk;  // the demo ran, whatever the verdicts
  std::cerr << done.error().Text() << '\n';
  return bi_test::kExitError;
}
