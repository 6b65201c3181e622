// How answers of the work-set are read: the word after the last "Answer:" is what counts. Two
// completions that reason differently and name the same desk are the same answer to this scorer;
// bi_test still compares their tokens and texts, and says AMBER where only those differ.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bi_test/scorer.h"

namespace {

constexpr std::string_view kMark = "Answer:";

class TicketDeskScorer : public bi_test::Scorer {
 public:
  std::string_view name() const override { return "ticket_desk"; }
  std::string_view version() const override { return "1"; }

  std::optional<std::string> ExtractAnswer(std::string_view response,
                                           const bi_test::ScorerItem&) const override {
    const std::size_t mark = response.rfind(kMark);
    if (mark == std::string_view::npos) return std::nullopt;
    std::string word;
    for (const char c : response.substr(mark + kMark.size())) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !word.empty()) break;
      if (letter) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (word.empty()) return std::nullopt;
    return word;
  }

  std::string ClassifyFailureMode(std::string_view response, std::optional<std::int64_t>,
                                  const std::optional<std::string>&,
                                  const bi_test::ScorerItem&) const override {
    return response.empty() ? "empty" : "ok";
  }

  double Score(const std::optional<std::string>& extracted, std::string_view,
               const bi_test::Json& expected_answer, const bi_test::ScorerItem&) const override {
    return extracted && expected_answer == bi_test::Json(*extracted) ? 1.0 : 0.0;
  }
};

// Before main(), hence before bi_test::main reads the sweep file.
[[maybe_unused]] const bool registered =
    bi_test::RegisterScorer(std::make_unique<TicketDeskScorer>()).ok();

}  // namespace
