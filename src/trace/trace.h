#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/json_limits.h"
#include "bi_test/record.h"
#include "bi_test/result.h"

namespace bi_test::trace {

/// Name and version of the format, the `record` of every header.
inline constexpr std::string_view kTraceRecordName = "bi_test.trace/1";

/// Header keys that the closing record may replace.
inline constexpr std::string_view kAmendedByEnd[] = {"plan", "provenance", "server"};

/// Limits when reading a trace; each is an error with the line number, never a truncation.
struct TraceLimits {
  std::size_t max_line = kTraceLineLimits.max_bytes;
  std::size_t max_file = std::size_t{8} << 30;
  std::size_t max_trials = 20'000'000;
  int max_depth = kTraceLineLimits.max_depth;
};

/// Reads a JSON Lines trace: a header, trials and evidence in any order, an optional closing
/// record. Errors name `file:line:key`.
///
/// * Unknown keys are ignored, duplicate keys of a line refused, null is the same as absent.
/// * `arm`, `pass`, `test_id`, digests, token ids, log-probabilities, `cached_tokens`,
///   `prompt_tokens` and `retry_attempts` of a wrong type are errors. Timestamps, `prompt_ms`,
///   `predicted_ms`, `slot`, `http_status`, `phase` and `reason` of a wrong type, and numbers of
///   evidence, count as not measured. The compared fields are taken as whatever they are.
/// * NaN, Infinity and -Infinity are read as numbers (Python writes them), so that a NaN score
///   stays unequal to itself when a record is judged again. A lone surrogate is its three-byte
///   form.
/// * `"row": V` with V no object is a malformed row; with an object, its members are the fields.
/// * `complete` is true after the closing record; without one false when the header says
///   `"expects_end":true`, else nullopt. A line that breaks off is always an error.
[[nodiscard]] Result<Record> ReadTrace(const std::filesystem::path& file,
                                       const TraceLimits& limits = {});

/// A record with the SHA-256 hex of exactly the bytes it was read from, even when the file is being
/// written meanwhile.
struct DigestedRecord {
  Record record;
  std::string sha256;
};
[[nodiscard]] Result<DigestedRecord> ReadTraceAndDigest(const std::filesystem::path& file,
                                                        const TraceLimits& limits = {});
/// The same from memory; `name` stands for the file in messages.
[[nodiscard]] Result<Record> ParseTrace(std::string_view text, const TraceLimits& limits = {},
                                        std::string_view name = "trace");

/// The header as it is written: `record.header` with `record`, `cell` and `source` set from the
/// record.
[[nodiscard]] Json FullHeader(const Record& record);

/// One line of a trace, final newline included. What was not measured (null, nullopt, an empty
/// `phase`, no retries, a timestamp that is not finite) is left out. Always UTF-8: a byte of a text
/// that is not is written as `\ufdd0\u00XX`, U+FDD0 itself twice; the reader undoes it.
[[nodiscard]] std::string HeaderLine(const Record& record);
[[nodiscard]] std::string TrialLine(const Trial& trial);
[[nodiscard]] std::string EvidenceLine(const PassEvidence& evidence);
/// Says how many trials and evidence lines came before it; the reader checks both. Repeats the
/// header keys of `kAmendedByEnd` as they stand now: what was only known at the end replaces the
/// header's.
[[nodiscard]] std::string EndLine(const Record& record);

/// Writes a trace while the run goes on: each line with one write(2) to an O_APPEND file, so that a
/// crash loses at most the running line. An existing file is emptied, unless another writer has it
/// open. Not thread safe.
class TraceWriter {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TraceWriter>> Create(
      const std::filesystem::path& file);
  ~TraceWriter();
  [[nodiscard]] Status Write(std::string_view line);
  /// Flushes to the disk and gives the SHA-256 hex of all that was written.
  [[nodiscard]] Result<std::string> Close();

 private:
  struct State;
  explicit TraceWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bi_test::trace
