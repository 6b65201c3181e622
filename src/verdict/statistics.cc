#include "bi_test/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bi_test {
namespace {

/// ln(n!) - [n ln n - n + ln(2 pi n) / 2], the error of Stirling's formula. Small arguments by the
/// exact factorial, the rest by the asymptotic series, whose first term left out is below 1e-19
/// there.
[[nodiscard]] long double StirlingError(long double n) {
  constexpr long double kLnSqrt2Pi = 0.918938533204672741780329736405617640L;
  if (n < 16.0L) {
    return std::lgamma(n + 1.0L) - (n + 0.5L) * std::log(n) + n - kLnSqrt2Pi;
  }
  const long double s = n * n;
  return (1.0L / 12 -
          (1.0L / 360 -
           (1.0L / 1260 -
            (1.0L / 1680 - (1.0L / 1188 - (691.0L / 360360 - 1.0L / 156 / s) / s) / s) / s) /
               s) /
              s) /
         n;
}

/// x ln(x / m) + m - x without the cancellation near x = m.
[[nodiscard]] long double Deviance(long double x, long double m) {
  const long double d = x - m;
  if (std::fabs(d) < 0.1L * (x + m)) {
    const long double v = d / (x + m);
    long double sum = d * v;
    long double term = 2.0L * x * v;
    for (int j = 1; j < 1000; ++j) {
      term *= v * v;
      const long double next = sum + term / (2 * j + 1);
      if (next == sum) break;
      sum = next;
    }
    return sum;
  }
  return x * std::log(x / m) + m - x;
}

/// P(X = k) for X binomial(n, p), 0 < p < 1, by the saddle point form (Loader, 2000): the plain
/// form loses eight digits in the factorials of large n.
[[nodiscard]] long double BinomialTerm(long double k, long double n, long double p) {
  const long double q = 1.0L - p;
  if (k == 0.0L) return std::exp(n * std::log1p(-p));
  if (k == n) return std::exp(n * std::log(p));
  const long double exponent = StirlingError(n) - StirlingError(k) - StirlingError(n - k) -
                               Deviance(k, n * p) - Deviance(n - k, n * q);
  return std::exp(exponent) * std::sqrt(n / (2.0L * std::numbers::pi_v<long double> * k * (n - k)));
}

/// P(X <= k), 0 <= k < n. Sums away from the mean, where terms fall; above the mean the other tail
/// is summed.
[[nodiscard]] long double LowerTail(std::int64_t k, std::int64_t n, long double p);

/// P(X >= k), 0 < k <= n.
[[nodiscard]] long double UpperTail(std::int64_t k, std::int64_t n, long double p) {
  const auto size = static_cast<long double>(n);
  if (static_cast<long double>(k) < size * p) return 1.0L - LowerTail(k - 1, n, p);
  long double term = BinomialTerm(static_cast<long double>(k), size, p);
  long double sum = term;
  const long double odds = p / (1.0L - p);
  for (auto i = static_cast<long double>(k); i < size; i += 1.0L) {
    term *= odds * (size - i) / (i + 1.0L);
    const long double next = sum + term;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

long double LowerTail(std::int64_t k, std::int64_t n, long double p) {
  const auto size = static_cast<long double>(n);
  if (static_cast<long double>(k) > size * p) return 1.0L - UpperTail(k + 1, n, p);
  long double term = BinomialTerm(static_cast<long double>(k), size, p);
  long double sum = term;
  const long double odds = (1.0L - p) / p;
  for (auto i = static_cast<long double>(k); i > 0.0L; i -= 1.0L) {
    term *= odds * i / (size - i + 1.0L);
    const long double next = sum + term;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

/// The p in (0, 1) at which a monotonic `excess` changes from negative to positive.
template <typename Excess>
[[nodiscard]] double Bisect(Excess excess) {
  long double low = 0.0L;
  long double high = 1.0L;
  // From 1 down to the smallest rates that matter at 64 digits of mantissa.
  for (int i = 0; i < 160; ++i) {
    const long double middle = 0.5L * (low + high);
    if (middle <= low || middle >= high) break;
    (excess(middle) < 0.0L ? low : high) = middle;
  }
  return static_cast<double>(0.5L * (low + high));
}

[[nodiscard]] bool Sensible(std::int64_t k, std::int64_t n) { return n >= 1 && k >= 0 && k <= n; }

[[nodiscard]] bool Proper(double level) { return level > 0.0 && level < 1.0; }

/// The p with P(X <= k) = tail.
[[nodiscard]] double UpperBound(std::int64_t k, std::int64_t n, long double tail) {
  if (k == n) return 1.0;
  if (k == 0) {
    return static_cast<double>(-std::expm1(std::log(tail) / static_cast<long double>(n)));
  }
  return Bisect([=](long double p) { return tail - LowerTail(k, n, p); });
}

/// The p with P(X >= k) = tail.
[[nodiscard]] double LowerBound(std::int64_t k, std::int64_t n, long double tail) {
  if (k == 0) return 0.0;
  if (k == n) return static_cast<double>(std::exp(std::log(tail) / static_cast<long double>(n)));
  return Bisect([=](long double p) { return UpperTail(k, n, p) - tail; });
}

}  // namespace

std::optional<double> RuleOfThree(std::int64_t n) {
  if (n < 1) return std::nullopt;
  return std::min(1.0, 3.0 / static_cast<double>(n));
}

std::optional<double> ClopperPearsonUpper(std::int64_t k, std::int64_t n, double confidence) {
  if (!Sensible(k, n) || !Proper(confidence)) return std::nullopt;
  return UpperBound(k, n, 1.0L - static_cast<long double>(confidence));
}

std::optional<RateInterval> ClopperPearsonInterval(std::int64_t k, std::int64_t n,
                                                   double confidence) {
  if (!Sensible(k, n) || !Proper(confidence)) return std::nullopt;
  const long double tail = (1.0L - static_cast<long double>(confidence)) / 2.0L;
  return RateInterval{LowerBound(k, n, tail), UpperBound(k, n, tail)};
}

std::optional<RateInterval> WilsonInterval(std::int64_t k, std::int64_t n) {
  if (!Sensible(k, n)) return std::nullopt;
  constexpr double kZ = 1.959963984540054;  // standard normal quantile of 0.975
  const auto size = static_cast<double>(n);
  const double rate = static_cast<double>(k) / size;
  const double z2 = kZ * kZ;
  const double scale = 1.0 + z2 / size;
  const double center = (rate + z2 / (2.0 * size)) / scale;
  const double half = kZ * std::sqrt(rate * (1.0 - rate) / size + z2 / (4.0 * size * size)) / scale;
  return RateInterval{k == 0 ? 0.0 : std::max(0.0, center - half),
                      k == n ? 1.0 : std::min(1.0, center + half)};
}

std::optional<double> PlannedPower(double rate, std::int64_t n) {
  if (n < 0 || !(rate >= 0.0 && rate <= 1.0)) return std::nullopt;
  if (n == 0) return 0.0;
  return -std::expm1(static_cast<double>(n) * std::log1p(-rate));
}

std::optional<std::int64_t> ComparisonsForPower(double rate, double power) {
  if (!Proper(rate) || !Proper(power)) return std::nullopt;
  const double exact = std::log1p(-power) / std::log1p(-rate);
  if (!(exact < 9e18)) return std::nullopt;
  auto n = static_cast<std::int64_t>(std::ceil(exact));
  // The quotient may land on either side of an integer.
  while (n > 1 && *PlannedPower(rate, n - 1) >= power) --n;
  while (*PlannedPower(rate, n) < power) ++n;
  return n;
}

}  // namespace bi_test
