// The one reader: the same value as the run gives, and what a cert lacks has a name.
#include "cert/read_cert.h"

#include <gmock/gmock.h>

#include <charconv>
#include <climits>
#include <functional>

#include "bi_test/judge.h"
#include "cert/cert_keys.h"
#include "cert/run_facts.h"
#include "support/records.h"
#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::NotNull;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

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

/// A record with one prompt whose text parts in the second pass.
[[nodiscard]] Record PartingRecord() {
  Record record = CleanRecord();
  At(record, Arm::kC, 1, "w02").content = "other";
  At(record, Arm::kC, 1, "w02").token_ids = {{7, 55, 9}};
  return record;
}

/// The container of the value at `path`, whose last key goes to `key`; a number is the index of a
/// list. Null when the document has no such container.
[[nodiscard]] Json* ParentOf(Json& document, std::string_view path, std::string_view& key) {
  Json* at = &document;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const std::string_view step = path.substr(0, dot);
    path.remove_prefix(dot + 1);
    if (Json::Array* list = at->if_array()) {
      std::size_t index = list->size();
      std::from_chars(step.data(), step.data() + step.size(), index);
      at = index < list->size() ? &(*list)[index] : nullptr;
    } else {
      at = at->Find(step) == nullptr ? nullptr : &(*at)[step];
    }
    if (at == nullptr) return nullptr;
  }
  key = path;
  return at;
}

