#include "run/spark_workset.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/json_reader.h"
#include "base/try.h"
#include "config/worksets/workset.h"
#include "run/server_request.h"
#include "run/token_counts.h"
#include "spark/family.h"
#include "spark/generate.h"

namespace bi_test::run {
namespace {

// Where template and prompt meet, tokens may part otherwise; and the begin token is not in the
// text.
constexpr std::int64_t kRenderSlack = 4;

spark::GenerateInput InputOf(const Sweep& sweep, const SweepCell& cell) {
  spark::GenerateInput input;
  input.config = *sweep.spark;
  input.model = cell.cell.model;
  input.ctx = cell.cell.ctx;
  input.reps = sweep.run.reps;
  input.max_tokens = sweep.run.max_tokens;
  return input;
}

/// A chat with the profile's system message and a short prompt, as the model reads it.
std::optional<std::string> Rendered(const server::Dialect& dialect,
                                    const server::ServerIdentity& identity, const RunClock& clock,
                                    const std::string& prompt) {
  if (dialect.render_path().empty()) return std::nullopt;
  const std::optional<std::string> reply =
      AskServer(identity, dialect.render_path(),
                dialect.RenderBody(std::string(spark::SystemMessage()), prompt), clock);
  if (!reply) return std::nullopt;
  const Result<Json> json = ParseJson(*reply);
  const Json* text = json.ok() ? json->Find("prompt") : nullptr;
  if (text == nullptr || text->if_string() == nullptr) return std::nullopt;
  return *text->if_string();
}

std::int64_t WindowOf(const server::ServerIdentity& identity) {
  const Json* window = identity.props.Find("n_swa");
  const std::int64_t* tokens = window == nullptr ? nullptr : window->if_int64();
  return tokens == nullptr ? 0 : std::max<std::int64_t>(0, *tokens);
}

Result<Workset> WorksetFrom(const Sweep& sweep, const spark::GenerateInput& input) {
  Result<spark::Generated> made = spark::Generate(input);
  if (!made.ok()) {
    const Error& error = made.error();
    return Error{error.code, error.message,
                 sweep.file + (error.where.empty() ? "" : ": " + error.where)};
  }
  std::vector<WorksetRow> rows;
  rows.reserve(made->rows.size());
  for (spark::Row& row : made->rows) {
    WorksetRow& out = rows.emplace_back();
    out.prompt = std::move(row.prompt);
    out.system = std::move(row.system);
    out.expected_answer = std::move(row.gold);
    out.family = std::move(row.family);
    out.fill = row.fill_hundredths / 100.0;
  }
  Workset workset = config::MakeWorkset(std::move(rows), sweep.workset.name);
  workset.reps_in_rows = input.reps;
  workset.stamp = std::move(made->stamp);
  return workset;
}

}  // namespace

Result<Workset> MakeSparkWorkset(const Sweep& sweep, const SweepCell& cell,
                                 const server::Dialect& dialect,
                                 const server::ServerIdentity& identity, const RunClock& clock) {
  spark::GenerateInput input = InputOf(sweep, cell);
  input.probed_window = WindowOf(identity);
  if (dialect.tokenize_path().empty()) return WorksetFrom(sweep, input);

  const auto may_go_on = [&clock] { return clock.MayGoOn("the work-set was being made"); };
  input.count = [&](std::string_view text) -> std::optional<std::int64_t> {
    if (!may_go_on().ok()) return std::nullopt;
    return CountTokens(dialect, identity, std::string(text), clock);
  };
  const std::string probe = "one short question";
  if (const auto rendered = Rendered(dialect, identity, clock, probe)) {
    const auto all = input.count(*rendered);
    const auto plain = input.count(probe);
    if (all && plain) input.template_tokens = *all - *plain + kRenderSlack;
  }
  Result<Workset> workset = WorksetFrom(sweep, input);
  // What was made in haste is not what a later run would make.
  BI_TRY(may_go_on());
  return workset;
}

Result<Workset> EstimateSparkWorkset(const Sweep& sweep, const SweepCell& cell) {
  return WorksetFrom(sweep, InputOf(sweep, cell));
}

}  // namespace bi_test::run
