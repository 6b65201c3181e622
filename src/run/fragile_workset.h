#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/answer_scorer.h"
#include "run/run_clock.h"
#include "run/server_handle.h"
#include "server/dialect.h"

namespace bi_test::run {

/// The `size` rows with the smallest margins, in the order of the pool; rows without one come last.
/// `margins`: by row, nats.
[[nodiscard]] std::vector<std::size_t> MostFragile(
    const std::vector<std::optional<double>>& margins, std::size_t size);

/// What it takes to choose the rows of `builtin: fragile`.
struct FragileAsk {
  const Sweep& sweep;  ///< Its `made` is of kind kFragile.
  const SweepCell& cell;
  const server::Dialect& dialect;
  AnswerScorer& scorer;
  ServerHandle& server;  ///< Of one slot, ready.
  RunClock clock;
  std::filesystem::path trace_file;  ///< Gets the answers of the pool.
  std::function<void(const std::string& label, int done, int total)> on_progress;
};

struct FragileChoice {
  Workset workset;
  std::int64_t requests_sent = 0;
};

/// Asks every row of the pool that the slot has room for once, one at a time, as arm A would, and
/// keeps those whose answer hung by the thinnest margin between the two best tokens. Another
/// process, or another N, measures the same margins, because one request at a time is repeatable;
/// where it is not, arm A2 says so. Errors: the pool could not be asked to its end, or no answer
/// came with margins.
[[nodiscard]] Result<FragileChoice> MakeFragile(const FragileAsk& ask);

}  // namespace bi_test::run
