#pragma once

#include <gmock/gmock-matchers.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/cell_run.h"
#include "bi_test/cert.h"
#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/verdict.h"

/// Matchers over what a cell gave. All are pure and thread safe, look at a judgement that was made
/// before and decide nothing themselves; what was not measured never matches. Each accepts a
/// `CellRun`, a `Judgement` or a `Cert` (a cert whose key is missing or of the wrong type does not
/// match and says which key), but IsPromotable, which needs a `CellRun` or a `Cert`.
namespace bi_test {

/// A matcher for CellRun, Judgement and Cert. Made by the functions below.
class CellMatcher {
 public:
  using is_gtest_matcher = void;
  class Impl;

  explicit CellMatcher(std::shared_ptr<const Impl> impl);

  bool MatchAndExplain(const Judgement& judgement, testing::MatchResultListener* listener) const;
  bool MatchAndExplain(const CellRun& run, testing::MatchResultListener* listener) const;
  bool MatchAndExplain(const Cert& cert, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* os) const;
  void DescribeNegationTo(std::ostream* os) const;

 private:
  std::shared_ptr<const Impl> impl_;
};

/// A matcher for CellRun and Cert. Made by IsPromotable.
class PromotionMatcher {
 public:
  using is_gtest_matcher = void;

  explicit PromotionMatcher(Policy policy);

  bool MatchAndExplain(const CellRun& run, testing::MatchResultListener* listener) const;
  bool MatchAndExplain(const Cert& cert, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* os) const;
  void DescribeNegationTo(std::ostream* os) const;

 private:
  Policy policy_;
};

/// The verdict is GREEN: no difference was seen and the evidence suffices.
///
///     EXPECT_THAT(Run(), IsBatchInvariant());
[[nodiscard]] CellMatcher IsBatchInvariant();

/// Every compared id has the same whole output (tokens, text, reasoning, tool calls, finish reason)
/// in all arms and passes, and every id was compared. Says nothing about how much was in flight.
///
///     EXPECT_THAT(Run(), AllOf(IsTokenIdentical(), HasOverlapDepth(Ge(2))));
[[nodiscard]] CellMatcher IsTokenIdentical();

/// IsTokenIdentical, and every compared id has log-probabilities in arms A and C that agree to the
/// last bit. Sentinels such as -9999 are left out, and counted in the explanation.
///
///     EXPECT_THAT(Run(), IsLogprobIdentical());
[[nodiscard]] CellMatcher IsLogprobIdentical();

/// Serving one at a time gave the same outputs twice (A against A2, and A3 where it was run).
///
///     ASSERT_THAT(Run(), IsRepeatable());
[[nodiscard]] CellMatcher IsRepeatable();

/// Arms A and C both finished as many requests as the completion floor asks for.
///
///     ASSERT_THAT(Run(), MeetsCompletionFloor());
[[nodiscard]] CellMatcher MeetsCompletionFloor();

/// The verdict matches.
///
///     EXPECT_THAT(Run(), HasVerdict(AnyOf(Verdict::kGreen, Verdict::kAmber)));
[[nodiscard]] CellMatcher HasVerdict(const testing::Matcher<Verdict>& verdict);

/// Requests in service at once that client and server both show: the smaller of the client's depth
/// and the server's busy slots, in the best pass.
///
///     EXPECT_THAT(Run(), HasOverlapDepth(Ge(4)));
[[nodiscard]] CellMatcher HasOverlapDepth(const testing::Matcher<int>& depth);

/// Mean busy slots per decode call in the worst pass, from the server's counters. Does not match
/// where no pass had counters.
///
///     EXPECT_THAT(Run(), HasMeanWidth(Ge(3.5)));
[[nodiscard]] CellMatcher HasMeanWidth(const testing::Matcher<double>& width);

/// Share of ids that were in service beside another one, in the worst pass, 0 to 1.
///
///     EXPECT_THAT(Run(), HasCoBatchCoverage(Ge(0.9)));
[[nodiscard]] CellMatcher HasCoBatchCoverage(const testing::Matcher<double>& fraction);

/// The class of the divergence matches (docs/certs.md). A judgement without one does not match.
///
///     EXPECT_THAT(Run(), Not(HasDivergenceClass("leak")));
[[nodiscard]] CellMatcher HasDivergenceClass(const testing::Matcher<const std::string&>& name);

/// Sorted ids that differ between A and any pass of C. Does not match where nothing was compared.
///
///     EXPECT_THAT(Run(), HasDivergentIds(IsEmpty()));
[[nodiscard]] CellMatcher HasDivergentIds(
    const testing::Matcher<const std::vector<std::string>&>& ids);

/// Upper bound of the divergence rate at 95 % confidence (rule of three), 0 to 1; exists only where
/// nothing diverged and the evidence suffices.
///
///     EXPECT_THAT(Run(), HasRateUpperBound(Le(0.1)));
[[nodiscard]] CellMatcher HasRateUpperBound(const testing::Matcher<double>& bound);

/// Every point of the promotion rule is met for the cell of the run, or for the cell that the cert
/// itself names. The explanation lists each unmet point.
///
///     EXPECT_THAT(Run(), IsPromotable());
[[nodiscard]] PromotionMatcher IsPromotable(const Policy& policy = {});

}  // namespace bi_test
