#include "verdict/leak.h"

#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Shorter texts turn up inside others by chance.
constexpr std::size_t kShortestContained = 4;

[[nodiscard]] std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// What the row says, without blanks at the ends; empty when it says nothing.
[[nodiscard]] std::string_view Answer(const Trial& trial) {
  for (const Json* value : {&trial.content, &trial.response_first_200, &trial.extracted_answer}) {
    if (const std::string* text = value->if_string()) return Trimmed(*text);
  }
  return {};
}

[[nodiscard]] bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool LeakDetector::TellsItsSpeaker(std::string_view text) {
  if (speakers_.empty()) {
    for (const Row& row : index_.a) {
      const auto [it, fresh] = speakers_.try_emplace(Answer(*row.trial), Speakers{row.trial, true});
      if (fresh) continue;
      const Json& first = it->second.first->prompt_sha256;
      const bool same_prompt = first.is_string() && first == row.trial->prompt_sha256;
      it->second.one_prompt = it->second.one_prompt && same_prompt;
    }
  }
  const auto it = speakers_.find(text);
  return it != speakers_.end() && it->second.one_prompt;
}

std::optional<std::uint32_t> LeakDetector::FindDonor(const Trial& serial, const Trial& row,
                                                     const std::vector<std::uint32_t>& neighbours) {
  if (row.malformed_row || serial.malformed_row || IsFault(row)) return std::nullopt;
  const std::string_view own = Answer(serial);
  const std::string_view said = Answer(row);
  if (said.empty() || said == own) return std::nullopt;
  std::optional<std::uint32_t> held;
  std::size_t held_length = 0;
  for (const std::uint32_t id : neighbours) {
    const Trial* donor = FindRow(index_.a, id);
    if (donor == nullptr || donor->malformed_row) continue;
    const std::string_view theirs = Answer(*donor);
    if (theirs.empty()) continue;
    if (theirs == said && TellsItsSpeaker(theirs)) return id;
    if (theirs.size() < kShortestContained || theirs.size() <= held_length) continue;
    if (Holds(said, theirs) && !Holds(own, theirs) && TellsItsSpeaker(theirs)) {
      held = id;
      held_length = theirs.size();
    }
  }
  return held;
}

}  // namespace bi_test
