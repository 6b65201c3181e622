#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/safe_text.h"
#include "base/sax.h"
#include "base/sha256.h"
#include "base/try.h"
#include "base/utf8.h"
#include "files/file_descriptor.h"
#include "trace/trace.h"
#include "trace/trial_handler.h"

namespace bi_test::trace {
namespace {

/// Takes a trace line by line.
class TraceParser {
 public:
  TraceParser(std::string name, const TraceLimits& limits)
      : name_(std::move(name)),
        limits_(limits),
        handler_(pool_),
        places_(0, PlaceHash{record_.trials}, PlaceEqual{record_.trials}) {
    options_.tolerate_broken_text = true;
    options_.allow_non_finite = true;
    options_.max_depth = limits.max_depth;
  }
  TraceParser(const TraceParser&) = delete;
  TraceParser& operator=(const TraceParser&) = delete;

  /// The next line, without its newline. `terminated`: it had one.
  Status Take(std::string_view line, bool terminated);
  /// No more lines.
  Result<Record> Finish() &&;

  [[nodiscard]] Error Fault(std::string message, std::string_view key = {}) const {
    std::string where = name_ + ":" + std::to_string(line_number_);
    if (!key.empty()) where += ":" + Printable(key, 80);
    return Error{ErrorCode::kInvalidFile, std::move(message), std::move(where)};
  }

  /// Bytes of the whole trace, to size the list of trials by: growing a large one costs twice its
  /// memory.
  void ExpectBytes(std::uintmax_t bytes) { expected_bytes_ = bytes; }

  std::size_t line_number_ = 0;

 private:
  struct PlaceHash {
    const std::vector<Trial>& trials;
    std::size_t operator()(std::size_t i) const {
      const Trial& trial = trials[i];
      return std::hash<std::string>()(trial.test_id) * 31u +
             static_cast<std::size_t>(trial.pass) * 3u + static_cast<std::size_t>(trial.arm);
    }
  };
  struct PlaceEqual {
    const std::vector<Trial>& trials;
    bool operator()(std::size_t i, std::size_t k) const {
      const Trial& x = trials[i];
      const Trial& y = trials[k];
      return x.arm == y.arm && x.pass == y.pass && x.test_id == y.test_id;
    }
  };

  [[nodiscard]] Error SyntaxFault(const SaxFault& fault, bool terminated) const;
  Result<Json> Document(std::string_view line, bool terminated);
  Status TakeHeader(const Json& header);
  Status TakeCell(const Json& cell);
  Status TakeTrial();
  void MakeRoom();
  Status TakeOther(const Json& document);
  Status TakeEvidence(const Json& evidence);
  Status TakeEnd(const Json& end);

