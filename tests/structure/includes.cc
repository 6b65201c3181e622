#include "structure/includes.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

namespace bi_test::structure {
namespace {

namespace fs = std::filesystem;

/// Where sources stand, and which of these are found without their folder's name in front.
constexpr const char* kTops[] = {"include", "src", "matchers", "fixtures"};

const std::set<std::string> kThirdParty = {"curl",  "rapidjson",  "yaml-cpp",  "openssl",
                                           "re2",   "CLI",        "gmock",     "gtest",
                                           "boost", "rapidcheck", "benchmark", "nlohmann"};
const std::set<std::string> kImpure = {
    "chrono",     "ctime",      "thread", "future",  "condition_variable",
    "stop_token", "semaphore",  "latch",  "barrier", "fstream",
    "iostream",   "filesystem", "cstdio", "random",  "csignal"};
// Headers about configuring and running cells are none of those that know values only.
const std::set<std::string> kImpurePublic = {"bi_test/sweep.h", "bi_test/driver.h"};

struct Include {
  std::string header;
  bool quoted = false;
  std::string line;
};

[[nodiscard]] std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t`");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t`") - begin + 1);
}

[[nodiscard]] std::set<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> out;
  for (std::string word; in >> word;) {
    if (word != "-") out.insert(Trimmed(word));
  }
  return out;
}

[[nodiscard]] std::vector<Include> IncludesOf(const fs::path& file) {
  std::ifstream in(file);
  std::vector<Include> out;
  for (std::string line; std::getline(in, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == line.npos || line.compare(word, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    const std::size_t close = open == line.npos ? open : line.find_first_of(">\"", open + 1);
    Include one;
    one.line = line;
    if (close != line.npos) {
      one.header = line.substr(open + 1, close - open - 1);
      one.quoted = line[open] == '"';
    }
    out.push_back(std::move(one));
  }
  return out;
}

[[nodiscard]] std::vector<fs::path> Sources(const fs::path& root) {
  std::vector<fs::path> out;
  for (const char* top : kTops) {
    if (!fs::exists(root / top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path extension = entry.path().extension();
      if (extension == ".h" || extension == ".cc" || extension == ".hpp") {
        out.push_back(fs::relative(entry.path(), root));
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The row of the longest folder that the file stands below.
[[nodiscard]] const MapRow* RowOf(const fs::path& file, const std::vector<MapRow>& map) {
  const MapRow* found = nullptr;
  for (const MapRow& row : map) {
    if (file.string().starts_with(row.folder + "/") &&
        (found == nullptr || row.folder.size() > found->folder.size())) {
      found = &row;
    }
  }
  return found;
}

[[nodiscard]] std::string FirstElement(const std::string& header) {
  return header.substr(0, header.find('/'));
}

[[nodiscard]] std::string Offence(const Include& include, const MapRow& row) {
  if (include.header.empty()) {
    return "found \"" + include.line + "\", expected a header in <> or quotes";
  }
  const std::string first = FirstElement(include.header);
  const std::string shown =
      include.quoted ? "\"" + include.header + "\"" : "<" + include.header + ">";
  if (!include.quoted) {
    if (kThirdParty.contains(first)) {
      return row.third.contains(first) ? "" : shown + " is not for " + row.folder;
    }
    const bool system = include.header.ends_with(".h");
    if (row.pure && (system || kImpure.contains(include.header))) {
      return shown + " does I/O, clocks, threads or chance; " + row.folder + " is pure";
    }
    return {};
  }
  if (include.header.find('/') == include.header.npos) return {};
  if (!row.own.contains(first)) return shown + " is not for " + row.folder;
  if (row.pure && kImpurePublic.contains(include.header)) {
    return shown + " is not for " + row.folder + ", which knows values only";
  }
  return {};
}

}  // namespace

std::vector<MapRow> ReadMap(const std::string& page) {
  std::istringstream in(page);
  std::vector<MapRow> out;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(Trimmed(cell));
    if (cells.size() != 4) continue;
    const std::set<std::string> third = Words(cells[3]);
    MapRow one{cells[0], Words(cells[2]), third, cells[1].ends_with("PURE")};
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<std::string> Offences(const fs::path& root, const std::vector<MapRow>& map) {
  std::vector<std::string> out;
  for (const fs::path& file : Sources(root)) {
    const MapRow* row = RowOf(file, map);
    if (row == nullptr) {
      out.push_back(file.string() + ": its folder is not on the map");
      continue;
    }
    for (const Include& include : IncludesOf(root / file)) {
      const std::string offence = Offence(include, *row);
      if (!offence.empty()) out.push_back(file.string() + ": " + offence);
    }
  }
  return out;
}

std::vector<std::string> Circles(const fs::path& root) {
  // A node is a file without its extension.
  std::map<std::string, std::set<std::string>> edges;
  std::set<std::string> files;
  for (const fs::path& file : Sources(root)) files.insert(file.string());
  const auto node = [](fs::path file) { return file.replace_extension().string(); };
  for (const std::string& file : files) {
    for (const Include& include : IncludesOf(root / file)) {
      if (!include.quoted) continue;
      std::vector<fs::path> places = {fs::path(file).parent_path() / include.header,
                                      fs::path(include.header)};
      for (const char* top : kTops) places.push_back(fs::path(top) / include.header);
      for (const fs::path& place : places) {
        if (!files.contains(place.lexically_normal().string())) continue;
        const std::string target = node(place.lexically_normal());
        if (target != node(file)) edges[node(file)].insert(target);
        break;
      }
    }
  }
  std::vector<std::string> out;
  std::map<std::string, int> state;  // 1: on the path, 2: done
  std::vector<std::string> path;
  const std::function<void(const std::string&)> visit = [&](const std::string& at) {
    state[at] = 1;
    path.push_back(at);
    for (const std::string& next : edges[at]) {
      if (state[next] == 0) {
        visit(next);
      } else if (state[next] == 1) {
        std::string circle;
        for (auto it = std::find(path.begin(), path.end(), next); it != path.end(); ++it) {
          circle += *it + " -> ";
        }
        out.push_back(circle + next);
      }
    }
    path.pop_back();
    state[at] = 2;
  };
  for (const std::string& file : files) {
    if (state[node(file)] == 0) visit(node(file));
  }
  return out;
}

}  // namespace bi_test::structure
