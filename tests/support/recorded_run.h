#pragma once

#include <filesystem>
#include <string>

#include "bi_test/cell_run.h"
#include "bi_test/record.h"

namespace bi_test::testing_support {

/// The trace of a record as a run writes it, closing record included.
[[nodiscard]] std::string TraceText(Record record);

/// Cert and trace of a record in an out dir, under the names of its cell.
struct RecordedRun {
  std::filesystem::path cert;
  std::filesystem::path trace;
  CellRun run;
};

/// Writes both files as a finished run leaves them. Aborts when it cannot: a mistake of the test.
[[nodiscard]] RecordedRun WriteRun(const std::filesystem::path& dir, Record record);

/// Writes a file whole.
void WriteText(const std::filesystem::path& file, const std::string& text);
[[nodiscard]] std::string ReadText(const std::filesystem::path& file);

}  // namespace bi_test::testing_support
