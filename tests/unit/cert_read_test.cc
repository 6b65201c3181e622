// The one reader: the same value as the run gives, and what a cert lacks has a name.
#include "cert/read_cert.h"

#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"
#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::NotNull;

[[nodiscard]] CellRun RunOf(const Record& record) {
  CellRun run;
  run.cell = record.cell;
  run.record = record;
  run.judgement = Judge(record);
  run.cert = BuildCert(record, run.judgement, {}, {"2026-01-02T03:04:05Z", ""});
  return run;
}

/// The facts of a good cert with one key changed.
[[nodiscard]] CellFacts ReadWith(const char* key, const Json& value) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document[key] = value;
  return ReadCert(cert.document);
}

TEST(ReadCertTest, GivesWhatTheRunGave) {
  Record record = CleanRecord();
  At(record, Arm::kC, 1, "w02").content = "other";
  At(record, Arm::kC, 1, "w02").token_ids = {{7, 55, 9}};
  const CellRun run = RunOf(record);
  const CellFacts live = FactsOf(run);
  const CellFacts read = ReadCert(run.cert.document);
  EXPECT_EQ(read.cell, live.cell);
  EXPECT_EQ(read.source, live.source);
  EXPECT_EQ(read.judgement.verdict, live.judgement.verdict);
  EXPECT_EQ(read.judgement.reason_codes, live.judgement.reason_codes);
  EXPECT_EQ(read.judgement.divergences, live.judgement.divergences);
  EXPECT_EQ(read.judgement.statistics, live.judgement.statistics);
  EXPECT_EQ(read.judgement.floor, live.judgement.floor);
  EXPECT_EQ(read.throughput.serial, live.throughput.serial);
  EXPECT_EQ(read.ac.n_token_only, 1);
  EXPECT_EQ(read.ac.n_output_differs, live.ac.n_output_differs);
  EXPECT_EQ(read.kind, CertKind::kPresent);
  EXPECT_THAT(read.LackOf("overlap.server_peak_busy_slots"), IsNull());
  EXPECT_THAT(live.lacks, IsEmpty());
}

TEST(ReadCertTest, NamesWhatIsMissingNullOrOfAnotherType) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document.if_object()->erase("n_passes");
  cert.document["effective_n"] = Json();
  cert.document["overlap"]["server_peak_busy_slots"] = "four";
  cert.document["ctx"] = std::int64_t{1} << 40U;
  cert.document["reason_codes"] = Json::Array{"CLEAN", 7};
  const CellFacts facts = ReadCert(cert.document);
  const std::pair<const char*, const char*> wants[] = {
      {"n_passes", "is not on the cert: key `n_passes` is missing"},
      {"effective_n", "is null on the cert (key `effective_n`)"},
      {"overlap.server_peak_busy_slots",
       "cannot be read: key `overlap.server_peak_busy_slots` is \"four\", not an integer"},
      {"ctx", "is out of range"},
      {"reason_codes",
       "cannot be read: key `reason_codes` is [\"CLEAN\",7], not a list of strings"},
  };
  for (const auto& [path, why] : wants) {
    ASSERT_THAT(facts.LackOf(path), NotNull()) << path;
    EXPECT_EQ(facts.LackOf(path)->why, why);
  }
  EXPECT_EQ(facts.judgement.server_peak_busy_slots, 0);
  EXPECT_THAT(facts.judgement.reason_codes, ElementsAre("CLEAN"));
}

TEST(ReadCertTest, NothingIsKnownWhereVerdictAndStatusContradict) {
  EXPECT_EQ(ReadWith("status", "green").judgement.verdict, Verdict::kGreen);
  const CellFacts facts = ReadWith("verdict", "RED");
  EXPECT_EQ(facts.judgement.verdict, Verdict::kUnverified);
  EXPECT_THAT(facts.LackOf("status"), NotNull());
  EXPECT_EQ(ReadWith("status", "fine").judgement.verdict, Verdict::kGreen) << "the name is left";
}

TEST(ReadCertTest, CountsWhatTheCertLeftOut) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document["uncertified_ids"] = Json::Array{"a", "b"};
  cert.document["left_out"] = Json(Json::Object{{"uncertified_ids", 5}, {"passes", -3}});
  const CellFacts facts = ReadCert(cert.document);
  EXPECT_EQ(facts.Total("uncertified_ids", facts.judgement.uncertified_ids.size()), 7);
  EXPECT_EQ(facts.Total("passes", 2), 2);
}

TEST(ReadCertTest, APassBeyondAllReasonIsCutBack) {
  const Json::Array passes{Json::Object{{"pass", std::int64_t{1} << 40U}},
                           Json::Object{{"pass", -5}}};
  const CellFacts facts = ReadWith("passes", passes);
  EXPECT_EQ(facts.judgement.passes.at(0).pass, 1'000'000);
  EXPECT_EQ(facts.judgement.passes.at(1).pass, 0);
}

TEST(ReadCertTest, TellsTheKindOfDocument) {
  EXPECT_EQ(ReadWith("schema_version", 3).kind, CertKind::kOther);
  EXPECT_EQ(ReadCert(Json(Json::Object{{"status", "green"}})).kind, CertKind::kOlder);
  EXPECT_EQ(ReadCert(Json("green")).kind, CertKind::kNone);
}

TEST(ReasonCodesTest, LeakAndInfrastructureOutrankTheDivergence) {
  Judgement judgement;
  judgement.reason_codes = {"AC_DIVERGED", "LEAK"};
  ASSERT_THAT(DecidingReason(judgement), NotNull());
  EXPECT_EQ(DecidingReason(judgement)->name, "LEAK");
  judgement.reason_codes = {"SELF_IDENTITY", "INFRASTRUCTURE"};
  EXPECT_EQ(DecidingReason(judgement)->name, "INFRASTRUCTURE");
}

}  // namespace
}  // namespace bi_test
