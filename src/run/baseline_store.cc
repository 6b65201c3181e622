#include "run/baseline_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "bi_test/version.h"
#include "files/atomic_file.h"
#include "process/environment.h"
#include "process/interrupt.h"
#include "process/wake_set.h"
#include "run/cell_scorer.h"
#include "server/program_identity.h"
#include "trace/trace.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr std::chrono::milliseconds kLockPoll{100};

/// Variables of our own environment that pick devices, kernels or libraries for the child.
constexpr std::string_view kShaping[] = {"CUDA_", "HIP_", "ROCR_",   "GGML_",  "OMP_",   "VLLM_",
                                         "NCCL_", "LD_",  "CUBLAS_", "TORCH_", "SGLANG_"};

[[nodiscard]] Json Env(const Sweep& sweep) {
  Json out = Json::Object{};
  for (const auto& [name, value] : process::Environment()) {
    const bool shapes = std::ranges::any_of(
        kShaping, [&name = name](std::string_view prefix) { return name.starts_with(prefix); });
    if (shapes) out[name] = value;
  }
  for (const auto& [name, value] : sweep.server.env) out[name] = value;
  return out;
}

[[nodiscard]] std::string BootText() {
  std::string boot;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, boot);
  utsname kernel{};
  uname(&kernel);
  return boot + " " + kernel.release;
}

/// What only the running server shows, and what has to be the same for its answers to stand.
[[nodiscard]] Json RunningProgram(const server::ServerIdentity& identity) {
  Json out;
  out["build"] = identity.build;
  out["program_sha256"] = identity.program_sha256;
  out["libraries_sha256"] = identity.libraries_sha256;
  out["n_ctx_slot"] = identity.n_ctx_slot;
  return out;
}

[[nodiscard]] bool IsArmA(Arm arm, int pass) { return arm == Arm::kA && (pass == 0 || pass == 1); }

/// Nothing when the stored trials are those of these items, else what differs.
[[nodiscard]] std::string Mismatch(const Record& record, const std::vector<PreparedItem>& items) {
  std::map<std::string_view, const PreparedItem*> wanted;
  for (const PreparedItem& item : items) wanted.emplace(item.item.test_id, &item);
  if (record.trials.size() != 2 * items.size()) return "it holds another number of trials";
  for (const Trial& trial : record.trials) {
    const auto it = wanted.find(trial.test_id);
    if (!IsArmA(trial.arm, trial.pass) || it == wanted.end()) return "it holds other items";
    const PreparedItem& item = *it->second;
    if (!(trial.request_sha256 == Json(item.request_sha256))) return "it holds other requests";
    const Json count = item.prompt_tokens_measured ? Json(*item.prompt_tokens_measured) : Json();
    if (!(trial.prompt_tokens_measured == count))
      return "the server counts other prompt tokens now";
  }
  return {};
}

}  // namespace

Result<Json> BaselineSubject(const Sweep& sweep, const SweepCell& cell, const ModelFacts& model,
                             const std::vector<PreparedItem>& items) {
  BI_TRY(server::RequireBinary(sweep.server));
  server::ServerIdentity binary;
  BI_TRY(server::DescribeBinary(sweep.server.binary, binary));
  std::string bodies;
  for (const PreparedItem& item : items)
    bodies += item.item.test_id + '\n' + item.request_sha256 + '\n';
  Json out = SetUpJson(sweep, cell, model);
  out["format"] = kFormat;
  out["tool"] = BI_TEST_VERSION;
  out["host"] = HostHash();
  out["boot"] = Sha256Hex(BootText());
  out["binary"] = binary.binary;
  out["binary_sha256"] = binary.binary_sha256;
  out["env"] = Env(sweep);
  out["requests"] = Sha256Hex(bodies);
  out["workset"] = sweep.workset.sha256;
  BI_TRY_SET(out["scorer"], ScorerIdentity(sweep));
  out["keep_content"] = sweep.output.keep_content;
  return out;
}

fs::path BaselineFile(const fs::path& dir, const Json& subject) {
  return dir / (Sha256Hex(CompactText(subject)) + ".trace.jsonl");
}

Result<BaselineStore> BaselineStore::Open(const fs::path& dir, const Json& subject,
                                          const RunClock& clock) {
  std::error_code code;
  fs::create_directories(dir, code);
  if (code) {
    return Error{ErrorCode::kIo, "cannot make the folder for baselines: " + code.message(),
                 dir.string()};
  }
  std::string key = Sha256Hex(CompactText(subject));
  const fs::path lock_file = dir / (key + ".lock");
  files::FileDescriptor lock(
      open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
  if (!lock.valid()) {
    return files::FileError(ErrorCode::kIo, "cannot open the lock of a baseline", lock_file, errno);
  }
  process::WakeSet wake;
  while (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return files::FileError(ErrorCode::kIo, "cannot lock a baseline", lock_file, errno);
    }
    if (const int signal = process::InterruptSignal(); signal != 0) {
      return Error{ErrorCode::kInterrupted, "interrupted by signal " + std::to_string(signal),
                   lock_file.string()};
    }
    if (Clock::now() >= clock.deadline) {
      return Error{ErrorCode::kDeadline,
                   "another process still measures this baseline at the deadline of the run",
                   lock_file.string()};
    }
    wake.WaitUntil(std::min(Clock::now() + kLockPoll, clock.deadline));
  }
  return BaselineStore(std::move(lock), BaselineFile(dir, subject), subject, key);
}

std::optional<Record> BaselineStore::Load(const server::ServerIdentity& identity,
                                          const std::vector<PreparedItem>& items) {
  std::error_code code;
  if (!fs::exists(fs::symlink_status(file_, code))) return std::nullopt;
  Result<Record> record = trace::ReadTrace(file_);
  if (!record.ok()) {
    why_not_ = record.error().Text();
    return std::nullopt;
  }
  const Json* subject = record->header.Find("subject");
  const Json* program = record->header.Find("program");
  if (!record->complete.value_or(false)) {
    why_not_ = "it is not whole";
  } else if (subject == nullptr || !(*subject == subject_)) {
    why_not_ = "it was measured for something else";
  } else if (program == nullptr || !(*program == RunningProgram(identity))) {
    why_not_ = "the running program, one of its libraries or its build changed";
  } else {
    why_not_ = Mismatch(*record, items);
  }
  if (!why_not_.empty()) return std::nullopt;
  return std::move(*record);
}

Status BaselineStore::Store(const Record& record, const server::ServerIdentity& identity) {
  Record kept;
  kept.cell = record.cell;
  kept.source = record.source;
  kept.header["subject"] = subject_;
  kept.header["program"] = RunningProgram(identity);
  kept.header["expects_end"] = true;
  if (const Json* provenance = record.header.Find("provenance")) {
    kept.header["provenance"] = *provenance;
  }
  kept.header["provenance"]["finished_utc"] = NowUtc();
  std::string text = trace::HeaderLine(kept);
  for (const Trial& trial : record.trials) {
    if (!IsArmA(trial.arm, trial.pass)) continue;
    if (!trial.phase.empty()) return {};
    text += trace::TrialLine(trial);
    kept.trials.push_back(trial);
  }
  for (const PassEvidence& evidence : record.evidence) {
    if (!IsArmA(evidence.arm, evidence.pass)) continue;
    text += trace::EvidenceLine(evidence);
    kept.evidence.push_back(evidence);
  }
  text += trace::EndLine(kept);
  return files::WriteFileAtomically(file_, text);
}

void BaselineStore::Discard() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

}  // namespace bi_test::run
