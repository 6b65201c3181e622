#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "bi_test/cell_run.h"
#include "bi_test/json.h"
#include "bi_test/policy.h"
#include "bi_test/result.h"
#include "run/attempts.h"
#include "run/cell_context.h"
#include "run/cell_files.h"
#include "run/pass.h"
#include "trace/trace.h"

namespace bi_test::run {

/// What one run of one cell leaves in the out dir: server logs, the trace while it goes on, and in
/// the end a cert or a refusal file. Holds the history of the cell, and so the cell itself, for as
/// long as it lives. Lives for one run.
class Recorder {
 public:
  explicit Recorder(const CellContext& context);

  /// Makes the out dir, locks the cell and sets the files of an earlier run aside.
  [[nodiscard]] Status Open(const std::filesystem::path& out_dir);

  /// Where a server of that role writes its log.
  [[nodiscard]] std::filesystem::path ServerLog(const std::string& role);

  /// Begins the trace. `subject`: the digest by which earlier runs are of the same set-up.
  [[nodiscard]] Status Begin(Json header, const std::string& subject);

  /// Takes a finished pass; its trials are in the trace already. Errors: an interrupt ended it, or
  /// the trace cannot be written.
  [[nodiscard]] Status Add(PassResult&& result);
  /// Takes trials and evidence that an earlier cell measured.
  [[nodiscard]] Status Replay(Record&& kept);
  /// Says that C ended after that pass, because it was divergent.
  void NoteStopAfter(int pass) { run_.record.header["plan"]["stopped_after_pass"] = pass; }
  /// Requests that are in no arm.
  void CountRequests(std::int64_t sent) { run_.requests_sent += sent; }

  /// Completes the trace, judges it, and writes history and cert.
  [[nodiscard]] Status Finish(Json server, const Policy& policy);

  /// The run that finished.
  [[nodiscard]] CellRun Take();
  /// The run that ended with that error, after its refusal file was written.
  [[nodiscard]] CellRun Refuse(const Error& error);

  [[nodiscard]] const CellFiles& files() const { return files_; }
  [[nodiscard]] const Record& record() const { return run_.record; }
  /// REQUIRES: the trace was begun.
  [[nodiscard]] trace::TraceWriter& trace() { return *trace_; }

 private:
  const CellContext& context_;
  CellRun run_;
  CellFiles files_;
  std::string started_utc_;
  std::optional<AttemptLedger> history_;
  std::unique_ptr<trace::TraceWriter> trace_;
};

}  // namespace bi_test::run
