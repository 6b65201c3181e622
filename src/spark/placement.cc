#include "spark/placement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spark/random.h"
#include "spark/splice.h"

namespace bi_test::spark {
namespace {

constexpr int kJitter = 80'000;
constexpr std::uint64_t kJitterStream = 0x6A69747465720000U;
constexpr std::int64_t kSlack = 16;  // Tokens may join or part where texts meet.

constexpr std::array kStrategies = {
    std::pair<std::string_view, NeedleStrategy>{"fixed", NeedleStrategy::kFixed},
    std::pair<std::string_view, NeedleStrategy>{"jitter", NeedleStrategy::kJitter},
    std::pair<std::string_view, NeedleStrategy>{"adaptive", NeedleStrategy::kAdaptive}};
constexpr std::array kVariants = {
    std::pair<std::string_view, FillerVariant>{"coherent", FillerVariant::kCoherent},
    std::pair<std::string_view, FillerVariant>{"whitespace", FillerVariant::kWhitespace},
    std::pair<std::string_view, FillerVariant>{"masked_repeat", FillerVariant::kMaskedRepeat}};

template <typename Table>
auto Named(const Table& table, std::string_view name)
    -> std::optional<typename Table::value_type::second_type> {
  for (const auto& [text, value] : table) {
    if (text == name) return value;
  }
  return std::nullopt;
}

template <typename Table, typename Value>
std::string_view NameIn(const Table& table, Value value) {
  for (const auto& [text, known] : table) {
    if (known == value) return text;
  }
  return {};
}

}  // namespace

std::optional<NeedleStrategy> NeedleStrategyNamed(std::string_view name) {
  return Named(kStrategies, name);
}
std::string_view NameOf(NeedleStrategy strategy) { return NameIn(kStrategies, strategy); }

std::optional<FillerVariant> FillerVariantNamed(std::string_view name) {
  return Named(kVariants, name);
}
std::string_view NameOf(FillerVariant variant) { return NameIn(kVariants, variant); }

int Jittered(int position_millionths, std::uint64_t content_seed) {
  Random random(content_seed ^ kJitterStream);
  return std::clamp(position_millionths + random.Between(-kJitter, kJitter), 0, kOne);
}

std::optional<int> EarliestInWindow(std::int64_t window, const PromptSizes& sizes) {
  if (window <= 0 || window >= sizes.haystack + sizes.tail) return 0;
  const std::int64_t room = window - sizes.tail - sizes.needle - kSlack;
  if (room < 0) return std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>(kOne - room * kOne / sizes.haystack, 0, kOne));
}

}  // namespace bi_test::spark
