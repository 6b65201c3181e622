#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/result.h"

// The component bi_test::spark: there in builds with -DBI_TEST_SPARK=ON (docs/spark.md).
namespace bi_test {

class WorksetMaker;

/// Makes `workset: {profile: spark, ...}` and `scorer: spark` known to this program. Call it once,
/// before sweep files are read (in a test program: before `Init`). An error says that one of the
/// names is taken. The programs of bi_test do it themselves.
///
///     int main(int argc, char** argv) {
///       testing::InitGoogleMock(&argc, argv);
///       if (!bi_test::RegisterSpark().ok()) return 1;
///       bi_test::Init(&argc, argv);
///       return bi_test::RunAllTests();
///     }
[[nodiscard]] Status RegisterSpark();

/// Where in the filler the passage with the facts stands.
enum class NeedleStrategy {
  kFixed,     ///< At the position asked for.
  kJitter,    ///< Up to 0.08 before or behind it, drawn anew for each item.
  kAdaptive,  ///< Behind it where the model's sliding window would not reach it otherwise.
};

/// What the filler is made of.
enum class FillerVariant {
  kCoherent,      ///< Sentences or functions.
  kWhitespace,    ///< Empty lines.
  kMaskedRepeat,  ///< One comment line again and again.
};

/// Text of the user's own in place of the built-in filler. An empty text: the built-in one.
struct SparkCorpus {
  std::string prose;
  std::string news;
  std::string code;
  friend bool operator==(const SparkCorpus&, const SparkCorpus&) = default;
};

/// `workset: {profile: spark, ...}`: a work-set that is generated for each model and context, so
/// that its prompts fill the context as far as its corner says. A plain value.
struct SparkConfig {
  std::string corner = "balanced";    ///< `balanced`, `short` or `long`.
  std::vector<std::string> families;  ///< In the order of the profile; empty: all ten.
  int position_millionths = 500'000;  ///< Of the needle: 0 before all filler, 1'000'000 after it.
  NeedleStrategy needle = NeedleStrategy::kFixed;
  std::optional<int>
      window;  ///< Sliding window in tokens, 0 for none; absent: asked of the server.
  FillerVariant filler = FillerVariant::kCoherent;
  SparkCorpus corpus;
  friend bool operator==(const SparkConfig&, const SparkConfig&) = default;
};

/// For a sweep that a program fills itself: `sweep.workset_maker = SparkWorkset({})`, with
/// `sweep.scorer = "spark"` after `RegisterSpark`. Wrong values are errors of the cell.
[[nodiscard]] std::shared_ptr<const WorksetMaker> SparkWorkset(SparkConfig config);

}  // namespace bi_test
