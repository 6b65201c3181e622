#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "bi_test/spark.h"
#include "spark/budget.h"

namespace bi_test::spark {

/// Where the sliding window came from.
enum class WindowSource { kNone, kOption, kProbe };

/// Everything a work-set is made from; the same values give the same bytes.
struct GenerateInput {
  SparkConfig config;
  std::string model;
  int ctx = 0;
  int reps = 1;
  int max_tokens = 1;
  /// The tokenizer of the server. Empty, or once it gives nothing: lengths are estimated, for all
  /// rows.
  TokenCounter count;
  /// What the chat template adds to a prompt, system message included; absent: 64 and the system
  /// message.
  std::optional<std::int64_t> template_tokens;
  std::int64_t probed_window = 0;  ///< As the server says; 0 for none.
};

/// One prompt.
struct Row {
  std::string family;
  int fill_hundredths = 0;
  int rep = 0;
  std::string prompt;
  std::string system;
  Json gold;
  std::uint64_t seed = 0;
  std::int64_t tokens = 0;
  int position_millionths = 0;  ///< Of the first needle, as it was placed.
  bool capped = false;
};

struct Generated {
  /// Families in the order of the profile, in a family the fills ascending, in a fill rep
  /// 0..reps-1.
  std::vector<Row> rows;
  /// What shaped them, for the cert.
  Json stamp;
};

/// The rows of a work-set. Errors: an unknown corner or family; a slot with no room for any prompt;
/// a question that is longer than its fill; every row outside the sliding window.
[[nodiscard]] Result<Generated> Generate(const GenerateInput& input);

}  // namespace bi_test::spark
