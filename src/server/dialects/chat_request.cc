#include "server/dialects/chat_request.h"

#include <utility>

namespace bi_test::server {
namespace {

Json Message(const std::string& role, const std::string& content) {
  return Json(Json::Object{{"role", Json(role)}, {"content", Json(content)}});
}

}  // namespace

void AddQuestion(const WorksetRow& row, std::uint64_t seed, const RunConfig& run,
                 Json::Object& body) {
  if (row.completion) {
    body["prompt"] = row.prompt;
    if (run.n_probs > 0) body["logprobs"] = run.n_probs;
  } else {
    Json::Array messages;
    if (row.messages.empty()) {
      if (row.system && !row.system->empty()) messages.push_back(Message("system", *row.system));
      messages.push_back(Message("user", row.prompt));
    }
    for (const ChatMessage& message : row.messages) {
      messages.push_back(Message(message.role, message.content));
    }
    body["messages"] = std::move(messages);
    if (run.n_probs > 0) {
      body["logprobs"] = true;
      body["top_logprobs"] = run.n_probs;
    }
  }
  body["max_tokens"] = run.max_tokens;
  // Servers take 32 bits, read 2^32 - 1 as "random", and JSON readers lose precision above 2^53.
  body["seed"] = seed % (std::uint64_t{1} << 31);
  if (const Json::Object* sampling = row.sampling.if_object()) {
    for (const auto& [key, value] : *sampling) body[key] = value;
  }
}

void SchemaAsResponseFormat(Json::Object& body) {
  const auto schema = body.find("json_schema");
  if (schema == body.end()) return;
  Json format;
  format["type"] = "json_schema";
  format["json_schema"]["name"] = "answer";
  format["json_schema"]["strict"] = true;
  format["json_schema"]["schema"] = std::move(schema->second);
  body.erase(schema);
  body["response_format"] = std::move(format);
}

Status NoGrammar(const WorksetRow& row, std::string_view kind) {
  if (row.sampling.Find("grammar") == nullptr) return {};
  return Error{ErrorCode::kUsage,
               "found a grammar, allowed with kind " + std::string(kind) +
                   ": json_schema or response_format (GBNF grammars are llama.cpp's own)",
               "sampling.grammar"};
}

std::string ProbeText(Json::Object body) {
  body["messages"] = Json::Array{Message("user", "ready?")};
  body["max_tokens"] = 1;
  body["seed"] = 0;
  return CompactText(Json(std::move(body)));
}

Json::Object GreedyOpenAiRequest() {
  Json::Object body;
  body["model"] = kServedName;
  body["n"] = 1;
  body["stream"] = true;
  body["stream_options"] = Json::Object{{"include_usage", Json(true)}};
  body["temperature"] = 0;
  body["top_p"] = 1;
  body["presence_penalty"] = 0;
  body["frequency_penalty"] = 0;
  return body;
}

}  // namespace bi_test::server
