#pragma once

#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "report/console.h"

namespace bi_test::report {

/// Shows how a running cell gets on: one live line on a terminal, elsewhere a plain line when an
/// arm ends and at least one a minute while requests come back, because CI systems kill silent
/// jobs.
class ProgressPrinter {
 public:
  /// `out` is borrowed. `live` means a terminal of `columns` columns.
  ProgressPrinter(std::FILE* out, bool live, std::size_t columns);

  /// The one of a program: a live line where standard error is a terminal that can show it.
  [[nodiscard]] static ProgressPrinter ForStandardError(
      const std::map<std::string, std::string>& env);

  void Update(const ArmProgress& progress);

  /// Call when the cell is done, before any other output.
  void Finish();

 private:
  void PrintLine();

  std::FILE* out_;
  bool live_;
  std::size_t columns_;
  std::optional<ArmProgress> last_;
  double printed_at_s_ = 0.0;
};

}  // namespace bi_test::report