TEST(ReadCertTest, GivesWhatTheRunGave) {
  const CellRun run = RunOf(PartingRecord());
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

struct VerdictCase {
  Json verdict, status;
  Verdict want;
  /// Of `verdict` and of `status`; null where nothing is lacking.
  const char* verdict_lack;
  const char* status_lack;
};

TEST(ReadCertTest, TheVerdictIsThatOfTheStatusUnlessTheNameContradictsIt) {
  const VerdictCase cases[] = {
      {"GREEN", "green", Verdict::kGreen, nullptr, nullptr},
      {"RED", "failed", Verdict::kRed, nullptr, nullptr},
      {"RED", "green", Verdict::kUnverified, nullptr,
       "is unknown: key `verdict` contradicts key `status`"},
      {"RED", Json(), Verdict::kRed, nullptr, "is null on the cert (key `status`)"},
      {"RED", 7, Verdict::kRed, nullptr, "cannot be read: key `status` is 7, not a string"},
      {"GREEN", "fine", Verdict::kGreen, nullptr,
       "cannot be read: key `status` is \"fine\", which is no verdict"},
      {"PURPLE", "failed", Verdict::kRed,
       "cannot be read: key `verdict` is \"PURPLE\", not a verdict", nullptr},
      {"PURPLE", "fine", Verdict::kUnverified,
       "cannot be read: key `verdict` is \"PURPLE\", not a verdict",
       "cannot be read: key `status` is \"fine\", which is no verdict"},
      {Json(), Json(), Verdict::kUnverified, "is null on the cert (key `verdict`)",
       "is null on the cert (key `status`)"},
  };
  Cert cert = RunOf(CleanRecord()).cert;
  for (const VerdictCase& one : cases) {
    cert.document["verdict"] = one.verdict;
    cert.document["status"] = one.status;
    const CellFacts facts = ReadCert(cert.document);
    const std::string shown = CompactText(one.verdict) + " " + CompactText(one.status);
    EXPECT_EQ(facts.judgement.verdict, one.want) << shown;
    const std::pair<const char*, const char*> lacks[] = {{"verdict", one.verdict_lack},
                                                         {"status", one.status_lack}};
    for (const auto& [key, why] : lacks) {
      const Lack* lack = facts.LackOf(key);
      EXPECT_EQ(lack == nullptr ? "" : lack->why, why == nullptr ? "" : why) << shown;
    }
  }
  // ... and a contradiction counts whatever else is lacking.
  cert.document["verdict"] = "RED";
  cert.document["status"] = "green";
  for (const char* key : {"model", "ctx", "source", "ts_utc"}) cert.document[key] = Json();
  EXPECT_EQ(ReadCert(cert.document).judgement.verdict, Verdict::kUnverified);
}

struct ReadKeys {
  const char* expected;
  std::vector<std::string> paths;
};

TEST(ReadCertTest, EveryKeyThatIsReadIsNamedWhenItsValueIsNone) {
  const ReadKeys kinds[] = {
      {"a string",
       {"model",
        "kv_label",
        "source",
        "status",
        "verdict",
        "first_cause",
        "divergence_class",
        "anomaly",
        "mismatch",
        "cobatch_coverage.interval_kind",
        "cert_digest",
        "trace_sha256",
        "ts_utc",
        "expires_utc",
        "divergence_report.AC.pair",
        "divergence_report.AC.per_id.0.test_id",
        "divergence_report.AC.per_id.0.field",
        "passes.1.why_not",
        "divergences.0.test_id",
        "divergences.0.arm",
        "divergences.0.field",
        "divergences.0.x_around",
        "divergences.0.y_around",
        "divergences.0.leak_donor",
        "divergences.0.cause"}},
      {"an integer",
       {"ctx",
        "dispatch_n",
        "effective_n",
        "n_passes",
        "n_passes_effective",
        "n_divergences",
        "n_leaks",
        "overlap.client_max_overlap_depth",
        "overlap.server_peak_busy_slots",
        "completion_floor.n_ok_a",
        "completion_floor.n_failure_a",
        "completion_floor.n_ok_b",
        "completion_floor.n_failure_b",
        "completion_floor.n_ok_c",
        "completion_floor.n_failure_c",
        "completion_floor.required_ok",
        "sensitivity.n_hot_trials",
        "statistics.n_distinct_prompts",
        "statistics.n_effective_prompts",
        "statistics.n_compared_prompts",
        "statistics.n_divergent_prompts",
        "statistics.n_comparisons",
        "statistics.n_planned_comparisons",
        "statistics.comparisons_for_95",
        "positive_control.planted",
        "divergence_report.AC.n_compared",
        "divergence_report.AB.n_divergent",
        "divergence_report.BC.n_token_only",
        "divergence_report.AA2.logit_drift.n_ids_with_logprobs",
        "divergence_report.AC.logit_drift.n_ids_logprob_differ",
        "divergence_report.AC.logit_drift.n_sentinels",
        "divergence_report.AC.logit_drift.n_ids_missing",
        "divergence_report.AC.logit_drift.n_tokens_compared",
        "passes.0.pass",
        "passes.0.client_max_overlap_depth",
        "passes.0.server_peak_busy_slots",
        "passes.0.sampled_peak_busy_slots",
        "passes.0.tokens_decoded",
        "passes.0.n_trials",
        "passes.0.n_ok",
        "passes.0.n_missing",
        "passes.1.ac_divergent",
        "passes.1.ac_token_only",
        "divergences.0.pass",
        "divergences.0.token_index",
        "divergences.0.x_token",
        "divergences.0.y_token",
        "divergences.0.byte_offset",
        "divergences.0.code_point_offset",
        "divergences.0.slot",
        "divergences.0.observed_width"}},
      {"a number",
       {"min_mean_width",
        "cobatch_coverage.coverage_fraction",
        "cobatch_coverage.min_coverage_fraction",
        "completion_floor.min_ok_fraction",
        "statistics.planned_power_1_percent",
        "statistics.rule_of_three",
        "statistics.clopper_pearson_upper_95",
        "statistics.wilson_lower_95",
        "statistics.wilson_upper_95",
        "statistics.exact_lower_95",
        "statistics.exact_upper_95",
        "sensitivity.rate_upper_bound_95",
        "throughput.serial_tokens_per_s",
        "throughput.concurrent_tokens_per_s",
        "divergence_report.AC.divergence_rate",
        "divergence_report.AC.logit_drift.eps",
        "divergence_report.AC.logit_drift.max_logit_delta",
        "divergence_report.AC.logit_drift.max_token_delta",
        "passes.0.mean_busy_slots",
        "passes.0.decode_calls",
        "passes.0.coverage_fraction",
        "divergences.0.margin"}},
      {"true or false",
       {"transport_only", "overlap_ok", "cobatch_coverage.cobatch_coverage_ok",
        "completion_floor.completion_floor_ok", "positive_control.ok",
        "divergence_report.AC.logit_drift.armed", "divergence_report.AC.per_id.0.token_identical",
        "passes.0.effective", "passes.0.counter_reset", "passes.0.coverage_ok", "passes.0.width_ok",
        "divergences.0.not_explained_by_rounding", "divergences.0.transport"}},
      {"a list of strings",
       {"reason_codes", "decision_reasons", "token_divergence_ids", "serial_unstable_ids",
        "request_mismatch_ids", "prompt_truncated_ids", "cached_prompt_ids", "uncertified_ids",
        "divergence_report.AC.only_x", "divergence_report.AC.only_y",
        "divergence_report.AC.divergent_ids", "divergence_report.AC.token_divergence_ids",
        "divergences.0.companions"}},
  };
  Record record = PartingRecord();
  At(record, Arm::kC, 0, "w05").score = 0.0;
  const Json whole = RunOf(record).cert.document;
  for (const ReadKeys& kind : kinds) {
    for (const std::string& path : kind.paths) {
      Json document = whole;
      std::string_view key;
      Json* parent = ParentOf(document, path, key);
      ASSERT_THAT(parent, NotNull()) << path;
      ASSERT_THAT(parent->Find(key), NotNull()) << path << " is not a key of certs";
      const auto lack = [&]() -> Lack {
        const CellFacts facts = ReadCert(document);
        const Lack* found = facts.LackOf(path);
        return found == nullptr ? Lack{"nothing", "nothing"} : *found;
      };
      (*parent)[key] = Json(Json::Object{{"of", "another kind"}});
      // A verdict that is a text may still be none.
      const std::string expected = path == "verdict" ? "a verdict" : kind.expected;
      EXPECT_EQ(lack().why,
                "cannot be read: key `" + path + "` is {\"of\":\"another kind\"}, not " + expected);
      EXPECT_EQ(lack().shown, R"({"of":"another kind"})") << path;
      (*parent)[key] = Json();
      EXPECT_EQ(lack().why, "is null on the cert (key `" + path + "`)");
      EXPECT_EQ(lack().shown, "?") << path;
      parent->if_object()->erase(std::string(key));
      EXPECT_EQ(lack().why, "is not on the cert: key `" + path + "` is missing");
      EXPECT_EQ(lack().shown, "?") << path;
    }
  }
}

TEST(ReadCertTest, AnyDocumentGivesAValue) {
  for (const Json& document : {Json(), Json(true), Json("green"), Json(Json::Array{1, 2}),
                               Json(Json::Object{}), Json(1.5)}) {
    const CellFacts facts = ReadCert(document);
    EXPECT_EQ(facts.kind, CertKind::kNone) << document;
    EXPECT_EQ(facts.judgement.verdict, Verdict::kUnverified) << document;
    EXPECT_EQ(facts.cell, Cell{}) << document;
    EXPECT_FALSE(facts.has_statistics) << document;
    EXPECT_FALSE(facts.aa3 || facts.bb2 || facts.judgement.aa3 || facts.judgement.bb2) << document;
    EXPECT_EQ(facts.ac.n_compared, 0) << document;
    EXPECT_EQ(facts.wall_s, 0.0) << document;
    EXPECT_THAT(facts.absent_keys, IsEmpty()) << document;
    ASSERT_THAT(facts.LackOf("divergence_report.AC.n_compared"), NotNull()) << document;
  }
}

TEST(ReadCertTest, ATextIsShownWithoutItsQuotesAndSafely) {
  const CellFacts facts = ReadWith("ctx", "\x1b[2J4096");
  ASSERT_THAT(facts.LackOf("ctx"), NotNull());
  EXPECT_THAT(facts.LackOf("ctx")->shown, ::testing::HasSubstr("[2J4096"));
  EXPECT_THAT(facts.LackOf("ctx")->shown, ::testing::Not(::testing::HasSubstr("\x1b")));
  EXPECT_EQ(facts.cell.ctx, 0);
}

TEST(ReadCertTest, TheTypeOfTheCacheIsTheUsualOneWhereNoneIsNamed) {
  EXPECT_EQ(ReadWith("kv_label", "q8_0").cell.kv_label, "q8_0");
  EXPECT_EQ(ReadWith("kv_label", 8).cell.kv_label, "f16");
}

struct Pairing {
  const char* name;
  Json pair;
  std::int64_t n_token_only, n_output_differs;
  bool lacks_count;
};

TEST(ReadCertTest, OutputsThatDifferAreCountedInFullThoughListsAreCut) {
  const Json::Array two{"a", "b"};
  const Json::Array same{Json::Object{{"test_id", "a"}, {"token_identical", true}},
                         Json::Object{{"test_id", "b"}, {"token_identical", true}},
                         Json::Object{{"test_id", "b"}, {"token_identical", false}}};
  const auto pair = [&](Json n_divergent, Json n_token_only, Json per_id) {
    return Json(Json::Object{{"n_divergent", std::move(n_divergent)},
                             {"n_token_only", std::move(n_token_only)},
                             {"token_divergence_ids", two},
                             {"per_id", std::move(per_id)}});
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 53U;
  const Pairing cases[] = {
      {"whole lists", pair(3, 2, Json::Array{}), 2, 5, false},
      {"a cut list", pair(3, 90, Json::Array{}), 90, 93, false},
      {"the scorer at fault for one id", pair(3, 2, same), 2, 4, false},
      {"more ids of the scorer than differ", pair(0, 2, same), 2, 2, false},
      {"a count below nothing", pair(3, -1, Json::Array{}), 0, 3, true},
      {"no count", pair(3, "two", Json::Array{}), 0, 3, true},
      {"counts beyond all reason", pair(INT64_MAX, INT64_MAX, Json::Array{}), kMost, 2 * kMost,
       false},
      {"divergent ids below nothing", pair(INT64_MIN, 2, Json::Array{}), 2, 2, false},
  };
  Cert cert = RunOf(CleanRecord()).cert;
  for (const Pairing& one : cases) {
    for (const char* label : {"AC", "AA3"}) {
      cert.document["divergence_report"][label] = one.pair;
      const CellFacts facts = ReadCert(cert.document);
      const PairFacts found = label[1] == 'C' ? facts.ac : facts.aa3.value_or(PairFacts{});
      EXPECT_EQ(found.n_token_only, one.n_token_only) << one.name << " " << label;
      EXPECT_EQ(found.n_output_differs, one.n_output_differs) << one.name << " " << label;
      const std::string path = std::string("divergence_report.") + label + ".n_token_only";
      EXPECT_EQ(facts.LackOf(path) != nullptr, one.lacks_count) << one.name << " " << label;
    }
  }
}

TEST(ReadCertTest, ThePairsOfARestartAreThereOnlyWhereTheCertHasThem) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document["divergence_report"].if_object()->erase("AA3");
  cert.document["divergence_report"]["BB2"] = Json(Json::Object{{"n_compared", 8}});
  const CellFacts facts = ReadCert(cert.document);
  EXPECT_FALSE(facts.aa3);
  EXPECT_FALSE(facts.judgement.aa3);
  ASSERT_TRUE(facts.bb2 && facts.judgement.bb2);
  EXPECT_EQ(facts.bb2->n_compared, 8);
  EXPECT_EQ(facts.judgement.bb2->n_compared, 8);
}

TEST(ReadCertTest, DifferencesKeepTheirValuesAsTheyStand) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document["divergence_report"]["AC"]["per_id"] = Json::Array{
      Json::Object{{"test_id", "w00"}, {"field", "score"}, {"x", 1.0}, {"y", Json::Array{"z"}}},
      "no object"};
  const auto per_id = ReadCert(cert.document).judgement.ac.per_id;
  ASSERT_EQ(per_id.size(), 2U);
  EXPECT_EQ(per_id[0].x, Json(1.0));
  EXPECT_EQ(per_id[0].y, Json(Json::Array{"z"}));
  EXPECT_EQ(per_id[1], FieldDifference{});
}

