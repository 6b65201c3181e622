// What a cert holds: cases 150 to 162, and its bounds.
#include "bi_test/cert.h"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "bi_test/judge.h"
#include "cert/cert_reader.h"
#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::NotNull;
using ::testing::StartsWith;

[[nodiscard]] Cert CertOf(const Record& record, const Policy& policy = {}) {
  return BuildCert(record, Judge(record, policy), policy,
                   {"2026-01-02T03:04:05Z", std::string(64, 'b')});
}

[[nodiscard]] Json Value(const Cert& cert, std::string_view path) {
  const Json* found = CertReader(cert.document).At(path);
  return found == nullptr ? Json("absent") : *found;
}

TEST(CertTest, HasEveryKeyOfTheSchema) {
  const Cert cert = CertOf(CleanRecord());
  std::vector<std::string> keys;
  for (const auto& [key, value] : *cert.document.if_object()) keys.push_back(key);
  const std::vector<std::string> expected = {"model",
                                             "ctx",
                                             "dispatch_n",
                                             "status",
                                             "source",
                                             "gate",
                                             "overlap_ok",
                                             "kv_label",
                                             "reps",
                                             "invariant_fields",
                                             "mismatch",
                                             "ts_utc",
                                             "divergence_class",
                                             "anomaly",
                                             "token_divergence_ids",
                                             "overlap",
                                             "completion_floor",
                                             "arm_b",
                                             "promotion_scope",
                                             "n_passes",
                                             "per_pass_ac_divergent",
                                             "per_pass_ac_token_only",
                                             "cobatch_coverage",
                                             "sensitivity",
                                             "ctx_sweep",
                                             "divergence_report",
                                             "decision_reasons",
                                             "schema_version",
                                             "reason_codes",
                                             "effective_n",
                                             "n_passes_effective",
                                             "uncertified_ids",
                                             "transport_only",
                                             "retries",
                                             "workset",
                                             "scorer",
                                             "request",
                                             "server",
                                             "provenance",
                                             "cert_digest",
                                             "statistics",
                                             "divergences",
                                             "distinct_outputs",
                                             "positive_control",
                                             "policy",
                                             "passes",
                                             "trace_sha256"};
  EXPECT_THAT(keys, IsSupersetOf(expected));
  for (const char* path :
       {"cobatch_coverage.server_peak_busy_slots_floor", "completion_floor.min_ok_fraction",
        "promotion_scope.valid_for.dispatch_n", "divergence_report.AC.logit_drift.armed",
        "divergence_report.AB.pair", "divergence_report.BC.by_family",
        "sensitivity.rate_upper_bound_95_distinct", "workset.n_distinct_prompts"}) {
    EXPECT_THAT(CertReader(cert.document).At(path), NotNull()) << path;
  }
}

TEST(CertTest, SaysWhatTheRecordSays) {
  const Cert cert = CertOf(CleanRecord());
  EXPECT_EQ(Value(cert, "status"), Json("green"));
  EXPECT_EQ(Value(cert, "source"), Json("live"));
  EXPECT_EQ(Value(cert, "gate"), Json("abc_union"));
  EXPECT_EQ(Value(cert, "schema_version"), Json(2));
  EXPECT_EQ(Value(cert, "ts_utc"), Json("2026-01-02T03:04:05Z"));
  EXPECT_EQ(Value(cert, "reps"), Json(1));
  EXPECT_EQ(Value(cert, "server.pid_verified"), Json(true));
  EXPECT_EQ(Value(cert, "passes").if_array()->size(), 2U);
  EXPECT_EQ(CompactText(Value(cert, "per_pass_ac_divergent")), "[0,0]");
  EXPECT_EQ(CompactText(Value(cert, "invariant_fields")),
            R"(["score","passed","extracted_answer","expected_answer","prompt_tokens_measured",)"
            R"("failure_mode"])");
}

TEST(CertTest, WhatTheHeaderDoesNotSayIsNull) {
  Record record = CleanRecord();
  record.header = Json();
  const Cert cert = BuildCert(record, Judge(record), {}, {});
  for (const char* key : {"server", "workset", "scorer", "request", "provenance", "retries", "reps",
                          "plan", "trace_sha256", "ctx_sweep"}) {
    EXPECT_TRUE(Value(cert, key).is_null()) << key;
  }
}

struct BoundCase {
  const char* name;
  testing::RecordShape shape;
  void (*change)(Record&);
  Json bound;
};

