#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "config/worksets/items.h"
#include "config/worksets/workset.h"
#include "config/yaml/file_problems.h"
#include "config/yaml/yaml_document.h"
#include "config/yaml/yaml_json.h"
#include "server/dialects/registry.h"

// Any bytes give rows or mistakes, as JSON and as YAML, and every row that is read gives a request
// body that is JSON, the same twice, in each dialect that can be asked it.
namespace {

using bi_test::Json;

void Check(const Json& json) {
  const Json::Array* array = json.if_array();
  if (array == nullptr || array->empty()) return;
  std::vector<bi_test::config::RowProblem> problems;
  std::vector<bi_test::WorksetRow> rows = bi_test::config::ReadRows(*array, problems);
  if (problems.empty() != (rows.size() == array->size())) std::abort();
  if (rows.empty()) return;
  const bi_test::Workset workset = bi_test::config::MakeWorkset(std::move(rows), "fuzz");
  (void)bi_test::config::ExpandItems(workset, "m", 4096, 1);
  for (const char* kind : {"llama.cpp", "vllm", "sglang", "openai"}) {
    const bi_test::server::Dialect& dialect = **bi_test::server::FindDialect(kind);
    for (const bi_test::WorksetRow& row : workset.rows) {
      if (!dialect.CheckRow(row).ok()) continue;
      const std::string body = dialect.RequestBody(row, 5, {});
      if (body != dialect.RequestBody(row, 5, {})) std::abort();
      bi_test::JsonLimits limits;
      limits.max_depth = 80;  // The body is a few levels deeper than the row.
      const auto parsed = bi_test::ParseJson(body, limits);
      if (!parsed.ok() || !(*parsed->Find("temperature") == Json(0))) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto json = bi_test::ParseJson(text); json.ok()) Check(*json);
  bi_test::config::FileProblems problems;
  bi_test::config::YamlNode root;
  if (bi_test::config::ParseYaml(text, {}, root, problems)) Check(bi_test::config::ToJson(root));
  return 0;
}
