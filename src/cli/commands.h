#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/exit_code.h"

namespace bi_test::cli {

// Each command gives its exit code (bi_test/exit_code.h).

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
  std::string known_verdicts;  ///< Instead of the file that the sweep names; or empty.
  bool fail_fast = false;
  bool acknowledge = false;
  bool list = false;
  bool json = false;  ///< Of the plan.
};
[[nodiscard]] int RunCommand(const RunArguments& arguments);

/// `bi-test plan`, also `bi-test run --dry-run`: what a run of the selected cells would do, need
/// and be able to see. Starts nothing.
[[nodiscard]] int PlanCommand(const RunArguments& arguments);

// With `json`, what these print on standard output is one JSON document, of an error too
// (output.h).

/// `bi-test judge TRACE`: the cert on standard output and nothing else there.
[[nodiscard]] int JudgeCommand(const std::filesystem::path& trace, bool json);

/// `bi-test verify CERT`: recomputes the cert from its trace and names every difference.
[[nodiscard]] int VerifyCommand(const std::filesystem::path& cert, std::filesystem::path trace,
                                bool json);

/// `bi-test promote`.
struct PromoteArguments {
  std::filesystem::path cert_dir;
  Cell cell;
  std::string
      sweep;  ///< Sweep file whose program, model and flags the cert must be about; or empty.
  bool json = false;
};

/// Every unmet point, one per line. The cert is verified against its trace, the history beside it,
/// the clock, and the program it was earned with.
[[nodiscard]] int PromoteCommand(const PromoteArguments& arguments);

/// `bi-test show CERT`: one screen for a person.
[[nodiscard]] int ShowCommand(const std::filesystem::path& cert, bool json);

/// `bi-test report`.
struct ReportArguments {
  std::vector<std::string> dirs;
  std::string out;    ///< Empty: the only folder of `dirs`.
  std::string junit;  ///< Empty: `junit.xml` in `out`.
  std::string sweep;  ///< Sweep file whose cells are expected and whose sign-offs count; or empty.
  bool json = false;
};

/// One index.html, summary.md and junit.xml from the certs and refusal files of one or many out
/// dirs. kExitOk when all cells pass, kExitNo when one does not, kExitError when a file or folder
/// could not be read or nothing was found.
[[nodiscard]] int ReportCommand(const ReportArguments& arguments);

/// `bi-test known`.
struct KnownArguments {
  std::string file;
  std::vector<std::string> dirs;
  std::string reason;  ///< Of entries that are new or changed and not GREEN; or empty.
  bool json = false;
};

/// Compares the certs of out dirs with a known-verdicts file, one line per cell; kExitOk when
/// each cell is as known, else kExitNo.
[[nodiscard]] int KnownCheckCommand(const KnownArguments& arguments);

/// Takes the verdicts of out dirs over into the file and prints what changed. Reasons and dates of
/// unchanged entries stay, as do entries of cells without a cert or a verdict to expect
/// (UNVERIFIED, or a RED made of faults).
[[nodiscard]] int KnownWriteCommand(const KnownArguments& arguments);

}  // namespace bi_test::cli
