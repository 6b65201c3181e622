#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bi_test/verdict.h"
#include "cert/cell_facts.h"

namespace bi_test::matchers_internal {

/// A value, or why there is none (a clause such as `was not measured`, to follow the noun).
template <typename T>
struct Fact {
  std::optional<T> value;
  std::string why_absent = "was not measured";

  Fact() = default;
  Fact(T known) : value(std::move(known)) {}                 // NOLINT
  Fact(std::optional<T> known) : value(std::move(known)) {}  // NOLINT
  static Fact Absent(std::string why) {
    Fact fact;
    fact.why_absent = std::move(why);
    return fact;
  }
};

/// How two arms compare.
struct PairFact {
  std::string name;  ///< `AC`, `AB`, ...
  std::int64_t n_compared = 0;
  std::int64_t n_divergent = 0;
  std::int64_t n_output_differs = 0;
  std::int64_t n_with_logprobs = 0;
  std::int64_t n_logprob_differs = 0;
  std::int64_t n_logprob_missing = 0;
  std::int64_t n_sentinels = 0;
};

/// What the matchers look at. Of a cert, what is missing or of a wrong type makes its fact absent.
struct Facts {
  Fact<Verdict> verdict;
  std::string broke_off;  ///< Why there is no verdict; empty otherwise.
  std::vector<std::string> reason_codes;
  Fact<std::string> divergence_class = Fact<std::string>::Absent("is absent");

  Fact<PairFact> ac, aa2, aa3;
  std::vector<PairFact> controls;  ///< AB, BC, and B2 where it was run.
  Fact<std::int64_t> n_uncertified, n_request_mismatch;
  Fact<std::vector<std::string>> divergent_ids;
  /// Where the outputs part, and both texts, for people; empty when that is not known.
  std::string first_difference, first_difference_in_a;

  Fact<int> overlap_depth;    ///< Requests in service at once that both sides show.
  std::string overlap_sides;  ///< The same numbers for people: `client 8, server 1`.
  Fact<double> mean_width;
  Fact<double> coverage;
  Fact<bool> floor_ok;
  std::string floor_counts;
  Fact<double> rate_upper_bound;
  std::int64_t n_passes = 0;
  std::int64_t n_passes_effective = 0;
};

/// A run that broke off is UNVERIFIED whatever its judgement holds.
[[nodiscard]] Facts FactsOf(const CellFacts& cell);

}  // namespace bi_test::matchers_internal
