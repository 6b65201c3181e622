#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/record.h"
#include "bi_test/sweep.h"
#include "files/file_descriptor.h"
#include "run/prepared_item.h"
#include "run/provenance.h"
#include "run/run_clock.h"
#include "server/server_identity.h"

namespace bi_test::run {

/// Everything that arm A depends on and that is known before the launch, as one JSON object:
/// program, model, flags, environment that reaches the kernels, ctx, KV type, the bytes of every
/// request, scorer, host and boot. N is not among it. Errors: the program cannot be read.
[[nodiscard]] Result<Json> BaselineSubject(const Sweep& sweep, const SweepCell& cell,
                                           const ModelFacts& model,
                                           const std::vector<PreparedItem>& items);

/// The file in `dir` that holds the baseline of that subject.
[[nodiscard]] std::filesystem::path BaselineFile(const std::filesystem::path& dir,
                                                 const Json& subject);

/// The serial measurements (arm A, passes 0 and 1) of one `BaselineSubject`, kept in one trace file
/// that is named after the subject's digest, for other N and other processes. Holds an advisory
/// lock on it from `Open` until it is destroyed, so that two processes never measure the same thing
/// twice at once. Move-only; not thread safe.
class BaselineStore {
 public:
  /// Makes the folder and takes the lock; waits for another holder until the clock's deadline or an
  /// interrupt, which are errors.
  [[nodiscard]] static Result<BaselineStore> Open(const std::filesystem::path& dir,
                                                  const Json& subject, const RunClock& clock);

  /// The stored record if it is whole, was made by exactly this program (build, executable,
  /// libraries) and saw exactly these items with these token counts. Else nothing, and `why_not()`
  /// says why a file that is there does not serve.
  [[nodiscard]] std::optional<Record> Load(const server::ServerIdentity& identity,
                                           const std::vector<PreparedItem>& items);

  /// Keeps the arm A trials and evidence of `record` (passes 0 and 1), replacing the file in one
  /// step. A record with a failed request in them is not kept.
  [[nodiscard]] Status Store(const Record& record, const server::ServerIdentity& identity);

  /// Removes the file: what it says does not hold for a fresh launch.
  void Discard();

  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

 private:
  BaselineStore(files::FileDescriptor lock, std::filesystem::path file, Json subject,
                std::string key)
      : lock_(std::move(lock)),
        file_(std::move(file)),
        subject_(std::move(subject)),
        key_(std::move(key)) {}

  files::FileDescriptor lock_;
  std::filesystem::path file_;
  Json subject_;
  std::string key_;
  std::string why_not_;
};

}  // namespace bi_test::run
