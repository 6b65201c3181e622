#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bi_test {

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
/// that its prompts fill the context as far as its corner says.
struct SparkConfig {
  std::string corner = "balanced";    ///< One of `spark::Corners()`.
  std::vector<std::string> families;  ///< In the order of the profile; empty: all ten.
  int position_millionths = 500'000;  ///< Of the needle: 0 before all filler, 1'000'000 after it.
  NeedleStrategy needle = NeedleStrategy::kFixed;
  std::optional<int>
      window;  ///< Sliding window in tokens, 0 for none; absent: asked of the server.
  FillerVariant filler = FillerVariant::kCoherent;
  SparkCorpus corpus;
  friend bool operator==(const SparkConfig&, const SparkConfig&) = default;
};

}  // namespace bi_test
