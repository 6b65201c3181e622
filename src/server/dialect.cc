#include "server/dialect.h"

#include <array>
#include <string>

#include "server/llama_cpp_dialect.h"
#include "server/openai_dialect.h"
#include "server/sglang_dialect.h"
#include "server/text.h"
#include "server/vllm_dialect.h"

namespace bi_test::server {

std::string Dialect::TokenizeBody(const std::string& prompt) const {
  return CompactText(Json(Json::Object{{"content", Json(prompt)}}));
}

Result<const Dialect*> FindDialect(std::string_view kind) {
  static const LlamaCppDialect llama_cpp;
  static const VllmDialect vllm;
  static const SglangDialect sglang;
  static const OpenAiDialect openai;
  const std::array<const Dialect*, 4> known = {&llama_cpp, &vllm, &sglang, &openai};
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
