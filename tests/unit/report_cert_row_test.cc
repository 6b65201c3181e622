#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <utility>

#include "bi_test/cert.h"
#include "cert/read_cert.h"
#include "report/cert_row.h"
#include "report/explain.h"
#include "unit/sample_runs.h"

namespace bi_test::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr const char* kPath = "/out/m__ctx4096__N8.json";

Cert CertOf(const CellRun& run) {
  return BuildCert(run.record, run.judgement, Policy(),
                   {.ts_utc = "2026-03-01T08:01:00Z", .trace_sha256 = ""});
}

struct RunCase {
  const char* name;
  CellRun (*run)();
};

void PrintTo(const RunCase& test, std::ostream* out) { *out << test.name; }

class CertRowTest : public testing::TestWithParam<RunCase> {};

TEST_P(CertRowTest, TellsWhatTheRunTold) {
  CellRun run = GetParam().run();
  run.cert_path = kPath;
  run.trace_path.clear();
  run.server_logs.clear();
  CellResult want;
  FillFromRun(run, want);
  const Cert cert = CertOf(run);
  const CellResult row = RowFromCert(cert, run.cell, kPath);
  EXPECT_EQ(row.state, want.state);
  EXPECT_EQ(row.verdict, want.verdict);
  EXPECT_EQ(row.passed, want.passed);
  EXPECT_EQ(row.message, want.message);
  EXPECT_EQ(row.explanation, want.explanation);
  EXPECT_EQ(row.next_step, want.next_step);
  EXPECT_EQ(row.figures.reason_codes, want.figures.reason_codes);
  EXPECT_EQ(row.figures.n_divergent, want.figures.n_divergent);
  EXPECT_EQ(row.figures.min_mean_width, want.figures.min_mean_width);
  EXPECT_EQ(row.figures.rate_upper_bound, want.figures.rate_upper_bound);
  EXPECT_EQ(row.throughput.serial, want.throughput.serial);
  EXPECT_EQ(row.throughput.concurrent, want.throughput.concurrent);
  EXPECT_EQ(row.ts_utc, "2026-03-01T08:01:00Z");
  ASSERT_NE(row.detail, nullptr);
  EXPECT_EQ(row.detail->facts.judgement.divergences, run.judgement.divergences);
  EXPECT_EQ(row.detail->facts.judgement.floor, run.judgement.floor);
  ASSERT_EQ(row.detail->facts.judgement.passes.size(), run.judgement.passes.size());
  EXPECT_EQ(row.detail->facts.judgement.passes, run.judgement.passes);
}

INSTANTIATE_TEST_SUITE_P(
    All, CertRowTest,
    testing::Values(RunCase{"Green", testing_support::GreenRun},
                    RunCase{"Red", testing_support::RedRun},
                    RunCase{"Amber", testing_support::AmberRun},
                    RunCase{"Unverified", testing_support::UnverifiedRun},
                    RunCase{"Infrastructure", testing_support::InfrastructureRun}),
    [](const testing::TestParamInfo<RunCase>& test) { return std::string(test.param.name); });

struct DamageCase {
  std::string name;
  void (*damage)(Json& document);
  std::string want;
};

void PrintTo(const DamageCase& test, std::ostream* out) { *out << test.name; }

void SealAgain(Json& document) { document["cert_digest"] = CertDigest(Cert{document}); }

class DamagedCertTest : public testing::TestWithParam<DamageCase> {};

