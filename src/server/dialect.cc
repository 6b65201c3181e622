#include "server/dialect.h"

#include <array>
#include <string>
#include <utility>

#include "process/text.h"
#include "server/dialects/llama_cpp_dialect.h"
#include "server/dialects/openai_dialect.h"
#include "server/dialects/sglang_dialect.h"
#include "server/dialects/vllm_dialect.h"

namespace bi_test::server {

std::string Dialect::TokenizeBody(const std::string& prompt) const {
  return CompactText(Json(Json::Object{{"content", Json(prompt)}}));
}

std::string Dialect::RenderBody(const std::string& system, const std::string& prompt) const {
  Json::Array messages;
  for (const auto& [role, content] : {std::pair("system", system), std::pair("user", prompt)}) {
    Json message;
    message["role"] = role;
    message["content"] = content;
    messages.push_back(std::move(message));
  }
  Json body;
  body["messages"] = std::move(messages);
  return CompactText(body);
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
  return Error{ErrorCode::kUsage,
               "found `" + process::Printable(kind) +
                   "`; the kinds of server this build can launch are: " + names,
               "server.kind"};
}

}  // namespace bi_test::server
