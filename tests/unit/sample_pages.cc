#include "unit/sample_pages.h"

#include <memory>
#include <utility>

#include "cert/run_facts.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"

namespace bi_test::testing_support {
namespace {

using report::CellDetail;
using report::CellResult;
using report::CellState;

void Detail(CellRun run, CellResult& row) {
  auto detail = std::make_shared<CellDetail>();
  for (std::size_t i = 0; i < run.judgement.passes.size(); ++i) {
    PassReport& pass = run.judgement.passes[i];
    pass.mean_busy_slots = 7.75 - 0.25 * static_cast<double>(i % 3);
    pass.coverage_fraction = 1.0;
    pass.n_trials = pass.n_ok = 48;
  }
  run.record.header = Json();
  run.record.header["server"]["kind"] = "llama.cpp";
  run.record.header["provenance"]["run_id"] = "0123abcd";
  detail->facts = FactsOf(run);
  detail->facts.expires_utc = "2026-06-01T00:00:00Z";
  detail->drift = {{"t03", 0.0625, true}, {"t11", 0.03125, true}, {"t01", 0.0, false}};
  row.detail = std::move(detail);
  row.ts_utc = "2026-03-01T08:01:00Z";
}

}  // namespace

report::SweepResult SamplePages() {
  report::SweepResult sweep = SampleSweep();
  Detail(GreenRun(), sweep.cells[0]);
  CellRun red = RedRun();
  red.judgement.distinct_outputs = {{"t03", 3}, {"t11", 2}};
  red.judgement.decision_reasons = {"n_divergent: AC=3 AB=0 BC=3"};
  red.judgement.n_divergences = 20;
  Divergence leak = red.judgement.divergences.front();
  leak.test_id = "t11";
  leak.leak_donor = "t07";
  leak.margin = 0.5;
  leak.not_explained_by_rounding = true;
  red.judgement.divergences.push_back(leak);
  Detail(red, sweep.cells[2]);
  Detail(AmberRun(), sweep.cells[3]);
  Detail(UnverifiedRun(), sweep.cells[4]);
  Detail(InfrastructureRun(), sweep.cells[5]);
  CellResult& again = sweep.cells[8];
  Detail(GreenRun(), again);
  auto detail = std::make_shared<CellDetail>(*again.detail);
  detail->drift.clear();
  detail->no_trace = "there is no trace beside the cert";
  detail->facts.n_earlier = 1;
  detail->facts.earlier = {{"2026-02-28T08:00:00Z", "failed", 2}};
  again.detail = std::move(detail);
  again.throughput = {};
  again.notes = {"The newest of 2 results of this cell counts; the others:",
                 "RED of 2026-02-28T08:00:00Z in /shard2"};
  CellResult damaged = sweep.cells[0];
  damaged.cell.dispatch_n = 3;
  damaged.state = CellState::kError;
  damaged.damaged = true;
  damaged.detail = nullptr;
  damaged.message = "damaged cert: its digest does not fit what it says: it was edited or cut";
  damaged.explanation = damaged.message;
  sweep.cells.push_back(std::move(damaged));
  sweep.problems = {"/out/broken__ctx1__N2.json: no cert: line 1: found the end of the text"};
  return sweep;
}

report::SweepResult PagesFullOf(const std::string& text) {
  const std::string part = text.substr(0, 4096);
  CellRun run = RedRun();
  run.cell.model = text;
  run.cell.kv_label = part;
  run.record.source = part;
  Judgement& judgement = run.judgement;
  judgement.divergence_class = part;
  judgement.anomaly = part;
  judgement.mismatch = part;
  judgement.transport_only = true;  // else the first cause is not told
  judgement.first_cause = part;
  judgement.reason_codes = {part};
  judgement.decision_reasons = {part, part};
  judgement.distinct_outputs = {{part, 2}};
  judgement.status_counts = {{part, 1}, {"ok", 2}};
  judgement.uncertified_ids = {{part, part}};
  for (PassReport& pass : judgement.passes) {
    pass.effective = false;
    pass.why_not = part;
  }
  Divergence& divergence = judgement.divergences.front();
  divergence.test_id = part;
  divergence.field = part;
  divergence.x_around = text + "a" + text;
  divergence.y_around = text + "b" + text;
  divergence.leak_donor = part;
  divergence.cause = part;
  divergence.companions = {part, part};
  run.cert_path = "/out/" + part;
  run.trace_path = part;
  run.server_logs = {"/out/" + part};
  CellResult full;
  report::FillFromRun(run, full);
  Detail(run, full);
  auto detail = std::make_shared<CellDetail>(*full.detail);
  detail->facts.expires_utc = part;
  detail->no_trace = part;
  detail->drift = {{part, 0.5, true}};
  SetUp& set_up = detail->facts.set_up;
  set_up.server_kind = set_up.server_binary = set_up.server_build = part;
  detail->facts.n_earlier = 1;
  detail->facts.earlier = {{part, part, std::nullopt}};
  full.detail = std::move(detail);
  full.test_name = full.file = full.accepted = full.next_step = part;
  full.labels = full.notes = {part};
  full.message = text;
  report::SweepResult sweep;
  for (const CellState state :
       {CellState::kRan, CellState::kError, CellState::kNotRun, CellState::kSkipped}) {
    CellResult cell = full;
    cell.state = state;
    if (state != CellState::kRan) {
      cell.detail = nullptr;
      cell.explanation = text;
    }
    sweep.cells.push_back(std::move(cell));
  }
  sweep.sweep_file = sweep.start_utc = sweep.end_utc = part;
  sweep.sources = sweep.problems = {part};
  return sweep;
}

report::SweepResult ManyCells(std::size_t n) {
  report::SweepResult sweep = SamplePages();
  const CellResult green = sweep.cells[0];
  const CellResult red = sweep.cells[2];
  sweep.cells.clear();
  sweep.problems.clear();
  for (std::size_t i = 0; i < n; ++i) {
    sweep.cells.push_back(i % 2 == 0 ? green : red);
    sweep.cells.back().cell.model = "model-" + std::to_string(i / 8);
    sweep.cells.back().cell.dispatch_n = 2 + static_cast<int>(i % 8);
  }
  return sweep;
}

}  // namespace bi_test::testing_support
