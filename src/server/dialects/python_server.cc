#include "server/dialects/python_server.h"

#include <algorithm>
#include <utility>

#include "base/safe_text.h"
#include "server/dialects/chat_request.h"
#include "server/dialects/launch_checks.h"

namespace bi_test::server {

std::vector<std::string> TorchEnvPrefixes() {
  return {"HF_",     "TRANSFORMERS_", "TORCH",   "PYTORCH", "NCCL_",
          "TRITON_", "FLASHINFER_",   "CUBLAS_", "CUDNN_",  "NVIDIA_TF32_OVERRIDE",
          "MIOPEN_", "AITER_",        "ONEDNN_", "DNNL_"};
}

std::vector<std::string> TorchEnvPlaces() {
  return {"HF_HOME",    "HF_HUB_CACHE",     "HF_MODULES_CACHE",
          "TORCH_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"};
}

std::map<std::string, std::string> OfflineEnvironment() {
  return {{"HF_HUB_OFFLINE", "1"}, {"TRANSFORMERS_OFFLINE", "1"}, {"DO_NOT_TRACK", "1"}};
}

Status CheckOfflineEnvName(std::string_view name) {
  if (name == "HF_HUB_OFFLINE" || name == "TRANSFORMERS_OFFLINE") {
    return Error{ErrorCode::kRefused,
                 "bi_test sets it: a model is read from disk and never fetched; remove it",
                 {}};
  }
  return {};
}

bool IsPython(const LaunchSpec& spec) {
  return spec.server->binary.filename().string().starts_with("python");
}

Result<std::string> KvCacheType(const LaunchSpec& spec,
                                std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), spec.model->kv) != known.end()) return spec.model->kv;
  std::string names;
  for (const std::string_view name : known) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Error{ErrorCode::kRefused,
               "kv: found `" + Printable(spec.model->kv) + "`; servers of kind " +
                   spec.server->kind + " know " + names,
               spec.model->id};
}

Json::Object GreedyTorchRequest() {
  Json::Object body = GreedyOpenAiRequest();
  body["top_k"] = -1;
  body["min_p"] = 0;
  body["repetition_penalty"] = 1;
  return body;
}

std::string TorchRequest(Json::Object greedy, const WorksetRow& row, std::uint64_t seed,
                         const RunConfig& run) {
  AddQuestion(row, seed, run, greedy);
  SchemaAsResponseFormat(greedy);
  greedy["ignore_eos"] = run.ignore_eos;
  return CompactText(Json(std::move(greedy)));
}

Result<ListedModel> FindServedModel(std::string_view page, const LaunchSpec& spec) {
  for (ListedModel& model : ParseModelList(page)) {
    if (model.id == kServedName) return std::move(model);
  }
  return NotAsLaunched("GET /v1/models: the model `" + std::string(kServedName) +
                           "` that was launched is not listed; it may be another server",
                       spec);
}

}  // namespace bi_test::server