TEST_P(DamagedCertTest, IsAnErrorAndNeverGreen) {
  const CellRun run = testing_support::GreenRun();
  Cert cert = CertOf(run);
  ASSERT_THAT(DamageOf(cert), IsEmpty());
  GetParam().damage(cert.document);
  EXPECT_EQ(DamageOf(cert), GetParam().want);
  const CellResult row = RowFromCert(cert, run.cell, kPath);
  EXPECT_TRUE(row.damaged);
  EXPECT_FALSE(row.passed);
  EXPECT_EQ(row.state, CellState::kError);
  EXPECT_EQ(row.detail, nullptr);
  EXPECT_EQ(row.message, "damaged cert: " + GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, DamagedCertTest,
    testing::Values(DamageCase{"AValueWasEdited", [](Json& document) { document["ctx"] = 8192; },
                               "its digest does not fit what it says: it was edited or cut"},
                    DamageCase{"NoDigest",
                               [](Json& document) { document.if_object()->erase("cert_digest"); },
                               "it has no digest: a cert of an older kind, or an edited one"},
                    DamageCase{"VerdictAgainstStatus",
                               [](Json& document) {
                                 document["status"] = "failed";
                                 SealAgain(document);
                               },
                               "verdict and status contradict"},
                    DamageCase{"NoVerdict",
                               [](Json& document) {
                                 document["verdict"] = 1;
                                 SealAgain(document);
                               },
                               "it names no verdict"}),
    [](const testing::TestParamInfo<DamageCase>& test) { return test.param.name; });

TEST(CertRowTest, ACertFullOfWrongTypesIsReadAsNotMeasured) {
  Cert cert = CertOf(testing_support::RedRun());
  for (auto& [key, value] : *cert.document.if_object()) {
    if (key != "verdict" && key != "status" && key != "cert_digest") value = Json(Json::Array{1});
  }
  SealAgain(cert.document);
  const CellResult row = RowFromCert(cert, testing_support::RedRun().cell, kPath);
  EXPECT_EQ(row.verdict, Verdict::kRed);
  EXPECT_FALSE(row.passed);
  EXPECT_EQ(row.figures.n_compared, 0);
}

TEST(CertRowTest, ARefusalIsAnErrorWithItsText) {
  Json document;
  document["cell"]["model"] = "m";
  document["cell"]["ctx"] = 512;
  document["cell"]["dispatch_n"] = 4;
  document["kind"] = "refused";
  document["guard"] = "memory";
  document["text"] = "found 1 GiB free, expected 4 GiB";
  document["ts_utc"] = "2026-03-01T08:00:00Z";
  const auto cell = CellOfDocument(document);
  ASSERT_TRUE(cell.has_value());
  const CellResult row = RowFromRefusal(document, *cell, "/out/refusal-1.json");
  EXPECT_EQ(row.state, CellState::kError);
  EXPECT_EQ(row.error_code, ErrorCode::kRefused);
  EXPECT_EQ(row.message, "ERROR (refused): memory: found 1 GiB free, expected 4 GiB");
  EXPECT_EQ(row.ts_utc, "2026-03-01T08:00:00Z");
  EXPECT_THAT(row.next_step, HasSubstr("A guard refused"));
}

Trial TokenTrial(Arm arm, int pass, const std::string& id, std::vector<std::int64_t> tokens,
                 std::vector<double> logprobs) {
  Trial trial;
  trial.arm = arm;
  trial.pass = pass;
  trial.test_id = id;
  trial.token_ids = std::move(tokens);
  trial.logprobs = std::move(logprobs);
  return trial;
}

TEST(DriftPerIdTest, TakesTheWorstPassUpToTheFirstOtherTokenLargestFirst) {
  Record record;
  record.trials = {
      TokenTrial(Arm::kA, 0, "calm", {1, 2}, {-0.5, -0.5}),
      TokenTrial(Arm::kA, 0, "flips", {1, 2, 3}, {-0.5, -0.5, -0.5}),
      TokenTrial(Arm::kA, 0, "alone", {1}, {-0.5}),
      TokenTrial(Arm::kA, 0, "sentinel", {1}, {-9999.0}),
      TokenTrial(Arm::kC, 0, "calm", {1, 2}, {-0.5, -0.75}),
      TokenTrial(Arm::kC, 0, "flips", {1, 2, 3}, {-0.5, -0.5, -0.5}),
      TokenTrial(Arm::kC, 1, "flips", {1, 9, 3}, {-1.5, -4.0, -9.0}),
      TokenTrial(Arm::kC, 0, "sentinel", {1}, {-0.5}),
  };
  EXPECT_THAT(DriftPerId(record),
              ElementsAre(IdDrift{"flips", 1.0, true}, IdDrift{"calm", 0.25, false},
                          IdDrift{"sentinel", 0.0, false}));
}

}  // namespace
}  // namespace bi_test::report
