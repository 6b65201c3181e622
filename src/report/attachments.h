#pragma once

#include <string>
#include <vector>

#include "report/sweep_result.h"

namespace bi_test::report {

/// A file that belongs to a cell.
struct Attachment {
  std::string name;  ///< `cert`, `refusal`, `trace`, `server_log_1`...
  std::string path;  ///< As the run gave it.
  /// The path is absolute and can stand in an attachment line as it is: no control character, no
  /// bracket that would end the line early, valid UTF-8.
  bool linkable = false;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// The files of a cell, cert first; at most 16.
[[nodiscard]] std::vector<Attachment> AttachmentsOf(const CellResult& cell);

}  // namespace bi_test::report