  std::string name_;
  TraceLimits limits_;
  SaxOptions options_;
  Record record_;
  TextPool pool_;
  TrialHandler handler_;
  std::vector<std::size_t> trial_lines_;
  std::unordered_set<std::size_t, PlaceHash, PlaceEqual> places_;
  std::set<std::pair<Arm, int>> evidence_passes_;
  std::size_t header_line_ = 0;
  std::size_t end_line_ = 0;
  bool expects_end_ = false;
  std::uintmax_t expected_bytes_ = 0;
  std::uintmax_t taken_bytes_ = 0;
};

Error TraceParser::SyntaxFault(const SaxFault& fault, bool terminated) const {
  std::string message = "invalid JSON at byte " + std::to_string(fault.offset) + ": " + fault.what;
  if (!terminated) {
    message = "the trace is truncated at line " + std::to_string(line_number_) +
              ", which has no newline: " + message + "; run the cell again";
  }
  return Fault(std::move(message));
}

Result<Json> TraceParser::Document(std::string_view line, bool terminated) {
  TraceValueBuilder builder;
  const auto fault = ParseSax(line, options_, builder, [&] { builder.Reset(); });
  if (fault) return SyntaxFault(*fault, terminated);
  return builder.Take();
}

void TraceParser::MakeRoom() {
  constexpr std::size_t kSampled = 1000;
  std::vector<Trial>& trials = record_.trials;
  if (trials.size() < kSampled || trials.size() < trials.capacity()) return;
  const double per_trial = static_cast<double>(taken_bytes_) / static_cast<double>(trials.size());
  const double expected = 1.02 * static_cast<double>(expected_bytes_) / per_trial;
  const double allowed = std::min(expected, static_cast<double>(limits_.max_trials));
  if (allowed > static_cast<double>(trials.size())) {
    trials.reserve(static_cast<std::size_t>(allowed) + 1);
    trial_lines_.reserve(trials.capacity());
    places_.reserve(trials.capacity());
  }
}

Status TraceParser::Take(std::string_view line, bool terminated) {
  ++line_number_;
  taken_bytes_ += line.size() + 1;
  if (line_number_ == 1) line = WithoutByteOrderMark(line);
  if (line.find_first_not_of(" \t\r") == line.npos) return {};
  if (end_line_ != 0) {
    return Fault("found a line after the closing record in line " + std::to_string(end_line_) +
                 ", expected the end of the file");
  }
  if (header_line_ == 0) {
    BI_TRY_SET(const Json header, Document(line, terminated));
    return TakeHeader(header);
  }
  handler_.Reset();
  const auto fault = ParseSax(line, options_, handler_, [&] { handler_.Reset(); });
  if (handler_.is_other_line()) {
    BI_TRY_SET(const Json document, Document(line, terminated));
    return TakeOther(document);
  }
  if (fault) {
    if (!handler_.Why().empty()) return Fault(handler_.Why(), handler_.key());
    return SyntaxFault(*fault, terminated);
  }
  if (!handler_.Complete()) return Fault(handler_.Why(), handler_.key());
  return TakeTrial();
}

Status TraceParser::TakeHeader(const Json& header) {
  const std::string expected = "expected the header {\"record\":\"" +
                               std::string(kTraceRecordName) + "\",\"cell\":{...},...} first";
  if (!header.is_object()) return Fault("found " + FoundText(header) + ", " + expected);
  const Json* record = header.Find("record");
  if (record == nullptr) return Fault("found a line without \"record\", " + expected);
  const std::string* version = record->if_string();
  if (version == nullptr || *version != kTraceRecordName) {
    return Fault("found " + FoundText(*record) + ", expected \"" + std::string(kTraceRecordName) +
                     "\"; the trace was written by another version of the format",
                 "record");
  }
  header_line_ = line_number_;
  const Json* cell = header.Find("cell");
  if (cell == nullptr) return Fault("missing, expected an object", "cell");
  BI_TRY(TakeCell(*cell));
  const Json* source = header.Find("source");
  if (source != nullptr && !source->is_null()) {
    if (!source->is_string()) {
      return Fault("found " + FoundText(*source) + ", expected a text", "source");
    }
    record_.source = *source->if_string();
  }
  const Json* expects_end = header.Find("expects_end");
  if (expects_end != nullptr && !expects_end->is_null()) {
    if (!expects_end->is_bool()) {
      return Fault("found " + FoundText(*expects_end) + ", expected true or false", "expects_end");
    }
    expects_end_ = *expects_end->if_bool();
  }
  record_.header = header;
  return {};
}

Status TraceParser::TakeCell(const Json& cell) {
  if (!cell.is_object()) return Fault("found " + FoundText(cell) + ", expected an object", "cell");
  const auto take_text = [&](const char* key, const char* path, std::string& target) -> Status {
    const Json* value = cell.Find(key);
    if (value == nullptr) return Fault("missing, expected a text", path);
    if (!value->is_string()) return Fault("found " + FoundText(*value) + ", expected a text", path);
    target = *value->if_string();
    return {};
  };
  const auto take_number = [&](const char* key, const char* path, int& target) -> Status {
    const Json* value = cell.Find(key);
    if (value == nullptr) return Fault("missing, expected a whole number", path);
    const std::optional<std::int64_t> number = WholeNumber(*value);
    if (!number || *number < INT_MIN || *number > INT_MAX) {
      return Fault("found " + FoundText(*value) + ", expected a whole number", path);
    }
    target = static_cast<int>(*number);
    return {};
  };
  BI_TRY(take_text("model", "cell.model", record_.cell.model));
  BI_TRY(take_number("ctx", "cell.ctx", record_.cell.ctx));
  BI_TRY(take_number("dispatch_n", "cell.dispatch_n", record_.cell.dispatch_n));
  const Json* label = cell.Find("kv_label");
  if (label == nullptr || label->is_null()) return {};
  return take_text("kv_label", "cell.kv_label", record_.cell.kv_label);
}

Status TraceParser::TakeTrial() {
  if (record_.trials.size() >= limits_.max_trials) {
    return Fault("more than the allowed " + std::to_string(limits_.max_trials) + " trials");
  }
  MakeRoom();
  record_.trials.push_back(std::move(handler_.trial()));
  trial_lines_.push_back(line_number_);
  const auto [it, is_new] = places_.insert(record_.trials.size() - 1);
  if (is_new) return {};
  const Trial& trial = record_.trials.back();
  return Fault("a second trial of arm " + std::string(ArmName(trial.arm)) + ", pass " +
                   std::to_string(trial.pass) + ", test_id " + Quoted(trial.test_id) +
                   "; the first is in line " + std::to_string(trial_lines_[*it]),
               "test_id");
}

Status TraceParser::TakeOther(const Json& document) {
  if (document.Find("record") != nullptr) {
    return Fault("a second header; the first is in line " + std::to_string(header_line_), "record");
  }
  if (const Json* evidence = document.Find("evidence")) return TakeEvidence(*evidence);
  const Json* end = document.Find("end");
  return TakeEnd(end == nullptr ? Json() : *end);
}

Status TraceParser::TakeEvidence(const Json& evidence) {
  if (!evidence.is_object()) {
    return Fault("found " + FoundText(evidence) + ", expected an object", "evidence");
  }
  static const Json kNull;
  const auto member = [&](std::string_view key) -> const Json& {
    const Json* value = evidence.Find(key);
    return value == nullptr ? kNull : *value;
  };
  const auto number = [&](std::string_view key) -> std::optional<double> {
    const Json& value = member(key);
    if (const std::int64_t* integer = value.if_int64()) return static_cast<double>(*integer);
    const double* real = value.if_double();
    if (real != nullptr && std::isfinite(*real)) return *real;
    return std::nullopt;
  };
  PassEvidence out;
  const std::optional<Arm> arm = ArmOf(member("arm"));
  if (!arm) {
    return Fault("found " + FoundText(member("arm")) + ", expected " + std::string(kExpectedArm),
                 "evidence.arm");
  }
  const std::optional<std::int64_t> pass = WholeNumber(member("pass"));
  if (!pass || *pass < 0 || *pass > INT_MAX) {
    return Fault("found " + FoundText(member("pass")) + ", expected a whole number from 0 up",
                 "evidence.pass");
  }
  out.arm = *arm;
  out.pass = static_cast<int>(*pass);
  out.server_peak_busy_slots = WholeNumber(member("server_peak_busy_slots"));
  out.mean_busy_slots = number("mean_busy_slots");
  out.decode_calls = WholeNumber(member("decode_calls"));
  out.tokens_decoded = WholeNumber(member("tokens_decoded"));
  out.polls = WholeNumber(member("polls"));
  out.missed_polls = WholeNumber(member("missed_polls"));
  out.wall_s = number("wall_s");
  const Json& reset = member("counter_reset");
  if (!reset.is_null() && !reset.is_bool()) {
    return Fault("found " + FoundText(reset) + ", expected true or false",
                 "evidence.counter_reset");
  }
  out.counter_reset = reset.is_bool() && *reset.if_bool();
  if (!evidence_passes_.emplace(out.arm, out.pass).second) {
    return Fault("a second evidence of arm " + std::string(ArmName(out.arm)) + ", pass " +
                     std::to_string(out.pass),
                 "evidence");
  }
  record_.evidence.push_back(out);
  return {};
}

Status TraceParser::TakeEnd(const Json& end) {
  if (!end.is_object()) return Fault("found " + FoundText(end) + ", expected an object", "end");
  const auto check = [&](const char* key, const char* path, std::size_t found) -> Status {
    const Json* value = end.Find(key);
    if (value == nullptr) return {};
    if (WholeNumber(*value) == static_cast<std::int64_t>(found)) return {};
    return Fault("found " + std::to_string(found) + " lines before the closing record, expected " +
                     FoundText(*value) + "; lines were lost or added",
                 path);
  };
  BI_TRY(check("trials", "end.trials", record_.trials.size()));
  BI_TRY(check("evidence", "end.evidence", record_.evidence.size()));
  for (const std::string_view key : kAmendedByEnd) {
    if (const Json* value = end.Find(key)) record_.header[key] = *value;
  }
  end_line_ = line_number_;
  return {};
}

Result<Record> TraceParser::Finish() && {
  if (header_line_ == 0) {
    return Error{ErrorCode::kInvalidFile,
                 "the trace is empty, expected the header {\"record\":\"" +
                     std::string(kTraceRecordName) + "\",...} first",
                 name_};
  }
  if (end_line_ != 0) {
    record_.complete = true;
  } else if (expects_end_) {
    record_.complete = false;
  }
  return std::move(record_);
}

/// Cuts blocks of a file into lines.
class LineCutter {
 public:
  LineCutter(TraceParser& parser, std::size_t max_line) : parser_(parser), max_line_(max_line) {}

