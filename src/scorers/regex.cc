#include "scorers/regex.h"

#include <re2/re2.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/utf8.h"
#include "bi_test/sanitize.h"

namespace bi_test {
namespace {

constexpr std::size_t kMostPatternBytes = 1000;
constexpr std::int64_t kMostMemory = std::int64_t{8} << 20;
// Instructions of the program times bytes of text: at worst some 7 ns each.
constexpr std::size_t kMostWork = std::size_t{1} << 27;

re2::RE2::Options OptionsOf(bool ignore_case) {
  re2::RE2::Options options;
  options.set_case_sensitive(!ignore_case);
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  return options;
}

/// The first place between two characters of `text` that is not before `place` of
/// ReplaceIllFormed(text).
std::size_t PlaceIn(std::string_view text, std::size_t place) {
  std::size_t at = 0;
  for (std::size_t passed = 0; passed < place;) {
    const Utf8Step step = NextUtf8(text, at);
    passed += step.valid ? step.length : 3;  // U+FFFD has three bytes.
    at += step.length;
  }
  return at;
}

}  // namespace

struct Regex::Program {
  Program(std::string_view pattern, bool ignore_case)
      : re2(re2::StringPiece(pattern.data(), pattern.size()), OptionsOf(ignore_case)) {}
  re2::RE2 re2;
};

Result<Regex> Regex::Compile(std::string_view pattern, bool ignore_case) {
  if (pattern.size() > kMostPatternBytes) {
    return Error{ErrorCode::kUsage, "found a pattern of more than 1000 bytes", {}};
  }
  auto program = std::make_shared<const Program>(pattern, ignore_case);
  if (!program->re2.ok()) {
    std::string what = program->re2.error();
    // Of some mistakes RE2 says at the end in which pattern they are.
    if (const std::string repeated = ": " + std::string(pattern); what.ends_with(repeated)) {
      what.resize(what.size() - repeated.size());
    }
    return Error{ErrorCode::kUsage,
                 "found \"" + SanitizeText(pattern, 200) +
                     "\", which RE2 refuses: " + SanitizeText(what, 200),
                 {}};
  }
  return Regex(std::move(program));
}

Result<std::optional<Regex::Match>> Regex::Find(std::string_view text) const {
  const re2::RE2& re2 = program_->re2;
  const std::size_t most = kMostWork / static_cast<std::size_t>(re2.ProgramSize());
  if (text.size() > most) {
    return Error{ErrorCode::kUsage,
                 "found a text of " + std::to_string(text.size()) +
                     " bytes, allowed with this pattern: " + std::to_string(most),
                 {}};
  }
  // As it is, a byte that is not UTF-8 would fit no `.`, and one of them would hide from `^.*x` all
  // that is behind it.
  const std::string clean = ReplaceIllFormed(text);
  re2::StringPiece found[2];  // A group that took no part has no data.
  if (!re2.Match(clean, 0, clean.size(), re2::RE2::UNANCHORED, found, groups() > 0 ? 2 : 1)) {
    return std::optional<Match>();
  }
  const auto in_text = [&](const re2::StringPiece& piece) {
    const auto begin = static_cast<std::size_t>(piece.data() - clean.data());
    const std::size_t first = PlaceIn(text, begin);
    return text.substr(first, PlaceIn(text, begin + piece.size()) - first);
  };
  Match match{in_text(found[0]), std::nullopt};
  if (found[1].data() != nullptr) match.group = in_text(found[1]);
  return std::optional<Match>(match);
}

int Regex::groups() const { return program_->re2.NumberOfCapturingGroups(); }

}  // namespace bi_test
