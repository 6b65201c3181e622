#include "scorers/scorer_registry.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "scorers/built_in_scorers.h"

namespace bi_test {
namespace {

Json Defaults(const std::vector<ScorerOption>& options) {
  Json::Object out;
  for (const ScorerOption& option : options) out[option.name] = option.fallback;
  return out;
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

/// The registry of this process. Entries are only added, so that what `Find` gave stays.
struct SharedRegistry {
  std::mutex mutex;
  ScorerRegistry scorers = ScorerRegistry::BuiltIn();
};

SharedRegistry& Shared() {
  static auto* const shared = new SharedRegistry();  // used by static initialisers and destructors
  return *shared;
}

/// A factory is a user's code and may ask the registry itself: it is called without the lock.
template <typename... Arguments>
Status Register(Arguments&&... arguments) {
  ScorerRegistry one;
  if (Status status = one.Add(std::forward<Arguments>(arguments)...); !status.ok()) return status;
  SharedRegistry& shared = Shared();
  const std::lock_guard lock(shared.mutex);
  return shared.scorers.Merge(std::move(one));
}

}  // namespace

ScorerRegistry ScorerRegistry::BuiltIn() {
  ScorerRegistry out;
  for (BuiltInScorer& scorer : BuiltInScorers()) {
    static_cast<void>(  // names of ours are well-formed and differ
        out.Add(scorer.name, std::move(scorer.options), std::move(scorer.make)));
  }
  return out;
}

Status ScorerRegistry::Add(std::string name, std::vector<ScorerOption> options,
                           ScorerFactory factory) {
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
  auto entry = std::make_shared<Entry>(Entry{std::move(options), std::move(factory), nullptr});
  const bool all_default = std::ranges::none_of(
      entry->options, [](const ScorerOption& option) { return option.fallback.is_null(); });
  if (all_default) {
    Result<std::shared_ptr<const Scorer>> plain = entry->factory(Defaults(entry->options));
    if (plain.ok()) entry->plain = *std::move(plain);
  }
  return Take(name, std::move(entry));
}

Status ScorerRegistry::Take(const std::string& name, std::shared_ptr<const Entry> entry) {
  if (entries_.try_emplace(name, std::move(entry)).second) return {};
  return Error{ErrorCode::kUsage,
               "found a second scorer named \"" + name + "\", allowed: one of each name",
               "RegisterScorer"};
}

Status ScorerRegistry::Merge(ScorerRegistry other) {
  for (auto& [name, entry] : other.entries_) {
    if (Status status = Take(name, std::move(entry)); !status.ok()) return status;
  }
  return {};
}

Status ScorerRegistry::Add(std::unique_ptr<const Scorer> scorer) {
  if (scorer == nullptr) {
    return Error{ErrorCode::kUsage,
                 "found no scorer, allowed: an object of a class made from Scorer",
                 "RegisterScorer"};
  }
  std::string name(scorer->name());
  const std::shared_ptr<const Scorer> shared = std::move(scorer);
  return Add(std::move(name), {},
             [shared](const Json&) -> Result<std::shared_ptr<const Scorer>> { return shared; });
}

const Scorer* ScorerRegistry::Find(std::string_view name) const {
  const auto it = entries_.find(name);
  return it == entries_.end() ? nullptr : it->second->plain.get();
}

const std::vector<ScorerOption>* ScorerRegistry::OptionsOf(std::string_view name) const {
  const auto it = entries_.find(name);
  return it == entries_.end() ? nullptr : &it->second->options;
}

Json ScorerRegistry::Complete(std::string_view name, const Json& options) const {
  const std::vector<ScorerOption>* known = OptionsOf(name);
  Json out = Json::Object{};
  if (known == nullptr) return out;
  for (const ScorerOption& option : *known) {
    const Json* given = options.Find(option.name);
    out[option.name] = given == nullptr || given->is_null() ? option.fallback : *given;
  }
  return out;
}

Result<std::shared_ptr<const Scorer>> ScorerRegistry::Make(std::string_view name,
                                                           const Json& options) const {
  const auto it = entries_.find(name);
  if (it == entries_.end()) {
    return OptionError("scorer", "the name \"" + std::string(name) + "\"", "the name of a scorer");
  }
  const std::vector<ScorerOption>& known = it->second->options;
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
  const Json complete = Complete(name, options);
  for (const ScorerOption& option : known) {
    const Json& value = *complete.Find(option.name);
    if (const auto allowed = WrongOption(option, value)) {
      return OptionError(option.name, value.is_null() ? "nothing" : CompactText(value), *allowed);
    }
  }
  return it->second->factory(complete);
}

std::vector<std::string> ScorerRegistry::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

ScorerRegistry RegisteredScorers() {
  SharedRegistry& shared = Shared();
  const std::lock_guard lock(shared.mutex);
  return shared.scorers;
}

Status RegisterScorer(std::string name, std::vector<ScorerOption> options, ScorerFactory factory) {
  return Register(std::move(name), std::move(options), std::move(factory));
}

Status RegisterScorer(std::unique_ptr<const Scorer> scorer) { return Register(std::move(scorer)); }

// Pointers stay good: the registry of the process keeps every entry.
const Scorer* FindScorer(std::string_view name) { return RegisteredScorers().Find(name); }

const std::vector<ScorerOption>* FindScorerOptions(std::string_view name) {
  return RegisteredScorers().OptionsOf(name);
}

Json CompleteScorerOptions(std::string_view name, const Json& options) {
  return RegisteredScorers().Complete(name, options);
}

Result<std::shared_ptr<const Scorer>> MakeScorer(std::string_view name, const Json& options) {
  return RegisteredScorers().Make(name, options);
}

std::vector<std::string> ScorerNames() { return RegisteredScorers().Names(); }

}  // namespace bi_test
