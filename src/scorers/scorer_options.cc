#include "scorers/scorer_options.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace bi_test {
namespace {

constexpr std::size_t kMostTexts = 100;

bool IsText(const Json& value) { return value.is_string() && !value.if_string()->empty(); }

bool AreTexts(const Json& value) {
  const Json::Array* texts = value.if_array();
  if (texts == nullptr || texts->empty() || texts->size() > kMostTexts) return false;
  std::set<std::string> seen;
  return std::ranges::all_of(*texts, [&](const Json& text) {
    return IsText(text) && seen.insert(*text.if_string()).second;
  });
}

bool IsWithin(const Json& value, double min, double max) {
  double number = 0.0;
  if (const double* real = value.if_double()) {
    number = *real;
  } else if (const std::int64_t* whole = value.if_int64()) {
    number = static_cast<double>(*whole);
  } else {
    return false;
  }
  return number >= min && number <= max;  // false for NaN
}

std::string WordList(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

}  // namespace

std::optional<std::string> WrongOption(const ScorerOption& option, const Json& value) {
  switch (option.kind) {
    case ScorerOption::Kind::kBoolean:
      if (value.is_bool()) return std::nullopt;
      return "true or false";
    case ScorerOption::Kind::kNumber:
      if (IsWithin(value, option.min, option.max)) return std::nullopt;
      return "a number from " + CompactText(Json(option.min)) + " to " +
             CompactText(Json(option.max));
    case ScorerOption::Kind::kText:
      if (IsText(value)) return std::nullopt;
      return "a text that is not empty";
    case ScorerOption::Kind::kWord:
      if (value.is_string() &&
          std::ranges::find(option.words, *value.if_string()) != option.words.end()) {
        return std::nullopt;
      }
      return WordList(option.words);
    case ScorerOption::Kind::kTexts:
      if (AreTexts(value)) return std::nullopt;
      return "a list of 1 to 100 texts, none empty, all different";
  }
  return std::nullopt;
}

bool FlagOption(const Json& options, std::string_view name) {
  return *options.Find(name)->if_bool();
}

double NumberOption(const Json& options, std::string_view name) {
  const Json& value = *options.Find(name);
  const double* real = value.if_double();
  return real != nullptr ? *real : static_cast<double>(*value.if_int64());
}

std::string TextOption(const Json& options, std::string_view name) {
  return *options.Find(name)->if_string();
}

ScorerOption Flag(std::string name, bool fallback) {
  ScorerOption option;
  option.name = std::move(name);
  option.fallback = fallback;
  return option;
}

ScorerOption Text(std::string name, Json fallback) {
  ScorerOption option;
  option.name = std::move(name);
  option.kind = ScorerOption::Kind::kText;
  option.fallback = std::move(fallback);
  return option;
}

ScorerOption Word(std::string name, std::vector<std::string> words) {
  ScorerOption option;
  option.name = std::move(name);
  option.kind = ScorerOption::Kind::kWord;
  option.fallback = words.front();
  option.words = std::move(words);
  return option;
}

}  // namespace bi_test
