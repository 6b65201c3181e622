#include "config/sweep/expand.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/safe_text.h"

namespace bi_test::config {
namespace {

constexpr std::string_view kModelsDir = "{MODELS_DIR}";

Error Fault(std::string found, std::string_view allowed) {
  return {ErrorCode::kInvalidFile, "found " + found + ", allowed: " + std::string(allowed), {}};
}

Result<std::string> Variable(const std::string& name, std::string_view written,
                             const Environment& env) {
  const auto it = env.find(name);
  if (it == env.end()) {
    return Fault(Quoted(written) + ", and the environment variable " + name + " is not set",
                 "a variable that is set");
  }
  return it->second;
}

}  // namespace

bool IsVariableName(std::string_view name) {
  return !name.empty() && !IsDigit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
}

Result<std::string> Expand(std::string_view text, const Environment& env) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with(kModelsDir)) {
      Result<std::string> value = Variable("MODELS_DIR", kModelsDir, env);
      if (!value) return value;
      if (value->empty()) {
        return Fault(Quoted(kModelsDir) + ", and the environment variable MODELS_DIR is empty",
                     "the folder of the models");
      }
      out += *value;
      text.remove_prefix(kModelsDir.size());
    } else if (text.starts_with("$$")) {
      out += '$';
      text.remove_prefix(2);
    } else if (text.starts_with("${")) {
      const std::size_t end = text.find('}');
      const std::string_view written = text.substr(0, end == text.npos ? end : end + 1);
      const std::string_view name = end == text.npos ? std::string_view() : text.substr(2, end - 2);
      if (!IsVariableName(name)) {
        return Fault(Quoted(written), "${NAME}, NAME of letters, digits and \"_\"");
      }
      Result<std::string> value = Variable(std::string(name), written, env);
      if (!value) return value;
      out += *value;
      text.remove_prefix(end + 1);
    } else if (text.starts_with('$')) {
      return Fault("a \"$\" that stands alone in " + Quoted(text),
                   "${NAME} for a variable, $$ for a dollar sign");
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace bi_test::config
