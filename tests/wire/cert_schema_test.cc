// docs/cert.schema.json against certs of every kind, and against certs that are broken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "base/json_reader.h"
#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "cert/cert_keys.h"
#include "cert/cert_reader.h"
#include "support/cert_schema.h"
#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using testing::RecordShape;
using testing::RemoveTrials;
using testing_support::CertSchemaFault;

[[nodiscard]] Cert CertOf(const Record& record, const Policy& policy = {}) {
  return BuildCert(record, Judge(record, policy), policy,
                   {"2026-01-02T03:04:05Z", std::string(64, 'b')});
}

/// Another output with the same scored fields.
void Drift(Trial& trial) {
  trial.content = "in other words";
  trial.token_ids = {{7, 8, 9}};
}

void Add(Record& record, Arm arm, int pass, const std::function<void(Trial&)>& change) {
  Trial trial = At(record, arm, 0, "w02");
  trial.pass = pass;
  change(trial);
  record.trials.push_back(trial);
}

struct Kind {
  const char* name;
  std::function<void(Record&, Policy&)> change;
  const char* status;
  const char* first_code;
};

const Kind kKinds[] = {
    {"GREEN", [](Record&, Policy&) {}, "green", "CLEAN"},
    {"GREEN of the mock", [](Record& r, Policy&) { r.source = "mock"; }, "green", "CLEAN"},
    {"GREEN with A3 and B2",
     [](Record& r, Policy&) {
       Add(r, Arm::kA, 2, [](Trial&) {});
       Add(r, Arm::kB, 1, [](Trial&) {});
     },
     "green", "CLEAN"},
    {"RED co_batching", [](Record& r, Policy&) { At(r, Arm::kC, 1, "w02").score = 0.0; }, "failed",
     "AC_DIVERGED"},
    {"RED slot_allocation",
     [](Record& r, Policy&) {
       for (Trial& t : r.trials) {
         if (t.arm != Arm::kA && t.test_id == "w02") t.score = 0.0;
       }
     },
     "failed", "AC_AB_DIVERGED"},
    {"RED harness", [](Record& r, Policy&) { At(r, Arm::kA, 1, "w02").score = 0.0; }, "failed",
     "SELF_IDENTITY"},
    {"RED restart", [](Record& r, Policy&) { Add(r, Arm::kA, 2, [](Trial& t) { t.score = 0.0; }); },
     "failed", "RESTART_UNSTABLE"},
    {"RED request_mismatch",
     [](Record& r, Policy&) { At(r, Arm::kC, 1, "w02").request_sha256 = "other"; }, "failed",
     "REQUEST_MISMATCH"},
    {"RED without arm C",
     [](Record& r, Policy&) { RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kC; }); },
     "failed", "ARM_MISSING"},
    {"RED without arm A",
     [](Record& r, Policy&) { RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kA; }); },
     "failed", "ARM_MISSING"},
    {"RED infrastructure",
     [](Record& r, Policy&) {
       Trial& t = At(r, Arm::kC, 1, "w02");
       t.failure_mode = "http_timeout";
       t.score = 0.0;
       t.passed = false;
       t.phase = "body";
       t.reason = "no byte for 10 s";
     },
     "failed", "AC_DIVERGED"},
    {"RED leak",
     [](Record& r, Policy&) {
       Trial& t = At(r, Arm::kC, 1, "w02");
       t.content = t.extracted_answer = At(r, Arm::kC, 1, "w01").content;
       t.token_ids = At(r, Arm::kC, 1, "w01").token_ids;
     },
     "failed", "AC_DIVERGED"},
    {"RED malformed row",
     [](Record& r, Policy&) { At(r, Arm::kC, 1, "w02").malformed_row = Json(Json::Array{5}); },
     "failed", "AC_DIVERGED"},
    {"RED with numbers that are none",
     [](Record& r, Policy&) {
       At(r, Arm::kC, 0, "w00").score = std::nan("");
       At(r, Arm::kC, 0, "w01").expected_answer = Json(Json::Array{HUGE_VAL, -HUGE_VAL});
     },
     "failed", "AC_DIVERGED"},
    {"AMBER tokens", [](Record& r, Policy&) { Drift(At(r, Arm::kC, 0, "w02")); },
     "green_with_caveat", "TOKEN_ONLY"},
    {"AMBER arm B", [](Record& r, Policy&) { At(r, Arm::kB, 0, "w01").score = 0.0; },
     "green_with_caveat", "B_DISAGREES"},
    {"AMBER B2", [](Record& r, Policy&) { Add(r, Arm::kB, 1, [](Trial& t) { t.score = 0.0; }); },
     "green_with_caveat", "B2_DISAGREES"},
    {"AMBER log-probabilities",
     [](Record& r, Policy& p) {
       p.logprobs = LogprobPolicy::kExact;
       At(r, Arm::kC, 0, "w02").logprobs = std::vector<double>{-0.5, -0.25, -0.1250001};
     },
     "green_with_caveat", "LOGIT_ONLY"},
    {"UNVERIFIED without evidence", [](Record& r, Policy&) { r.evidence.clear(); },
     "green_unverified", "NO_OVERLAP"},
    {"UNVERIFIED without A2",
     [](Record& r, Policy&) {
       RemoveTrials(r, [](const Trial& t) { return t.arm == Arm::kA && t.pass == 1; });
     },
     "green_unverified", "INVALID_INPUT"},
    {"UNVERIFIED broken off", [](Record& r, Policy&) { r.complete = false; }, "green_unverified",
     "TRACE_INCOMPLETE"},
    {"UNVERIFIED from a cache",
     [](Record& r, Policy&) { At(r, Arm::kC, 0, "w02").cached_tokens = 5; }, "green_unverified",
     "CACHED_PROMPT"},
    {"UNVERIFIED without any trial",
     [](Record& r, Policy&) {
       r.trials.clear();
       r.evidence.clear();
     },
     "green_unverified", "INVALID_INPUT"},
    {"UNVERIFIED negative evidence",
     [](Record& r, Policy&) {
       r.evidence[0].server_peak_busy_slots = -3;
       r.evidence[0].mean_busy_slots = -1.5;
       r.evidence[0].polls = -1;
       r.evidence[0].tokens_decoded = INT64_MIN;
     },
     "green_unverified", nullptr},
    {"hand-made, without any header",
     [](Record& r, Policy&) {
       r.header = Json();
       r.complete.reset();
     },
     "green", "CLEAN"},
    {"hostile texts everywhere",
     [](Record& r, Policy& p) {
       const std::string evil =
           "\x1b]0;x\x07\xFF\xED\xA0\x80\u202E</script>\"\\" + std::string(1, '\0');
       r.cell.model = evil;
       r.cell.kv_label = evil;
       r.cell.ctx = -7;
       r.source = evil;
       p.extra_invariant_fields = {evil};
       for (Trial& t : r.trials) {
         t.test_id += evil;
         t.family = evil;
         t.failure_mode = t.arm == Arm::kC ? Json(evil) : Json("ok");
         t.reason = evil;
         t.content = evil + (t.arm == Arm::kC ? "c" : "a");
       }
     },
     "failed", "AC_DIVERGED"},
};

