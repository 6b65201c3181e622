#include "run/maker_workset.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/json_reader.h"
#include "base/try.h"
#include "bi_test/workset_maker.h"
#include "config/worksets/workset.h"
#include "run/server_request.h"
#include "run/token_counts.h"

namespace bi_test::run {
namespace {

WorksetRequest RequestOf(const Sweep& sweep, const SweepCell& cell) {
  WorksetRequest request;
  request.model = cell.cell.model;
  request.ctx = cell.cell.ctx;
  request.reps = sweep.run.reps;
  request.max_tokens = sweep.run.max_tokens;
  return request;
}

std::optional<std::string> Rendered(const server::Dialect& dialect,
                                    const server::ServerIdentity& identity, const RunClock& clock,
                                    const std::string& system, const std::string& prompt) {
  const std::optional<std::string> reply =
      AskServer(identity, dialect.render_path(), dialect.RenderBody(system, prompt), clock);
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

Result<Workset> Make(const Sweep& sweep, const WorksetRequest& request) {
  Result<Workset> made = sweep.workset_maker->Make(request);
  if (!made.ok()) {
    const Error& error = made.error();
    return Error{error.code, error.message,
                 sweep.file + (error.where.empty() ? "" : ": " + error.where)};
  }
  Workset workset = config::MakeWorkset(std::move(made->rows), sweep.workset.name);
  workset.reps_in_rows = request.reps;
  workset.stamp = std::move(made->stamp);
  return workset;
}

}  // namespace

Result<Workset> MakeByMaker(const Sweep& sweep, const SweepCell& cell,
                            const server::Dialect& dialect, const server::ServerIdentity& identity,
                            const RunClock& clock) {
  WorksetRequest request = RequestOf(sweep, cell);
  request.sliding_window = WindowOf(identity);
  const auto may_go_on = [&clock] { return clock.MayGoOn("the work-set was being made"); };
  if (!dialect.tokenize_path().empty()) {
    request.count = [&](std::string_view text) -> std::optional<std::int64_t> {
      if (!may_go_on().ok()) return std::nullopt;
      return CountTokens(dialect, identity, std::string(text), clock);
    };
  }
  if (!dialect.render_path().empty()) {
    request.render = [&](const std::string& system, const std::string& prompt) {
      return Rendered(dialect, identity, clock, system, prompt);
    };
  }
  Result<Workset> workset = Make(sweep, request);
  // What was made in haste is not what a later run would make.
  BI_TRY(may_go_on());
  return workset;
}

Result<Workset> EstimateByMaker(const Sweep& sweep, const SweepCell& cell) {
  return Make(sweep, RequestOf(sweep, cell));
}

}  // namespace bi_test::run
