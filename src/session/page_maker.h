#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "report/merge.h"
#include "report/sweep_result.h"

namespace bi_test::session {

/// What one reading of out dirs may cost.
struct PageLimits {
  std::size_t max_files = 20'000;                       ///< Certs and refusals of all dirs.
  std::uintmax_t max_bytes = std::uintmax_t{1} << 30U;  ///< ... and their bytes.
  std::uintmax_t max_trace_bytes = std::uintmax_t{32}
                                   << 20U;  ///< Of one trace, read for its plots.
  std::uintmax_t max_all_traces = std::uintmax_t{512} << 20U;  ///< Of all traces.
};

/// Reads the certs and refusal files of out dirs and writes `index.html` and `summary.md`. Keeps
/// what it has read, so that writing the pages after each cell reads each file once. Not thread
/// safe.
class PageMaker {
 public:
  explicit PageMaker(const PageLimits& limits = {}) : limits_(limits) {}

  /// Rows of all cells found, merged; `problems` names every file and folder that could not be
  /// read, `sources` the folders. Certs are the files `*__ctx*.json`, refusals `refusal-*.json`,
  /// both in the folder itself. Never fails as a whole.
  [[nodiscard]] report::SweepResult Read(const std::vector<std::filesystem::path>& dirs);

  /// Writes both files into `out`, each in one step.
  [[nodiscard]] static Status Write(const report::SweepResult& sweep,
                                    const std::filesystem::path& out);

  /// The pages of an out dir that several processes may share: all cells found there, under what
  /// `own` knows of its cells. `sweep`, when not null, says which verdicts of the others' cells
  /// pass. Processes take turns, so that the last one leaves a page with all.
  [[nodiscard]] Status WriteOutDir(const report::SweepResult& own, const std::filesystem::path& out,
                                   const Sweep* sweep);

 private:
  struct Kept {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time;
    report::FoundRow found;
    std::string problem;  ///< Why there is no row; empty when there is one.
  };

  void ReadDir(const std::filesystem::path& dir, report::SweepResult& sweep,
               std::vector<report::FoundRow>& found);
  [[nodiscard]] Kept ReadOne(const std::filesystem::path& file, bool refusal,
                             const std::vector<std::string>& logs);
  void AddTrace(const std::filesystem::path& cert, report::CellResult& row);

  PageLimits limits_;
  std::map<std::filesystem::path, Kept> kept_;
  std::uintmax_t trace_bytes_ = 0;
  std::size_t files_ = 0;  ///< Of the present reading.
  std::uintmax_t bytes_ = 0;
};

}  // namespace bi_test::session
