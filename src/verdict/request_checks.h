#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verdict/record_index.h"

namespace bi_test {

/// What the trials of all arms say about the experiment itself, apart from the outputs. Lists of
/// ids are ranks in `RecordIndex::ids`, ascending.
struct RequestChecks {
  std::vector<std::uint32_t>
      request_mismatch;  ///< `request_sha256` differs between arms or passes.
  std::vector<std::uint32_t>
      prompt_truncated;  ///< The server counted other prompt tokens than in arm A.
  std::vector<std::uint32_t> cached_prompt;  ///< Prompt tokens came from a cache.
  /// The first such id in words: `prompt truncated in B, C: ...`; empty when there is none.
  std::string truncation;
  /// failure_mode -> trials of all arms. At most 64 labels; the rest is under `(other)`.
  std::map<std::string, std::int64_t> status_counts;
  /// The earliest failed request in words, empty when none failed.
  std::string first_cause;
};

[[nodiscard]] RequestChecks CheckRequests(const RecordIndex& index);

}  // namespace bi_test
