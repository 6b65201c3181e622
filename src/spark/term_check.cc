#include "spark/term_check.h"

#include <algorithm>

namespace bi_test::spark {

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool HasWord(std::string_view text, std::string_view term) {
  if (term.empty()) return false;
  for (std::size_t at = text.find(term); at != text.npos; at = text.find(term, at + 1)) {
    const std::size_t end = at + term.size();
    const bool begins = at == 0 || !IsWordCharacter(text[at - 1]);
    if (begins && (end == text.size() || !IsWordCharacter(text[end]))) return true;
  }
  return false;
}

TermCheck::TermCheck(const std::vector<std::string>& terms) {
  for (const std::string& term : terms) terms_.push_back(LowerAscii(term));
}

bool TermCheck::Holds(std::string_view text) const {
  const std::string lower = LowerAscii(text);
  return std::ranges::any_of(terms_,
                             [&lower](const std::string& term) { return HasWord(lower, term); });
}

}  // namespace bi_test::spark
