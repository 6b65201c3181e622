#include "docs/markdown.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>

namespace bi_test::docs {
namespace {

constexpr std::string_view kFence = "```";

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// The anchor of a heading: lower case, spaces as `-`, other punctuation gone.
std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

/// The line with its code spans blanked.
std::string WithoutCode(const std::string& line) {
  return std::regex_replace(line, std::regex("`[^`]*`"), "``");
}

std::vector<std::string> CellsOf(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  line = line.substr(1);  // the first bar
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.push_back(Trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

Block OpenBlock(std::string_view info, int line) {
  Block block;
  block.line = line;
  block.closed = false;
  std::istringstream words{std::string(info)};
  for (std::string word; words >> word;) {
    if (word.starts_with("file=")) {
      block.file = word.substr(5);
    } else {
      block.words += (block.words.empty() ? "" : " ") + word;
    }
  }
  return block;
}

bool IsRule(std::string_view line) { return line.find_first_not_of("|-: ") == line.npos; }

}  // namespace

Page ReadPage(const std::filesystem::path& path, const std::filesystem::path& root) {
  Page page;
  page.path = path;
  page.name = path.lexically_relative(root).string();
  page.text = ReadText(path);
  const std::regex link(R"(\]\(([^)\s]+)\))");
  std::string heading;
  bool in_table = false;
  int number = 0;
  std::istringstream lines(page.text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!page.blocks.empty() && !page.blocks.back().closed) {
      if (line == kFence) {
        page.blocks.back().closed = true;
      } else {
        page.blocks.back().text += line + '\n';
      }
      continue;
    }
    if (line.starts_with(kFence)) {
      page.blocks.push_back(OpenBlock(std::string_view(line).substr(kFence.size()), number));
      continue;
    }
    if (line.starts_with("#")) {
      heading = Trimmed(std::string_view(line).substr(line.find_first_not_of('#')));
      std::string anchor = AnchorOf(heading);
      const auto same = std::count(page.anchors.begin(), page.anchors.end(), anchor);
      page.anchors.push_back(same == 0 ? anchor : anchor + "-" + std::to_string(same));
    }
    // The first line of a table is its header.
    if (line.starts_with("|")) {
      if (in_table && !IsRule(line)) page.rows.push_back({CellsOf(line), heading, number});
      in_table = true;
    } else {
      in_table = false;
    }
    const std::string prose = WithoutCode(line);
    for (std::sregex_iterator it(prose.begin(), prose.end(), link), end; it != end; ++it) {
      page.links.push_back({(*it)[1].str(), number});
    }
  }
  return page;
}

std::vector<Page> ReadPages(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> paths = {root / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Page> pages;
  for (const std::filesystem::path& path : paths) pages.push_back(ReadPage(path, root));
  return pages;
}

std::vector<std::string> CodeIn(std::string_view text) {
  std::vector<std::string> codes;
  while (true) {
    const std::size_t begin = text.find('`');
    if (begin == text.npos) return codes;
    const std::size_t end = text.find('`', begin + 1);
    if (end == text.npos) return codes;
    codes.emplace_back(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace bi_test::docs