TEST(ReadCertTest, CountsThatAreNoneArePassedOver) {
  const CellFacts facts = ReadWith(
      "distinct_outputs",
      Json::Object{
          {"a", 3}, {"b", "three"}, {"high", INT64_MAX}, {"low", INT64_MIN}, {"real", 3.0}});
  EXPECT_THAT(facts.judgement.distinct_outputs,
              UnorderedElementsAre(Pair("a", 3), Pair("high", INT_MAX), Pair("low", INT_MIN)));
  EXPECT_THAT(ReadWith("status_counts", Json::Object{{"ok", INT64_MAX}}).judgement.status_counts,
              ElementsAre(Pair("ok", INT64_MAX)));
  EXPECT_THAT(ReadWith("status_counts", Json::Array{1}).judgement.status_counts, IsEmpty());
  EXPECT_THAT(ReadWith("left_out", Json()).left_out, IsEmpty());
}

TEST(ReadCertTest, AnIdWithoutAReasonIsStillUncertified) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document["uncertified_ids"] = Json::Array{"a", "b", "c"};
  const auto reasons = [&cert](const Json& stored) {
    cert.document["uncertified_reasons"] = stored;
    std::vector<std::string> out;
    for (const UncertifiedId& one : ReadCert(cert.document).judgement.uncertified_ids) {
      out.push_back(one.test_id + ":" + one.reason);
    }
    return out;
  };
  EXPECT_THAT(reasons(Json(Json::Object{{"a", "left out"}, {"b", 7}})),
              ElementsAre("a:left out", "b:", "c:"));
  EXPECT_THAT(reasons("none"), ElementsAre("a:", "b:", "c:"));
  cert.document.if_object()->erase("uncertified_reasons");
  EXPECT_EQ(ReadCert(cert.document).judgement.uncertified_ids.size(), 3U);
}

