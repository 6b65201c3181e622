#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/cell_run.h"
#include "bi_test/driver.h"
#include "bi_test/sweep.h"

namespace bi_test::e2e {

/// The real llama-server that ctest was given (BI_TEST_LLAMA_SERVER). Ends the program with a
/// message when there is none: these tests prove nothing without it, so they must not pass.
[[nodiscard]] std::string RealServer();

/// A folder of this test program's own, emptied at its start.
[[nodiscard]] const std::filesystem::path& Scratch();

/// A tiny model of that name (`dense`, `moe`, `wide`), made by the project itself on first use.
[[nodiscard]] std::filesystem::path TinyModel(const std::string& name);

/// One experiment on the real server, in the words of a sweep file.
struct Experiment {
  std::string name;  ///< Of the sweep file and its out dir.
  std::string model = "dense";
  std::string flash_attention = "off";
  int parallel = 8;
  int ctx = 1024;
  int passes = 3;
  int max_tokens = 16;
  int rows = 40;  ///< Rows of the built-in work-set that are used; 40 is all.
  std::string logprobs = "record";
  std::string workset = "{builtin: smoke}";  ///< Where `rows` is 40.
};

/// Writes the sweep file and gives its path.
[[nodiscard]] std::filesystem::path WriteSweep(const Experiment& experiment);

/// Runs the only cell of the experiment; again, at most three times in all, when a pass did not
/// reach its width because the machine was busy: such a run proves nothing either way.
[[nodiscard]] CellRun RunExperiment(const Experiment& experiment);

/// Pids of processes whose command line names `text` (a model path is unique to this test program).
[[nodiscard]] std::vector<int> ProcessesNaming(const std::string& text);

/// Waits until no process names `text`; false at the deadline.
[[nodiscard]] bool NoProcessNames(const std::string& text);

}  // namespace bi_test::e2e
