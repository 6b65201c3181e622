#include "run/cell_files.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/ascii.h"
#include "base/try.h"
#include "bi_test/json.h"
#include "bi_test/sanitize.h"
#include "bi_test/verdict.h"
#include "cert/cert_reader.h"
#include "files/atomic_file.h"
#include "run/cert_file.h"

namespace bi_test::run {
namespace fs = std::filesystem;
namespace {

Error IoError(const fs::path& path, const std::string& what, const std::error_code& code) {
  return Error{ErrorCode::kIo, what + ": " + code.message(), path.string()};
}

Status MoveToPrev(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(fs::symlink_status(path, code))) return {};
  fs::rename(path, fs::path(path.string() + ".prev"), code);
  if (code) return IoError(path, "cannot set the file of the earlier run aside", code);
  return {};
}

/// A second name for the file; a copy where the file system has no hard links.
Status AlsoAs(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::exists(from, code) || fs::exists(fs::symlink_status(to, code))) return {};
  fs::create_hard_link(from, to, code);
  if (code) fs::copy_file(from, to, code);
  if (code) return IoError(to, "cannot keep the files of an earlier RED", code);
  return {};
}

Status KeepForGood(const CellFiles& files, const Cert& cert) {
  const std::string run_id =
      CertReader(cert.document).TextAt("provenance.run_id").value_or(std::string());
  // The run id becomes a part of a file name: whatever a cert holds, it has to be one.
  const bool is_name = !run_id.empty() && run_id.size() <= 64 &&
                       std::ranges::all_of(run_id, [](char c) { return IsDigit(c) || IsLower(c); });
  const fs::path dir = files.dir / "attempts";
  std::error_code code;
  fs::create_directories(dir, code);
  if (code) return IoError(dir, "cannot make the folder for earlier attempts", code);
  const std::string stem = files.stem + "__" + (is_name ? run_id : CertDigest(cert).substr(0, 32));
  BI_TRY(AlsoAs(files.cert, dir / (stem + ".json")));
  return AlsoAs(files.trace, dir / (stem + ".trace.jsonl"));
}

void RemoveStaleTemporaries(const fs::path& dir) {
  std::error_code code;
  const auto limit = fs::file_time_type::clock::now() - std::chrono::hours{1};
  for (fs::directory_iterator it(dir, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(".cert-") || !name.ends_with(".tmp")) continue;
    std::error_code ignored;
    if (it->is_regular_file(ignored) && it->last_write_time(ignored) < limit && !ignored) {
      fs::remove(it->path(), ignored);
    }
  }
}

}  // namespace

fs::path CellFiles::ServerLog(const std::string& role) const {
  return dir / (stem + ".server-" + run_id + "-" + role + ".log");
}

Result<CellFiles> NameCellFiles(const fs::path& out_dir, const Cell& cell,
                                const std::string& run_id) {
  CellFiles files;
  files.stem = FileStem(cell);
  if (files.stem.empty()) {
    return Error{ErrorCode::kUsage,
                 "no file can be named after this cell: a non-empty model, ctx >= 1 and N >= 2 "
                 "are needed",
                 Describe(cell)};
  }
  std::error_code code;
  fs::create_directories(out_dir, code);
  if (code) return IoError(out_dir, "cannot make the out dir", code);
  files.dir = fs::absolute(out_dir, code);
  if (code) return IoError(out_dir, "cannot resolve the out dir", code);
  files.run_id = run_id;
  files.cert = files.dir / (files.stem + ".json");
  files.trace = files.dir / (files.stem + ".trace.jsonl");
  files.pool_trace = files.dir / (files.stem + ".pool.trace.jsonl");
  files.refusal = files.dir / ("refusal-" + run_id + ".json");
  files.attempts = files.dir / (files.stem + ".attempts.jsonl");
  RemoveStaleTemporaries(files.dir);
  return files;
}

Status SetEarlierRunAside(const CellFiles& files, AttemptLedger& ledger) {
  const Result<Cert> earlier = LoadCert(files.cert);
  if (earlier.ok()) {
    BI_TRY(ledger.Adopt(*earlier));
    const Json* status = earlier->document.Find("status");
    if (status != nullptr && *status == Json(VerdictStatus(Verdict::kRed))) {
      BI_TRY(KeepForGood(files, *earlier));
    }
  }
  BI_TRY(MoveToPrev(files.cert));
  return MoveToPrev(files.trace);
}

Status WriteRefusal(const CellFiles& files, const Cell& cell, const Error& error,
                    const std::string& ts_utc) {
  Json document;
  document["cell"]["model"] = cell.model;
  document["cell"]["ctx"] = cell.ctx;
  document["cell"]["dispatch_n"] = cell.dispatch_n;
  document["cell"]["kv_label"] = cell.kv_label;
  document["kind"] = ErrorCodeName(error.code);
  document["guard"] = error.where;
  document["text"] = SanitizeText(error.message, 64u << 10);
  document["run_id"] = files.run_id;
  document["ts_utc"] = ts_utc;
  return files::WriteFileAtomically(files.refusal, PrettyText(document));
}

}  // namespace bi_test::run