TEST(ReadCertTest, TheLacksOfALongListAreNamedForItsFirstEntriesOnly) {
  Json::Array passes(20, Json(Json::Object{{"pass", std::int64_t{1} << 40U}}));
  const CellFacts facts = ReadWith("passes", passes);
  EXPECT_EQ(facts.judgement.passes.size(), 20U);
  EXPECT_EQ(facts.judgement.passes.back().pass, 1'000'000);
  for (const char* key : {"pass", "n_ok"}) {
    EXPECT_THAT(facts.LackOf(std::string("passes.15.") + key), NotNull()) << key;
    EXPECT_THAT(facts.LackOf(std::string("passes.16.") + key), IsNull()) << key;
  }
}

TEST(ReadCertTest, TextsAmongOtherEntriesAreKept) {
  const CellFacts facts = ReadWith("reason_codes", Json::Array{7, "CLEAN", Json(), "LEAK"});
  EXPECT_THAT(facts.judgement.reason_codes, ElementsAre("CLEAN", "LEAK"));
  EXPECT_THAT(facts.LackOf("reason_codes"), NotNull());
}

TEST(ReadCertTest, AnArmThatIsNoneIsTheConcurrentOne) {
  const std::pair<Json, Arm> cases[] = {
      {"A", Arm::kA}, {"B", Arm::kB}, {"C", Arm::kC}, {"D", Arm::kC}, {1, Arm::kC}};
  for (const auto& [name, arm] : cases) {
    const CellFacts facts = ReadWith("divergences", Json::Array{Json::Object{{"arm", name}}});
    EXPECT_EQ(facts.judgement.divergences.at(0).arm, arm) << name;
  }
}

