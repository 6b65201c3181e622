#include "config/sweep/program_path.h"

#include <unistd.h>

#include <system_error>

#include "base/split.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

bool IsProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

fs::path Absolute(const fs::path& path) {
  std::error_code error;
  return fs::absolute(path, error).lexically_normal();
}

}  // namespace

fs::path FindProgram(const std::string& name, const fs::path& base, const Environment& env) {
  if (name.empty()) return {};
  if (name.find('/') != name.npos) {
    const fs::path path = Absolute(base / name);
    return IsProgram(path) ? path : fs::path();
  }
  const auto path_variable = env.find("PATH");
  if (path_variable == env.end()) return {};
  for (const std::string_view folder : SplitAt(path_variable->second, ':')) {
    // An empty entry would mean the current folder; a server is never picked up from there by
    // accident.
    if (folder.empty()) continue;
    const fs::path path = Absolute(fs::path(folder) / name);
    if (IsProgram(path)) return path;
  }
  return {};
}

}  // namespace bi_test::config
