#include "spark/budget.h"

#include <algorithm>

namespace bi_test::spark {
namespace {

constexpr int kMostSteps = 12;
constexpr int kMostDoublings = 4;
constexpr std::int64_t kReservoirBytesPerToken = 4;

}  // namespace

std::int64_t EstimatedTokens(std::string_view text) {
  return (static_cast<std::int64_t>(text.size()) * 10 + 35) / 36;
}

std::int64_t NominalTokens(int ctx, int fill_hundredths) {
  return std::max<std::int64_t>(1, (std::int64_t{ctx} * fill_hundredths + 50) / 100);
}

std::int64_t Budget::tolerance() const {
  return std::max<std::int64_t>(1, (target() * 3 + 50) / 100);
}

std::optional<FitFailure> FitPrompt(const Budget& budget, const PromptBuilder& build,
                                    const TokenCounter& count, FittedPrompt& out) {
  const std::int64_t target = budget.target();
  const std::int64_t tolerance = budget.tolerance();
  std::optional<FitFailure> failure;
  bool found = false;

  // Counts one prompt and keeps it if it is the best so far.
  const auto probe = [&](std::size_t bytes) -> std::int64_t {
    const Result<std::string> prompt = build(bytes);
    if (!prompt.ok()) {
      failure = FitFailure{FitFault::kBuilder, 0, prompt.error()};
      return 0;
    }
    const std::optional<std::int64_t> tokens = count(*prompt);
    if (!tokens || *tokens <= 0) {
      failure = FitFailure{};
      return 0;
    }
    const auto off = [target](std::int64_t n) { return n > target ? n - target : target - n; };
    if (*tokens <= budget.cap && (!found || off(*tokens) < off(out.tokens))) {
      found = true;
      out.filler_bytes = bytes;
      out.tokens = *tokens;
      out.capped = budget.nominal + tolerance > budget.cap;
    }
    return *tokens;
  };
  const auto done = [&] {
    const std::int64_t off = out.tokens > target ? out.tokens - target : target - out.tokens;
    return failure.has_value() || (found && off <= tolerance);
  };

  const std::int64_t bare = probe(0);
  if (failure) return failure;
  if (bare > target) return FitFailure{FitFault::kTooLong, bare, {}};

  std::size_t low = 0;
  auto high = static_cast<std::size_t>(target * kReservoirBytesPerToken);
  std::int64_t full = probe(high);
  // Tokens of more than four bytes each.
  for (int i = 0; i < kMostDoublings && !failure && full < target - tolerance; ++i) {
    low = high;
    high *= 2;
    full = probe(high);
  }
  if (done() || full < target) return failure;

  std::size_t middle = low;
  if (full > bare) {
    middle =
        static_cast<std::size_t>(static_cast<std::int64_t>(high) * (target - bare) / (full - bare));
  }
  for (int step = 0; step < kMostSteps && low + 1 < high; ++step) {
    middle = std::clamp(middle, low + 1, high - 1);
    const std::int64_t tokens = probe(middle);
    if (done()) return failure;
    if (tokens < target) {
      low = middle;
    } else {
      high = middle;
    }
    middle = low + (high - low) / 2;
  }
  return failure;
}

}  // namespace bi_test::spark
