#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bi_test/drift_report.h"
#include "bi_test/json.h"

namespace bi_test {

/// One compared field in which one id differs between two arms, x and y. Digests are SHA-256 in
/// hex, of the content and of the whole output (content, reasoning, tool calls, finish reason);
/// empty where there is nothing to digest.
struct FieldDifference {
  std::string test_id;
  std::string field;  ///< `score`, `passed`, `extracted_answer`, ...; `<row>` for a malformed row.
  Json x, y;          ///< Its values, null where not measured.
  std::string x_content_sha, y_content_sha, x_output_sha, y_output_sha;
  bool token_identical = false;  ///< The whole outputs are equal nevertheless.
  friend bool operator==(const FieldDifference&, const FieldDifference&) = default;
};

/// Divergent and total ids of one bucket; 0 <= divergent <= n.
struct BucketCount {
  std::int64_t n = 0;
  std::int64_t divergent = 0;
  friend bool operator==(const BucketCount&, const BucketCount&) = default;
};

/// Bound of `PairReport::per_id`, which holds values and not only ids, so that a record in which
/// all differs stays cheap.
inline constexpr std::size_t kMaxFieldDifferences = 4096;

/// Comparison of two arms, x and y, id by id. All lists of ids are sorted. A plain value; `Judge`
/// fills it, readers may share it between threads.
struct PairReport {
  std::string pair;                         ///< `AC`, `AB`, `BC`, `AA2`, `AA3`, `BB2`.
  std::int64_t n_compared = 0;              ///< Ids that are in both arms.
  std::int64_t n_divergent = 0;             ///< Entries of `divergent_ids`.
  double divergence_rate = 0.0;             ///< `n_divergent` by all ids of either arm, 0 to 1.
  std::vector<std::string> only_x, only_y;  ///< Ids that one arm alone has: they diverge.
  std::vector<std::string> divergent_ids;  ///< Ids that differ in a compared field, or are missing.
  /// Ids that agree in every compared field, but whose whole outputs differ.
  std::vector<std::string> token_divergence_ids;
  /// The first `kMaxFieldDifferences` entries; `n_per_id` counts them all.
  std::vector<FieldDifference> per_id;
  std::int64_t n_per_id = 0;
  /// Of `token_divergence_ids`: those whose text is the same but for where the reasoning stands,
  /// and those that differ in nothing but `finish_reason`.
  std::vector<std::string> framing_ids, finish_reason_ids;
  /// Shared ids for which both sides lack `content`, so that the truncated display form was
  /// compared.
  std::int64_t n_truncated_content = 0;
  std::map<std::string, BucketCount> by_family;  ///< Ids of either arm, by family of the item.
  std::map<std::string, std::int64_t> by_fill;   ///< Divergent ids, by share of the context filled.
  DriftReport logit_drift;
  friend bool operator==(const PairReport&, const PairReport&) = default;
};

}  // namespace bi_test
