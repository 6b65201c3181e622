#include "spark/failure_label.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/trim.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

constexpr double kRunaway = 0.5;
constexpr std::size_t kMostBytes = std::size_t{256} << 10;
constexpr std::size_t kGram = 3;
constexpr std::size_t kFewestWords = 6;
constexpr std::array<std::string_view, 4> kTags = {"think", "thinking", "reason", "reasoning"};
constexpr std::array<std::string_view, 4> kScored = {"reasoning_leak", "runaway_repetition",
                                                     "no_valid_json", "instruction_fade"};

std::string_view LabelOfError(std::string_view error) {
  const std::string lower = LowerAscii(error);
  const auto says = [&lower](std::string_view text) { return lower.find(text) != lower.npos; };
  if (says("out of memory") || says("cuda error") || HasWord(lower, "oom") ||
      error.find("OOM") != error.npos) {
    return "oom";
  }
  if (says("timeout") || says("timed out")) return "http_timeout";
  return "error_other";
}

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

double RepeatMass(std::string_view text) {
  const std::vector<std::string_view> words = WordsOf(text.substr(0, kMostBytes));
  if (words.size() < kFewestWords) return 0.0;
  std::vector<std::array<std::string_view, kGram>> grams;
  for (std::size_t i = 0; i + kGram <= words.size(); ++i) {
    grams.push_back({words[i], words[i + 1], words[i + 2]});
  }
  const std::size_t all = grams.size();
  std::ranges::sort(grams);
  // Not std::ranges::unique: clang 14 cannot read it in the standard library of GCC 12.
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return static_cast<double>(all - grams.size()) / static_cast<double>(all);
}

bool HasReasoningTag(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    std::size_t begin = at + 1;
    if (begin < text.size() && text[begin] == '/') ++begin;
    std::size_t end = begin;
    while (end < text.size() && IsWordCharacter(text[end])) ++end;
    if (end - begin > kTags.back().size()) continue;
    if (std::ranges::find(kTags, LowerAscii(text.substr(begin, end - begin))) != kTags.end()) {
      return true;
    }
  }
  return false;
}

std::string_view FailureLabel(const LabelInput& input) {
  if (!input.error.empty()) return LabelOfError(input.error);
  if (Trim(input.text).empty()) return input.completion_tokens == 0 ? "premature_eos" : "empty";
  if (HasReasoningTag(input.text)) return "reasoning_leak";
  if (RepeatMass(input.text) >= kRunaway) return "runaway_repetition";
  switch (input.fault) {
    case AnswerFault::kNoValidJson:
      return "no_valid_json";
    case AnswerFault::kNone:
      break;
  }
  if (input.text.find(input.canary) == input.text.npos) return "instruction_fade";
  return "ok";
}

bool IsScoredLabel(std::string_view label) {
  return label == "ok" || std::ranges::find(kScored, label) != kScored.end();
}

}  // namespace bi_test::spark
