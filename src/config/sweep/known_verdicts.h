#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bi_test/known_verdicts.h"
#include "bi_test/result.h"

namespace bi_test::config {

/// Reads a known-verdicts file (docs/known-verdicts.md): YAML, at most 1 MiB. Every mistake is
/// reported at once, as `file:line: key: found ..., allowed: ...`.
[[nodiscard]] Result<KnownVerdicts> LoadKnownVerdicts(const std::filesystem::path& file);

/// The file's text: one entry per cell, sorted by cell, keys in a fixed order, so that a change of
/// one verdict is a change of one entry. Reads back as what was given, sorted.
[[nodiscard]] std::string KnownVerdictsText(const KnownVerdicts& known);

/// `RED (co_batching)`, `GREEN`.
[[nodiscard]] std::string VerdictWithClass(Verdict verdict, std::string_view divergence_class);

}  // namespace bi_test::config
