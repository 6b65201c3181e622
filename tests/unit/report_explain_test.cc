#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "cert/advice.h"
#include "cert/run_facts.h"
#include "report/explain.h"
#include "unit/approved.h"
#include "unit/sample_runs.h"

namespace bi_test::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::AmberRun;
using testing_support::BrokenRun;
using testing_support::GreenRun;
using testing_support::InfrastructureRun;
using testing_support::RedRun;
using testing_support::UnverifiedRun;

struct ExplainCase {
  std::string name;
  CellRun run;
  std::string message;
};

void PrintTo(const ExplainCase& test, std::ostream* out) { *out << test.name; }

CellRun Refused() {
  CellRun run = BrokenRun();
  run.error = Error{.code = ErrorCode::kRefused,
                    .message = "the server would need 20 GiB, allowed are 15 GiB",
                    .where = "cells.yaml:7:max_footprint_gib"};
  return run;
}

CellRun LeakRun() {
  CellRun run = RedRun();
  run.judgement.divergence_class = "leak";
  run.judgement.reason_codes = {"AC_DIVERGED", "LEAK"};
  Divergence& divergence = run.judgement.divergences.front();
  divergence.leak_donor = "t19";
  divergence.margin = 1.75;
  divergence.not_explained_by_rounding = true;
  divergence.companions = {"a", "b", "c", "d", "e", "f", "g"};
  return run;
}

CellRun UnrepeatableRun() {
  CellRun run = GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = Verdict::kRed;
  judgement.divergence_class = "harness_nondeterminism";
  judgement.reason_codes = {"SELF_IDENTITY"};
  judgement.aa2.n_divergent = 1;
  FieldDifference difference;
  difference.test_id = "t02";
  difference.field = "passed";
  difference.x = true;
  difference.y = false;
  judgement.aa2.per_id = {difference};
  Divergence divergence;
  divergence.test_id = "t02";
  divergence.arm = Arm::kA;
  divergence.pass = 1;
  divergence.field = "passed";
  judgement.divergences = {divergence};
  return run;
}

CellRun FewPromptsRun() {
  CellRun run = GreenRun();
  run.judgement.verdict = Verdict::kUnverified;
  run.judgement.reason_codes = {"FEW_PROMPTS"};
  run.judgement.statistics.n_effective_prompts = 3;
  return run;
}

CellRun FloorRun() {
  CellRun run = GreenRun();
  run.judgement.verdict = Verdict::kUnverified;
  run.judgement.reason_codes = {"FLOOR"};
  run.judgement.floor.n_ok_c = 30;
  run.judgement.uncertified_ids = {{"t01", "oom"}, {"t02", "oom"}};
  run.judgement.positive_control_ok = false;
  return run;
}

CellRun ScorerFaultRun() {
  CellRun run = FloorRun();
  run.judgement.first_cause =
      "arm A test_id \"t01\": scorer_error (score) HTTP 200: scorer \"python3\" exited 1; its last "
      "words: ZeroDivisionError: division by zero";
  run.judgement.status_counts = {{"ok", 40}, {"scorer_error", 8}};
  return run;
}

