#include "server/dialects/openai_dialect.h"

#include <utility>

#include "process/text.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/flag_template.h"
#include "server/launch_checks.h"
#include "server/model_list.h"

namespace bi_test::server {

Result<std::vector<std::string>> OpenAiDialect::Arguments(const LaunchSpec& spec,
                                                          std::uint16_t port,
                                                          const std::string& api_key) const {
  const std::int64_t total = static_cast<std::int64_t>(spec.ctx) * spec.slots;
  return FillFlagTemplate(spec, {{"port", std::to_string(port)},
                                 {"host", "127.0.0.1"},
                                 {"model", spec.model->path.string()},
                                 {"parallel", std::to_string(spec.slots)},
                                 {"ctx", std::to_string(spec.ctx)},
                                 {"total_ctx", std::to_string(total)},
                                 {"api_key", api_key},
                                 {"alias", kServedName}});
}

std::vector<std::string> OpenAiDialect::ScrubbedEnvPrefixes() const {
  return {"LLAMA_ARG_", "VLLM_", "SGLANG_", "SGL_", "OLLAMA_", "LOCALAI_", "LLAMACPP_", "TGI_"};
}

std::map<std::string, std::string> OpenAiDialect::Environment(
    [[maybe_unused]] const std::string& api_key) const {
  return {};
}

Status OpenAiDialect::CheckEnvName([[maybe_unused]] std::string_view name) const { return {}; }

Status OpenAiDialect::CheckRow(const WorksetRow& row) const { return NoGrammar(row, kind()); }

std::string OpenAiDialect::RequestBody(const WorksetRow& row, std::uint64_t seed,
                                       const RunConfig& run) const {
  // Fields beyond OpenAI's own make some servers refuse the request.
  Json::Object body = GreedyOpenAiRequest();
  AddQuestion(row, seed, run, body);
  SchemaAsResponseFormat(body);
  return CompactText(Json(std::move(body)));
}

std::string OpenAiDialect::ProbeBody() const {
  Json::Object body = GreedyOpenAiRequest();
  AddProbe(body);
  return CompactText(Json(std::move(body)));
}

Counters OpenAiDialect::ParseMetrics([[maybe_unused]] std::string_view page) const { return {}; }

std::optional<int> OpenAiDialect::ParseBusySlots([[maybe_unused]] std::string_view page) const {
  return std::nullopt;
}

std::string OpenAiDialect::WidthHint() const {
  return "a server of kind openai shows nowhere how many requests it serves at once, so that only "
         "a "
         "RED can be had of it; if it is llama.cpp, vLLM or SGLang say so in server.kind, else add "
         "a "
         "dialect that reads its metrics (docs/dialects.md)";
}

bool OpenAiDialect::SaysHealthy(int status) const {
  return status == 200 || status == 401 || status == 403;
}

Result<bool> OpenAiDialect::CheckPage([[maybe_unused]] std::string_view path, std::string_view page,
                                      const LaunchSpec& spec, ServerIdentity& identity) const {
  const std::vector<ListedModel> models = ParseModelList(page);
  if (models.empty()) return false;
  const ListedModel& model = models.front();
  if (model.context) {
    if (std::optional<Error> wrong = CheckContext(*model.context, spec, identity)) return *wrong;
  }
  identity.props["model_id"] = process::Printable(model.id);
  return true;
}

bool OpenAiDialect::SaysPortTaken(std::string_view log) const { return LogSaysPortTaken(log); }

std::string OpenAiDialect::ExitHint([[maybe_unused]] std::string_view log) const { return {}; }

}  // namespace bi_test::server