TEST(CertTest, BoundsNeedEvidenceAndStayAtMostOne) {
  const auto nothing = [](Record&) {};
  const auto drift = [](Record& r) { At(r, Arm::kC, 0, "w00").content = "drift"; };
  const BoundCase cases[] = {
      {"150", {4, 4, 1}, drift, Json(0.75)},
      {"151", {30, 4, 1}, nothing, Json(0.1)},
      {"152", {30, 4, 1}, [](Record& r) { r.evidence.clear(); }, Json()},
      {"153", {30, 4, 1}, [](Record& r) { At(r, Arm::kC, 0, "w00").score = 0.0; }, Json()},
      {"154", {2, 2, 1}, drift, Json(1.0)},
      {"155", {4, 4, 1}, nothing, Json()},
  };
  for (const BoundCase& one : cases) {
    Record record = CleanRecord(one.shape);
    one.change(record);
    EXPECT_EQ(Value(CertOf(record), "sensitivity.rate_upper_bound_95"), one.bound) << one.name;
  }
}

TEST(CertTest, OverlapIsRecomputedFromTheNumbers) {
  Record record = CleanRecord();
  record.evidence.clear();
  const Cert cert = CertOf(record);
  EXPECT_EQ(Value(cert, "overlap_ok"), Json(false)) << "case 161";
  EXPECT_EQ(Value(cert, "overlap.server_peak_busy_slots"), Json(0));
}

TEST(CertTest, AnAbsentArmBDidNotPass) {
  Record record = CleanRecord();
  testing::RemoveTrials(record, [](const Trial& t) { return t.arm != Arm::kC; });
  const Cert cert = CertOf(record);
  EXPECT_EQ(CompactText(Value(cert, "arm_b")), R"({"ab_passed":false,"bc_passed":false})")
      << "case 162";
}

TEST(CertTest, TextIsByteExactAndTheDigestCoversIt) {
  Cert cert = CertOf(CleanRecord());
  const std::string text = CertText(cert);
  EXPECT_THAT(text,
              StartsWith("{\n  \"anomaly\": null,\n  \"arm_b\": {\n    \"ab_passed\": true,"));
  EXPECT_EQ(text.back(), '}');
  EXPECT_EQ(Value(cert, "cert_digest"), Json(CertDigest(cert)));
  cert.document["status"] = "failed";
  EXPECT_NE(Value(cert, "cert_digest"), Json(CertDigest(cert)));
}

TEST(CertTest, NonFiniteValuesAreEchoedAsText) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w00").score = std::nan("");
  const Cert cert = CertOf(record);
  EXPECT_THAT(CertText(cert), HasSubstr("\"y\": \"NaN\"")) << "case 190";
}

TEST(CertTest, IllFormedTextIsReplacedSoThatStrictParsersReadIt) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w00").extracted_answer = "\xED\xB0\x80\xFF";
  const Cert cert = CertOf(record);
  const Json::Array& entries = *CertReader(cert.document).ListAt("divergence_report.AC.per_id");
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(*entries.front().Find("y"), Json("\uFFFD\uFFFD"));
}

TEST(CertTest, ExpertCountsOfTheFileWinOverTheName) {
  Record record = CleanRecord();
  record.cell.model = "qwen3-30b-a3b";
  EXPECT_EQ(Value(CertOf(record), "promotion_scope.tested_model_looks_moe"), Json(true));
  record.header["server"]["n_expert"] = 0;
  EXPECT_EQ(Value(CertOf(record), "promotion_scope.tested_model_looks_moe"), Json(false));
}

TEST(CertTest, TheDenseBaselineIsTheOneTheHeaderNames) {
  const struct {
    const char* name;
    const char* model;
    Json baseline;
    bool dense;
  } cases[] = {
      {"none named", "m", Json("absent"), false},
      {"the same alias", "Phi-4", Json("Phi-4"), true},
      {"the same alias in another case", "PHI-4z", Json("phi-4Z"), true},
      {"another alias", "phi-4", Json("phi-3"), false},
      {"a longer alias", "phi-4", Json("phi-4-mini"), false},
      {"a shorter alias", "phi-4-mini", Json("phi-4"), false},
      {"only letters have a case", "phi@", Json("phi`"), false},
      {"only letters have a case, other end", "phi[", Json("phi{"), false},
      {"null", "m", Json(), false},
      {"no text", "5", Json(5), false},
      {"empty, as is the model", "", Json(""), false},
  };
  for (const auto& one : cases) {
    Record record = CleanRecord();
    record.cell.model = one.model;
    if (!(one.baseline == Json("absent"))) record.header["dense_baseline"] = one.baseline;
    EXPECT_EQ(Value(CertOf(record), "promotion_scope.is_dense_smoke_model"), Json(one.dense))
        << one.name;
  }
}