TEST(CertSchemaTest, FitsEveryKindOfCert) {
  for (const Kind& kind : kKinds) {
    Record record = CleanRecord();
    Policy policy;
    kind.change(record, policy);
    const Cert cert = CertOf(record, policy);
    const CertReader read(cert.document);
    EXPECT_EQ(read.TextAt("status"), kind.status) << kind.name;
    if (kind.first_code != nullptr) {
      EXPECT_EQ(read.ListAt("reason_codes")->front(), Json(kind.first_code)) << kind.name;
    }
    EXPECT_EQ(CertSchemaFault(CertText(cert)), "") << kind.name;
  }
}

TEST(CertSchemaTest, FitsACertFromWhichMuchWasLeftOut) {
  Record record = CleanRecord({400, 4, 8});
  for (Trial& trial : record.trials) {
    trial.test_id = std::string(300, 'n').append(trial.test_id);
    trial.family = trial.test_id;
    if (trial.arm == Arm::kC) trial.content = trial.extracted_answer = std::string(20'000, 'x');
  }
  record.header["server"]["argv"] = std::string(2'000'000, 'v');
  const Cert cert = CertOf(record);
  ASSERT_NE(CertReader(cert.document).At("left_out.server"), nullptr);
  EXPECT_EQ(CertSchemaFault(CertText(cert)), "");
}

/// The keys that `show` misses on older certs, those of the schema and those of a cert are one set.
TEST(CertSchemaTest, NamesTheKeysOfACertAndNoOthers) {
  std::set<std::string> written;
  const Cert cert = CertOf(CleanRecord());
  for (const auto& [key, value] : *cert.document.if_object()) written.insert(key);
  const std::set<std::string> known(CertKeys().begin(), CertKeys().end());
  EXPECT_EQ(written, known);

  std::ostringstream text;
  text << std::ifstream(BI_TEST_CERT_SCHEMA).rdbuf();
  const Result<Json> schema = ParseJson(text.str());
  ASSERT_TRUE(schema.ok()) << schema.error().Text();
  EXPECT_EQ(*schema->Find("$schema"), Json("http://json-schema.org/draft-04/schema#"));
  std::set<std::string> described;
  for (const auto& [key, value] : *schema->Find("properties")->if_object()) described.insert(key);
  EXPECT_EQ(described, known);
  std::set<std::string> required;
  for (const Json& key : *schema->Find("required")->if_array()) required.insert(*key.if_string());
  EXPECT_EQ(required, known);
}

/// Every subschema with named properties, so that none is left open by oversight.
void ExpectClosed(const Json& schema, const std::string& path) {
  const Json* properties = schema.Find("properties");
  const Json* type = schema.Find("type");
  if (properties != nullptr && type != nullptr && type->is_string()) {
    EXPECT_EQ(schema.Find("additionalProperties") == nullptr
                  ? "nothing"
                  : CompactText(*schema.Find("additionalProperties")),
              "false")
        << path;
  }
  if (const Json::Object* members = schema.if_object()) {
    for (const auto& [key, member] : *members) ExpectClosed(member, path + "/" + key);
  }
}

TEST(CertSchemaTest, IsClosedWhereTheCertIsOurs) {
  std::ostringstream text;
  text << std::ifstream(BI_TEST_CERT_SCHEMA).rdbuf();
  ExpectClosed(*ParseJson(text.str()), "#");
}

struct Broken {
  const char* name;
  std::string path;
  std::optional<Json> value;  ///< Nothing: the key is taken away.
  const char* fault;
};

void Change(Json& document, const std::string& path, const std::optional<Json>& value) {
  Json* at = &document;
  std::size_t begin = 0;
  for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1) {
    at = &(*at)[path.substr(begin, dot - begin)];
    if (Json::Array* list = at->if_array()) at = &list->front();
  }
  if (value) {
    (*at)[path.substr(begin)] = *value;
  } else {
    at->if_object()->erase(path.substr(begin));
  }
}

