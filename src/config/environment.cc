#include "config/environment.h"

#include <algorithm>
#include <map>
#include <string>

#include "bi_test/sweep.h"
#include "process/environment.h"

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

std::map<std::string, std::string> ProcessEnvironment() { return process::Environment(); }

}  // namespace bi_test
