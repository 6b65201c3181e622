#include <utility>

#include "base/safe_text.h"
#include "base/try.h"
#include "server/dialects/built_in_dialects.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/flag_template.h"
#include "server/dialects/launch_checks.h"
#include "server/dialects/model_list.h"

namespace bi_test::server {
namespace {

class OpenAiDialect final : public Dialect {
 public:
  std::string_view kind() const override { return "openai"; }
  std::string metrics_path() const override { return {}; }
  std::string health_path() const override { return "/v1/models"; }
  std::vector<SelfPage> self_pages() const override { return {{"/v1/models"}}; }

  // `server.flags` and the model's flags, filled in. {ctx} is the context of one request.
  Result<std::vector<std::string>> Arguments(const LaunchSpec& spec, std::uint16_t port,
                                             const std::string& api_key) const override {
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

  std::vector<std::string> ScrubbedEnvPrefixes() const override {
    return {"LLAMA_ARG_", "VLLM_", "SGLANG_", "SGL_", "OLLAMA_", "LOCALAI_", "LLAMACPP_", "TGI_"};
  }

  Status CheckRow(const WorksetRow& row) const override { return NoGrammar(row, kind()); }

  std::string RequestBody(const WorksetRow& row, std::uint64_t seed,
                          const RunConfig& run) const override {
    // Fields beyond OpenAI's own make some servers refuse the request.
    Json::Object body = GreedyOpenAiRequest();
    AddQuestion(row, seed, run, body);
    SchemaAsResponseFormat(body);
    return CompactText(Json(std::move(body)));
  }

  std::string ProbeBody() const override { return ProbeText(GreedyOpenAiRequest()); }

  std::string WidthHint() const override {
    return "a server of kind openai shows nowhere how many requests it serves at once, so that only "
           "a RED can be had of it; if it is llama.cpp, vLLM or SGLang say so in server.kind, else "
           "add a dialect that reads its metrics (docs/dialects.md)";
  }

  // Without the key a server that asks for one refuses, which shows that it answers.
  bool SaysHealthy(int status) const override {
    return status == 200 || status == 401 || status == 403;
  }

  Result<bool> CheckPage([[maybe_unused]] std::string_view path, std::string_view page,
                         const LaunchSpec& spec, ServerIdentity& identity) const override {
    const std::vector<ListedModel> models = ParseModelList(page);
    if (models.empty()) return false;
    const ListedModel& model = models.front();
    BI_TRY(CheckContext(model.context, spec, identity));
    identity.props["model_id"] = Printable(model.id);
    return true;
  }
};

}  // namespace

std::unique_ptr<const Dialect> MakeOpenAiDialect() { return std::make_unique<OpenAiDialect>(); }

}  // namespace bi_test::server