std::vector<ExplainCase> ExplainCases() {
  return {
      {"Green", GreenRun(),
       "GREEN: 48 ids compared in 8 batched passes, none differs; divergence rate at most 0.0625 "
       "(95 "
       "%)"},
      {"Red", RedRun(),
       "RED: 3 of 48 ids differ (co_batching); first t03 in c3 at token 17: ... answer is "
       "4>>>2<<< apples | ... answer is 4>>>1<<< apples"},
      {"Leak", LeakRun(),
       "RED: 3 of 48 ids differ (leak); first t03 in c3 (the answer of t19) at token 17: ... "
       "answer is 4>>>2<<< "
       "apples | ... answer is 4>>>1<<< apples"},
      {"Unrepeatable", UnrepeatableRun(),
       "RED: 1 of 48 ids differ in arm A's own repeat (harness_nondeterminism); first t02 in A2: "
       "true | false"},
      {"Infrastructure", InfrastructureRun(),
       "RED: infrastructure, not a numeric difference: server died of signal 11 in arm C pass 1"},
      {"Amber", AmberRun(),
       "AMBER: 2 ids scored alike but gave another output (TOKEN_ONLY); first t05 in c1: "
       "yes>>>.<<< | yes>>>!<<<"},
      {"Unverified", UnverifiedRun(),
       "UNVERIFIED: COVERAGE, WIDTH; widest 6 < 8; c4 does not count: widest 6 < 8"},
      {"FewPrompts", FewPromptsRun(), "UNVERIFIED: FEW_PROMPTS; 3 distinct prompts compared"},
      {"Floor", FloorRun(), "UNVERIFIED: FLOOR; 48 ok in A and 30 in C, 39 needed"},
      {"ScorerFault", ScorerFaultRun(), "UNVERIFIED: FLOOR; 48 ok in A and 30 in C, 39 needed"},
      {"Broken", BrokenRun(),
       "ERROR (server): arm A: the server ended with status 1 before it was ready; its last line: "
       "failed to load model"},
      {"Refused", Refused(),
       "ERROR (refused): cells.yaml:7:max_footprint_gib: the server would need 20 GiB, allowed are "
       "15 "
       "GiB"},
  };
}

class ExplainTest : public testing::TestWithParam<ExplainCase> {};

TEST_P(ExplainTest, MessageIsOneLine) {
  EXPECT_EQ(MessageLine(GetParam().run), GetParam().message);
}

TEST_P(ExplainTest, ExplanationIsAsApproved) {
  testing_support::ExpectApproved("explain_" + GetParam().name + ".txt", Explain(GetParam().run));
}

INSTANTIATE_TEST_SUITE_P(All, ExplainTest, testing::ValuesIn(ExplainCases()),
                         [](const testing::TestParamInfo<ExplainCase>& test) {
                           return test.param.name;
                         });

