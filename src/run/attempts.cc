#include "run/attempts.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/json_reader.h"
#include "bi_test/verdict.h"
#include "cert/cert_reader.h"
#include "files/atomic_file.h"

namespace bi_test::run {
namespace {

constexpr std::size_t kMaxFile = 16u << 20;
constexpr std::size_t kMaxShown = 50;

[[nodiscard]] Json At(const Json& document, const char* path) {
  const Json* value = CertReader(document).At(path);
  return value == nullptr ? Json() : *value;
}

[[nodiscard]] Json AttemptOf(const Cert& cert) {
  const Json& document = cert.document;
  Json out;
  for (const char* key : {"ts_utc", "status", "transport_only", "reason_codes", "cert_digest"}) {
    out[key] = At(document, key);
  }
  out["run_id"] = At(document, "provenance.run_id");
  out["n_divergent"] = At(document, "divergence_report.AC.n_divergent");
  out["subject"] = At(document, "attempts.subject");
  return out;
}

[[nodiscard]] bool IsRed(const Json& attempt) {
  return At(attempt, "status") == Json(VerdictStatus(Verdict::kRed));
}

/// The lines of a history file; `readable` turns false for one that is no attempt.
[[nodiscard]] std::vector<Json> ParseAttempts(std::string_view text, bool& readable) {
  std::vector<Json> attempts;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.empty()) continue;
    Result<Json> attempt = ParseJson(line);
    if (attempt.ok() && attempt->is_object()) {
      attempts.push_back(std::move(*attempt));
    } else {
      readable = false;
    }
  }
  return attempts;
}

/// The newest ones, in the order of the file; a RED gives way only to REDs.
[[nodiscard]] Json Shown(const std::vector<Json>& attempts) {
  std::vector<std::size_t> chosen;
  for (const bool red : {true, false}) {
    for (std::size_t i = attempts.size(); i-- > 0 && chosen.size() < kMaxShown;) {
      if (IsRed(attempts[i]) == red) chosen.push_back(i);
    }
  }
  std::ranges::sort(chosen);
  Json::Array out;
  for (const std::size_t i : chosen) out.push_back(attempts[i]);
  return Json(std::move(out));
}

[[nodiscard]] Json SummaryOf(const std::vector<Json>& attempts, bool readable) {
  Json out;
  out["readable"] = readable;
  out["n_earlier"] = attempts.size();
  out["earlier"] = Shown(attempts);
  return out;
}

}  // namespace

Result<AttemptLedger> AttemptLedger::Open(const std::filesystem::path& file) {
  files::FileDescriptor fd(
      open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
  if (!fd.valid()) {
    return files::FileError(ErrorCode::kIo, "cannot open the history of this cell", file, errno);
  }
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      return files::FileError(ErrorCode::kIo, "cannot lock the history of this cell", file, errno);
    }
    return Error{ErrorCode::kRefused,
                 "another process is running this very cell in this out dir; wait for it, or give "
                 "this run an out dir of its own",
                 file.string()};
  }
  AttemptLedger ledger(std::move(fd), file);
  ledger.Read();
  return ledger;
}

void AttemptLedger::Read() {
  const Result<std::string> text = files::ReadFile(file_, kMaxFile);
  if (!text.ok()) {
    readable_ = false;
    return;
  }
  ends_in_newline_ = text->empty() || text->back() == '\n';
  attempts_ = ParseAttempts(*text, readable_);
}

Status AttemptLedger::Write(const Json& attempt) {
  const std::string line = (ends_in_newline_ ? "" : "\n") + CompactText(attempt) + "\n";
  if (const int error = files::WriteAll(fd_.get(), line); error != 0) {
    return files::FileError(ErrorCode::kIo, "cannot write the history of this cell", file_, error);
  }
  if (fsync(fd_.get()) != 0) {
    return files::FileError(ErrorCode::kIo, "cannot write the history of this cell", file_, errno);
  }
  ends_in_newline_ = true;
  attempts_.push_back(attempt);
  return {};
}

Status AttemptLedger::Append(const Cert& cert) { return Write(AttemptOf(cert)); }

Status AttemptLedger::Adopt(const Cert& cert) {
  const Json attempt = AttemptOf(cert);
  const Json run_id = At(attempt, "run_id");
  const bool known = std::ranges::any_of(attempts_, [&run_id](const Json& one) {
    return run_id.is_string() && At(one, "run_id") == run_id;
  });
  return known ? Status() : Write(attempt);
}

Json AttemptLedger::Summary(const std::string& subject) const {
  Json out = SummaryOf(attempts_, readable_);
  out["subject"] = subject;
  return out;
}

Json AttemptsBeside(const std::filesystem::path& cert) {
  std::filesystem::path file = cert;
  file.replace_extension(".attempts.jsonl");
  std::error_code code;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, code))) return {};
  const Result<std::string> text = files::ReadFile(file, kMaxFile);
  bool readable = text.ok();
  const std::vector<Json> attempts =
      text.ok() ? ParseAttempts(*text, readable) : std::vector<Json>();
  return SummaryOf(attempts, readable);
}

}  // namespace bi_test::run