TEST(CertTest, StaysBelowAMegabyteWhateverDiffers) {
  Record record = CleanRecord({400, 4, 8});
  const std::string long_name(300, 'n');
  for (Trial& trial : record.trials) {
    trial.test_id = std::string(long_name).append(trial.test_id);
    trial.family = trial.test_id;
    if (trial.arm != Arm::kC) continue;
    trial.content = trial.extracted_answer = std::string(2'000, 'x');
    trial.token_ids.reset();
  }
  record.header["server"]["argv"] = std::string(2'000'000, 'v');
  const Cert cert = CertOf(record);
  EXPECT_LT(CertText(cert).size(), 1'000'000U) << "R086, R111";
  EXPECT_TRUE(Value(cert, "server").is_null());
  EXPECT_EQ(*Value(cert, "left_out").Find("server"), Json(1));
  EXPECT_THAT(Value(cert, "left_out").Find("divergence_report.AC.per_id"), NotNull());
  EXPECT_EQ(Value(cert, "divergence_report.AC.n_divergent"), Json(400));
}

TEST(CertTest, RepeatsAfterARestartAndAfterCAreReported) {
  Record record = CleanRecord();
  EXPECT_EQ(Value(CertOf(record), "divergence_report.AA3"), Json("absent"));
  for (const auto& [arm, pass] : {std::pair(Arm::kA, 2), std::pair(Arm::kB, 1)}) {
    Trial trial = At(record, arm, 0, "w02");
    trial.pass = pass;
    record.trials.push_back(trial);
  }
  const Cert cert = CertOf(record);
  EXPECT_EQ(Value(cert, "divergence_report.AA3.n_compared"), Json(1));
  EXPECT_EQ(Value(cert, "divergence_report.BB2.n_compared"), Json(1));
}

TEST(CertTest, ExpiresSoManyDaysAfterTheRunEnded) {
  Record record = CleanRecord();
  record.header["provenance"]["finished_utc"] = "2028-02-28T23:59:59Z";
  Policy policy;
  policy.expires_days = 2;
  EXPECT_EQ(Value(CertOf(record, policy), "expires_utc"), Json("2028-03-01T23:59:59Z"));
  for (const Json& unusable : {Json(), Json(5), Json("yesterday")}) {
    record.header["provenance"]["finished_utc"] = unusable;
    EXPECT_EQ(Value(CertOf(record, policy), "expires_utc"), Json()) << unusable;
  }
}

TEST(CertTest, CountsOfTheArmsAreTheirOwn) {
  Record record = CleanRecord();
  for (const char* id : {"w00", "w01", "w02"}) At(record, Arm::kC, 0, id).failure_mode = "empty";
  for (const char* id : {"w04", "w05"}) At(record, Arm::kB, 0, id).failure_mode = "empty";
  At(record, Arm::kC, 1, "w07").content = "drift";
  const Cert cert = CertOf(record);
  EXPECT_EQ(CompactText(Value(cert, "completion_floor")),
            R"({"completion_floor_ok":false,"min_ok_fraction":0.8,"n_failure_a":0,"n_failure_b":2,)"
            R"("n_failure_c":3,"n_ok_a":8,"n_ok_b":6,"n_ok_c":5,"required_ok":7})");
  EXPECT_EQ(Value(cert, "divergence_report.AC.n_divergent"), Json(3));
  EXPECT_EQ(Value(cert, "divergence_report.AB.n_divergent"), Json(2));
  EXPECT_EQ(Value(cert, "divergence_report.BC.n_divergent"), Json(5));
  EXPECT_EQ(Value(cert, "divergence_report.AC.n_token_only"), Json(1));
  EXPECT_EQ(Value(cert, "divergence_report.AB.n_token_only"), Json(0));
  EXPECT_EQ(CompactText(Value(cert, "per_pass_ac_divergent")), "[3,0]");
  EXPECT_EQ(CompactText(Value(cert, "per_pass_ac_token_only")), "[0,1]");
}

TEST(CertTest, NoSweepOverContextsIsEverALicence) {
  for (const Json& sweep : {Json(true), Json(Json::Object{{"8192", "green"}})}) {
    Record record = CleanRecord();
    record.header["ctx_sweep"] = sweep;
    EXPECT_EQ(Value(CertOf(record), "ctx_sweep"), Json()) << "case 157";
  }
}

TEST(CertTest, AFailedRequestIsTheFirstCause) {
  EXPECT_EQ(Value(CertOf(CleanRecord()), "first_cause"), Json());
  Record record = CleanRecord();
  At(record, Arm::kC, 1, "w03").failure_mode = "server_died";
  const Cert cert = CertOf(record);
  EXPECT_EQ(Value(cert, "first_cause"), Json("arm C pass 1 test_id \"w03\": server_died"));
  EXPECT_EQ(Value(cert, "transport_only"), Json(true));
  EXPECT_EQ(Value(cert, "status_counts.server_died"), Json(1));
}

TEST(CertTest, ALeakNamesItsDonorAndNoMoreThanSixteenCompanions) {
  Record record = CleanRecord({20, 20, 1});
  Trial& trial = At(record, Arm::kC, 0, "w00");
  trial.content = trial.extracted_answer = "answer 07";
  const Cert cert = CertOf(record);
  const Json& first = CertReader(cert.document).ListAt("divergences")->front();
  EXPECT_EQ(*first.Find("leak_donor"), Json("w07"));
  EXPECT_EQ(*first.Find("n_companions"), Json(19));
  EXPECT_EQ(first.Find("companions")->if_array()->size(), 16U);
  EXPECT_EQ(Value(cert, "n_leaks"), Json(1));
}

TEST(CertTest, PassesBeyondTheLimitAreCountedAsLeftOut) {
  const Cert cert = CertOf(CleanRecord({5, 4, 260}));
  EXPECT_EQ(Value(cert, "passes").if_array()->size(), 256U);
  EXPECT_EQ(Value(cert, "per_pass_ac_divergent").if_array()->size(), 260U);
  EXPECT_EQ(Value(cert, "left_out.passes"), Json(4));
}

TEST(CertTest, AWorksetThatCountsItsPromptsIsCopied) {
  Record record = CleanRecord();
  record.header["workset"]["n_distinct_prompts"] = 99;
  EXPECT_EQ(Value(CertOf(record), "workset.n_distinct_prompts"), Json(99));
  record.header["workset"] = "a text";
  EXPECT_EQ(Value(CertOf(record), "workset"), Json("a text"));
}

TEST(CertTest, AnEmptyRecordHasACertToo) {
  const Cert cert = CertOf(Record{});
  EXPECT_EQ(Value(cert, "status"), Json("green_unverified"));
  EXPECT_EQ(Value(cert, "cobatch_coverage.interval_kind"), Json());
  EXPECT_EQ(Value(cert, "cobatch_coverage.coverage_fraction"), Json()) << "case 126";
  EXPECT_EQ(Value(cert, "cobatch_coverage.cobatch_coverage_ok"), Json(false)) << "case 126";
  EXPECT_EQ(CompactText(Value(cert, "passes")), "[]");
}

TEST(CertTest, NothingIsLeftOutOfASmallOne) {
  EXPECT_EQ(Value(CertOf(CleanRecord()), "left_out"), Json(Json::Object{}));
}

TEST(CertTest, PrintsOneLine) {
  std::ostringstream out;
  out << CertOf(CleanRecord());
  EXPECT_EQ(out.str(),
            "cert model=\"m\" ctx=4096 dispatch_n=4 status=\"green\" source=\"live\" "
            "reason_codes=[\"CLEAN\"]");
}

TEST(ExplainCertTest, TellsAPersonWhatHappened) {
  Record record = CleanRecord();
  Trial& trial = At(record, Arm::kC, 1, "w02");
  trial.content = trial.extracted_answer = "answer \x1b[31mXX";
  trial.token_ids = {{7, 55, 9}};
  const std::string text = ExplainCert(CertOf(record));
  for (const char* part :
       {"RED  m ctx=4096 N=4 kv=f16  (live, 2026-01-02T03:04:05Z)", "why: AC_DIVERGED",
        "divergence_class: co_batching", "w02: in c2, extracted_answer, token 1, byte 7, width 4",
        "serial:     answer 02", "concurrent: answer \\x1b[31mXX",
        "does not license:", "next: Serve this model one request at a time"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_EQ(text.back(), '\n');
}

TEST(ExplainCertTest, IsTotalOnAnyDocument) {
  for (const Json& document :
       {Json(), Json(Json::Array{1}), Json("text"),
        Json(Json::Object{{"divergences", Json::Array{Json(), Json(5)}}, {"passes", 7}})}) {
    EXPECT_THAT(ExplainCert(Cert{document}), StartsWith("?"));
  }
}

}  // namespace
}  // namespace bi_test
