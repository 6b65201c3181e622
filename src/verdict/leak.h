#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "verdict/record_index.h"

namespace bi_test {

/// Finds out whether a differing answer is a neighbour's text.
///
/// A text counts as a neighbour's when it equals what that neighbour says alone, or holds it
/// although the own serial answer does not, and when the text tells its speaker: what several
/// prompts answer alike (`A`, `yes`) proves nothing about where it came from.
class LeakDetector {
 public:
  explicit LeakDetector(const RecordIndex& index) : index_(index) {}

  /// The id among `neighbours` whose serial answer `row` gives, or null. `serial` is the row of arm
  /// A.
  [[nodiscard]] std::optional<std::uint32_t> FindDonor(
      const Trial& serial, const Trial& row, const std::vector<std::uint32_t>& neighbours);

 private:
  struct Speakers {
    const Trial* first = nullptr;
    bool one_prompt = true;
  };
  [[nodiscard]] bool TellsItsSpeaker(std::string_view text);

  const RecordIndex& index_;
  std::unordered_map<std::string_view, Speakers> speakers_;
};

}  // namespace bi_test
