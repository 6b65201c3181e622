#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "bi_test/result.h"

namespace bi_test {

/// A regular expression of RE2, for text of models: the time of a search grows with the length of
/// the text and of the pattern and with nothing else. Of several matches that begin at the same
/// place, the one that Perl would take counts. Searches may run at the same time.
class Regex {
 public:
  /// A pattern of at most 1000 bytes. Errors say what RE2 found.
  [[nodiscard]] static Result<Regex> Compile(std::string_view pattern, bool ignore_case);

  struct Match {
    std::string_view whole;
    std::optional<std::string_view> group;  ///< What the first `( )` took, if it took part.
    friend bool operator==(const Match&, const Match&) = default;
  };

  /// The leftmost match, in whole characters of `text`. A byte that is not UTF-8 is a character of
  /// its own, U+FFFD to the pattern. An error when text times pattern is more than a second or so
  /// of work.
  [[nodiscard]] Result<std::optional<Match>> Find(std::string_view text) const;

  /// Number of `( )` groups.
  [[nodiscard]] int groups() const;

 private:
  struct Program;
  explicit Regex(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;
};

}  // namespace bi_test
