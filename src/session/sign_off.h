#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/sweep.h"

namespace bi_test::session {

/// The sign-offs of one cell. Pointers into the list that was asked; null when there is none.
struct SignOffLookup {
  const SignOff* valid = nullptr;
  const SignOff* expired =
      nullptr;  ///< The one that expired last; only looked at without a valid one.
};

/// Looks for sign-offs that name this cell by test name or as `model/ctx/N`. `today` is a UTC date,
/// `YYYY-MM-DD`; a sign-off still holds on the day it names.
[[nodiscard]] SignOffLookup FindSignOff(const std::vector<SignOff>& sign_offs,
                                        const SweepCell& cell, std::string_view today);

/// `signed off by NAME until DATE: REASON`.
[[nodiscard]] std::string DescribeSignOff(const SignOff& sign_off);

}  // namespace bi_test::session
