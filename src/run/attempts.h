#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/cert.h"
#include "bi_test/json.h"
#include "bi_test/result.h"
#include "files/file_descriptor.h"

namespace bi_test::run {

/// The history of the finished runs of one cell: `<stem>.attempts.jsonl`, one JSON object per line,
/// only ever appended to. Holding it keeps every other process out of this cell (an advisory lock).
/// Move-only; not thread safe.
class AttemptLedger {
 public:
  /// Opens or makes the file and takes its lock. An error when another run holds it, or when the
  /// file cannot be opened; a line that cannot be read is no error but makes the history
  /// unreadable.
  [[nodiscard]] static Result<AttemptLedger> Open(const std::filesystem::path& file);

  /// Adds a cert that lies in the out dir but is not in the history, such as one of an older tool.
  [[nodiscard]] Status Adopt(const Cert& cert);

  /// Adds the run that ended with this cert, durably.
  [[nodiscard]] Status Append(const Cert& cert);

  /// The history for the header of a new run: `subject` (digest of server, model and flags of the
  /// new run), `readable`, `n_earlier` and `earlier` (at most 50; REDs stay longest).
  [[nodiscard]] Json Summary(const std::string& subject) const;

  [[nodiscard]] bool readable() const { return readable_; }

 private:
  AttemptLedger(files::FileDescriptor fd, std::filesystem::path file)
      : fd_(std::move(fd)), file_(std::move(file)) {}

  void Read();
  [[nodiscard]] Status Write(const Json& attempt);

  files::FileDescriptor fd_;
  std::filesystem::path file_;
  std::vector<Json> attempts_;  ///< In the order of the file.
  bool readable_ = true;
  bool ends_in_newline_ = true;
};

/// The finished runs of the cell whose cert lies at `cert`, read without taking the lock, in the
/// form of `AttemptLedger::Summary`; null when there is no such file.
[[nodiscard]] Json AttemptsBeside(const std::filesystem::path& cert);

}  // namespace bi_test::run
