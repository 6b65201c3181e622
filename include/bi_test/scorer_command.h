#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bi_test {

/// A program that scores answers (docs/scorers.md). A plain value.
struct ScorerCommand {
  std::vector<std::string> argv;  ///< Empty: a scorer of this program is used.
  std::filesystem::path program;  ///< argv[0] resolved; empty when it could not be found.
  std::filesystem::path folder;   ///< Where it runs: the folder of the sweep file.
  std::map<std::string, std::string> env;
  std::chrono::milliseconds timeout{10'000};  ///< For one answer, > 0.
  int max_restarts = 3;  ///< In one cell, after a crash, a silence or nonsense; >= 0.
  friend bool operator==(const ScorerCommand&, const ScorerCommand&) = default;
};

}  // namespace bi_test
