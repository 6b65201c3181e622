// Promotion believes no flag that the numbers beside it do not bear.
#include <gmock/gmock.h>

#include "bi_test/cert.h"
#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const Cell kCell{"m", 4096, 4, "f16"};

[[nodiscard]] const Cert& GoodCert() {
  static const Cert cert = [] {
    const Record record = testing::CleanRecord({30, 4, 2});
    return BuildCert(record, Judge(record), {}, {"2026-01-02T03:04:05Z", std::string(64, 'b')});
  }();
  return cert;
}

/// What keeps the good cert from promotion once the value at `path` is another.
[[nodiscard]] std::vector<std::string> UnmetWith(std::string_view path, const Json& value) {
  Cert cert = GoodCert();
  Json* at = &cert.document;
  for (std::size_t dot; (dot = path.find('.')) != std::string_view::npos;) {
    at = &(*at)[path.substr(0, dot)];
    path.remove_prefix(dot + 1);
  }
  (*at)[path] = value;
  cert.document["cert_digest"] = CertDigest(cert);
  return UnmetPromotionPoints(cert, kCell);
}

TEST(PromotionNumbersTest, EachNumberIsNeededAndHasItsLeastValue) {
  const char* overlap = "OVERLAP: overlap: found client depth ";
  const char* floor = "FLOOR: completion_floor: found ";
  const char* coverage = "COVERAGE: cobatch_coverage: found ";
  const char* passes = "PASSES: n_passes_effective: found ";
  const char* sample = "SAMPLE_TOO_SMALL: statistics.n_effective_prompts: found ";
  const struct {
    const char* path;
    Json value;
    const char* line;
  } cases[] = {
      {"overlap.client_max_overlap_depth", 1, overlap},
      {"overlap.client_max_overlap_depth", "4", overlap},
      {"overlap.server_peak_busy_slots", 2, overlap},
      {"overlap.server_peak_busy_slots", 4.0, overlap},
      {"completion_floor.n_ok_a", 23, floor},
      {"completion_floor.n_ok_a", Json(), floor},
      {"completion_floor.n_ok_c", 23, floor},
      {"completion_floor.n_ok_c", true, floor},
      {"divergence_report.AC.n_compared", 0, floor},
      {"divergence_report.AC.n_compared", -1, floor},
      {"divergence_report.AC.n_compared", "30", floor},
      {"divergence_report.AC.n_compared", 38, floor},
      {"cobatch_coverage.cobatch_coverage_ok", "false",  // case 127
       "COVERAGE: cobatch_coverage.cobatch_coverage_ok: found \"false\", expected true"},
      {"cobatch_coverage.n_ids", 1, coverage},
      {"cobatch_coverage.n_ids", Json(), coverage},
      {"cobatch_coverage.n_ids", 29, coverage},
      {"cobatch_coverage.n_co_batched", 23, coverage},
      {"cobatch_coverage.n_co_batched", "30", coverage},
      {"n_passes", 3, passes},
      {"n_passes", Json(), passes},
      {"n_passes_effective", "2", passes},
      {"statistics.n_effective_prompts", 29, sample},
      {"statistics.n_effective_prompts", "30", sample},
      {"server.n_ctx_slot", 4095, "SERVER: server.n_ctx_slot: found 4095, expected at least 4096"},
      {"server.n_ctx_slot", "4096", "SERVER: server.n_ctx_slot: found \"4096\""},
      {"retries", 0, "RETRIED: retries: found 0, expected zero in every arm"},
      {"retries.a", 0.0, "RETRIED: "},
      {"retries.a2", "0", "RETRIED: "},
      {"token_divergence_ids", "none", "DIVERGENCE: token_divergence_ids: found \"none\""},
      {"divergence_report.AA2.only_y", Json::Object{}, "DIVERGENCE: divergence_report.AA2.only_y"},
      {"workset.sha256", "", "WORKSET: workset.sha256: found \"\", expected a text"},
      {"invariant_fields", "score", "INVARIANTS: "},
      {"policy", Json(), "POLICY: "},
  };
  for (const auto& one : cases) {
    EXPECT_THAT(UnmetWith(one.path, one.value), Contains(StartsWith(one.line)))
        << one.path << " = " << one.value;
  }
}

TEST(PromotionNumbersTest, TheLeastValuesSuffice) {
  const struct {
    const char* path;
    Json value;
  } cases[] = {{"overlap.client_max_overlap_depth", 2}, {"overlap.server_peak_busy_slots", 3},
               {"completion_floor.n_ok_a", 24},         {"completion_floor.n_ok_c", 24},
               {"divergence_report.AC.n_compared", 37}, {"cobatch_coverage.n_co_batched", 24},
               {"cobatch_coverage.n_ids", 37},          {"server.n_ctx_slot", 4096}};
  for (const auto& one : cases) {
    EXPECT_THAT(UnmetWith(one.path, one.value), IsEmpty()) << one.path << " = " << one.value;
  }
}

TEST(PromotionNumbersTest, NoPassIsNotEveryPass) {
  Cert cert = GoodCert();
  cert.document["n_passes"] = cert.document["n_passes_effective"] = 0;
  cert.document["cert_digest"] = CertDigest(cert);
  EXPECT_THAT(UnmetPromotionPoints(cert, kCell), ElementsAre(StartsWith("PASSES:")));
}

TEST(PromotionNumbersTest, WhatWasAskedForMustBeACell) {
  EXPECT_THAT(UnmetPromotionPoints(GoodCert(), {"m", 4096, 1, "f16"}),
              Contains("CELL: asked for m ctx=4096 N=1, which is no cell"));
}

TEST(PromotionNumbersTest, EveryPairOfArmsMustAgreeInEveryWay) {
  for (const char* pair : {"AC", "AB", "BC", "AA2"}) {
    const std::string base = std::string("divergence_report.").append(pair).append(".");
    for (const char* count : {"n_divergent", "n_token_only"}) {
      EXPECT_THAT(UnmetWith(base + count, 1),
                  ElementsAre("DIVERGENCE: " + base + count + ": found 1, expected 0"));
    }
    for (const char* list : {"only_x", "only_y"}) {
      EXPECT_THAT(
          UnmetWith(base + list, Json::Array{"t"}),
          ElementsAre("DIVERGENCE: " + base + list + ": found [\"t\"], expected an empty list"));
    }
  }
}

}  // namespace
}  // namespace bi_test
