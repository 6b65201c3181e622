#include "session/page_maker.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "base/json_reader.h"
#include "bi_test/json.h"
#include "cert/read_cert.h"
#include "files/atomic_file.h"
#include "files/file_descriptor.h"
#include "report/cert_row.h"
#include "report/html.h"
#include "report/markdown.h"
#include "run/cert_file.h"
#include "session/acceptance.h"
#include "trace/trace.h"

namespace bi_test::session {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxRefusal = std::size_t{1} << 20U;
constexpr std::size_t kMaxLogs = 8;
constexpr std::chrono::seconds kMaxWait{5};
constexpr std::chrono::milliseconds kPause{20};

fs::path Absolute(const fs::path& path) {
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code);
  return (code ? path : absolute).lexically_normal();
}

/// One process at a time may read and write the pages of a folder. Where the file system has no
/// locks, or another process holds it for long, the page is written all the same: it is made from
/// whole files, and the next cell writes it again.
files::FileDescriptor LockDir(const fs::path& dir) {
  files::FileDescriptor fd(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto end = std::chrono::steady_clock::now() + kMaxWait;
  while (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(kPause);
  }
  return fd;
}

bool IsRefusalName(const std::string& name) {
  return name.starts_with("refusal-") && name.ends_with(".json");
}

bool IsCertName(const std::string& name) {
  return name.ends_with(".json") && name.find("__ctx") != std::string::npos &&
         !name.starts_with("refusal-") && !name.starts_with(".");
}

/// The server logs of a run: `<anything>.server-<run id>-<role>.log`.
std::vector<std::string> LogsOf(const fs::path& dir, const std::vector<std::string>& names,
                                const std::string& run_id) {
  std::vector<std::string> out;
  if (run_id.empty()) return out;
  for (const std::string& name : names) {
    if (name.find(".server-" + run_id + "-") == std::string::npos) continue;
    if (out.size() == kMaxLogs) break;
    out.push_back((dir / name).string());
  }
  return out;
}

}  // namespace

report::SweepResult PageMaker::Read(const std::vector<fs::path>& dirs) {
  report::SweepResult sweep;
  std::vector<report::FoundRow> found;
  files_ = 0;
  bytes_ = 0;
  for (const fs::path& dir : dirs) {
    sweep.sources.push_back(dir.string());
    ReadDir(Absolute(dir), sweep, found);
  }
  sweep.cells = report::MergeRows(std::move(found));
  for (const report::CellResult& row : sweep.cells) {
    if (row.ts_utc.empty() || row.damaged) continue;
    if (sweep.start_utc.empty() || row.ts_utc < sweep.start_utc) sweep.start_utc = row.ts_utc;
    sweep.end_utc = std::max(sweep.end_utc, row.ts_utc);
  }
  return sweep;
}

void PageMaker::ReadDir(const fs::path& dir, report::SweepResult& sweep,
                        std::vector<report::FoundRow>& found) {
  std::vector<std::string> names;
  std::vector<std::string> logs;
  std::error_code code;
  for (fs::directory_iterator it(dir, code), end; !code && it != end; it.increment(code)) {
    std::string name = it->path().filename().string();
    if (IsRefusalName(name) || IsCertName(name)) {
      names.push_back(std::move(name));
    } else if (name.ends_with(".log")) {
      logs.push_back(std::move(name));
    }
  }
  if (code) {
    sweep.problems.push_back(dir.string() + ": cannot read the folder: " + code.message());
    return;
  }
  std::sort(names.begin(), names.end());
  std::sort(logs.begin(), logs.end());
  for (const std::string& name : names) {
    const fs::path file = dir / name;
    const std::uintmax_t size = fs::file_size(file, code);
    const fs::file_time_type time = code ? fs::file_time_type{} : fs::last_write_time(file, code);
    if (++files_ > limits_.max_files || (!code && (bytes_ += size) > limits_.max_bytes)) {
      sweep.problems.push_back(dir.string() + ": more than " + std::to_string(limits_.max_files) +
                               " files or " + std::to_string(limits_.max_bytes >> 20U) +
                               " MiB of certs: the rest, from " + name + " on, was not read");
      return;
    }
    auto kept = kept_.find(file);
    if (kept == kept_.end() || code || kept->second.size != size || kept->second.time != time) {
      Kept fresh = ReadOne(file, IsRefusalName(name), logs);
      fresh.size = size;
      fresh.time = time;
      kept = kept_.insert_or_assign(file, std::move(fresh)).first;
    }
    if (kept->second.problem.empty()) {
      found.push_back(kept->second.found);
    } else {
      sweep.problems.push_back(kept->second.problem);
    }
  }
}

