#pragma once

#include <filesystem>

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

}  // namespace bi_test::run
