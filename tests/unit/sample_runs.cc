#include "unit/sample_runs.h"

namespace bi_test::testing_support {
namespace {

Trial TimedTrial(Arm arm, int pass, std::int64_t tokens, double dispatch, double complete) {
  Trial trial;
  trial.arm = arm;
  trial.pass = pass;
  trial.test_id = std::string("t") + std::to_string(pass);
  trial.completion_tokens = tokens;
  trial.dispatch_ts = dispatch;
  trial.complete_ts = complete;
  return trial;
}

}  // namespace

CellRun GreenRun() {
  CellRun run;
  run.cell = {.model = "qwen2.5-0.5b", .ctx = 4096, .dispatch_n = 8, .kv_label = "f16"};
  run.record.cell = run.cell;
  run.record.source = "live";
  run.record.trials = {TimedTrial(Arm::kA, 0, 400, 0.0, 10.0),
                       TimedTrial(Arm::kC, 0, 400, 20.0, 24.0)};
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kGreen;
  judgement.reason_codes = {"CLEAN"};
  for (PairReport* pair : {&judgement.ac, &judgement.ab, &judgement.bc, &judgement.aa2}) {
    pair->n_compared = 48;
    pair->logit_drift.n_ids_with_logprobs = 48;
  }
  judgement.client_max_overlap_depth = 8;
  judgement.server_peak_busy_slots = 8;
  judgement.effective_n = 8;
  judgement.overlap_ok = true;
  judgement.n_passes = 8;
  judgement.n_passes_effective = 8;
  judgement.min_mean_width = 7.25;
  for (int pass = 0; pass < judgement.n_passes; ++pass) {
    PassReport report;
    report.pass = pass;
    report.server_peak_busy_slots = 8;
    report.effective = true;
    judgement.passes.push_back(report);
  }
  judgement.coverage.coverage_fraction = 0.9375;
  judgement.coverage.cobatch_coverage_ok = true;
  judgement.floor = {.n_ok_a = 48,
                     .n_failure_a = 0,
                     .n_ok_b = 48,
                     .n_failure_b = 0,
                     .n_ok_c = 48,
                     .n_failure_c = 0,
                     .required_ok = 39,
                     .min_ok_fraction = 0.8,
                     .completion_floor_ok = true};
  judgement.statistics.n_effective_prompts = 48;
  judgement.statistics.n_comparisons = 384;
  judgement.statistics.rule_of_three = 0.0625;
  judgement.positive_control_ok = true;
  run.cert_path = "/out/qwen2.5-0.5b__ctx4096__N8.json";
  run.trace_path = "/out/qwen2.5-0.5b__ctx4096__N8.trace.jsonl";
  run.server_logs = {"/out/qwen2.5-0.5b__ctx4096__N8.server.log"};
  run.wall_s = 42.5;
  run.server_busy_s = 41.9;
  run.requests_sent = 528;
  return run;
}

CellRun RedRun() {
  CellRun run = GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kRed;
  judgement.divergence_class = "co_batching";
  judgement.reason_codes = {"AC_DIVERGED"};
  judgement.statistics.rule_of_three.reset();
  judgement.ac.n_divergent = 3;
  judgement.ac.divergent_ids = {"t03", "t11", "t40"};
  for (const std::string& id : judgement.ac.divergent_ids) {
    FieldDifference difference;
    difference.test_id = id;
    difference.field = "extracted_answer";
    difference.x = "the answer is 42 apples";
    difference.y = "the answer is 41 apples";
    judgement.ac.per_id.push_back(difference);
  }
  judgement.ac.logit_drift.n_ids_logprob_differ = 3;
  judgement.mismatch = "AC divergent on 3 id(s)";
  Divergence divergence;
  divergence.test_id = "t03";
  divergence.arm = Arm::kC;
  divergence.pass = 2;
  divergence.field = "extracted_answer";
  divergence.token_index = 17;
  divergence.byte_offset = 15;
  divergence.code_point_offset = 15;
  divergence.x_around = "the answer is 42 apples";
  divergence.y_around = "the answer is 41 apples";
  divergence.margin = 0.031;
  divergence.slot = 5;
  divergence.observed_width = 7;
  divergence.companions = {"t01", "t07", "t19"};
  judgement.divergences = {divergence};
  return run;
}

CellRun AmberRun() {
  CellRun run = GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kAmber;
  judgement.reason_codes = {"TOKEN_ONLY"};
  judgement.ac.token_divergence_ids = {"t05", "t06"};
  judgement.token_divergence_ids = judgement.ac.token_divergence_ids;
  Divergence divergence;
  divergence.test_id = "t05";
  divergence.arm = Arm::kC;
  divergence.pass = 0;
  divergence.field = "content";
  divergence.byte_offset = 3;
  divergence.x_around = "yes.";
  divergence.y_around = "yes!";
  judgement.divergences = {divergence};
  return run;
}

CellRun UnverifiedRun() {
  CellRun run = GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kUnverified;
  judgement.reason_codes = {"COVERAGE", "WIDTH"};
  judgement.statistics.rule_of_three.reset();
  judgement.server_peak_busy_slots = 6;
  judgement.effective_n = 6;
  judgement.min_mean_width = 5.5;
  judgement.n_passes_effective = 7;
  judgement.passes[3].effective = false;
  judgement.passes[3].why_not = "widest 6 < 8";
  judgement.coverage.coverage_fraction = 0.625;
  judgement.coverage.cobatch_coverage_ok = false;
  return run;
}

CellRun InfrastructureRun() {
  CellRun run = GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kRed;
  judgement.divergence_class = "infrastructure";
  judgement.reason_codes = {"AC_DIVERGED", "INFRASTRUCTURE"};
  judgement.transport_only = true;
  judgement.first_cause = "server died of signal 11 in arm C pass 1";
  judgement.mismatch = "AC divergent on 9 id(s)";
  judgement.statistics.rule_of_three.reset();
  judgement.ac.n_divergent = 9;
  judgement.floor.n_ok_c = 39;
  judgement.floor.n_failure_c = 9;
  return run;
}

CellRun BrokenRun() {
  CellRun run;
  run.cell = GreenRun().cell;
  run.error = Error{.code = ErrorCode::kServer,
                    .message =
                        "the server ended with status 1 before it was ready; its last line: "
                        "failed to load model",
                    .where = "arm A"};
  run.refusal_path = "/out/refusal-01.json";
  run.server_logs = {"/out/qwen2.5-0.5b__ctx4096__N8.server.log"};
  run.wall_s = 1.5;
  return run;
}

}  // namespace bi_test::testing_support
