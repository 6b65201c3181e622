#pragma once

#include <optional>
#include <string>

#include "bi_test/cert.h"
#include "cert/cell_facts.h"

namespace bi_test {

/// The one reader of certs. Total: any document gives a value, and what it lacks is named in
/// `lacks`.
[[nodiscard]] CellFacts ReadCert(const Json& document);

/// Of the file that a run writes when it is refused or breaks off: the error is its text.
[[nodiscard]] CellFacts ReadRefusal(const Json& document);

/// The cell a cert or a refusal file (the latter has it under `cell`) is about; nullopt when the
/// document does not name one that can be.
[[nodiscard]] std::optional<Cell> CellOfDocument(const Json& document);

/// Why the cert may not be believed: its digest does not fit, there is none, or verdict and status
/// contradict each other. Empty when none of that holds.
[[nodiscard]] std::string DamageOf(const Cert& cert);

/// Set-up and history, from the header of a trace or from the cert it was copied to.
void ReadHeader(const Json& header, CellFacts& facts);

}  // namespace bi_test
