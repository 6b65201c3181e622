#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "bi_test/result.h"
#include "server/dialect.h"

namespace bi_test::server {

/// The kinds of server that can be launched, by name. Thread safe. Nothing is ever taken out, so
/// that a dialect that was found stays valid as long as its registry.
class DialectRegistry {
 public:
  /// With the kinds that bi_test brings along.
  DialectRegistry();
  /// Refuses a kind that is there already.
  [[nodiscard]] Status Add(std::unique_ptr<const Dialect> dialect);
  /// The dialect of that name, or an error listing the known ones.
  [[nodiscard]] Result<const Dialect*> Find(std::string_view kind) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const Dialect>> dialects_;
};

/// The registry of this process.
[[nodiscard]] DialectRegistry& Dialects();

/// Looks in the registry of this process.
[[nodiscard]] Result<const Dialect*> FindDialect(std::string_view kind);

}  // namespace bi_test::server
