// The deployment gate: cases 163 to 183.
#include <gmock/gmock.h>

#include <functional>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

[[nodiscard]] Cert GoodCert(int n_ids = 30) {
  const auto make = [](int n) {
    const Record record = testing::CleanRecord({n, 4, 2});
    return BuildCert(record, Judge(record), {}, {"2026-01-02T03:04:05Z", std::string(64, 'b')});
  };
  static const Cert usual = make(30);
  return n_ids == 30 ? usual : make(n_ids);
}

const Cell kCell{"m", 4096, 4, "f16"};

/// The digest is made to fit, so that only the point itself is unmet.
void Seal(Cert& cert) { cert.document["cert_digest"] = CertDigest(cert); }

TEST(PromotionTest, AGoodLiveCertIsPromotable) {
  EXPECT_THAT(UnmetPromotionPoints(GoodCert(), kCell), IsEmpty()) << "case 163";
}

struct PromotionCase {
  const char* name;
  std::function<void(Json&)> change;
  const char* code;
};

[[nodiscard]] std::function<void(Json&)> Set(std::string path, Json value) {
  return [path = std::move(path), value = std::move(value)](Json& document) {
    Json* at = &document;
    std::size_t begin = 0;
    for (std::size_t dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1) {
      at = &(*at)[path.substr(begin, dot - begin)];
    }
    (*at)[path.substr(begin)] = value;
  };
}

[[nodiscard]] std::function<void(Json&)> Erase(const char* key) {
  return [key](Json& document) { document.if_object()->erase(key); };
}

[[nodiscard]] Json Attempt(const char* status, Json subject, bool transport_only = false) {
  Json one;
  one["run_id"] = "r1";
  one["ts_utc"] = "2026-01-01T00:00:00Z";
  one["status"] = status;
  one["subject"] = std::move(subject);
  one["transport_only"] = transport_only;
  one["reason_codes"] = Json(Json::Array{"AC_DIVERGED"});
  return one;
}

TEST(PromotionTest, ALaterCleanRunDoesNotEraseARed) {
  const std::string same(64, 'c');
  const struct {
    const char* name;
    Json attempt;
    bool blocks;
  } cases[] = {
      {"RED of this very set-up", Attempt("failed", same), true},
      {"RED of an unknown set-up", Attempt("failed", Json()), true},
      {"RED of another build, model or flag", Attempt("failed", std::string(64, 'd')), false},
      {"RED of the infrastructure", Attempt("failed", same, true), false},
      {"GREEN", Attempt("green", same), false},
      {"AMBER", Attempt("green_with_caveat", same), false},
      {"an attempt that says nothing", Json(Json::Object{}), true},
  };
  for (const auto& c : cases) {
    Cert cert = GoodCert();
    cert.document["attempts"]["earlier"] = Json(Json::Array{c.attempt});
    Seal(cert);
    const auto unmet = UnmetPromotionPoints(cert, kCell);
    if (c.blocks) {
      EXPECT_THAT(unmet, ElementsAre(StartsWith("EARLIER_RED: "))) << c.name;
    } else {
      EXPECT_THAT(unmet, IsEmpty()) << c.name;
    }
  }
  Cert cert = GoodCert();
  cert.document["attempts"]["earlier"] = Json(Json::Array{Attempt("failed", same)});
  Seal(cert);
  EXPECT_THAT(UnmetPromotionPoints(cert, kCell),
              ElementsAre("EARLIER_RED: attempts.earlier: run \"r1\" of \"2026-01-01T00:00:00Z\" "
                          "was RED [\"AC_DIVERGED\"] with this server, model and flags; a later "
                          "clean run does not erase it"));
}

TEST(PromotionTest, NobodyCanAskForASmallerSample) {
  Cert cert = GoodCert(20);
  cert.document.if_object()->erase("policy");
  Seal(cert);
  Policy lax;
  lax.min_promotion_prompts = 10;
  EXPECT_THAT(
      UnmetPromotionPoints(cert, kCell, lax),
      Contains("SAMPLE_TOO_SMALL: statistics.n_effective_prompts: found 20, expected at least "
               "30 distinct prompts"));
}

