#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bi_test/result.h"

namespace bi_test {

/// A regular expression for text of models: the time of a search grows with the length of the text
/// and of the pattern and with nothing else, because all alternatives are followed at once instead
/// of one after the other. So there are no back-references and no look-around. Of several matches
/// that begin at the same place, the one that Perl would take counts.
///
/// Syntax: `.`, `[...]`, `[^...]`, `\d \D \w \W \s \S`, `\n \r \t \f \v \xHH \x{H...}`, `\` before
/// punctuation, `^ $ \b \B`, `( )`, `(?: )`, `|`, `* + ? {m} {m,} {m,n}` and the same with a `?`
/// behind, and at the start of the pattern `(?i)`, `(?m)`, `(?s)` or several of these letters.
/// Classes, case and word limits are those of ASCII; characters are code points.
class Regex {
 public:
  /// Errors say what was found in the pattern, and at which byte of it.
  [[nodiscard]] static Result<Regex> Compile(std::string_view pattern, bool ignore_case);

  struct Match {
    std::string_view whole;
    std::optional<std::string_view> group;  ///< What the first `( )` took, if it took part.
    friend bool operator==(const Match&, const Match&) = default;
  };

  /// The leftmost match. An error when text times pattern is more than a second or so of work.
  [[nodiscard]] Result<std::optional<Match>> Find(std::string_view text) const;

  /// Number of `( )` groups.
  [[nodiscard]] int groups() const { return groups_; }

  struct Set {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< Both ends included.
    bool negated = false;
  };
  struct Step {
    enum class Kind {
      kSet,
      kSplit,
      kJump,
      kSave,
      kTextStart,
      kTextEnd,
      kLineStart,
      kLineEnd,
      kWordEdge,
      kNoWordEdge,
      kMatch
    };
    Kind kind = Kind::kMatch;
    std::uint32_t first = 0;   ///< Set, place to save to, or the step tried first.
    std::uint32_t second = 0;  ///< Of kSplit.
  };

 private:
  Regex() = default;

  std::vector<Step> steps_;
  std::vector<Set> sets_;
  bool ignore_case_ = false;
  int groups_ = 0;
};

}  // namespace bi_test
