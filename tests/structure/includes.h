#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bi_test::structure {

/// One row of the map in docs/architecture.md: a folder and what its files may include.
struct MapRow {
  std::string folder;           ///< As `src/verdict`.
  std::set<std::string> own;    ///< First path elements of headers in quotes.
  std::set<std::string> third;  ///< ... of headers of other projects in angle brackets.
  bool pure = false;            ///< No file, clock, thread, stream or randomness.
};

/// The rows of the map: lines of a Markdown table whose first cell is a folder in backquotes.
[[nodiscard]] std::vector<MapRow> ReadMap(const std::string& page);

/// Every `#include` below `root` that the map does not allow, and every folder with sources that it
/// does not name, one line each.
[[nodiscard]] std::vector<std::string> Offences(const std::filesystem::path& root,
                                                const std::vector<MapRow>& map);

/// Circles of files that include each other, each as `a -> b -> a`. A header and the source of its
/// name are one file here: what they hold is one concept.
[[nodiscard]] std::vector<std::string> Circles(const std::filesystem::path& root);

}  // namespace bi_test::structure
