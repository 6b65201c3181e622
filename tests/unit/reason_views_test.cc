// Every reason code through every view: the same meaning and the same advice everywhere.
#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "bi_test/matchers.h"
#include "cert/advice.h"
#include "cert/read_cert.h"
#include "cert/run_facts.h"
#include "report/cert_row.h"
#include "report/console.h"
#include "report/escape.h"
#include "report/explain.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/markdown.h"
#include "unit/sample_runs.h"
#include "verdict/reason_codes.h"
#include "verdict/reasons.h"
#include "verdict/verdict_rows.h"

namespace bi_test::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

/// A verdict that such a code can carry.
Verdict VerdictWith(ReasonCode code) {
  if (code <= ReasonCode::kAcDiverged) return Verdict::kRed;
  if (code == ReasonCode::kClean) return Verdict::kGreen;
  const bool amber = code >= ReasonCode::kBDisagrees && code <= ReasonCode::kUncertifiedIds;
  return amber ? Verdict::kAmber : Verdict::kUnverified;
}

CellRun RunWith(const Reason& reason) {
  CellRun run = testing_support::GreenRun();
  Judgement& judgement = run.judgement;
  judgement.verdict = VerdictWith(reason.code);
  judgement.reason_codes = {std::string(reason.name)};
  judgement.transport_only = reason.code == ReasonCode::kInfrastructure;
  judgement.decision_reasons = DecisionReasons(judgement, run.cell, {}, Policy());
  run.cert = BuildCert(run.record, judgement, Policy(),
                       {.ts_utc = "2026-03-01T08:01:00Z", .trace_sha256 = ""});
  return run;
}

class ReasonViews : public testing::TestWithParam<Reason> {};

TEST_P(ReasonViews, SayTheSame) {
  const Reason& reason = GetParam();
  const std::string code(reason.name);
  const std::string meaning(reason.meaning);
  const std::string advice(reason.advice);
  const CellRun run = RunWith(reason);
  EXPECT_EQ(Advice(FactsOf(run)), advice);
  EXPECT_EQ(Advice(ReadCert(run.cert.document)), advice);

  const std::string show = ExplainCert(run.cert);
  EXPECT_THAT(show, HasSubstr("\n  " + code + ": " + meaning + "\n"));
  EXPECT_THAT(show, HasSubstr("\nnext: " + advice + "\n"));

  EXPECT_THAT(Explain(run), HasSubstr("codes: " + code + "\n"));
  EXPECT_THAT(Explain(run), HasSubstr("\nNext: " + advice + "\n"));

  SweepResult sweep;
  sweep.cells = {RowFromCert(run.cert, run.cell, "/out/m.json")};
  CellResult& row = sweep.cells.front();
  ASSERT_FALSE(row.damaged) << row.message;
  EXPECT_EQ(row.next_step, advice);
  // Only what does not pass has its advice in the lists of trouble.
  if (reason.code == ReasonCode::kClean) Refuse(row, "the test asked for more");

  const std::string page = HtmlPage(sweep, "/out");
  EXPECT_THAT(page, HasSubstr("<code>" + code + "</code> " + XmlText(meaning, 1000)));
  EXPECT_THAT(page, HasSubstr("<strong>Next:</strong> " + XmlText(advice, 1000)));
  EXPECT_THAT(MarkdownSummary(sweep, "/out"), HasSubstr("next: " + MarkdownText(advice, 1000)));
  for (const JunitFlavour flavour : {JunitFlavour::kFull, JunitFlavour::kStrict}) {
    EXPECT_THAT(JunitXml(sweep, flavour), HasSubstr("Next: " + XmlText(advice, 1000)));
  }
  EXPECT_THAT(CellLine(row, Palette(false)), StartsWith(VerdictName(run.judgement.verdict)));

  testing::StringMatchResultListener from_cert;
  testing::ExplainMatchResult(IsBatchInvariant(), run.cert, &from_cert);
  testing::StringMatchResultListener from_run;
  testing::ExplainMatchResult(IsBatchInvariant(), run, &from_run);
  EXPECT_THAT(from_cert.str(), HasSubstr("(" + code));
  EXPECT_EQ(from_cert.str(), from_run.str());

  EXPECT_THAT(run.judgement.decision_reasons, Contains(StartsWith(code + ": ")));
}

INSTANTIATE_TEST_SUITE_P(All, ReasonViews, testing::ValuesIn(Reasons().begin(), Reasons().end()),
                         [](const testing::TestParamInfo<Reason>& test) {
                           return std::string(test.param.name);
                         });

TEST(DecidingReasonTest, IsTheOneThatTheClassIsOf) {
  VerdictInputs leak;
  leak.ac_divergent = 1;
  leak.ab_divergent = 0;
  leak.bc_divergent = 1;
  leak.ac_compared = 5;
  leak.leak = true;
  VerdictInputs faults = leak;
  faults.leak = false;
  faults.faults_only = true;
  VerdictInputs narrow = faults;
  narrow.ac_divergent = narrow.bc_divergent = 0;
  narrow.overlap_ok = narrow.floor_ok = narrow.coverage_ok = true;
  narrow.width_ok = false;
  VerdictInputs cut_prompt = leak;
  cut_prompt.leak = false;
  cut_prompt.prompt_truncated = true;
  const std::pair<VerdictInputs, ReasonCode> cases[] = {{leak, ReasonCode::kLeak},
                                                        {faults, ReasonCode::kInfrastructure},
                                                        {narrow, ReasonCode::kWidth},
                                                        {cut_prompt, ReasonCode::kAcDiverged}};
  for (const auto& [inputs, code] : cases) {
    Judgement judgement;
    const VerdictRow row = DecideVerdict(inputs);
    judgement.reason_codes = row.reason_codes;
    ASSERT_NE(DecidingReason(judgement), nullptr);
    EXPECT_EQ(DecidingReason(judgement)->name, ReasonOf(code).name);
    EXPECT_GT(row.reason_codes.size(), 1U) << "no choice to make";
  }
  Judgement unknown;
  unknown.reason_codes = {"A_CODE_OF_LATER_TIMES"};
  EXPECT_EQ(DecidingReason(unknown), nullptr);
}

TEST(ShowTest, TellsTheSameOfALeakAsTheReport) {
  CellRun run = testing_support::RedRun();
  run.judgement.divergence_class = "leak";
  run.judgement.reason_codes = {"AC_DIVERGED", "LEAK"};
  const Cert cert = BuildCert(run.record, run.judgement, Policy(), {});
  EXPECT_THAT(ExplainCert(cert), HasSubstr("next: A request got the answer of a neighbour: do not "
                                           "batch on this server build at all"));
}

TEST(CellLineTest, ADamagedCertIsCalledSo) {
  CellRun run = testing_support::GreenRun();
  const CellResult row =
      RowFromCert(BuildCert(run.record, run.judgement, Policy(), {}), run.cell, "/out/m.json");
  EXPECT_THAT(CellLine(row, Palette(false)), StartsWith("GREEN"));
  Cert edited = BuildCert(run.record, run.judgement, Policy(), {});
  edited.document["ctx"] = 1;
  EXPECT_THAT(CellLine(RowFromCert(edited, run.cell, "/out/m.json"), Palette(false)),
              StartsWith("DAMAGED"));
}

}  // namespace
}  // namespace bi_test::report
