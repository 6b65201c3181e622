#include "server/dialect.h"

#include <array>
#include <string>

#include "server/llama_cpp_dialect.h"
#include "server/text.h"

namespace bi_test::server {

Result<const Dialect*> FindDialect(std::string_view kind) {
  static const LlamaCppDialect llama_cpp;
  const std::array<const Dialect*, 1> known = {&llama_cpp};
  std::string names;
  for (const Dialect* dialect : known) {
    if (dialect->kind() == kind) return dialect;
    names += (names.empty() ? "" : ", ") + std::string(dialect->kind());
  }
  return Error{
      ErrorCode::kUsage,
      "found `" + Printable(kind) + "`; the kinds of server this build can launch are: " + names,
      "server.kind"};
}

}  // namespace bi_test::server
