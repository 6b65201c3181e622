#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"

namespace bi_test {

/// Which experiment a trial belongs to. A2 is arm A pass 1, A3 arm A pass 2, B2 arm B pass 1.
enum class Arm : std::uint8_t {
  kA,  ///< One slot, serial: the ground truth.
  kB,  ///< N slots, serial: did opening N slots change anything?
  kC,  ///< N slots, N in flight: the thing under test.
};

/// `A`, `B` or `C`.
[[nodiscard]] const char* ArmName(Arm arm);

/// One request of one item in one arm and pass, and all that was observed of it.
///
/// The compared fields are `Json`, because a hand-made or foreign trace may hold any type and a
/// wrong type has to show up as a difference, not as a crash. What was not measured is null or
/// nullopt and is never taken as equal or as zero.
struct Trial {
  Arm arm = Arm::kA;
  int pass = 0;         ///< From 0.
  std::string test_id;  ///< Of the item; the same in every arm.

  /// Set when the row itself was not an object; then every other field below is meaningless.
  std::optional<Json> malformed_row;

  // Compared exactly, in this order.
  Json score;
  Json passed;
  Json extracted_answer;
  Json expected_answer;
  Json prompt_tokens_measured;
  Json failure_mode;

  // The whole output; token identity is decided on these.
  Json content;
  Json reasoning_content;
  Json tool_calls;
  Json finish_reason;
  Json completion_tokens;
  /// Display form, used for token identity only when both sides lack `content`.
  Json response_first_200;
  std::optional<std::vector<std::int64_t>> token_ids;
  /// Natural-log probabilities of the chosen tokens, aligned with `token_ids` where both exist.
  std::optional<std::vector<double>> logprobs;
  /// Log-probability of the best alternative minus that of the second best, per token, nats.
  std::optional<std::vector<double>> margins;
  /// First of logit_sum, logprob_sum, mean_logprob, logit_mean: scalars of older traces.
  Json logit_sum;
  Json logprob_sum;
  Json mean_logprob;
  Json logit_mean;

  // Buckets.
  Json family;      ///< Of the item.
  Json fill_ratio;  ///< Share of the context that its prompt fills, 0 to 1.

  // Monotonic seconds, and what the server says it spent, milliseconds.
  std::optional<double> dispatch_ts;
  std::optional<double> first_token_ts;
  std::optional<double> complete_ts;
  std::optional<double> prompt_ms;
  std::optional<double> predicted_ms;

  std::optional<std::int64_t> slot;  ///< Of the server, from 0.
  /// Prompt tokens the server took from a cache; must be 0 for a compared request.
  std::optional<std::int64_t> cached_tokens;
  /// Prompt tokens the server counted for this very request (usage or timings).
  std::optional<std::int64_t> prompt_tokens;

  /// True: the answer was scored, so it counts as one although `failure_mode` is not `ok`. `Json`,
  /// as all that a trace of others may hold.
  Json scored;

  /// Hex texts, or null where not measured. `Json`, because equal texts then share their memory.
  Json prompt_sha256;   ///< The prompt alone.
  Json request_sha256;  ///< The whole request body.

  /// Where a failed request failed: connect, first_byte, headers, body, stream, parse, score; empty
  /// when it did not.
  std::string phase;
  /// Diagnostic text, never compared.
  std::string reason;
  /// HTTP status, 0 when no reply was received.
  std::optional<std::int64_t> http_status;
  int retry_attempts = 0;  ///< Always 0 in runs of our own: no request is ever sent again.

  friend bool operator==(const Trial&, const Trial&) = default;
};

/// One line: arm, pass, id and what was scored.
std::ostream& operator<<(std::ostream& out, const Trial& trial);

}  // namespace bi_test
