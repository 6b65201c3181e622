#include "base/split.h"

#include <algorithm>

namespace bi_test {

std::vector<std::string_view> SplitAt(std::string_view text, char end) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    pieces.push_back(text.substr(0, text.find(end)));
    text.remove_prefix(std::min(pieces.back().size() + 1, text.size()));
  }
  return pieces;
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines = SplitAt(text, '\n');
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

std::vector<std::string_view> SplitFields(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string_view> fields;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return fields;
    fields.push_back(text.substr(0, text.find_first_of(kBlanks)));
    text.remove_prefix(fields.back().size());
  }
}

}  // namespace bi_test
