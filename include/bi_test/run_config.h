#pragma once

#include <chrono>
#include <cstdint>

namespace bi_test {

/// `run:` of a sweep file: what the requests ask for and how long anything may take. A plain value.
struct RunConfig {
  int passes = 8;             ///< T, >= 1.
  int max_tokens = 128;       ///< Completion limit, >= 1.
  int reps = 1;               ///< Repetitions of each row, >= 1.
  std::uint64_t seed = 1234;  ///< Selects dispatch orders; never enters a request.
  int n_probs = 2;          ///< Alternatives asked for per token (2 show the margin); 0 asks for no
                            ///< log-probabilities.
  bool ignore_eos = false;  ///< Ask the server to go on past end-of-text (llama.cpp, vLLM).
  /// Items that arm A3 (a fresh launch) and arm B2 (after the concurrent passes) ask again, spread
  /// evenly over the work-set; >= 1.
  int control_sample = 8;
  std::chrono::milliseconds request_timeout{120'000};  ///< One request, > 0.
  std::chrono::milliseconds arm_timeout{900'000};      ///< One arm or pass, > 0.
  std::chrono::milliseconds run_timeout{14'400'000};   ///< Whole cell, > 0.
  friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

}  // namespace bi_test
