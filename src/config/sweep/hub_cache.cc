#include "config/sweep/hub_cache.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

#include "base/ascii.h"

namespace bi_test::config {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 200;

std::string Variable(const Environment& env, const char* name) {
  const auto it = env.find(name);
  return it == env.end() ? std::string() : it->second;
}

// `name` or `org/name`, in the letters the hub allows: nothing that could lead out of its folder.
bool IsHubName(std::string_view name) {
  const auto part = [](std::string_view text) {
    return !text.empty() && text.front() != '.' && text.front() != '-' &&
           text.find("..") == text.npos && std::ranges::all_of(text, [](char c) {
             return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '.';
           });
  };
  if (name.size() > kMostBytes) return false;
  const std::size_t slash = name.find('/');
  if (slash == name.npos) return part(name);
  return part(name.substr(0, slash)) && part(name.substr(slash + 1));
}

bool IsRevision(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

fs::path HubCacheFolder(const Environment& env) {
  if (const std::string cache = Variable(env, "HF_HUB_CACHE"); !cache.empty()) return cache;
  if (const std::string home = Variable(env, "HF_HOME"); !home.empty()) {
    return fs::path(home) / "hub";
  }
  if (const std::string cache = Variable(env, "XDG_CACHE_HOME"); !cache.empty()) {
    return fs::path(cache) / "huggingface" / "hub";
  }
  const std::string home = Variable(env, "HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "huggingface" / "hub";
}

std::optional<fs::path> FindHubSnapshot(std::string_view name, const Environment& env) {
  const fs::path cache = HubCacheFolder(env);
  if (cache.empty() || !IsHubName(name)) return std::nullopt;
  std::string folder = "models--" + std::string(name);
  if (const std::size_t slash = folder.find('/'); slash != folder.npos) {
    folder.replace(slash, 1, "--");
  }
  const fs::path snapshots = cache / folder / "snapshots";
  std::string revision;
  std::ifstream(cache / folder / "refs" / "main") >> revision;
  std::error_code failure;
  if (IsRevision(revision) && fs::is_directory(snapshots / revision, failure)) {
    return snapshots / revision;
  }
  std::optional<fs::path> only;
  for (fs::directory_iterator it(snapshots, failure), end; !failure && it != end;
       it.increment(failure)) {
    std::error_code ignored;
    if (!it->is_directory(ignored)) continue;
    if (only) return std::nullopt;
    only = it->path();
  }
  return only;
}

}  // namespace bi_test::config
