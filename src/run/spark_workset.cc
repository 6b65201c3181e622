#include "run/spark_workset.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/json_reader.h"
#include "config/worksets/workset.h"
#include "http/http_multi.h"
#include "process/interrupt.h"
#include "run/token_counts.h"
#include "spark/family.h"
#include "spark/generate.h"

namespace bi_test::run {
namespace {

constexpr std::chrono::milliseconds kRenderTimeout{30'000};
// Where template and prompt meet, tokens may part otherwise; and the begin token is not in the
// text.
constexpr std::int64_t kRenderSlack = 4;

spark::GenerateInput InputOf(const Sweep& sweep, const Cell& cell) {
  spark::GenerateInput input;
  input.config = *sweep.spark;
  input.model = cell.model;
  input.ctx = cell.ctx;
  input.reps = sweep.run.reps;
  input.max_tokens = sweep.run.max_tokens;
  return input;
}

/// A chat with the profile's system message and a short prompt, as the model reads it.
std::optional<std::string> Rendered(const server::Dialect& dialect,
                                    const server::ServerIdentity& identity, const RunClock& clock,
                                    const std::string& prompt) {
  if (dialect.render_path().empty()) return std::nullopt;
  http::HttpRequest request;
  request.method = "POST";
  request.port = identity.port;
  request.path = dialect.render_path();
  request.headers.emplace_back("Content-Type", "application/json");
  if (!identity.api_key.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + identity.api_key);
  }
  request.body = dialect.RenderBody(std::string(spark::SystemMessage()), prompt);
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock.deadline - Clock::now());
  request.total_timeout = std::min(kRenderTimeout, std::max(left, std::chrono::milliseconds{1}));
  const http::HttpReply reply = http::HttpMulti::Fetch(request);
  if (reply.ending != http::Ending::kDone || reply.status != 200) return std::nullopt;
  const Result<Json> json = ParseJson(reply.body);
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

Result<Workset> MakeSparkWorkset(const Sweep& sweep, const Cell& cell,
                                 const server::Dialect& dialect,
                                 const server::ServerIdentity& identity, const RunClock& clock) {
  spark::GenerateInput input = InputOf(sweep, cell);
  input.probed_window = WindowOf(identity);
  if (dialect.tokenize_path().empty()) return WorksetFrom(sweep, input);

  const auto interrupted = [&clock] {
    return process::InterruptSignal() != 0 || clock.deadline <= Clock::now();
  };
  input.count = [&](std::string_view text) -> std::optional<std::int64_t> {
    if (interrupted()) return std::nullopt;
    return CountTokens(dialect, identity, std::string(text), clock);
  };
  const std::string probe = "one short question";
  if (const auto rendered = Rendered(dialect, identity, clock, probe)) {
    const auto all = input.count(*rendered);
    const auto plain = input.count(probe);
    if (all && plain) input.template_tokens = *all - *plain + kRenderSlack;
  }
  Result<Workset> workset = WorksetFrom(sweep, input);
  if (!interrupted()) return workset;
  // What was made in haste is not what a later run would make.
  const int signal = process::InterruptSignal();
  return signal != 0
             ? Error{ErrorCode::kInterrupted, "interrupted by signal " + std::to_string(signal), {}}
             : Error{ErrorCode::kDeadline,
                     "the deadline of the whole run passed while the work-set was being made",
                     {}};
}

Result<Workset> EstimateSparkWorkset(const Sweep& sweep, const Cell& cell) {
  return WorksetFrom(sweep, InputOf(sweep, cell));
}

}  // namespace bi_test::run
