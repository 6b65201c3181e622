#include <algorithm>
#include <map>
#include <utility>

#include "bi_test/scorer.h"
#include "scorers/built_in_scorers.h"

namespace bi_test {
namespace {

struct Entry {
  std::vector<ScorerOption> options;
  ScorerFactory factory;
  std::shared_ptr<const Scorer> plain;  ///< With all defaults; null when one has to be set.
};

using Registry = std::map<std::string, Entry, std::less<>>;

Json Defaults(const std::vector<ScorerOption>& options) {
  Json::Object out;
  for (const ScorerOption& option : options) out[option.name] = option.fallback;
  return out;
}

Entry MakeEntry(std::vector<ScorerOption> options, ScorerFactory factory) {
  Entry entry{std::move(options), std::move(factory), nullptr};
  const bool all_default = std::ranges::none_of(
      entry.options, [](const ScorerOption& option) { return option.fallback.is_null(); });
  if (!all_default) return entry;
  Result<std::shared_ptr<const Scorer>> plain = entry.factory(Defaults(entry.options));
  if (plain.ok()) entry.plain = *std::move(plain);
  return entry;
}

Registry& Scorers() {
  static Registry registry = [] {
    Registry built_in;
    for (BuiltInScorer& scorer : BuiltInScorers()) {
      built_in.emplace(scorer.name, MakeEntry(std::move(scorer.options), std::move(scorer.make)));
    }
    return built_in;
  }();
  return registry;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

std::string OptionNames(const std::vector<ScorerOption>& options) {
  std::string names;
  for (const ScorerOption& option : options) names += (names.empty() ? "" : ", ") + option.name;
  return names.empty() ? "no options" : names;
}

Error OptionError(const std::string& option, const std::string& found, const std::string& allowed) {
  return Error{ErrorCode::kUsage, "found " + found + ", allowed: " + allowed, option};
}

}  // namespace

Status RegisterScorer(std::string name, std::vector<ScorerOption> options, ScorerFactory factory) {
  if (factory == nullptr) {
    return Error{ErrorCode::kUsage, "found no factory, allowed: a function that makes the scorer",
                 "RegisterScorer"};
  }
  if (name.empty() || name == kCommandScorer || !std::ranges::all_of(name, IsNameCharacter)) {
    return Error{ErrorCode::kUsage,
                 "found the name \"" + name +
                     "\", allowed: one or more of a-z, 0-9, \"_\", \".\", \"-\"" +
                     (name == kCommandScorer ? ", but not the word for programs" : ""),
                 "RegisterScorer"};
  }
  if (Scorers().contains(name)) {
    return Error{ErrorCode::kUsage,
                 "found a second scorer named \"" + name + "\", allowed: one of each name",
                 "RegisterScorer"};
  }
  Scorers().emplace(std::move(name), MakeEntry(std::move(options), std::move(factory)));
  return {};
}

Status RegisterScorer(std::unique_ptr<const Scorer> scorer) {
  if (scorer == nullptr) {
    return Error{ErrorCode::kUsage,
                 "found no scorer, allowed: an object of a class made from Scorer",
                 "RegisterScorer"};
  }
  std::string name(scorer->name());
  const std::shared_ptr<const Scorer> shared = std::move(scorer);
  return RegisterScorer(
      std::move(name), {},
      [shared](const Json&) -> Result<std::shared_ptr<const Scorer>> { return shared; });
}

const Scorer* FindScorer(std::string_view name) {
  const Registry& registry = Scorers();
  const auto it = registry.find(name);
  return it == registry.end() ? nullptr : it->second.plain.get();
}

const std::vector<ScorerOption>* FindScorerOptions(std::string_view name) {
  const Registry& registry = Scorers();
  const auto it = registry.find(name);
  return it == registry.end() ? nullptr : &it->second.options;
}

Json CompleteScorerOptions(std::string_view name, const Json& options) {
  const std::vector<ScorerOption>* known = FindScorerOptions(name);
  Json out = Json::Object{};
  if (known == nullptr) return out;
  for (const ScorerOption& option : *known) {
    const Json* given = options.Find(option.name);
    out[option.name] = given == nullptr || given->is_null() ? option.fallback : *given;
  }
  return out;
}

Result<std::shared_ptr<const Scorer>> MakeScorer(std::string_view name, const Json& options) {
  const Registry& registry = Scorers();
  const auto it = registry.find(name);
  if (it == registry.end()) {
    return OptionError("scorer", "the name \"" + std::string(name) + "\"", "the name of a scorer");
  }
  const std::vector<ScorerOption>& known = it->second.options;
  if (!options.is_object() && !options.is_null()) {
    return OptionError("scorer", CompactText(options), "an object of options");
  }
  if (const Json::Object* given = options.if_object()) {
    for (const auto& [key, value] : *given) {
      if (std::ranges::find(known, key, &ScorerOption::name) == known.end()) {
        return OptionError(key, "an unknown option", OptionNames(known));
      }
    }
  }
  const Json complete = CompleteScorerOptions(name, options);
  for (const ScorerOption& option : known) {
    const Json& value = *complete.Find(option.name);
    if (const auto allowed = WrongOption(option, value)) {
      return OptionError(option.name, value.is_null() ? "nothing" : CompactText(value), *allowed);
    }
  }
  return it->second.factory(complete);
}

std::vector<std::string> ScorerNames() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : Scorers()) names.push_back(name);
  return names;
}

}  // namespace bi_test
