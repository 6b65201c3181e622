#include "server/dialects/model_list.h"

#include <utility>

#include "base/json_reader.h"
#include "server/json_facts.h"

namespace bi_test::server {

std::vector<ListedModel> ParseModelList(std::string_view page) {
  std::vector<ListedModel> models;
  const Result<Json> parsed = ParseJson(page);
  if (!parsed.ok() || !parsed->is_object()) return models;
  const Json* list = parsed->Find("data");
  if (list == nullptr) list = parsed->Find("models");
  if (list == nullptr || !list->is_array()) return models;
  for (const Json& entry : *list->if_array()) {
    if (!entry.is_object()) continue;
    ListedModel model;
    model.id = TextOf(entry.Find("id"));
    if (model.id.empty()) model.id = TextOf(entry.Find("name"));
    model.root = TextOf(entry.Find("root"));
    const Json* meta = entry.Find("meta");
    const Json* n_ctx = meta != nullptr && meta->is_object() ? meta->Find("n_ctx") : nullptr;
    for (const Json* context : {entry.Find("max_model_len"), entry.Find("context_length"),
                                entry.Find("max_context_length"), n_ctx}) {
      if (!model.context) model.context = WholeNumber(context);
    }
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace bi_test::server