TEST(ReadCertTest, AWidthThatWasNotObservedIsNone) {
  const CellFacts facts = ReadWith(
      "divergences",
      Json::Array{Json::Object{{"observed_width", 3}}, Json::Object{{"observed_width", Json()}},
                  Json::Object{{"observed_width", std::int64_t{1} << 40U}}});
  EXPECT_EQ(facts.judgement.divergences.at(0).observed_width, 3);
  EXPECT_EQ(facts.judgement.divergences.at(1).observed_width, std::nullopt);
  EXPECT_EQ(facts.judgement.divergences.at(2).observed_width, INT_MAX);
}

struct Times {
  Json started, finished;
  double want;
};

TEST(ReadCertTest, ACellTookTheTimeBetweenItsStartAndItsEnd) {
  const char* early = "2026-01-02T03:04:05Z";
  const char* late = "2026-01-02T03:05:06Z";
  const Times cases[] = {{early, late, 61.0},  {late, early, 0.0}, {early, early, 0.0},
                         {early, Json(), 0.0}, {7, late, 0.0},     {early, "soon", 0.0}};
  Cert cert = RunOf(CleanRecord()).cert;
  for (const Times& one : cases) {
    cert.document["provenance"]["started_utc"] = one.started;
    cert.document["provenance"]["finished_utc"] = one.finished;
    EXPECT_EQ(ReadCert(cert.document).wall_s, one.want) << one.started << one.finished;
  }
}

