#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/cert.h"
#include "bi_test/result.h"

namespace bi_test::run {

/// Reads a cert: strict JSON, an object, no duplicate keys, at most 16 MiB and 64 levels. Says
/// nothing about what the cert is worth.
[[nodiscard]] Result<Cert> LoadCert(const std::filesystem::path& file);

/// Where the cert of a cell lies in an out dir. Empty for a cell that can have none.
[[nodiscard]] std::filesystem::path CertPath(const std::filesystem::path& dir, const Cell& cell);

/// The trace that belongs to a cert file: `<stem>.trace.jsonl` beside it.
[[nodiscard]] std::filesystem::path TraceOfCert(const std::filesystem::path& cert);

/// Judges the trace again, under the policy in its header, and names every difference between the
/// cert that gives and `cert`, one line each. Empty: the cert says exactly what its trace says.
[[nodiscard]] Result<std::vector<std::string>> DifferencesFromTrace(
    const Cert& cert, const std::filesystem::path& trace);

/// True for a cert of the older kind (no `schema_version`) when there is no such trace: those came
/// without one, so that nothing is lost or misplaced.
[[nodiscard]] bool HasNoTrace(const Cert& cert, const std::filesystem::path& trace);

}  // namespace bi_test::run