TEST(CertSchemaTest, RefusesWhatIsBroken) {
  const Broken cases[] = {
      {"missing key", "status", {}, "required at #"},
      {"missing nested key", "overlap.overlap_ok", {}, "required at #/overlap"},
      {"missing report", "divergence_report.AC", {}, "required at #/divergence_report"},
      {"unknown key", "signed", true, "additionalProperties at #/signed"},
      {"unknown nested key", "statistics.p", 0.5, "additionalProperties at #/statistics/p"},
      {"text for a number", "ctx", "4096", "type at #/ctx"},
      {"double for a count", "n_passes", 2.5, "type at #/n_passes"},
      {"number for a flag", "overlap_ok", 1, "type at #/overlap_ok"},
      {"null for a text", "model", Json(), "type at #/model"},
      {"negative count", "effective_n", -1, "minimum at #/effective_n"},
      {"rate above one", "divergence_report.AC.divergence_rate", 2.0,
       "maximum at #/divergence_report/AC/divergence_rate"},
      {"another status", "status", "GREEN", "enum at #/status"},
      {"another verdict", "verdict", "green", "enum at #/verdict"},
      {"another gate", "gate", "ab_union", "enum at #/gate"},
      {"another schema version", "schema_version", 3, "enum at #/schema_version"},
      {"generalises", "promotion_scope.generalizes", true, "enum at #/promotion_scope/generalizes"},
      {"laxer policy", "policy.min_ok_fraction", 0.5, "minimum at #/policy/min_ok_fraction"},
      {"short digest", "cert_digest", "ab", "pattern at #/cert_digest"},
      {"capital digest", "trace_sha256", std::string(64, 'B'), "pattern at #/trace_sha256"},
      {"no reason", "reason_codes", Json(Json::Array{}), "minItems at #/reason_codes"},
      {"reason in small letters", "reason_codes", Json(Json::Array{"clean"}),
       "pattern at #/reason_codes/0"},
      {"five invariants", "invariant_fields", Json(Json::Array{"a", "b", "c", "d", "e"}),
       "minItems at #/invariant_fields"},
      {"list of numbers for ids", "uncertified_ids", Json(Json::Array{1}),
       "type at #/uncertified_ids/0"},
      {"arm D", "divergences.arm", "D", "enum at #/divergences/0/arm"},
      {"server as a text", "server", "b1", "type at #/server"},
      {"text for a verified pid", "server.pid_verified", "true", "type at #/server/pid_verified"},
      {"left out nothing", "left_out.passes", 0, "minimum at #/left_out/passes"},
  };
  Record record = CleanRecord();
  At(record, Arm::kC, 1, "w02").score = 0.0;
  const Cert good = CertOf(record);
  ASSERT_EQ(CertSchemaFault(CertText(good)), "");
  for (const Broken& one : cases) {
    Cert cert = good;
    Change(cert.document, one.path, one.value);
    EXPECT_EQ(CertSchemaFault(CertText(cert)), one.fault) << one.name;
  }
  EXPECT_EQ(CertSchemaFault("[]"), "type at #");
  EXPECT_EQ(CertSchemaFault("{"), "not JSON");
}

}  // namespace
}  // namespace bi_test
