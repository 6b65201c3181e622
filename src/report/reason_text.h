#pragma once

#include <span>
#include <string_view>

namespace bi_test::report {

/// A reason code of a judgement and what it means, one plain sentence.
struct ReasonText {
  std::string_view code;
  std::string_view text;
};

/// Every code a judgement can carry.
[[nodiscard]] std::span<const ReasonText> ReasonTexts();

/// The sentence of a code; a hint that it is unknown for any other text.
[[nodiscard]] std::string_view TextOfReason(std::string_view code);

}  // namespace bi_test::report
