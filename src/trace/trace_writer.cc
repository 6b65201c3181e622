#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "files/file_descriptor.h"
#include "trace/trace.h"
#include "trace/trace_json_writer.h"
#include "trace/trial_columns.h"

namespace bi_test::trace {
namespace {

template <typename T>
void AppendMeasured(TraceJsonWriter& out, std::string_view key, const std::optional<T>& value) {
  if (value) out.Member(key, Json(*value));
}

void AppendFinite(TraceJsonWriter& out, std::string_view key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) out.Member(key, Json(*value));
}

template <typename T>
void AppendList(TraceJsonWriter& out, std::string_view key,
                const std::optional<std::vector<T>>& list) {
  if (!list) return;
  out.Key(key);
  out.StartArray();
  for (const T value : *list) out.Value(Json(value));
  out.EndArray();
}

void AppendColumn(TraceJsonWriter& out, const TrialColumn& column, const Trial& trial) {
  if (column.json != nullptr) {
    const Json& value = trial.*column.json;
    if (!value.is_null()) out.Member(column.name, value);
  } else if (column.number != nullptr) {
    AppendFinite(out, column.name, trial.*column.number);
  } else if (column.integer != nullptr) {
    AppendMeasured(out, column.name, trial.*column.integer);
  } else if (column.words != nullptr) {
    if (!(trial.*column.words).empty()) out.Member(column.name, Json(trial.*column.words));
  } else if (column.integers != nullptr) {
    AppendList(out, column.name, trial.*column.integers);
  } else {
    AppendList(out, column.name, trial.*column.numbers);
  }
}

/// One line that is an object; `members` writes what stands in it.
template <typename Members>
std::string Line(Members members) {
  std::string text;
  text.reserve(512);
  TraceJsonWriter out(text);
  out.StartObject();
  members(out);
  out.EndObject();
  return text += '\n';
}

}  // namespace

Json FullHeader(const Record& record) {
  Json cell;
  cell["model"] = record.cell.model;
  cell["ctx"] = record.cell.ctx;
  cell["dispatch_n"] = record.cell.dispatch_n;
  cell["kv_label"] = record.cell.kv_label;
  Json header = record.header;
  header["record"] = kTraceRecordName;
  header["cell"] = std::move(cell);
  header["source"] = record.source;
  return header;
}

std::string HeaderLine(const Record& record) {
  const Json header = FullHeader(record);
  return Line([&](TraceJsonWriter& out) {
    out.Member("record", *header.Find("record"));  // first, so that the file shows what it is
    for (const auto& [key, value] : *header.if_object()) {
      if (key != "record") out.Member(key, value);
    }
  });
}

std::string TrialLine(const Trial& trial) {
  return Line([&](TraceJsonWriter& out) {
    out.Member("arm", Json(ArmName(trial.arm)));
    out.Member("pass", Json(trial.pass));
    out.Member("test_id", Json(trial.test_id));
    if (trial.malformed_row) return out.Member("row", *trial.malformed_row);
    for (const TrialColumn& column : TrialColumns()) AppendColumn(out, column, trial);
    if (trial.retry_attempts != 0) out.Member("retry_attempts", Json(trial.retry_attempts));
  });
}

std::string EvidenceLine(const PassEvidence& evidence) {
  return Line([&](TraceJsonWriter& out) {
    out.Key("evidence");
    out.StartObject();
    out.Member("arm", Json(ArmName(evidence.arm)));
    out.Member("pass", Json(evidence.pass));
    AppendMeasured(out, "server_peak_busy_slots", evidence.server_peak_busy_slots);
    AppendFinite(out, "mean_busy_slots", evidence.mean_busy_slots);
    AppendMeasured(out, "decode_calls", evidence.decode_calls);
    AppendMeasured(out, "tokens_decoded", evidence.tokens_decoded);
    AppendMeasured(out, "polls", evidence.polls);
    AppendMeasured(out, "missed_polls", evidence.missed_polls);
    if (evidence.counter_reset) out.Member("counter_reset", Json(true));
    AppendFinite(out, "wall_s", evidence.wall_s);
    out.EndObject();
  });
}

std::string EndLine(const Record& record) {
  Json end;
  end["trials"] = record.trials.size();
  end["evidence"] = record.evidence.size();
  for (const std::string_view key : kAmendedByEnd) {
    if (const Json* value = record.header.Find(key)) end[key] = *value;
  }
  return Line([&](TraceJsonWriter& out) { out.Member("end", end); });
}

struct TraceWriter::State {
  std::filesystem::path path;
  files::FileDescriptor file;
  Sha256 sha;
};

TraceWriter::TraceWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceWriter::~TraceWriter() = default;

Result<std::unique_ptr<TraceWriter>> TraceWriter::Create(const std::filesystem::path& file) {
  auto state = std::make_unique<State>();
  state->path = file;
  if (file.has_parent_path()) {
    std::error_code code;
    std::filesystem::create_directories(file.parent_path(), code);
    if (code) {
      return files::FileError(ErrorCode::kIo, "cannot make the directory", file.parent_path(),
                              code.value());
    }
  }
  state->file =
      files::FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!state->file.valid())
    return files::FileError(ErrorCode::kIo, "cannot open the trace", file, errno);
  // Emptied only under the lock: another writer's trace must not lose its lines.
  if (::flock(state->file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{ErrorCode::kIo,
                 "another process is writing this trace; wait for it or choose another directory",
                 file.string()};
  }
  if (::ftruncate(state->file.get(), 0) != 0) {
    return files::FileError(ErrorCode::kIo, "cannot empty the trace", file, errno);
  }
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(state)));
}

Status TraceWriter::Write(std::string_view line) {
  if (!state_->file.valid()) {
    return Error{ErrorCode::kIo, "the trace is closed already", state_->path.string()};
  }
  if (const int number = files::WriteAll(state_->file.get(), line); number != 0) {
    return files::FileError(ErrorCode::kIo, "cannot write the trace", state_->path, number);
  }
  state_->sha.Update(line);
  return {};
}

Result<std::string> TraceWriter::Close() {
  if (!state_->file.valid()) {
    return Error{ErrorCode::kIo, "the trace is closed already", state_->path.string()};
  }
  const int synced = ::fsync(state_->file.get()) == 0 ? 0 : errno;
  const int closed = state_->file.Close();
  if (const int number = synced != 0 ? synced : closed; number != 0) {
    return files::FileError(ErrorCode::kIo, "cannot flush the trace to the disk", state_->path,
                            number);
  }
  return state_->sha.Hex();
}

}  // namespace bi_test::trace
