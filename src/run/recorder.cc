#include "run/recorder.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/try.h"
#include "bi_test/version.h"
#include "files/atomic_file.h"
#include "process/random_key.h"
#include "run/provenance.h"

namespace bi_test::run {

Recorder::Recorder(const CellContext& context) : context_(context), started_utc_(NowUtc()) {
  run_.cell = context.cell.cell;
  run_.record.cell = context.cell.cell;
  run_.record.source = context.launcher.source();
}

Status Recorder::Open(const std::filesystem::path& out_dir) {
  BI_TRY_SET(const std::string run_id, process::RandomHex(16));
  BI_TRY_SET(files_, NameCellFiles(out_dir, run_.cell, run_id));
  BI_TRY_SET(history_, AttemptLedger::Open(files_.attempts));
  return SetEarlierRunAside(files_, *history_);
}

std::filesystem::path Recorder::ServerLog(const std::string& role) {
  std::filesystem::path log = files_.ServerLog(role);
  run_.server_logs.push_back(log.string());
  return log;
}

Status Recorder::Begin(Json header, const std::string& subject) {
  header["provenance"]["run_id"] = files_.run_id;
  header["provenance"]["tool_version"] = BI_TEST_VERSION;
  header["provenance"]["host_hash"] = HostHash();
  header["provenance"]["started_utc"] = started_utc_;
  header["attempts"] = history_->Summary(subject);
  run_.record.header = std::move(header);
  BI_TRY_SET(trace_, trace::TraceWriter::Create(files_.trace));
  run_.trace_path = files_.trace.string();
  return trace_->Write(trace::HeaderLine(run_.record));
}

Status Recorder::Add(PassResult&& result) {
  run_.server_busy_s += result.busy_s;
  run_.requests_sent += result.requests_sent;
  if (result.stop == PassStop::kInterrupted) {
    return Error{ErrorCode::kInterrupted, result.stop_text, context_.cell.test_name};
  }
  if (result.stop == PassStop::kTraceFailed) {
    return Error{ErrorCode::kIo, result.stop_text, files_.trace.string()};
  }
  std::ranges::move(result.trials, std::back_inserter(run_.record.trials));
  run_.record.evidence.push_back(std::move(result.evidence));
  return trace_->Write(trace::EvidenceLine(run_.record.evidence.back()));
}

Status Recorder::Replay(Record&& kept) {
  for (const Trial& trial : kept.trials) BI_TRY(trace_->Write(trace::TrialLine(trial)));
  for (const PassEvidence& pass : kept.evidence) BI_TRY(trace_->Write(trace::EvidenceLine(pass)));
  std::ranges::move(kept.trials, std::back_inserter(run_.record.trials));
  std::ranges::move(kept.evidence, std::back_inserter(run_.record.evidence));
  return {};
}

Status Recorder::Finish(Json server, const Policy& policy) {
  run_.record.header["server"] = std::move(server);
  run_.record.header["provenance"]["finished_utc"] = NowUtc();
  run_.record.complete = true;
  BI_TRY(trace_->Write(trace::EndLine(run_.record)));
  BI_TRY(trace_->Close());

  // Through the same door as `bi-test judge`: what is certified is what the file says.
  BI_TRY_SET(CellRun judged, JudgeTrace(files_.trace, policy));
  run_.record = std::move(judged.record);
  run_.judgement = std::move(judged.judgement);
  run_.cert = std::move(judged.cert);
  // The history first: a RED that is on the disk can then no longer be forgotten.
  BI_TRY(history_->Append(run_.cert));
  BI_TRY(files::WriteFileAtomically(files_.cert, CertText(run_.cert)));
  run_.cert_path = files_.cert.string();
  return {};
}

CellRun Recorder::Take() {
  run_.wall_s = context_.clock.Seconds(Clock::now());
  return std::move(run_);
}

CellRun Recorder::Refuse(const Error& error) {
  run_.error = error;
  run_.judgement = Judgement{};
  if (!files_.dir.empty()) {
    const Status written = WriteRefusal(files_, run_.cell, error, NowUtc());
    if (written.ok()) {
      run_.refusal_path = files_.refusal.string();
    } else {
      run_.error->message +=
          "; the refusal file could not be written either: " + written.error().Text();
    }
  }
  // A launch that a guard refused has no log.
  std::erase_if(run_.server_logs, [](const std::string& log) {
    std::error_code code;
    return !std::filesystem::exists(log, code);
  });
  return Take();
}

}  // namespace bi_test::run
