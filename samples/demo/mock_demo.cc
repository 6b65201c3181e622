// The demo for a machine on which no llama-server can be had: the same sweep of cells against the
// in-process mock. It shows what the tool prints; it proves nothing about any server or model.

#include <filesystem>
#include <fstream>
#include <iostream>

#include "bi_test/mock_run.h"
#include "bi_test/sweep.h"
#include "files/atomic_file.h"
#include "report/console.h"
#include "report/explain.h"
#include "report/junit.h"
#include "run/provenance.h"

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
  const auto sweep = bi_test::LoadSweep(out_dir / "cells.yaml", bi_test::ProcessEnvironment());
  if (!sweep.ok()) {
    std::cerr << sweep.error().Text() << '\n';
    return 1;
  }
  const bi_test::report::Palette plain(false);
  bi_test::report::SweepResult result;
  result.sweep_file = sweep->file;
  result.start_utc = bi_test::run::NowUtc();
  bi_test::RunOptions options;
  options.out_dir = out_dir / "certs";
  std::string red;
  for (const bi_test::SweepCell& cell : sweep->cells) {
    bi_test::MockKnobs knobs;
    knobs.batch_divergence = cell.cell.model == "mock-divergent";
    knobs.serve_time = std::chrono::milliseconds{5};
    const bi_test::CellRun run = bi_test::RunCellOnMock(*sweep, cell, knobs, options);
    bi_test::report::CellResult row;
    row.test_name = cell.test_name;
    row.cell = cell.cell;
    bi_test::report::FillFromRun(run, row);
    std::cout << bi_test::report::CellLine(row, plain) << std::flush;
    if (red.empty() && run.judgement.verdict == bi_test::Verdict::kRed) {
      red = bi_test::report::Explain(run);
    }
    result.cells.push_back(std::move(row));
  }
  result.end_utc = bi_test::run::NowUtc();
  std::cout << '\n'
            << red << '\n'
            << bi_test::report::Summary(result, plain)
            << "\nThis was the IN-PROCESS MOCK: it proves nothing about any server or model.\n";
  const auto written = bi_test::files::WriteFileAtomically(
      options.out_dir / "junit.xml",
      bi_test::report::JunitXml(result, bi_test::report::JunitFlavour::kFull));
  if (!written.ok()) {
    std::cerr << written.error().Text() << '\n';
    return 1;
  }
  return 0;
}
