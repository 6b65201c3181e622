#include "config/environment.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>

#include "bi_test/sweep.h"

extern char** environ;  // NOLINT: declared by no header in standard mode

namespace bi_test {
namespace config {

bool IsVariableName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace config

std::map<std::string, std::string> ProcessEnvironment() {
  std::map<std::string, std::string> env;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == text.npos) continue;
    env.try_emplace(std::string(text.substr(0, equals)), text.substr(equals + 1));
  }
  return env;
}

}  // namespace bi_test
