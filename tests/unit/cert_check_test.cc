// `verify`: a stored cert against the one its trace gives.
#include <gmock/gmock.h>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

[[nodiscard]] Cert CertAt(const char* time) {
  const Record record = testing::CleanRecord();
  return BuildCert(record, Judge(record), {}, {time, ""});
}

TEST(CertCheckTest, TheTimeOfWritingDoesNotMatter) {
  EXPECT_THAT(CheckCertAgainst(CertAt("2026-01-01T00:00:00Z"), CertAt("2026-02-02T00:00:00Z")),
              IsEmpty());
}

TEST(CertCheckTest, AnEditedVerdictIsNamedWithBothValues) {
  Cert stored = CertAt("2026-01-01T00:00:00Z");
  stored.document["status"] = "failed";
  stored.document["overlap"]["client_max_overlap_depth"] = 9;
  stored.document["cert_digest"] = CertDigest(stored);
  EXPECT_THAT(CheckCertAgainst(stored, CertAt("2026-01-01T00:00:00Z")),
              ElementsAre("overlap.client_max_overlap_depth: stored 9, recomputed 4",
                          "status: stored \"failed\", recomputed \"green\""));
}

TEST(CertCheckTest, MissingExtraAndShortenedPartsAreNamed) {
  Cert stored = CertAt("2026-01-01T00:00:00Z");
  stored.document.if_object()->erase("gate");
  stored.document["extra"] = 1;
  stored.document["reason_codes"].if_array()->clear();
  stored.document["cert_digest"] = CertDigest(stored);
  EXPECT_THAT(CheckCertAgainst(stored, CertAt("2026-01-01T00:00:00Z")),
              ElementsAre("extra: stored 1, recomputed nothing",
                          "reason_codes[0]: stored nothing, recomputed \"CLEAN\"",
                          "gate: stored nothing, recomputed \"abc_union\""));
}

TEST(CertCheckTest, PartsOfAnotherKindOrLengthAreNamed) {
  const Cert good = CertAt("2026-01-01T00:00:00Z");
  Cert stored = good;
  stored.document["overlap"] = Json::Array{1};
  stored.document["reason_codes"] = Json::Array{"CLEAN", "MORE"};
  stored.document["policy"]["extra"] = true;
  stored.document["passes"] = "none";
  stored.document["cert_digest"] = CertDigest(stored);
  EXPECT_THAT(CheckCertAgainst(stored, good),
              ElementsAre(StartsWith("overlap: stored [1], recomputed {\"client_max"),
                          StartsWith("passes: stored \"none\", recomputed [{"),
                          "policy.extra: stored true, recomputed nothing",
                          "reason_codes[1]: stored \"MORE\", recomputed nothing"));
  stored = good;
  stored.document["policy"].if_object()->erase("min_ok_fraction");
  stored.document["gate"] = Json::Object{};
  stored.document.if_object()->erase("cert_digest");
  EXPECT_THAT(CheckCertAgainst(stored, good),
              ElementsAre("gate: stored {}, recomputed \"abc_union\"",
                          "policy.min_ok_fraction: stored nothing, recomputed 0.8",
                          StartsWith("cert_digest: stored nothing, the digest of the stored")));
}

TEST(CertCheckTest, ADigestThatDoesNotFitIsNamed) {
  Cert stored = CertAt("2026-01-01T00:00:00Z");
  stored.document["cert_digest"] = "00";
  EXPECT_THAT(
      CheckCertAgainst(stored, CertAt("2026-01-01T00:00:00Z")),
      ElementsAre(StartsWith("cert_digest: stored \"00\", the digest of the stored cert is")));
}

TEST(CertCheckTest, AnIntegerIsNotTheDoubleOfTheSameValue) {
  Cert stored = CertAt("2026-01-01T00:00:00Z");
  stored.document["ctx"] = 4096.0;
  stored.document["cert_digest"] = CertDigest(stored);
  EXPECT_THAT(CheckCertAgainst(stored, CertAt("2026-01-01T00:00:00Z")),
              ElementsAre("ctx: stored 4096.0, recomputed 4096"));
}

TEST(CertCheckTest, WhatIsNoCertIsSaidInFewLines) {
  const Cert good = CertAt("2026-01-01T00:00:00Z");
  EXPECT_THAT(CheckCertAgainst(Cert{Json(5)}, good), SizeIs(2));
  Cert other;
  for (int i = 0; i < 5000; ++i) other.document[std::to_string(i)] = i;
  EXPECT_THAT(CheckCertAgainst(other, good), SizeIs(102));
}

}  // namespace
}  // namespace bi_test