TEST(ExplainSizeTest, TwoMegabyteAnswersThatDifferLateStayShortWithTheDifferenceInView) {
  CellRun run = RedRun();
  Divergence& divergence = run.judgement.divergences.front();
  const std::string before(900'000, 'a');
  divergence.x_around = before + "X" + std::string(100'000, 'b');
  divergence.y_around = before + "Y" + std::string(100'000, 'b');
  divergence.byte_offset = 900'000;
  const std::string text = Explain(run);
  EXPECT_LT(text.size(), 4096U);
  const std::string a(80, 'a');
  const std::string b(80, 'b');
  EXPECT_THAT(text, AllOf(HasSubstr("..." + a + ">>>X<<<" + b + "..."),
                          HasSubstr("..." + a + ">>>Y<<<" + b + "..."), HasSubstr("byte 900000"),
                          HasSubstr(run.trace_path), HasSubstr(run.cert_path)));
  EXPECT_LT(MessageLine(run).size(), 300U);
}

TEST(ExplainSizeTest, TheLargestOfEverythingStillFits) {
  CellRun run = RedRun();
  const std::string huge(100'000, '\x01');
  run.cell.model = huge;
  run.judgement.divergence_class = huge;
  run.judgement.reason_codes.assign(20, huge);
  run.judgement.mismatch = huge;
  Divergence& divergence = run.judgement.divergences.front();
  divergence.test_id = divergence.field = divergence.leak_donor = huge;
  divergence.companions.assign(20, huge);
  divergence.x_around = huge + "a";
  divergence.y_around = huge + "b";
  run.server_logs.assign(20, "/" + huge);
  EXPECT_LT(Explain(run).size(), 4096U);
  EXPECT_LT(MessageLine(run).size(), 300U);
  EXPECT_THAT(Explain(run), AllOf(HasSubstr(run.cert_path), HasSubstr(run.trace_path)));
}

TEST(ExplainChoiceTest, WhereArmAWaversItsOwnDifferenceIsShown) {
  CellRun run = RedRun();
  run.judgement.reason_codes = {"SELF_IDENTITY"};
  run.judgement.aa2.n_divergent = 2;
  Divergence serial = run.judgement.divergences.front();
  serial.arm = Arm::kA;
  serial.pass = 1;
  run.judgement.divergences.push_back(serial);
  EXPECT_THAT(MessageLine(run),
              AllOf(HasSubstr("in A2"), HasSubstr("2 of 48 ids differ in arm A")));
}

TEST(ExplainChoiceTest, LostIdsCountAmongThoseCompared) {
  CellRun run = RedRun();
  run.judgement.ac.only_x = {"t77"};
  run.judgement.ac.n_divergent = 4;
  EXPECT_THAT(MessageLine(run), HasSubstr("4 of 49 ids differ"));
}

TEST(AdviceTest, EveryVerdictAndErrorHasOne) {
  for (const Verdict verdict :
       {Verdict::kGreen, Verdict::kRed, Verdict::kAmber, Verdict::kUnverified}) {
    CellRun run;
    run.judgement.verdict = verdict;
    EXPECT_THAT(Advice(FactsOf(run)), Not(testing::IsEmpty())) << verdict;
  }
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInterrupted); ++code) {
    CellRun run;
    run.error = Error{.code = static_cast<ErrorCode>(code), .message = "m", .where = ""};
    EXPECT_THAT(Advice(FactsOf(run)), Not(testing::IsEmpty())) << code;
  }
}

TEST(AdviceTest, AReasonCodeOfTheRunDecides) {
  EXPECT_THAT(Advice(FactsOf(FewPromptsRun())), HasSubstr("distinct prompts"));
  EXPECT_THAT(Advice(FactsOf(InfrastructureRun())), HasSubstr("not a numeric difference"));
  CellRun run = GreenRun();
  run.judgement.verdict = Verdict::kRed;
  run.judgement.reason_codes = {"AC_DIVERGED"};
  EXPECT_THAT(Advice(FactsOf(run)), HasSubstr("or at a smaller N that is GREEN"));
  run.cell.dispatch_n = 2;
  EXPECT_EQ(Advice(FactsOf(run)), "Serve this model one request at a time at this ctx.");
}

CellRun BlindRun() {
  CellRun run;
  run.judgement.verdict = Verdict::kUnverified;
  run.judgement.reason_codes = {"NO_OVERLAP"};
  run.judgement.passes.emplace_back();
  run.record.header["server"]["width_hint"] = "switch the metrics on\n\x1b[31m";
  return run;
}

TEST(AdviceTest, WithoutAnyWidthItIsTheServersOwnHint) {
  EXPECT_EQ(Advice(FactsOf(BlindRun())),
            "The server did not show how many requests it served at once: switch the metrics on"
            "\\n\\x1b[31m.");
}

TEST(AdviceTest, WhereTheServerShowedItsWidthTheHintIsNotGiven) {
  CellRun by_counters = BlindRun();
  by_counters.judgement.passes[0].mean_busy_slots = 1.0;
  CellRun by_samples = BlindRun();
  by_samples.judgement.passes[0].sampled_peak_busy_slots = 1;
  CellRun restarted = BlindRun();
  restarted.judgement.passes[0].counter_reset = true;
  CellRun no_hint = BlindRun();
  no_hint.record.header = Json();
  CellRun something_else = BlindRun();
  something_else.judgement.reason_codes = {"FLOOR"};
  for (const CellRun* run : {&by_counters, &by_samples, &restarted, &no_hint, &something_else}) {
    EXPECT_THAT(Advice(FactsOf(*run)), Not(HasSubstr("The server did not show")));
  }
}

}  // namespace
}  // namespace bi_test::report
