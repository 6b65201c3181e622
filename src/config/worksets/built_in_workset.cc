#include "config/worksets/built_in_workset.h"

#include "base/safe_text.h"
#include "config/name_match.h"
#include "config/worksets/workset.h"
#include "config/yaml/file_problems.h"

namespace bi_test::config {

std::vector<std::string> BuiltInWorksetNames() { return {"canary", "fragile", "lengths", "smoke"}; }

Workset PoolWorkset() {
  std::vector<WorksetRow> rows = SmokeWorkset().rows;
  for (const Workset& more : {CanaryWorkset(), PassageWorkset()}) {
    rows.insert(rows.end(), more.rows.begin(), more.rows.end());
  }
  return MakeWorkset(std::move(rows), "built-in pool");
}

Result<Workset> BuiltInWorkset(std::string_view name) {
  if (name == "smoke") return SmokeWorkset();
  if (name == "canary") return CanaryWorkset();
  if (name == "fragile" || name == "lengths") {
    return Error{ErrorCode::kUsage,
                 "found " + Quoted(name) +
                     ", whose rows are made with the server of each cell, allowed: canary, smoke",
                 "builtin"};
  }
  const std::vector<std::string> names = BuiltInWorksetNames();
  return Error{ErrorCode::kUsage,
               "found " + Quoted(name) + ", allowed: " + Joined(names) + DidYouMean(name, names),
               "builtin"};
}

}  // namespace bi_test::config