TEST(ReadCertTest, CountsWhatTheCertLeftOut) {
  Cert cert = RunOf(CleanRecord()).cert;
  cert.document["uncertified_ids"] = Json::Array{"a", "b"};
  cert.document["left_out"] = Json(Json::Object{{"uncertified_ids", 5}, {"passes", -3}});
  const CellFacts facts = ReadCert(cert.document);
  EXPECT_EQ(facts.Total("uncertified_ids", facts.judgement.uncertified_ids.size()), 7);
  EXPECT_EQ(facts.Total("passes", 2), 2);
  EXPECT_EQ(facts.Total("divergences", 3), 3) << "a list that was not cut";
}

TEST(ReadCertTest, APassBeyondAllReasonIsCutBack) {
  const Json::Array passes{Json::Object{{"pass", std::int64_t{1} << 40U}},
                           Json::Object{{"pass", -5}}};
  const CellFacts facts = ReadWith("passes", passes);
  EXPECT_EQ(facts.judgement.passes.at(0).pass, 1'000'000);
  EXPECT_EQ(facts.judgement.passes.at(1).pass, 0);
}

TEST(ReadCertTest, TellsTheKindOfDocument) {
  const CellFacts other = ReadWith("schema_version", 3);
  EXPECT_EQ(other.kind, CertKind::kOther);
  EXPECT_EQ(other.schema_version, "3");
  EXPECT_EQ(ReadWith("schema_version", "2").kind, CertKind::kOther) << "a text is no number";
  EXPECT_EQ(ReadWith("schema_version", "two").schema_version, "two");
  EXPECT_EQ(ReadWith("schema_version", Json()).kind, CertKind::kOther) << "null is some version";
  const CellFacts older = ReadCert(Json(Json::Object{{"status", "green"}, {"ctx", 8192}}));
  EXPECT_EQ(older.kind, CertKind::kOlder);
  EXPECT_EQ(older.absent_keys.size(), CertKeys().size() - 2);
  EXPECT_THAT(older.absent_keys, Contains("verdict"));
  EXPECT_THAT(older.absent_keys, ::testing::Not(Contains("ctx")));
}

