#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/cert.h"
#include "bi_test/result.h"

namespace bi_test::run {

/// Judges the trace again, under the policy in its header, and names every difference between the
/// cert that gives and `cert`, one line each. Empty: the cert says exactly what its trace says.
[[nodiscard]] Result<std::vector<std::string>> DifferencesFromTrace(
    const Cert& cert, const std::filesystem::path& trace);

/// True for a cert of the older kind (no `schema_version`) when there is no such trace: those came
/// without one, so that nothing is lost or misplaced.
[[nodiscard]] bool HasNoTrace(const Cert& cert, const std::filesystem::path& trace);

}  // namespace bi_test::run
