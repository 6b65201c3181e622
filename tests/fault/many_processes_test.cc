// R117: unique-file probing races between processes. Twenty at once, one folder, twenty certs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/cert_schema.h"
#include "support/run_binary.h"
#include "support/temp_dir.h"

namespace bi_test::fault {
namespace {

using ::testing::HasSubstr;
using testing_support::BinaryOptions;
using testing_support::BinaryResult;
using testing_support::RunBinary;

TEST(ManyProcesses, R117TwentyAtOnceLeaveTwentyCerts) {
  constexpr int kProcesses = 20;
  const test_support::TempDir dir;
  std::ofstream(dir.path() / "tiny.gguf") << "no real model";
  std::ofstream sweep(dir.path() / "cells.yaml");
  sweep << "server: {kind: llama.cpp, binary: " << BI_TEST_STUB_SERVER
        << ", env: {STUB_SERVICE_MS: \"6\"}}\nmodels:\n";
  for (int i = 0; i < kProcesses; ++i) sweep << "  - {id: m" << i << ", path: tiny.gguf}\n";
  sweep << "matrix: {ctx: 1024, parallel: 2}\nworkset: [{prompt: ask 0, expected_answer: ok-0}, "
           "{prompt: ask 1, expected_answer: ok-1}]\nrun: {passes: 1, control_sample: 1}\n"
           "guard: {memory_floor_gib: 0, allow_unknown_memory: true}\noutput: {dir: out}\n";
  sweep.close();

  std::vector<BinaryResult> results(kProcesses);
  std::vector<std::thread> threads;
  for (int i = 0; i < kProcesses; ++i) {
    threads.emplace_back([&, i] {
      BinaryOptions options;
      options.args = {"run", (dir.path() / "cells.yaml").string(), "--model",
                      "m" + std::to_string(i)};
      options.timeout = std::chrono::seconds{120};
      results[static_cast<std::size_t>(i)] = RunBinary(BI_TEST_PROGRAM, options);
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (int i = 0; i < kProcesses; ++i) {
    const std::string name = "m" + std::to_string(i);
    // Two prompts are too few to pass: each process ends with a verdict that does not pass.
    EXPECT_EQ(results[static_cast<std::size_t>(i)].exit_code, 3)
        << name << results[static_cast<std::size_t>(i)];
    std::ifstream in(dir.path() / "out" / (name + "__ctx1024__N2.json"), std::ios::binary);
    const std::string cert{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(testing_support::CertSchemaFault(cert), "") << name;
    EXPECT_THAT(cert, HasSubstr("\"" + name + "\""));
  }
}

}  // namespace
}  // namespace bi_test::fault
