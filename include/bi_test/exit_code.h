#pragma once

namespace bi_test {

/// Exit codes of all programs: `bi-test` and every test program that ends with `RunAllTests`. After
/// a signal n it is 128 + n.
///
/// Of several the first in this order counts: a signal, 2, 1, 3, 4, 77, 0. So a sweep in which one
/// cell is RED and another came to no verdict ends with 1: what is known of it is not the whole
/// answer.
enum ExitCode : int {
  kExitOk = 0,           ///< Done, and the answer is yes: all passed, promotable, equal, fits.
  kExitError = 1,        ///< It could not be done: unreadable, refused, broken off, not written.
  kExitUsage = 2,        ///< A wrong command line or sweep file; nothing was done.
  kExitNo = 3,           ///< Done, and the answer is no: not green, not promotable, differs.
  kExitNothingToDo = 4,  ///< The filters select nothing.
  kExitAllSkipped = 77,  ///< Every selected test was skipped; ctest's SKIP_RETURN_CODE.
};

}  // namespace bi_test