  Status Take(std::string_view block) {
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      const std::string_view piece = block.substr(0, end);
      if (piece.size() > max_line_ - carry_.size()) return TooLong();
      if (end == block.npos) {
        carry_ += piece;
        return {};
      }
      Status status;
      if (carry_.empty()) {
        status = parser_.Take(piece, /*terminated=*/true);
      } else {
        carry_ += piece;
        status = parser_.Take(carry_, /*terminated=*/true);
        carry_.clear();
      }
      if (!status) return status;
      block.remove_prefix(end + 1);
    }
    return {};
  }

  Status Finish() {
    if (carry_.empty()) return {};
    return parser_.Take(carry_, /*terminated=*/false);
  }

 private:
  Status TooLong() {
    ++parser_.line_number_;
    return parser_.Fault("the line has more than the allowed " + std::to_string(max_line_) +
                         " bytes");
  }

  TraceParser& parser_;
  std::size_t max_line_;
  std::string carry_;
};

Error TooLarge(const TraceLimits& limits, std::string name) {
  return Error{ErrorCode::kInvalidFile,
               "the trace has more than the allowed " + std::to_string(limits.max_file) + " bytes",
               std::move(name)};
}

}  // namespace

Result<Record> ParseTrace(std::string_view text, const TraceLimits& limits, std::string_view name) {
  if (text.size() > limits.max_file) return TooLarge(limits, std::string(name));
  TraceParser parser(std::string(name), limits);
  parser.ExpectBytes(text.size());
  LineCutter cutter(parser, limits.max_line);
  BI_TRY(cutter.Take(text));
  BI_TRY(cutter.Finish());
  return std::move(parser).Finish();
}

