#pragma once

#include <filesystem>
#include <string>

#include "bi_test/cell.h"
#include "bi_test/cert.h"
#include "bi_test/result.h"
#include "run/attempts.h"

namespace bi_test::run {

/// Where the files of one run of one cell lie. All inside the out dir; names made from the cell
/// alone.
struct CellFiles {
  std::filesystem::path dir;
  std::filesystem::path cert;        ///< `<stem>.json`
  std::filesystem::path trace;       ///< `<stem>.trace.jsonl`
  std::filesystem::path pool_trace;  ///< `<stem>.pool.trace.jsonl`, of `builtin: fragile`
  std::filesystem::path refusal;     ///< `refusal-<run_id>.json`
  std::filesystem::path attempts;    ///< `<stem>.attempts.jsonl`
  std::string stem;
  std::string run_id;

  /// `<stem>.server-<run_id>-<role>.log`
  [[nodiscard]] std::filesystem::path ServerLog(const std::string& role) const;
};

/// Makes the out dir, names the files and removes temporary files over an hour old.
[[nodiscard]] Result<CellFiles> NameCellFiles(const std::filesystem::path& out_dir,
                                              const Cell& cell, const std::string& run_id);

/// Moves cert and trace of an earlier run to `<name>.prev`, so that only a finished run creates the
/// names again. The earlier cert is in the history afterwards; a RED one is also kept for good,
/// with its trace, as `attempts/<stem>__<run_id>.json`.
[[nodiscard]] Status SetEarlierRunAside(const CellFiles& files, AttemptLedger& ledger);

/// Writes the refusal file: why no verdict came about.
[[nodiscard]] Status WriteRefusal(const CellFiles& files, const Cell& cell, const Error& error,
                                  const std::string& ts_utc);

}  // namespace bi_test::run
