#include "server/chat_request.h"

#include <string>
#include <utility>

namespace bi_test::server {
namespace {

Json Message(const char* role, const std::string& content) {
  return Json(Json::Object{{"role", Json(role)}, {"content", Json(content)}});
}

}  // namespace

void AddQuestion(const WorksetRow& row, std::uint64_t seed, const RunConfig& run,
                 Json::Object& body) {
  Json::Array messages;
  if (row.system && !row.system->empty()) messages.push_back(Message("system", *row.system));
  messages.push_back(Message("user", row.prompt));
  body["messages"] = std::move(messages);
  body["max_tokens"] = run.max_tokens;
  body["seed"] = seed % (std::uint64_t{1} << 31);
  if (run.n_probs > 0) {
    body["logprobs"] = true;
    body["top_logprobs"] = run.n_probs;
  }
}

void AddProbe(Json::Object& body) {
  body["messages"] = Json::Array{Message("user", "ready?")};
  body["max_tokens"] = 1;
  body["seed"] = 0;
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
