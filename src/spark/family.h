#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/json.h"
#include "spark/random.h"

namespace bi_test::spark {

/// What the filler around a needle speaks of.
enum class FillerSource { kProse, kNews, kCode };

/// One question, before filler is put around its facts.
struct Question {
  /// The passages with the facts, in the order in which they stand; one, or several that are spread
  /// over the filler.
  std::vector<std::string> needles;
  std::string question;
  std::string cue;  ///< Last line of the prompt: where the answer is to begin.
  Json gold;
  /// Words and phrases that the filler may not hold: golds, names and terms of the question. A word
  /// in it stands for itself only (`45` does not forbid `145`), case is ignored.
  std::vector<std::string> terms;
};

/// A kind of question.
struct Family {
  std::string_view name;
  FillerSource filler;
  /// Draws the facts from `random`; `seed` is what `random` began with.
  Question (*draw)(Random& random, std::uint64_t seed);
};

/// The ten families in the order of the rows.
[[nodiscard]] std::span<const Family> Families();

/// Null when there is no such family.
[[nodiscard]] const Family* FindFamily(std::string_view name);

/// The system message, the same for all.
[[nodiscard]] std::string_view SystemMessage();

// The draws, by what they ask for.
[[nodiscard]] Question DrawSecret(Random& random, std::uint64_t seed);         // A2
[[nodiscard]] Question DrawFourSteps(Random& random, std::uint64_t seed);      // A4
[[nodiscard]] Question DrawThreeSteps(Random& random, std::uint64_t seed);     // B1
[[nodiscard]] Question DrawFunctionValue(Random& random, std::uint64_t seed);  // C1
[[nodiscard]] Question DrawReport(Random& random, std::uint64_t seed);         // D1
[[nodiscard]] Question DrawKeyList(Random& random, std::uint64_t seed);        // E1
[[nodiscard]] Question DrawRecord(Random& random, std::uint64_t seed);         // E2
[[nodiscard]] Question DrawToolCall(Random& random, std::uint64_t seed);       // E3
[[nodiscard]] Question DrawRepair(Random& random, std::uint64_t seed);         // E4
[[nodiscard]] Question DrawHelper(Random& random, std::uint64_t seed);         // E5

/// Names that E5 draws from: what counts as a candidate in an answer.
[[nodiscard]] std::span<const std::string_view> HelperPool();

/// The twelve months, January first.
[[nodiscard]] std::span<const std::string_view> MonthNames();

/// Inspectors that D1 draws from.
[[nodiscard]] std::span<const std::string_view> InspectorPool();

}  // namespace bi_test::spark
