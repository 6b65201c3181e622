#include "spark/code_score.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/trim.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

constexpr double kBugStays = 0.30;
constexpr double kOnlyNames = 0.49;
// The edit distance is quadratic. No answer that is meant to be one function has more.
constexpr std::size_t kMostTokens = 8192;
// Stands for a line that begins further left than the one before: where a block ends is part of a
// program, how wide it is indented is not.
constexpr std::string_view kDedent = "\n";

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

// Back-ticks or tildes, three or more, and at most a word after them. 0: no fence.
std::size_t FenceLength(std::string_view line, char& mark) {
  line = Trim(line);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return 0;
  mark = line[0];
  const std::size_t length = std::min(line.find_first_not_of(mark), line.size());
  const std::string_view rest = Trim(line.substr(length));
  const bool one_word = std::ranges::none_of(rest, [](char c) { return IsSpace(c) || c == '`'; });
  return length >= 3 && one_word ? length : 0;
}

std::string Join(const std::vector<std::string_view>& lines, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) out += '\n';
    out += lines[i];
  }
  return out;
}

struct Fence {
  std::size_t line;
  std::size_t length;
  char mark;
  bool bare;  // Nothing after the marks: it may close a block.
};

// The line without what follows a `#` that stands in no quotes.
std::string_view WithoutComment(std::string_view line) {
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return line.substr(0, at);
    }
  }
  return line;
}

void AddTokens(std::string_view line, std::vector<std::string_view>& tokens) {
  const auto in_word = [](char c) {
    return IsWordCharacter(c) || static_cast<unsigned char>(c) >= 0x80;
  };
  for (std::size_t at = 0; at < line.size() && tokens.size() < kMostTokens;) {
    std::size_t end = at + 1;
    if (in_word(line[at])) {
      while (end < line.size() && in_word(line[end])) ++end;
    }
    if (!IsSpace(line[at])) tokens.push_back(line.substr(at, end - at));
    at = end;
  }
}

// `range(0, n)` is `range(n)`.
void DropZeroOfRange(std::vector<std::string_view>& tokens) {
  constexpr std::array<std::string_view, 4> kRange = {"range", "(", "0", ","};
  auto at = tokens.begin();
  while (true) {
    at = std::search(at, tokens.end(), kRange.begin(), kRange.end());
    if (at == tokens.end()) return;
    at = tokens.erase(at + 2, at + 4);
  }
}

std::vector<std::string_view> Tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  std::size_t indent = 0;
  for (std::string_view line : Lines(text)) {
    line = WithoutComment(line);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || tokens.size() >= kMostTokens) continue;
    if (first < indent) tokens.push_back(kDedent);
    indent = first;
    AddTokens(line, tokens);
  }
  DropZeroOfRange(tokens);
  return tokens;
}

double Similarity(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer == 0) return 1.0;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return 1.0 - static_cast<double>(row.back()) / static_cast<double>(longer);
}

// Numbers, quotes and the characters of operators, in any order: what a bug of the profile is in.
std::vector<std::string_view> ConstantsAndOperators(std::vector<std::string_view> tokens) {
  constexpr std::string_view kOperators = "+-*/%<>=!&|^~@\"'";
  constexpr std::array<std::string_view, 8> kWords = {"and", "or",   "not",   "in",
                                                      "is",  "True", "False", "None"};
  std::erase_if(tokens, [&](std::string_view token) {
    return !IsDigit(token[0]) && kOperators.find(token[0]) == kOperators.npos &&
           std::ranges::find(kWords, token) == kWords.end();
  });
  std::ranges::sort(tokens);
  return tokens;
}

}  // namespace

std::string ExtractCode(std::string_view answer) {
  const std::vector<std::string_view> lines = Lines(answer);
  std::vector<Fence> fences;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    char mark = '\0';
    const std::size_t length = FenceLength(lines[i], mark);
    if (length == 0) continue;
    fences.push_back({i, length, mark, Trim(lines[i]).size() == length});
  }
  if (fences.empty()) return std::string(Trim(answer));
  for (std::size_t i = 1; i < fences.size(); ++i) {
    const Fence& open = fences.front();
    const Fence& close = fences[i];
    if (!close.bare || close.mark != open.mark || close.length < open.length) continue;
    return std::string(Trim(Join(lines, open.line + 1, close.line)));
  }
  if (fences.size() == 1) {
    const std::string after = Join(lines, fences[0].line + 1, lines.size());
    if (!Trim(after).empty()) return std::string(Trim(after));
    return std::string(Trim(Join(lines, 0, fences[0].line)));
  }
  std::string rest;
  std::size_t begin = 0;
  for (const Fence& fence : fences) {
    rest += Join(lines, begin, fence.line) + '\n';
    begin = fence.line + 1;
  }
  rest += Join(lines, begin, lines.size());
  return std::string(Trim(rest));
}

double TokenSimilarity(std::string_view x, std::string_view y) {
  return Similarity(Tokens(x), Tokens(y));
}

double ScoreCode(std::string_view candidate, std::string_view gold) {
  const std::vector<std::string_view> mine = Tokens(candidate);
  const std::vector<std::string_view> wanted = Tokens(gold);
  if (mine == wanted) return 1.0;
  const bool same_parts = ConstantsAndOperators(mine) == ConstantsAndOperators(wanted);
  return std::min(Similarity(mine, wanted), same_parts ? kOnlyNames : kBugStays);
}

}  // namespace bi_test::spark
