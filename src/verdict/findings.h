#pragma once

#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "verdict/pass_union.h"
#include "verdict/request_checks.h"
#include "verdict/row_compare.h"

namespace bi_test {

/// What the steps of one judging have found; each step reads what earlier ones left.
struct Findings {
  explicit Findings(const Policy& policy) : comparer(policy) {}

  RowComparer comparer;
  PassUnion passes;
  RequestChecks requests;
  bool failed_alike = false;  ///< An id failed in A and C, and in the same way.
  /// All but the verdict and its reasons.
  Judgement judgement;
};

}  // namespace bi_test
