#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "bi_test/cell_run.h"
#include "support/stub/rules.h"
#include "support/temp_dir.h"

namespace bi_test::fault {

/// A cell on the stub server as llama-server: W prompts `ask i` with the right answers `ok-i`, and
/// short times, so that many of them can be run.
struct ReportCell {
  int n = 2;
  int passes = 1;
  int items = 6;
  int ctx = 1024;
  int service_ms = 15;
  int gather_ms = 100;  ///< Patience of a decode call for company in the concurrent passes.
  int request_ms = 3'000;
  int arm_ms = 20'000;
  int run_ms = 60'000;
  int ready_ms = 30'000;
  int n_probs = 1;
  std::map<std::string, std::string> script = {};  ///< STUB_* variables.
  std::vector<stub::Rule> rules = {};
  /// Prompt of item `i` where it is not `ask i`.
  std::function<std::string(int)> prompt = {};
};

/// Runs it in a folder of its own, all the way from launch to cert or refusal, and checks what
/// holds for every run: it ends in time, in exactly one of both files, the cert follows the schema,
/// no id is lost in any arm, and none of its servers is left.
class ReportRun {
 public:
  explicit ReportRun(ReportCell cell);

  [[nodiscard]] const CellRun& run() const { return run_; }
  /// Verdict, codes and everything that is said about it; or `error: ` and its text.
  [[nodiscard]] std::string Outcome() const;
  /// Of a file in the out dir, or of all of them.
  [[nodiscard]] std::string AllText() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return dir_.path(); }
  [[nodiscard]] std::string report_file() const { return (folder() / "report").string(); }

 private:
  void Execute();
  void CheckWhatAlwaysHolds() const;

  ReportCell cell_;
  test_support::TempDir dir_;
  CellRun run_;
};

// Bytes for rules.

[[nodiscard]] std::string StreamHead();
/// One event of a stream, `data: ` and an empty line included.
[[nodiscard]] std::string Event(const std::string& json);
[[nodiscard]] std::string Delta(const std::string& delta, const std::string& more = "");
/// `text` as one event with its finish reason, and the end mark.
[[nodiscard]] std::string E(const std::string& text);
/// A whole answer in JSON; `message` and `choice` are further members, with their comma.
[[nodiscard]] std::string D(const std::string& text, const std::string& message = "",
                            const std::string& choice = "", const std::string& prompt_tokens = "5");
[[nodiscard]] std::string HttpReply(int status, const std::string& type, const std::string& body,
                                    const std::string& headers = "");
[[nodiscard]] std::string JsonReply(const std::string& body);

/// One case of a table.
struct ReportCase {
  const char* name;
  ReportCell cell;
  /// Beginning of the outcome: the verdict and the deciding code.
  const char* outcome;
  /// Further parts of it.
  std::vector<const char*> words = {};
  /// Further checks.
  std::function<void(const ReportRun&)> check = {};
};
void PrintTo(const ReportCase& test, std::ostream* out);

/// Runs the case and checks all it says.
void CheckCase(const ReportCase& test);

}  // namespace bi_test::fault
