#include "server/child_environment.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/sha256.h"

namespace bi_test::server {
namespace {

bool IsScrubbed(const std::string& name, const Dialect& dialect) {
  const std::vector<std::string> kept = dialect.KeptEnvNames();
  if (std::ranges::find(kept, name) != kept.end()) return false;
  return std::ranges::any_of(dialect.ScrubbedEnvPrefixes(),
                             [&](const std::string& prefix) { return name.starts_with(prefix); });
}

bool SoundsSecret(const std::string& name) {
  const auto words = {"key", "token", "secret", "pass", "credential", "auth"};
  return std::ranges::any_of(
      words, [&](const char* word) { return ContainsText(name, word, /*ignore_case=*/true); });
}

bool IsPlainNumber(const std::string& value) {
  return value.size() <= 20 && value.find_first_not_of("0123456789.,-") == std::string::npos;
}

}  // namespace

Result<std::vector<std::string>> ChildEnvironment(
    const std::map<std::string, std::string>& inherited, const Dialect& dialect,
    const ServerConfig& server, const std::string& api_key, const std::string& mark) {
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : inherited) {
    if (!IsScrubbed(name, dialect)) variables[name] = value;
  }
  for (const auto& [name, value] : dialect.Environment(api_key)) variables[name] = value;
  for (const auto& [name, value] : server.env) {
    const std::string where = "server.env." + Printable(name);
    if (name.empty() || name.find('=') != std::string::npos ||
        (name + value).find('\0') != std::string::npos) {
      return Error{ErrorCode::kRefused,
                   "this is no variable: a name has no `=`, and neither part a zero byte", where};
    }
    if (Status allowed = dialect.CheckEnvName(name); !allowed.ok()) {
      return Error{allowed.error().code, allowed.error().message, where};
    }
    variables[name] = value;
  }
  std::vector<std::string> environment;
  environment.reserve(variables.size() + 1);
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  environment.push_back(mark);
  return environment;
}

std::map<std::string, std::string> RecordedEnvironment(const Dialect& dialect,
                                                       const ServerConfig& server) {
  std::map<std::string, std::string> recorded;
  for (const auto& [name, value] : server.env) {
    const bool open = IsPlainNumber(value) || (IsScrubbed(name, dialect) && !SoundsSecret(name));
    recorded[name] = open ? Printable(value) : "sha256:" + Sha256Hex(value);
  }
  return recorded;
}

}  // namespace bi_test::server
