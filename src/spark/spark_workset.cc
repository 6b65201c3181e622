#include "spark/spark_workset.h"

#include <string>
#include <utility>

#include "spark/family.h"
#include "spark/generate.h"

namespace bi_test {
namespace spark {
namespace {

// Where template and prompt meet, tokens may part otherwise; and the begin token is not in the
// text.
constexpr std::int64_t kRenderSlack = 4;

// What the chat template adds to a prompt, system message included.
std::optional<std::int64_t> TemplateTokens(const WorksetRequest& request) {
  if (!request.count || !request.render) return std::nullopt;
  const std::string probe = "one short question";
  const auto rendered = request.render(std::string(SystemMessage()), probe);
  if (!rendered) return std::nullopt;
  const auto all = request.count(*rendered);
  const auto plain = request.count(probe);
  if (!all || !plain) return std::nullopt;
  return *all - *plain + kRenderSlack;
}

}  // namespace

Result<Workset> SparkMaker::Make(const WorksetRequest& request) const {
  GenerateInput input;
  input.config = config_;
  input.model = request.model;
  input.ctx = request.ctx;
  input.reps = request.reps;
  input.max_tokens = request.max_tokens;
  input.count = request.count;
  input.template_tokens = TemplateTokens(request);
  input.probed_window = request.sliding_window;
  Result<Generated> made = Generate(input);
  if (!made.ok()) return made.error();
  Workset workset;
  workset.rows.reserve(made->rows.size());
  for (Row& row : made->rows) {
    WorksetRow& out = workset.rows.emplace_back();
    out.prompt = std::move(row.prompt);
    out.system = std::move(row.system);
    out.expected_answer = std::move(row.gold);
    out.family = std::move(row.family);
    out.fill = row.fill_hundredths / 100.0;
  }
  workset.stamp = std::move(made->stamp);
  return workset;
}

}  // namespace spark

std::shared_ptr<const WorksetMaker> SparkWorkset(SparkConfig config) {
  return std::make_shared<const spark::SparkMaker>(std::move(config));
}

}  // namespace bi_test
