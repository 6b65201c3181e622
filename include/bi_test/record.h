#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/json.h"
#include "bi_test/trial.h"

namespace bi_test {

/// What the server itself showed during one pass. Absent numbers were not measured.
struct PassEvidence {
  Arm arm = Arm::kC;
  int pass = 0;  ///< From 0.
  /// Most slots seen busy in one answer of the slot listing.
  std::optional<std::int64_t> server_peak_busy_slots;
  /// Busy slots per decode call over the pass, from counter deltas.
  std::optional<double> mean_busy_slots;
  /// Decode calls of the pass, from counter deltas.
  std::optional<std::int64_t> decode_calls;
  /// Tokens generated in the pass, from counter deltas.
  std::optional<std::int64_t> tokens_decoded;
  /// Answers of the slot listing that could be read, and polls that came to nothing.
  std::optional<std::int64_t> polls;
  std::optional<std::int64_t> missed_polls;
  /// A counter went down within the pass: the server was restarted, nothing is proven.
  bool counter_reset = false;
  /// Whole-pass wall time, seconds.
  std::optional<double> wall_s;

  friend bool operator==(const PassEvidence&, const PassEvidence&) = default;
};

/// Everything one run of one cell produced; the input of `Judge`. A plain value. Trials may stand
/// in any order.
struct Record {
  Cell cell;
  /// `live` or `mock`; set by the code path that made the record, never by an option.
  std::string source;
  /// The trace header as it was written or read, with what the verdict only copies: `server`,
  /// `workset`, `scorer`, `request`, `provenance`, `retries`, `reps`, `plan`, `attempts`,
  /// `baseline`.
  Json header;
  std::vector<Trial> trials;
  std::vector<PassEvidence> evidence;
  /// The trace ended with its closing record; nullopt when the format had none (hand-made traces).
  std::optional<bool> complete;

  friend bool operator==(const Record&, const Record&) = default;
};

}  // namespace bi_test
