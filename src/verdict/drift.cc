#include "verdict/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/equality.h"

namespace bi_test {
namespace {

constexpr std::array kScalars = {&Trial::logit_sum, &Trial::logprob_sum, &Trial::mean_logprob,
                                 &Trial::logit_mean};

/// What servers write for "minus infinity".
constexpr double kSentinel = -9999.0;

[[nodiscard]] std::optional<double> FiniteNumber(const Json& value) {
  if (const double* real = value.if_double()) {
    return std::isfinite(*real) ? std::optional(*real) : std::nullopt;
  }
  if (const std::int64_t* integer = value.if_int64()) return static_cast<double>(*integer);
  if (const std::uint64_t* natural = value.if_uint64()) return static_cast<double>(*natural);
  return std::nullopt;
}

/// The difference of the first scalar that both rows hold.
[[nodiscard]] std::optional<double> ScalarDelta(const Trial& x, const Trial& y) {
  for (const auto scalar : kScalars) {
    const std::optional<double> a = FiniteNumber(x.*scalar);
    const std::optional<double> b = FiniteNumber(y.*scalar);
    if (a && b) return std::fabs(*a - *b);
  }
  return std::nullopt;
}

[[nodiscard]] bool IsSentinel(double value) { return !std::isfinite(value) || value <= kSentinel; }

/// Whether both sides say the same throughout.
[[nodiscard]] bool SameTokens(const Trial& x, const Trial& y) {
  return x.token_ids && y.token_ids ? *x.token_ids == *y.token_ids
                                    : EqualValues(x.content, y.content);
}

/// Positions at which both sides chose the same token after the same prefix; from the first
/// differing token on, the numbers belong to different texts.
[[nodiscard]] std::size_t CommonTokens(const Trial& x, const Trial& y) {
  const std::size_t limit = std::min(x.logprobs->size(), y.logprobs->size());
  if (SameTokens(x, y)) return limit;  // A server may give fewer ids than numbers.
  if (!x.token_ids || !y.token_ids) return 0;
  const std::size_t n = std::min({limit, x.token_ids->size(), y.token_ids->size()});
  return static_cast<std::size_t>(
      std::mismatch(x.token_ids->begin(), x.token_ids->begin() + static_cast<std::ptrdiff_t>(n),
                    y.token_ids->begin())
          .first -
      x.token_ids->begin());
}

struct TokenDrift {
  bool differs = false;
  double max_delta = 0.0;  ///< Of what has a size.
  bool without_size = false;
  std::int64_t n_sentinels = 0;
  std::int64_t n_compared = 0;
};

[[nodiscard]] TokenDrift CompareTokens(const Trial& x, const Trial& y) {
  TokenDrift out;
  const std::size_t n = CommonTokens(x, y);
  // Numbers that one side lacks for tokens that both chose.
  out.without_size = x.logprobs->size() != y.logprobs->size() && SameTokens(x, y);
  for (std::size_t i = 0; i < n; ++i) {
    const double a = (*x.logprobs)[i];
    const double b = (*y.logprobs)[i];
    if (IsSentinel(a) || IsSentinel(b)) {
      ++out.n_sentinels;
      out.without_size = out.without_size || IsSentinel(a) != IsSentinel(b);
      continue;
    }
    ++out.n_compared;
    out.max_delta = std::max(out.max_delta, std::fabs(a - b));
  }
  // A token that is all but certain has the logarithm 0 whatever the others do; the next best one
  // has not.
  if (x.margins && y.margins) {
    const std::size_t leads = std::min({n, x.margins->size(), y.margins->size()});
    for (std::size_t i = 0; i < leads; ++i) {
      const double a = (*x.logprobs)[i];
      const double b = (*y.logprobs)[i];
      if (IsSentinel(a) || IsSentinel(b)) continue;
      const double delta = std::fabs((a - (*x.margins)[i]) - (b - (*y.margins)[i]));
      if (std::isfinite(delta)) out.max_delta = std::max(out.max_delta, delta);
    }
  }
  out.differs = out.without_size || out.max_delta > 0.0;
  return out;
}

[[nodiscard]] double SizeOf(bool one_sided, const std::optional<double>& scalar,
                            const TokenDrift& tokens) {
  if (one_sided || tokens.without_size) return std::numeric_limits<double>::infinity();
  return std::max(scalar.value_or(0.0), tokens.max_delta);
}

}  // namespace

double DriftBetween(const Trial& x, const Trial& y) {
  const bool one_sided = x.logprobs.has_value() != y.logprobs.has_value();
  const bool tokens =
      x.logprobs && y.logprobs && (*x.logprobs != *y.logprobs || x.margins != y.margins);
  return SizeOf(one_sided, ScalarDelta(x, y), tokens ? CompareTokens(x, y) : TokenDrift{});
}

DriftCollector::DriftCollector(const Policy& policy, bool gate) {
  if (!gate) return;
  report_.eps = policy.logit_drift_eps;
  exact_ = policy.logprobs == LogprobPolicy::kExact;
}

void DriftCollector::Add(std::string_view id, const Trial& x, const Trial& y) {
  const std::optional<double> scalar = ScalarDelta(x, y);
  if (scalar) {
    report_.per_id_delta.emplace(id, *scalar);
    report_.max_logit_delta = std::max(report_.max_logit_delta, *scalar);
  }
  TokenDrift tokens;
  const bool one_sided = x.logprobs.has_value() != y.logprobs.has_value();
  const bool both = x.logprobs && y.logprobs;
  if (one_sided) ++report_.n_ids_missing;
  if (both) {
    ++report_.n_ids_with_logprobs;
    tokens = CompareTokens(x, y);
    report_.n_sentinels += tokens.n_sentinels;
    report_.n_tokens_compared += tokens.n_compared;
    if (tokens.differs) ++report_.n_ids_logprob_differ;
    report_.max_token_delta = std::max(report_.max_token_delta, tokens.max_delta);
  }
  if (!scalar && !both && !one_sided) return;
  // What one side did not give is not known to be near the other.
  const double size = SizeOf(one_sided, scalar, tokens);
  report_.armed = report_.armed || exact_ || report_.eps > 0.0;
  if ((report_.eps > 0.0 && size > report_.eps) || (exact_ && size > 0.0)) {
    report_.logit_drift_ids.emplace_back(id);
  }
}

DriftReport DriftCollector::Take() { return std::move(report_); }

}  // namespace bi_test