TEST(RunFactsTest, ThePairsOfARestartAreThoseThatTheJudgementHas) {
  Judgement judgement;
  EXPECT_FALSE(FactsOf(judgement).aa3 || FactsOf(judgement).bb2);
  judgement.aa3.emplace().n_compared = 3;
  judgement.bb2.emplace().n_compared = 2;
  const CellFacts facts = FactsOf(judgement);
  ASSERT_TRUE(facts.aa3 && facts.bb2);
  EXPECT_EQ(facts.aa3->n_compared, 3);
  EXPECT_EQ(facts.bb2->n_compared, 2);
}

TEST(ReadHeaderTest, TellsTheSetUpInSingleValues) {
  Json header;
  header["server"] = Json(Json::Object{{"kind", "llama.cpp"},
                                       {"binary", Json()},
                                       {"build", 4567},
                                       {"model_path", Json::Array{"m"}},
                                       {"model_sha256", Json::Object{}},
                                       {"width_hint", 7}});
  header["workset"]["n_items"] = 48;
  header["scorer"]["name"] = true;
  CellFacts facts;
  ReadHeader(header, facts);
  EXPECT_EQ(facts.set_up.server_kind, "llama.cpp");
  EXPECT_EQ(facts.set_up.server_binary, "") << "null is not told";
  EXPECT_EQ(facts.set_up.server_build, "4567");
  EXPECT_EQ(facts.set_up.model_path, "") << "a list is no single value";
  EXPECT_EQ(facts.set_up.model_sha256, "") << "nor is an object";
  EXPECT_EQ(facts.set_up.workset_items, "48");
  EXPECT_EQ(facts.set_up.scorer, "true");
  EXPECT_EQ(facts.set_up.run_id, "");
  EXPECT_EQ(facts.set_up.width_hint, "") << "advice is text";
  EXPECT_EQ(facts.server, *header.Find("server"));
  header["server"]["width_hint"] = "--metrics";
  ReadHeader(header, facts);
  EXPECT_EQ(facts.set_up.width_hint, "--metrics");
}

TEST(ReadHeaderTest, TellsEarlierRunsAndWhichOfThemWereRed) {
  struct Attempts {
    const char* name;
    Json attempts;
    std::int64_t n_earlier;
    std::vector<std::string> earlier;  ///< Time, status, divergent ids.
    std::size_t n_reds;
  };
  const auto run = [](const char* status, const char* subject) {
    return Json(Json::Object{
        {"ts_utc", "t"}, {"status", status}, {"subject", subject}, {"n_divergent", 2}});
  };
  const Json::Array runs{run("failed", "s"), run("failed", "other"), run("green", "s"), "none"};
  const std::vector<std::string> read{"t failed 2", "t failed 2", "t green 2", "  -1"};
  const Attempts cases[] = {
      {"not told", Json(), 0, {}, 0},
      {"of this subject", Json::Object{{"n_earlier", 4}, {"subject", "s"}, {"earlier", runs}}, 4,
       read, 2},  // an entry that tells nothing may have been one
      {"of a subject that is not told", Json::Object{{"n_earlier", 4}, {"earlier", runs}}, 4, read,
       3},
      {"no list", Json::Object{{"n_earlier", "4"}, {"earlier", "many"}}, 0, {}, 0},
  };
  for (const Attempts& one : cases) {
    Json header;
    header["attempts"] = one.attempts;
    CellFacts facts;
    ReadHeader(header, facts);
    EXPECT_EQ(facts.n_earlier, one.n_earlier) << one.name;
    std::vector<std::string> earlier;
    for (const EarlierRun& each : facts.earlier) {
      earlier.push_back(each.ts_utc + " " + each.status + " " +
                        std::to_string(each.n_divergent.value_or(-1)));
    }
    EXPECT_EQ(earlier, one.earlier) << one.name;
    EXPECT_EQ(facts.n_earlier_reds, one.n_reds) << one.name;
  }
}

