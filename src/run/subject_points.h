#pragma once

#include <string>
#include <vector>

#include "bi_test/cert.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"

namespace bi_test::run {

/// One line for each part of the set-up in which a cert differs from a cell of a sweep file:
/// program and model file by digest, dialect, flags, names of environment variables but
/// for the choice of a device (provenance.h). Reads both files whole. Errors: one of them cannot be
/// read.
[[nodiscard]] Result<std::vector<std::string>> SubjectPoints(const Cert& cert, const Sweep& sweep,
                                                             const SweepCell& cell);

/// The same for the program alone, where it still lies where the cert says; nothing when it does
/// not.
[[nodiscard]] std::vector<std::string> BinaryPoints(const Cert& cert);

}  // namespace bi_test::run
