#include "config/built_in_workset.h"

#include "config/problems.h"
#include "config/suggest.h"
#include "wire/text.h"

namespace bi_test::config {

std::vector<std::string> BuiltInWorksetNames() { return {"canary", "smoke"}; }

Result<Workset> BuiltInWorkset(std::string_view name) {
  if (name == "smoke") return SmokeWorkset();
  if (name == "canary") return CanaryWorkset();
  const std::vector<std::string> names = BuiltInWorksetNames();
  std::string allowed = Joined(names);
  const std::string near = NearestName(name, names);
  if (!near.empty()) allowed += " (did you mean \"" + near + "\"?)";
  return Error{ErrorCode::kUsage, "found " + wire::Quoted(name) + ", allowed: " + allowed,
               "builtin"};
}

}  // namespace bi_test::config
