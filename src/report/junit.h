#pragma once

#include <cstdint>
#include <string>

#include "report/sweep_result.h"

namespace bi_test::report {

enum class JunitFlavour : std::uint8_t {
  kFull,    ///< Properties, file and line, attachments per test case.
  kStrict,  ///< For the published schemas: none of these on a test case, times with 3 decimals.
};

/// A whole JUnit file. One suite per (model, ctx), one test case per N; (classname, name) is
/// unique; the counts add up; cells not reached are errors. Well-formed whatever the texts hold.
///
/// Attachments (cert, trace, logs) are `[[ATTACHMENT|path]]` lines in system-out: of the test case,
/// or of the suite in the strict flavour. Only absolute paths become attachments.
[[nodiscard]] std::string JunitXml(const SweepResult& sweep, JunitFlavour flavour);

}  // namespace bi_test::report
