#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"

namespace bi_test::cli {

/// Exit codes of `bi-test`.
enum ExitCode : int {
  kOk = 0,             ///< Promotable cert, all cells green, or the command did its work.
  kError = 1,          ///< Unreadable input, refusal, or a cell that is not green (`run`).
  kUsage = 2,          ///< Wrong command line or sweep file.
  kNotPromotable = 3,  ///< Valid, but not promotable; a difference (`verify`).
  kNoCell = 4,         ///< The selection holds no cell.
};

/// `bi-test run`.
struct RunArguments {
  std::string sweep;
  std::vector<std::string> models;  ///< Empty: all.
  std::vector<int> ctx;
  std::vector<int> parallel;
  std::string out_dir;
  std::string server_binary;
  std::optional<int> passes;
  std::string junit;
  bool fail_fast = false;
  bool list = false;
};
[[nodiscard]] int RunCommand(const RunArguments& arguments);

// With `json`, what these print on standard output is one JSON document, of an error too (output.h).

/// `bi-test judge TRACE`: the cert on standard output and nothing else there.
[[nodiscard]] int JudgeCommand(const std::filesystem::path& trace, bool json);

/// `bi-test verify CERT`: recomputes the cert from its trace and names every difference.
[[nodiscard]] int VerifyCommand(const std::filesystem::path& cert, std::filesystem::path trace,
                                bool json);

/// `bi-test promote`: every unmet point, one per line; the cert is verified against its trace too.
[[nodiscard]] int PromoteCommand(const std::filesystem::path& cert_dir, const Cell& cell, bool json);

/// `bi-test show CERT`: one screen for a person.
[[nodiscard]] int ShowCommand(const std::filesystem::path& cert, bool json);

}  // namespace bi_test::cli
