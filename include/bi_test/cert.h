#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/json.h"
#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/record.h"

namespace bi_test {

/// A cert: one JSON object (schema version 2). Kept as the document itself, because readers must
/// see exactly what was written, wrong types included.
struct Cert {
  Json document;
  friend bool operator==(const Cert&, const Cert&) = default;
};

/// What only the writer of a cert knows; everything else comes from record and judgement.
struct CertStamp {
  std::string ts_utc;        ///< `YYYY-MM-DDTHH:MM:SSZ`.
  std::string trace_sha256;  ///< Hex digest of the trace file, empty when there is none.
};

// All functions here are pure, total and thread safe: a cert with keys that are missing or of the
// wrong type has unmet points, differences and an explanation like any other.

/// The cert of a judged record, digest included. `policy` has to be the one it was judged by.
[[nodiscard]] Cert BuildCert(const Record& record, const Judgement& judgement, const Policy& policy,
                             const CertStamp& stamp);

/// Byte-exact file content.
[[nodiscard]] std::string CertText(const Cert& cert);

/// SHA-256 hex of the canonical text of the cert without its `cert_digest`.
[[nodiscard]] std::string CertDigest(const Cert& cert);

/// Every point that keeps this cert from promoting exactly `cell`, one line each, each starting
/// with a code such as `SAMPLE_TOO_SMALL:`. Empty means promotable. `now_utc`
/// (`YYYY-MM-DDTHH:MM:SSZ`) is compared with the cert's `expires_utc`; empty, for a cert that was
/// written a moment ago, asks only that there is one. Whether the cert is what its trace says is
/// another question: `CheckCertAgainst`.
///
///     for (const std::string& point : bi_test::UnmetPromotionPoints(cert, cell, {}, now)) {
///       std::cerr << point << "\n";
///     }
[[nodiscard]] std::vector<std::string> UnmetPromotionPoints(const Cert& cert, const Cell& cell,
                                                            const Policy& policy = {},
                                                            std::string_view now_utc = {});

/// Every difference between a stored cert and the one recomputed from its trace, one line each,
/// naming the key and both values. The time of writing is not compared; a stored digest that does
/// not fit the stored cert is a difference. Empty means the stored cert is what the evidence says.
[[nodiscard]] std::vector<std::string> CheckCertAgainst(const Cert& stored, const Cert& recomputed);

/// One screen for a person: verdict and why, the evidence, where the outputs part, what the cert
/// does not license and what to do next. Safe for terminals whatever the cert holds; ends in a
/// newline.
[[nodiscard]] std::string ExplainCert(const Cert& cert);

/// One line: cell, verdict, reason codes.
std::ostream& operator<<(std::ostream& out, const Cert& cert);

}  // namespace bi_test
