#include <algorithm>
#include <map>
#include <utility>

#include "bi_test/scorer.h"
#include "core/built_in_scorers.h"

namespace bi_test {
namespace {

using Registry = std::map<std::string, std::unique_ptr<const Scorer>, std::less<>>;

Registry& Scorers() {
  static Registry registry = [] {
    Registry built_in;
    built_in.emplace("exact", MakeExactScorer());
    built_in.emplace("needle", MakeNeedleScorer());
    return built_in;
  }();
  return registry;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

}  // namespace

Status RegisterScorer(std::unique_ptr<const Scorer> scorer) {
  if (scorer == nullptr) {
    return Error{ErrorCode::kUsage,
                 "found no scorer, allowed: an object of a class made from Scorer",
                 "RegisterScorer"};
  }
  std::string name(scorer->name());
  if (name.empty() || !std::ranges::all_of(name, IsNameCharacter)) {
    return Error{
        ErrorCode::kUsage,
        "found the name \"" + name + "\", allowed: one or more of a-z, 0-9, \"_\", \".\", \"-\"",
        "RegisterScorer"};
  }
  if (!Scorers().try_emplace(name, std::move(scorer)).second) {
    return Error{ErrorCode::kUsage,
                 "found a second scorer named \"" + name + "\", allowed: one of each name",
                 "RegisterScorer"};
  }
  return {};
}

const Scorer* FindScorer(std::string_view name) {
  const Registry& registry = Scorers();
  const auto it = registry.find(name);
  return it == registry.end() ? nullptr : it->second.get();
}

std::vector<std::string> ScorerNames() {
  std::vector<std::string> names;
  for (const auto& [name, scorer] : Scorers()) names.push_back(name);
  return names;
}

}  // namespace bi_test
