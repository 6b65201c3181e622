#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bi_test/scorer.h"

namespace bi_test {

/// Scorers by name, handed on by value: a copy has names of its own and shares the scorers.
class ScorerRegistry {
 public:
  /// The built-in ones alone.
  [[nodiscard]] static ScorerRegistry BuiltIn();

  /// The operations of bi_test/scorer.h, on this registry.
  [[nodiscard]] Status Add(std::unique_ptr<const Scorer> scorer);
  [[nodiscard]] Status Add(std::string name, std::vector<ScorerOption> options,
                           ScorerFactory factory);
  [[nodiscard]] const Scorer* Find(std::string_view name) const;
  [[nodiscard]] const std::vector<ScorerOption>* OptionsOf(std::string_view name) const;
  [[nodiscard]] Result<std::shared_ptr<const Scorer>> Make(std::string_view name,
                                                           const Json& options = {}) const;
  [[nodiscard]] Json Complete(std::string_view name, const Json& options) const;
  [[nodiscard]] std::vector<std::string> Names() const;

  /// Takes over the scorers of another one; fails at the first name that is taken.
  [[nodiscard]] Status Merge(ScorerRegistry other);

 private:
  struct Entry {
    std::vector<ScorerOption> options;
    ScorerFactory factory;
    std::shared_ptr<const Scorer> plain;  ///< With all defaults; null when one has to be set.
  };

  [[nodiscard]] Status Take(const std::string& name, std::shared_ptr<const Entry> entry);

  std::map<std::string, std::shared_ptr<const Entry>, std::less<>> entries_;
};

/// The registry of this process as it is now: the built-in scorers and what RegisterScorer added.
[[nodiscard]] ScorerRegistry RegisteredScorers();

}  // namespace bi_test
