#pragma once

#include <utility>

// Early return of errors. For .cc files of this project only: no public header includes this.

/// Returns the error of a Status or Result that is none of our own to handle.
#define BI_TRY(expression)                                                 \
  do {                                                                     \
    if (const auto& bi_try_outcome = (expression); !bi_try_outcome.ok()) { \
      return bi_try_outcome.error();                                       \
    }                                                                      \
  } while (false)

/// `BI_TRY_SET(auto text, ReadFile(file));`: the value of a Result, or return of its error.
/// `declaration` may also be the name of a variable.
#define BI_TRY_SET(declaration, expression) \
  BI_TRY_SET_AS(BI_TRY_JOIN(bi_try_result_, __LINE__), declaration, expression)

#define BI_TRY_JOIN(x, y) BI_TRY_JOIN_NOW(x, y)
#define BI_TRY_JOIN_NOW(x, y) x##y
#define BI_TRY_SET_AS(result, declaration, expression) \
  auto result = (expression);                          \
  if (!result.ok()) return result.error();             \
  declaration = std::move(*result)
