#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/cell_run.h"
#include "cert/throughput.h"

namespace bi_test {

/// What a document is that should be a cert.
enum class CertKind : std::uint8_t {
  kPresent,  ///< Of the schema version that this program writes; a run of ours, too.
  kOther,    ///< Of another schema version: what is read of it may be incomplete.
  kOlder,    ///< Of the kind that came before schema versions.
  kNone,     ///< No cert: neither a schema version nor a status.
};

/// A key of a cert that holds no value of its type.
struct Lack {
  std::string why;    ///< A clause to follow a noun: `is not on the cert: key `ctx` is missing`.
  std::string shown;  ///< What stands there instead; `?` for nothing and null.
};

/// How two arms compare, counts in full even where the cert cuts the lists.
struct PairFacts {
  std::int64_t n_compared = 0;
  std::int64_t n_divergent = 0;
  std::int64_t n_token_only = 0;
  /// Ids whose whole output differs or cannot be shown to be the same.
  std::int64_t n_output_differs = 0;
};

/// What was tested and by which run, in single values; empty where not told.
struct SetUp {
  std::string server_kind, server_binary, server_build, binary_sha256;
  std::string model_path, model_sha256;
  std::string workset_profile, workset_items, max_tokens, scorer;
  std::string run_id, started_utc, finished_utc, tool_version;
  std::string width_hint;  ///< What makes the server show its width.
};

/// An earlier finished run of the cell; empty where not told.
struct EarlierRun {
  std::string ts_utc, status;
  std::optional<std::int64_t> n_divergent;
};

struct CellFiles {
  std::string cert, refusal, trace;
  std::vector<std::string> server_logs;
};

/// What is known of one cell: from the run itself, or read back from its cert or refusal file.
/// Every view is made from this value, whichever it came from.
struct CellFacts {
  Cell cell;
  std::optional<Error> error;  ///< Why there is no verdict.
  std::string source;          ///< `live` or `mock`.
  /// As far as it is known; its lists may be cut, see `left_out`. What a cert lacks stays as if it
  /// had not been measured, see `lacks`.
  Judgement judgement;
  PairFacts ac, ab, bc, aa2;
  std::optional<PairFacts> aa3, bb2;
  Throughput throughput;
  SetUp set_up;
  Json server;          ///< As it stands on the cert, to be compared with a set-up of today.
  double wall_s = 0.0;  ///< Whole cell; in whole seconds where only the cert is known.

  /// Three over the hot trials, repeated prompts included; what certs of the older kind have.
  std::optional<double> hot_rate_bound;
  bool has_statistics = true;

  std::int64_t n_earlier = 0;
  std::vector<EarlierRun> earlier;
  std::size_t n_earlier_reds = 0;  ///< ... that forbid promotion.
  Json subject;                    ///< Digest of the set-up; null when not told.

  CertKind kind = CertKind::kPresent;
  std::string schema_version;                    ///< As it stands there.
  std::vector<std::string_view> absent_keys;     ///< Of a cert of the older kind.
  std::string cert_digest, trace_sha256;         ///< Empty when the cert names none.
  std::string ts_utc, expires_utc;               ///< Empty when not known.
  std::map<std::string, std::int64_t> left_out;  ///< Path of a list -> entries not on the cert.
  /// By path: `overlap.server_peak_busy_slots`, `divergences.0.arm`.
  std::map<std::string, Lack, std::less<>> lacks;
  CellFiles files;

  /// Null when the value of that path is known.
  [[nodiscard]] const Lack* LackOf(std::string_view path) const;
  /// Entries of a list before the cert cut it.
  [[nodiscard]] std::int64_t Total(const std::string& path, std::size_t listed) const;
};

[[nodiscard]] PairFacts PairFactsOf(const PairReport& report);

}  // namespace bi_test