TEST(ReadRefusalTest, EveryKindOfErrorComesBack) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::kInterrupted); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    Json document;
    document["cell"] =
        Json(Json::Object{{"model", "m"}, {"ctx", 512}, {"dispatch_n", 4}, {"kv_label", "q8_0"}});
    document["kind"] = ErrorCodeName(code);
    document["text"] = "found 1 GiB";
    document["guard"] = "memory";
    document["run_id"] = "r";
    document["ts_utc"] = "t";
    const CellFacts facts = ReadRefusal(document);
    EXPECT_EQ(facts.cell, (Cell{"m", 512, 4, "q8_0"}));
    ASSERT_TRUE(facts.error);
    EXPECT_EQ(facts.error->code, code) << ErrorCodeName(code);
    EXPECT_EQ(facts.error->Text(), "memory: found 1 GiB");
    EXPECT_EQ(facts.set_up.run_id, "r");
    EXPECT_EQ(facts.ts_utc, "t");
  }
}

TEST(ReadRefusalTest, WhatItDoesNotTellIsAFaultOfTheServer) {
  for (const Json& document : {Json(), Json("text"), Json(Json::Object{{"kind", "of ours"}}),
                               Json(Json::Object{{"kind", 3}, {"text", 7}, {"run_id", Json()}})}) {
    const CellFacts facts = ReadRefusal(document);
    EXPECT_EQ(facts.cell, Cell{}) << document;
    ASSERT_TRUE(facts.error) << document;
    EXPECT_EQ(facts.error->code, ErrorCode::kServer) << document;
    EXPECT_EQ(facts.set_up.run_id + facts.ts_utc, "") << document;
  }
}

TEST(CellOfDocumentTest, IsThatUnderCellOrTheDocumentItself) {
  const Json cell(Json::Object{{"model", "m"}, {"ctx", 512}, {"dispatch_n", 2}});
  const auto with = [&cell](const char* key, Json value) {
    Json changed = cell;
    changed[key] = std::move(value);
    return changed;
  };
  const std::pair<Json, bool> cases[] = {
      {cell, true},
      {Json(Json::Object{{"cell", cell}}), true},
      {with("cell", "not an object"), true},
      {Json(), false},
      {Json(Json::Object{{"cell", Json::Object{}}, {"model", "m"}}), false},
      {with("model", ""), false},
      {with("ctx", 0), false},
      {with("ctx", "512"), false},
      {with("dispatch_n", 1), false},
      {with("dispatch_n", INT64_MIN), false},
  };
  for (const auto& [document, is_one] : cases) {
    const auto found = CellOfDocument(document);
    EXPECT_EQ(found, is_one ? std::optional(Cell{"m", 512, 2, "f16"}) : std::nullopt) << document;
  }
}

TEST(DamageOfTest, SaysWhyACertMayNotBeBelieved) {
  struct Damage {
    std::function<void(Json&)> change;
    bool seal;
    const char* want;
  };
  const Damage cases[] = {
      {[](Json&) {}, false, ""},
      {[](Json& c) { c["ctx"] = 1; }, false,
       "its digest does not fit what it says: it was edited or cut"},
      {[](Json& c) { c["ctx"] = 1; }, true, ""},
      {[](Json& c) { c["cert_digest"] = 7; }, false,
       "it has no digest: a cert of an older kind, or an edited one"},
      {[](Json& c) { c["verdict"] = "PURPLE"; }, true, "it names no verdict"},
      {[](Json& c) { c["verdict"] = Json(); }, true, "it names no verdict"},
      {[](Json& c) { c["status"] = "failed"; }, true, "verdict and status contradict"},
      {[](Json& c) { c["status"] = 1; }, true, "verdict and status contradict"},
  };
  const Cert whole = RunOf(CleanRecord()).cert;
  for (const Damage& one : cases) {
    Cert cert = whole;
    one.change(cert.document);
    if (one.seal) cert.document["cert_digest"] = CertDigest(cert);
    EXPECT_EQ(DamageOf(cert), one.want);
  }
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