namespace {

/// Reads the file and tells `sha`, when there is one, all that was read.
Result<Record> ReadFileOnce(const std::filesystem::path& file, const TraceLimits& limits,
                            Sha256* sha) {
  BI_TRY_SET(const files::FileDescriptor fd, files::OpenRegularFile(file));
  TraceParser parser(file.string(), limits);
  parser.ExpectBytes(std::min<std::uintmax_t>(files::BytesOnDisk(fd), limits.max_file));
  LineCutter cutter(parser, limits.max_line);
  std::size_t taken = 0;
  Status parsed;
  const Status read = files::ReadBlocks(fd, file, [&](std::string_view block) {
    if (block.size() > limits.max_file - taken) {
      parsed = TooLarge(limits, file.string());
      return false;
    }
    taken += block.size();
    if (sha != nullptr) sha->Update(block);
    parsed = cutter.Take(block);
    return parsed.ok();
  });
  BI_TRY(read);
  BI_TRY(parsed);
  BI_TRY(cutter.Finish());
  return std::move(parser).Finish();
}

}  // namespace

Result<Record> ReadTrace(const std::filesystem::path& file, const TraceLimits& limits) {
  return ReadFileOnce(file, limits, nullptr);
}

Result<DigestedRecord> ReadTraceAndDigest(const std::filesystem::path& file,
                                          const TraceLimits& limits) {
  Sha256 sha;
  BI_TRY_SET(Record record, ReadFileOnce(file, limits, &sha));
  return DigestedRecord{std::move(record), sha.Hex()};
}

}  // namespace bi_test::trace
