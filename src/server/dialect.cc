#include "server/dialect.h"

#include <utility>

#include "base/ascii.h"
#include "bi_test/json.h"

namespace bi_test::server {

bool Dialect::SaysPortTaken(std::string_view log) const {
  return ContainsText(log, "couldn't bind", /*ignore_case=*/true) ||
         ContainsText(log, "address already in use", /*ignore_case=*/true);
}

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

}  // namespace bi_test::server