TEST(PromotionTest, ACertExpires) {
  const struct {
    const char* now;
    bool promotes;
  } cases[] = {
      {"", true},
      {"2100-01-02T03:04:05Z", true},
      {"2100-04-02T03:04:04Z", true},
      {"2100-04-02T03:04:05Z", false},
      {"2131-01-01T00:00:00Z", false},
      {"yesterday", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(UnmetPromotionPoints(GoodCert(), kCell, {}, c.now).empty(), c.promotes) << c.now;
  }
  EXPECT_THAT(UnmetPromotionPoints(GoodCert(), kCell, {}, "2101-01-01T00:00:00Z"),
              ElementsAre("EXPIRED: expires_utc: 2100-04-02T03:04:05Z is past, now is "
                          "2101-01-01T00:00:00Z; run the cell again"));
}

TEST(PromotionTest, EveryPointIsStrict) {
  const PromotionCase cases[] = {
      {"no expiry", Erase("expires_utc"), "EXPIRED:"},
      {"expiry of another type", Set("expires_utc", 5), "EXPIRED:"},
      {"no history", Erase("attempts"), "ATTEMPTS:"},
      {"unreadable history", Set("attempts.readable", false), "ATTEMPTS:"},
      {"history of another type", Set("attempts.earlier", "none"), "ATTEMPTS:"},
      {"no subject", Set("attempts.subject", Json()), "ATTEMPTS:"},
      {"schema", Set("schema_version", 1), "SCHEMA:"},
      {"schema of another type", Set("schema_version", 2.0), "SCHEMA:"},
      {"164 mock", Set("source", "mock"), "SOURCE:"},
      {"164 Live", Set("source", "Live"), "SOURCE:"},
      {"165 GREEN", Set("status", "GREEN"), "STATUS:"},
      {"165 unverified", Set("status", "green_unverified"), "STATUS:"},
      {"165 caveat", Set("status", "green_with_caveat"), "STATUS:"},
      {"165 failed", Set("status", "failed"), "STATUS:"},
      {"166 other", Set("gate", "other"), "GATE:"},
      {"166 absent", Erase("gate"), "GATE:"},
      {"167", Set("overlap_ok", false), "OVERLAP:"},
      {"168", Set("overlap_ok", "false"), "OVERLAP:"},
      {"169", Set("overlap_ok", 1), "OVERLAP:"},
      {"170", Set("overlap_ok", Json()), "OVERLAP:"},
      {"171", Erase("overlap_ok"), "OVERLAP:"},
      {"172", Erase("overlap"), "OVERLAP:"},
      {"overlap that its numbers do not bear", Set("overlap.server_peak_busy_slots", 2),
       "OVERLAP:"},
      {"173 absent", Erase("completion_floor"), "FLOOR:"},
      {"173 empty", Set("completion_floor", Json(Json::Object{})), "FLOOR:"},
      {"173 text", Set("completion_floor", "x"), "FLOOR:"},
      {"174", Set("completion_floor.completion_floor_ok", Json()), "FLOOR:"},
      {"floor that its numbers do not bear", Set("completion_floor.n_ok_c", 3), "FLOOR:"},
      {"175", Erase("cobatch_coverage"), "COVERAGE:"},
      {"176", Set("cobatch_coverage.coverage_checked", false), "COVERAGE:"},
      {"177", Set("cobatch_coverage.cobatch_coverage_ok", Json()), "COVERAGE:"},
      {"coverage that its numbers do not bear", Set("cobatch_coverage.n_co_batched", 3),
       "COVERAGE:"},
      {"attribution", Set("cobatch_coverage.attribution_certain", false), "COVERAGE:"},
      {"178", Set("divergence_report.AC.n_divergent", 5), "DIVERGENCE:"},
      {"lost id in AB", Set("divergence_report.AB.only_x", Json(Json::Array{"t"})), "DIVERGENCE:"},
      {"token-only", Set("divergence_report.AC.n_token_only", 1), "DIVERGENCE:"},
      {"token ids", Set("token_divergence_ids", Json(Json::Array{"t"})), "DIVERGENCE:"},
      {"179", Set("model", "other"), "CELL:"},
      {"another ctx", Set("ctx", 8192), "CELL:"},
      {"another N", Set("dispatch_n", 8), "CELL:"},
      {"another KV type", Set("kv_label", "q4_0"), "CELL:"},
      {"another scope", Set("promotion_scope.valid_for.ctx", 8192), "CELL:"},
      {"generalising", Set("promotion_scope.generalizes", true), "SCOPE:"},
      {"mismatch", Set("mismatch", "x"), "VERDICT:"},
      {"anomaly", Set("anomaly", "x"), "VERDICT:"},
      {"class", Set("divergence_class", "x"), "VERDICT:"},
      {"invariants", Set("invariant_fields", Json(Json::Array{"score"})), "INVARIANTS:"},
      {"182", Set("statistics.n_effective_prompts", 29), "SAMPLE_TOO_SMALL:"},
      {"183", Set("retries.c", Json(Json::Array{0, 1})), "RETRIED:"},
      {"retries not recorded", Erase("retries"), "RETRIED:"},
      {"retries of one arm not recorded", Set("retries.a", Json(Json::Array{})), "RETRIED:"},
      {"retries of no arm", Set("retries", Json(Json::Object{})), "RETRIED:"},
      {"pid", Set("server.pid_verified", "true"), "PID_NOT_VERIFIED:"},
      {"slots", Set("server.total_slots", 2), "SERVER:"},
      {"slot context", Set("server.n_ctx_slot", 1024), "SERVER:"},
      {"passes", Set("n_passes_effective", 1), "PASSES:"},
      {"width", Set("effective_n", 3), "WIDTH:"},
      {"control", Set("positive_control.ok", false), "POSITIVE_CONTROL:"},
      {"lax policy", Set("policy.min_ok_fraction", 0.1), "POLICY:"},
      {"no policy", Erase("policy"), "POLICY:"},
      {"uncertified", Set("uncertified_ids", Json(Json::Array{"t"})), "UNCERTIFIED_IDS:"},
      {"cached", Set("cached_prompt_ids", Json(Json::Array{"t"})), "CACHED_PROMPT:"},
      {"workset", Set("workset", Json()), "WORKSET:"},
      {"scorer", Set("scorer.version", Json()), "SCORER:"},
      {"trace", Set("trace_sha256", Json()), "TRACE:"},
  };
  for (const PromotionCase& one : cases) {
    Cert cert = GoodCert();
    one.change(cert.document);
    Seal(cert);
    const std::vector<std::string> unmet = UnmetPromotionPoints(cert, kCell);
    EXPECT_THAT(unmet, Contains(StartsWith(one.code))) << one.name;
    EXPECT_THAT(unmet, Not(Contains(StartsWith("DIGEST:")))) << one.name;
  }
}

TEST(PromotionTest, AnEditedCertFailsItsDigest) {
  Cert cert = GoodCert();
  cert.document["ts_utc"] = "2027-01-01T00:00:00Z";
  EXPECT_THAT(UnmetPromotionPoints(cert, kCell), ElementsAre(StartsWith("DIGEST:")));
}

TEST(PromotionTest, TheFourKeyForgeryFailsAlmostEverywhere) {
  Cert cert{Json(Json::Object{
      {"status", "green"}, {"source", "live"}, {"overlap_ok", "false"}, {"gate", "abc_union"}})};
  EXPECT_GT(UnmetPromotionPoints(cert, kCell).size(), 25U) << "case 180";
}

TEST(PromotionTest, OtherDocumentsAreNoCerts) {
  for (const Json& document : {Json(), Json(Json::Array{}), Json(5)}) {
    EXPECT_THAT(UnmetPromotionPoints(Cert{document}, kCell), ElementsAre(StartsWith("NOT_A_CERT:")))
        << "case 181";
  }
}

TEST(PromotionTest, SmallSamplesStayGreenAndAreNotPromotable) {
  const Cert cert = GoodCert(28);
  EXPECT_EQ(*cert.document.Find("status"), Json("green"));
  EXPECT_THAT(UnmetPromotionPoints(cert, kCell),
              ElementsAre("SAMPLE_TOO_SMALL: statistics.n_effective_prompts: found 28, expected at "
                          "least 30 distinct prompts"));
}

TEST(PromotionTest, AStricterSampleOfAskerOrSweepFileCounts) {
  Policy asker;
  asker.min_promotion_prompts = 31;
  EXPECT_THAT(UnmetPromotionPoints(GoodCert(), kCell, asker),
              ElementsAre(StartsWith("SAMPLE_TOO_SMALL:")));
  Cert cert = GoodCert();
  cert.document["policy"]["min_promotion_prompts"] = 31;
  Seal(cert);
  EXPECT_THAT(UnmetPromotionPoints(cert, kCell), ElementsAre(StartsWith("SAMPLE_TOO_SMALL:")));
}

TEST(PromotionTest, HostileValuesAreShownSafely) {
  Cert cert = GoodCert();
  cert.document["gate"] = "\x1b[31m" + std::string(10'000, 'x');
  Seal(cert);
  const std::vector<std::string> unmet = UnmetPromotionPoints(cert, kCell);
  ASSERT_THAT(unmet, ElementsAre(StartsWith("GATE: gate: found \"\\u001b[31mxxx")));
  EXPECT_LT(unmet[0].size(), 300U);
}

}  // namespace
}  // namespace bi_test