PageMaker::Kept PageMaker::ReadOne(const fs::path& file, bool refusal,
                                   const std::vector<std::string>& logs) {
  Kept out;
  out.found.dir = file.parent_path().string();
  const auto problem = [&](const std::string& text) { out.problem = text; };
  Json document;
  if (refusal) {
    const Result<std::string> text = files::ReadFile(file, kMaxRefusal);
    if (!text.ok()) return problem(text.error().Text()), out;
    JsonLimits json_limits;
    json_limits.max_bytes = kMaxRefusal;
    Result<Json> parsed = ParseJson(*text, json_limits);
    if (!parsed.ok()) {
      return problem(file.string() + ": no refusal file: " + parsed.error().Text()), out;
    }
    document = std::move(*parsed);
  } else {
    Result<Cert> cert = run::LoadCert(file);
    if (!cert.ok()) return problem(cert.error().Text()), out;
    document = std::move(cert->document);
  }
  const std::optional<Cell> cell = CellOfDocument(document);
  if (!cell) {
    return problem(file.string() +
                   ": found no cell in it, expected model, ctx >= 1 and "
                   "dispatch_n >= 2"),
           out;
  }
  report::CellResult& row = out.found.row;
  if (refusal) {
    row = report::RowFromRefusal(document, *cell, file.string());
  } else {
    row = report::RowFromCert(Cert{std::move(document)}, *cell, file.string());
    AddTrace(file, row);
  }
  row.server_logs = LogsOf(file.parent_path(), logs, row.run_id);
  return out;
}

void PageMaker::AddTrace(const fs::path& cert, report::CellResult& row) {
  if (row.detail == nullptr) return;
  auto detail = std::make_shared<report::CellDetail>(*row.detail);
  const fs::path trace = run::TraceOfCert(cert);
  std::error_code code;
  const std::uintmax_t size = fs::file_size(trace, code);
  if (code) {
    detail->no_trace = "there is no trace beside the cert";
  } else if (row.trace_path = trace.string(); size > limits_.max_trace_bytes) {
    detail->no_trace = "the trace is larger than " +
                       std::to_string(limits_.max_trace_bytes >> 20U) + " MiB and was not read";
  } else if (trace_bytes_ + size > limits_.max_all_traces) {
    detail->no_trace = "too many traces: this one was not read";
  } else {
    trace_bytes_ += size;
    trace::TraceLimits trace_limits;
    trace_limits.max_file = limits_.max_trace_bytes;
    const Result<trace::DigestedRecord> read = trace::ReadTraceAndDigest(trace, trace_limits);
    if (!read.ok()) {
      detail->no_trace = "the trace cannot be read: " + read.error().Text();
    } else if (read->sha256 != detail->facts.trace_sha256) {
      detail->no_trace = "the trace beside the cert is not the one it was made from";
    } else {
      detail->no_trace.clear();
      detail->drift = report::DriftPerId(read->record);
      row.requests_sent = static_cast<std::int64_t>(read->record.trials.size());
    }
  }
  row.detail = std::move(detail);
}

Status PageMaker::Write(const report::SweepResult& sweep, const fs::path& out) {
  const fs::path dir = Absolute(out);
  if (Status status =
          files::WriteFileAtomically(dir / "index.html", report::HtmlPage(sweep, dir.string()));
      !status.ok()) {
    return status;
  }
  return files::WriteFileAtomically(dir / "summary.md",
                                    report::MarkdownSummary(sweep, dir.string()));
}

Status PageMaker::WriteOutDir(const report::SweepResult& own, const fs::path& out,
                              const Sweep* sweep) {
  std::error_code code;
  fs::create_directories(out, code);  // a failure shows when the files are written
  const files::FileDescriptor lock = LockDir(out);
  report::SweepResult read = Read({out});
  if (sweep != nullptr) {
    const std::string today = Today();
    for (report::CellResult& row : read.cells) ApplyRule(*sweep, today, row);
  }
  report::SweepResult page = own;
  page.cells = report::OverlayRows(own.cells, read.cells);
  page.problems.insert(page.problems.end(), read.problems.begin(), read.problems.end());
  return Write(page, out);
}

}  // namespace bi_test::session
