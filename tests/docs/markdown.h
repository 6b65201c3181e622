#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bi_test::docs {

/// A fenced example of a page. `words` is what stands behind the opening fence, without `file=`.
struct Block {
  std::string words;   ///< `cpp body`, `sh run 3`, ...; empty when the fence has none.
  std::string file;    ///< Of `file=NAME`; empty without.
  std::string text;    ///< With its final newline.
  int line = 0;        ///< 1-based line of the opening fence.
  bool closed = true;  ///< The page went on after it.
};

/// One link outside of examples and code.
struct Link {
  std::string target;
  int line = 0;
};

/// One row of a table: its cells, trimmed, `\|` undone. `heading` is the nearest one above.
struct Row {
  std::vector<std::string> cells;
  std::string heading;
  int line = 0;
};

struct Page {
  std::filesystem::path path;
  std::string name;  ///< Path from the root of the repository, for messages.
  std::string text;
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<std::string> anchors;  ///< As GitHub makes them from headings.
  std::vector<Row> rows;             ///< Of all tables, headers and rules left out.
};

/// Reads one page. `root` is the repository.
[[nodiscard]] Page ReadPage(const std::filesystem::path& path, const std::filesystem::path& root);

/// README.md and every page below docs/ of the repository, sorted.
[[nodiscard]] std::vector<Page> ReadPages(const std::filesystem::path& root);

/// The texts in backquotes, in order.
[[nodiscard]] std::vector<std::string> CodeIn(std::string_view text);

/// The whole file; empty when it cannot be read.
[[nodiscard]] std::string ReadText(const std::filesystem::path& path);

}  // namespace bi_test::docs
