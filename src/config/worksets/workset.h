#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/scorer.h"
#include "bi_test/sweep.h"

namespace bi_test::config {

/// Most rows of one work-set.
inline constexpr std::size_t kMostRows = 100'000;

/// One mistake in a row of a work-set.
struct RowProblem {
  std::size_t row = 0;  ///< From 0.
  std::string key;      ///< Empty: the row as a whole.
  std::string text;     ///< `found ..., allowed: ...`.
};

/// Rows from their JSON form: each an object, or a text that is the prompt. One of the keys `item`
/// (or `prompt_text`, or `prompt`; the first that is not null), `messages` and `completion`, then
/// `expected_answer`, `family`, `fill` (or `fill_ratio`), `system`, `sampling`, and any key that
/// begins with `x_`, which is ignored. Every mistake is added to `problems`; rows with one are left
/// out.
[[nodiscard]] std::vector<WorksetRow> ReadRows(const Json::Array& rows,
                                               std::vector<RowProblem>& problems);

/// A work-set of these rows, with its digest: SHA-256 of the compact JSON of the rows in canonical
/// form, so that JSON, YAML and inline spellings of the same rows have one digest.
[[nodiscard]] Workset MakeWorkset(std::vector<WorksetRow> rows, std::string name);

/// Reads a work-set file: YAML when its name ends in .yaml or .yml, else JSON. At most 64 MiB and
/// 100 000 rows. Every mistake is in the message, one per line, as `{file}: row {index}: {key}:
/// found ..., allowed: ...`.
[[nodiscard]] Result<Workset> LoadWorkset(const std::filesystem::path& file);

/// Rows that `scorer` can only give 0: no expected answer although it needs one. In them only
/// tokens and text can differ.
[[nodiscard]] std::size_t UnscorableRows(const Workset& workset, const Scorer& scorer);

}  // namespace bi_test::config
