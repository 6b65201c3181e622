#include "server/dialects/registry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/safe_text.h"
#include "server/dialects/built_in_dialects.h"

namespace bi_test::server {

DialectRegistry::DialectRegistry() {
  for (const auto make :
       {&MakeLlamaCppDialect, &MakeVllmDialect, &MakeSglangDialect, &MakeOpenAiDialect}) {
    dialects_.push_back(make());
  }
}

Status DialectRegistry::Add(std::unique_ptr<const Dialect> dialect) {
  const std::lock_guard lock(mutex_);
  const auto same = std::ranges::find(dialects_, dialect->kind(),
                                      [](const auto& known) { return known->kind(); });
  if (same != dialects_.end()) {
    return Error{
        ErrorCode::kUsage,
        "found a second dialect `" + std::string(dialect->kind()) + "`, allowed: one of each kind",
        "server.kind"};
  }
  dialects_.push_back(std::move(dialect));
  return {};
}

Result<const Dialect*> DialectRegistry::Find(std::string_view kind) const {
  const std::lock_guard lock(mutex_);
  std::string names;
  for (const std::unique_ptr<const Dialect>& dialect : dialects_) {
    if (dialect->kind() == kind) return dialect.get();
    names += (names.empty() ? "" : ", ") + std::string(dialect->kind());
  }
  return Error{
      ErrorCode::kUsage,
      "found `" + Printable(kind) + "`; the kinds of server this build can launch are: " + names,
      "server.kind"};
}

DialectRegistry& Dialects() {
  static DialectRegistry registry;
  return registry;
}

Result<const Dialect*> FindDialect(std::string_view kind) { return Dialects().Find(kind); }

}  // namespace bi_test::server
