#include "unit/sample_sweep.h"

#include <utility>

#include "unit/sample_runs.h"

namespace bi_test::testing_support {

report::CellResult ResultOf(CellRun run, const std::string& model, int n) {
  run.cell.model = model;
  run.cell.dispatch_n = n;
  report::CellResult result;
  result.test_name = "cell_ctx4096_n" + std::to_string(n);
  result.file = "cells.yaml";
  result.line = n;
  result.labels = {"gpu", "nightly"};
  report::FillFromRun(run, result);
  return result;
}

report::SweepResult SampleSweep() {
  report::SweepResult sweep;
  sweep.sweep_file = "cells.yaml";
  sweep.start_utc = "2026-03-01T08:00:00Z";
  sweep.end_utc = "2026-03-01T08:05:00Z";
  const std::string mixed = "qwen2.5-0.5b";
  sweep.cells = {
      ResultOf(GreenRun(), mixed, 2),
      ResultOf(GreenRun(), mixed, 4),
      ResultOf(RedRun(), mixed, 8),
      ResultOf(AmberRun(), mixed, 16),
      ResultOf(UnverifiedRun(), mixed, 32),
      ResultOf(InfrastructureRun(), mixed, 64),
      ResultOf(BrokenRun(), mixed, 128),
      ResultOf(BrokenRun(), mixed, 256),
      ResultOf(GreenRun(), "sn/phi-4:Q4 K", 2),
      ResultOf(BrokenRun(), "sn/phi-4:Q4 K", 4),
  };
  sweep.cells[3].passed = true;
  sweep.cells[3].accepted = "signed off by ops until 2026-12-31: punctuation only";
  report::CellResult& unreached = sweep.cells[7];
  report::CellResult fresh;
  fresh.test_name = unreached.test_name;
  fresh.cell = unreached.cell;
  fresh.file = unreached.file;
  fresh.line = unreached.line;
  fresh.labels = unreached.labels;
  fresh.message = "not reached: interrupted by signal 15";
  unreached = std::move(fresh);
  report::CellResult& skipped = sweep.cells[9];
  skipped.state = report::CellState::kSkipped;
  skipped.message = "server binary not found (skipping was asked for)";
  skipped.explanation.clear();
  skipped.refusal_path.clear();
  skipped.server_logs.clear();
  return sweep;
}

std::string HostileText() {
  using std::string_literals::operator""s;
  return "ansi \x1b[31mred\x1b[0m nul \0 bell \a bs \b del \x7f cdata ]]> markup <b a='x' "
         "b=\"y\">&amp; "
         "cr \r\n[  SKIPPED ] [  FAILED  ] [==========]\n<CTestMeasurement type=\"text/string\" "
         "name=\"x\">1</CTestMeasurement>\n[[ATTACHMENT|/etc/"
         "passwd]]\n[[PROPERTY|a=b]]\n::error::x\n"
         "##vso[task.complete]\nlatin1 \xe9 overlong \xc0\xaf surrogate \xed\xa0\x80 "
         "nonchar \xef\xbf\xbe \xef\xbf\xbf cut \xe2\x82"s;
}

}  // namespace bi_test::testing_support
