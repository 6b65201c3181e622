#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "scorers/built_in_scorers.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

/// The end of `1,234,567` that begins at `at`, or `at` when no such group begins there.
std::size_t SkipGroups(std::string_view text, std::size_t at) {
  const std::size_t first = SkipDigits(text, at);
  if (first - at < 1 || first - at > 3) return at;
  std::size_t end = first;
  while (end < text.size() && text[end] == ',' && SkipDigits(text, end + 1) == end + 4) end += 4;
  return end == first ? at : end;
}

/// A number in plain decimal notation, without plus sign and group separators. `begin`: where its
/// digits or its point begin; `end` is set behind it.
std::string ReadNumber(std::string_view text, std::size_t begin, std::size_t& end) {
  std::size_t at = SkipGroups(text, begin);
  if (at == begin) at = SkipDigits(text, begin);
  std::string number;
  for (const char c : text.substr(begin, at - begin)) {
    if (c != ',') number += c;
  }
  if (number.empty()) number = "0";  // Of `.5`.
  if (at + 1 < text.size() && text[at] == '.' && IsDigit(text[at + 1])) {
    const std::size_t stop = SkipDigits(text, at + 1);
    number += text.substr(at, stop - at);
    at = stop;
  }
  if (at < text.size() && Lower(text[at]) == 'e') {
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) ++digits;
    const std::size_t stop = SkipDigits(text, digits);
    // Letters behind it make it a word: `3em`.
    if (stop > digits && (stop == text.size() || !IsLetter(text[stop]))) {
      number += 'e';
      number += text.substr(at + 1, stop - at - 1);
      at = stop;
    }
  }
  end = at;
  return number;
}

/// A sign counts unless something stands before it that makes it a dash or a range: `10-20`, `a-1`.
bool IsMinus(std::string_view text, std::size_t at) {
  if (text[at] != '-') return false;
  return at == 0 || !(IsDigit(text[at - 1]) || IsLetter(text[at - 1]) || text[at - 1] == ')');
}

/// The first or last number in a text.
std::optional<std::string> FindNumber(std::string_view text, bool last) {
  std::optional<std::string> found;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool point = text[at] == '.' && at + 1 < text.size() && IsDigit(text[at + 1]);
    // Digits inside a word are part of its name: `utf8`, `x2`.
    const bool in_word = at > 0 && (IsLetter(text[at - 1]) || text[at - 1] == '_');
    if (!IsDigit(text[at]) && !point) {
      ++at;
      continue;
    }
    if (in_word) {
      at = SkipDigits(text, at + (point ? 1 : 0));
      continue;
    }
    std::size_t end = at;
    std::string number = ReadNumber(text, at, end);
    if (at > 0 && IsMinus(text, at - 1)) number.insert(0, "-");
    found = std::move(number);
    if (!last) break;
    at = end;
  }
  return found;
}

std::optional<double> Value(const std::string& number) {
  double value = 0.0;
  const char* const end = number.data() + number.size();
  const auto [rest, failure] = std::from_chars(number.data(), end, value);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return value;
}

class NumberScorer final : public TextScorer {
 public:
  explicit NumberScorer(const Json& options)
      : TextScorer("number", "1"),
        tolerance_(NumberOption(options, "tolerance")),
        relative_tolerance_(NumberOption(options, "relative_tolerance")),
        last_(TextOption(options, "which") == "last") {}

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    return FindNumber(response, last_);
  }
  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::optional<std::string> wanted = FindNumber(ExpectedText(expected_answer), last_);
    if (!extracted || !wanted) return 0.0;
    // Numbers that a double cannot tell apart, or hold, are still equal when their digits are.
    if (*extracted == *wanted) return 1.0;
    const std::optional<double> x = Value(*extracted);
    const std::optional<double> y = Value(*wanted);
    if (!x || !y) return 0.0;
    const double allowed = std::max(tolerance_, relative_tolerance_ * std::fabs(*y));
    return std::fabs(*x - *y) <= allowed ? 1.0 : 0.0;
  }

 private:
  const double tolerance_;
  const double relative_tolerance_;
  const bool last_;
};

ScorerOption Tolerance(std::string name, double max) {
  ScorerOption option;
  option.name = std::move(name);
  option.kind = ScorerOption::Kind::kNumber;
  option.fallback = 0.0;
  option.max = max;
  return option;
}

}  // namespace

BuiltInScorer NumberScorerKind() {
  return {"number",
          {Tolerance("tolerance", 1e300), Tolerance("relative_tolerance", 1.0),
           Word("which", {"last", "first"})},
          [](const Json& options) { return MakeShared<NumberScorer>(options); }};
}

}  // namespace bi_test
