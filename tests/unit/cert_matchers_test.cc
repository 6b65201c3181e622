#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bi_test/judge.h"
#include "bi_test/matchers.h"
#include "support/records.h"

namespace bi_test {
namespace {

using ::testing::AllOf;
using ::testing::DescribeMatcher;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr testing::RecordShape kShape = {.n_ids = 40, .dispatch_n = 4, .passes = 2};

template <typename T, typename M>
std::string Explanation(const M& matcher, const T& value) {
  ::testing::StringMatchResultListener listener;
  ::testing::ExplainMatchResult(matcher, value, &listener);
  return listener.str();
}

/// A run of that record, judged and written as a run does it.
CellRun RunOf(const Record& record) {
  CellRun run;
  run.cell = record.cell;
  run.record = record;
  run.judgement = Judge(record);
  run.cert = BuildCert(record, run.judgement, {},
                       {.ts_utc = "2026-03-01T08:00:00Z", .trace_sha256 = std::string(64, 'a')});
  return run;
}

CellRun CleanRun() { return RunOf(testing::CleanRecord(kShape)); }

/// Id w03 answers otherwise in pass 1 of arm C.
CellRun DivergentRun() {
  Record record = testing::CleanRecord(kShape);
  Trial& trial = testing::At(record, Arm::kC, 1, "w03");
  trial.content = "something else";
  trial.extracted_answer = "something else";
  return RunOf(record);
}

Cert Edited(Cert cert, const std::function<void(Json&)>& edit) {
  edit(cert.document);
  cert.document["cert_digest"] = CertDigest(cert);
  return cert;
}

struct CertCase {
  std::string name;
  CellMatcher matcher;
  /// Path of the key the matcher rests on, with the noun its explanation starts with.
  std::vector<std::string> path;
};

void PrintTo(const CertCase& test, std::ostream* out) { *out << test.name; }

std::vector<CertCase> CertCases() {
  return {
      {"IsBatchInvariant", IsBatchInvariant(), {"status"}},
      {"IsTokenIdentical", IsTokenIdentical(), {"divergence_report", "AC", "n_token_only"}},
      {"IsTokenIdenticalUncertified", IsTokenIdentical(), {"uncertified_ids"}},
      {"IsTokenIdenticalRequests", IsTokenIdentical(), {"request_mismatch_ids"}},
      {"IsRepeatable", IsRepeatable(), {"divergence_report", "AA2", "n_compared"}},
      {"MeetsCompletionFloor", MeetsCompletionFloor(), {"completion_floor", "completion_floor_ok"}},
      {"HasVerdict", HasVerdict(Verdict::kGreen), {"status"}},
      {"HasOverlapDepthClient", HasOverlapDepth(4), {"overlap", "client_max_overlap_depth"}},
      {"HasOverlapDepthServer", HasOverlapDepth(4), {"overlap", "server_peak_busy_slots"}},
      {"HasMeanWidth", HasMeanWidth(Ge(3.0)), {"min_mean_width"}},
      {"HasCoBatchCoverage",
       HasCoBatchCoverage(Ge(0.8)),
       {"cobatch_coverage", "coverage_fraction"}},
      {"HasDivergentIds", HasDivergentIds(IsEmpty()), {"divergence_report", "AC", "divergent_ids"}},
      {"HasRateUpperBound", HasRateUpperBound(Le(0.1)), {"statistics", "rule_of_three"}},
  };
}

Json& AtPath(Json& document, const std::vector<std::string>& path) {
  Json* at = &document;
  for (const std::string& key : path) at = &(*at)[key];
  return *at;
}

std::string Dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& key : path) text += (text.empty() ? "" : ".") + key;
  return text;
}

class CertMatcherTest : public ::testing::TestWithParam<CertCase> {};

TEST_P(CertMatcherTest, SeesACleanCertAsItSeesItsRun) {
  const CellRun run = CleanRun();
  EXPECT_THAT(run, GetParam().matcher);
  EXPECT_THAT(run.cert, GetParam().matcher);
  EXPECT_EQ(Explanation(GetParam().matcher, run.cert), Explanation(GetParam().matcher, run));
}

TEST_P(CertMatcherTest, ExplainsADivergentCertAsItsRun) {
  const CellRun run = DivergentRun();
  EXPECT_EQ(::testing::Value(run, GetParam().matcher),
            ::testing::Value(run.cert, GetParam().matcher));
}

TEST_P(CertMatcherTest, AMissingKeyDoesNotMatchAndIsNamed) {
  Cert cert = CleanRun().cert;
  std::vector<std::string> parent = GetParam().path;
  const std::string key = parent.back();
  parent.pop_back();
  AtPath(cert.document, parent).if_object()->erase(key);
  EXPECT_THAT(cert, Not(GetParam().matcher));
  EXPECT_THAT(Explanation(GetParam().matcher, cert),
              HasSubstr("is not on the cert: key `" + Dotted(GetParam().path) + "` is missing"));
}

TEST_P(CertMatcherTest, AValueOfTheWrongTypeDoesNotMatchAndIsNamed) {
  Cert cert = CleanRun().cert;
  AtPath(cert.document, GetParam().path) = Json::Array{"\x1b[31m"};
  // The only keys that are lists already: there the wrong type is an object.
  if (GetParam().path.back().ends_with("_ids")) {
    AtPath(cert.document, GetParam().path) = Json::Object{{"\x1b[31m", true}};
  }
  EXPECT_THAT(cert, Not(GetParam().matcher));
  EXPECT_THAT(Explanation(GetParam().matcher, cert),
              AllOf(HasSubstr("cannot be read: key `" + Dotted(GetParam().path) + "` is "),
                    Not(HasSubstr("\x1b"))));
}

TEST_P(CertMatcherTest, ACertThatIsNoObjectNeverMatches) {
  for (const Json& document : {Json(), Json("green"), Json(Json::Array{})}) {
    EXPECT_THAT(Cert{document}, Not(GetParam().matcher));
    EXPECT_THAT(Explanation(GetParam().matcher, Cert{document}), HasSubstr("is missing"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, CertMatcherTest, ::testing::ValuesIn(CertCases()),
                         [](const ::testing::TestParamInfo<CertCase>& test) {
                           return test.param.name;
                         });

TEST(CertMatcherDetailTest, ADivergentCertIsExplainedWithItsFirstDifference) {
  const CellRun run = DivergentRun();
  EXPECT_THAT(run.cert, Not(IsBatchInvariant()));
  EXPECT_THAT(run.cert, HasDivergentIds(ElementsAre("w03")));
  EXPECT_THAT(run.cert, HasDivergenceClass("co_batching"));
  EXPECT_THAT(
      Explanation(IsBatchInvariant(), run.cert),
      AllOf(StartsWith("whose verdict is RED (AC_DIVERGED; class co_batching): 1 divergent, "
                       "40 ids compared"),
            HasSubstr("first id w03 in c2, field "), HasSubstr("something else")));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(run.cert, IsBatchInvariant()), "first id w03 in c2");
}

TEST(CertMatcherDetailTest, AStatusThatIsNoVerdictIsShown) {
  const Cert cert = Edited(CleanRun().cert, [](Json& json) { json["status"] = "superb"; });
  EXPECT_EQ(Explanation(HasVerdict(Verdict::kGreen), cert),
            "whose verdict cannot be read: key `status` is \"superb\", which is no verdict");
}

TEST(CertMatcherDetailTest, AnUnknownDivergenceClassIsNull) {
  EXPECT_EQ(Explanation(HasDivergenceClass("leak"), CleanRun().cert),
            "whose divergence class is null on the cert (key `divergence_class`)");
}

TEST(CertMatcherDetailTest, AListThatWasCutIsNoAnswer) {
  const Cert cert = Edited(DivergentRun().cert, [](Json& json) {
    json["left_out"]["divergence_report.AC.divergent_ids"] = 300;
  });
  EXPECT_THAT(cert, Not(HasDivergentIds(SizeIs(1))));
  EXPECT_THAT(Explanation(HasDivergentIds(SizeIs(1)), cert), HasSubstr("lacks 300 more"));
}

TEST(CertMatcherDetailTest, WhatWasCutCountsAmongTheUncertified) {
  const Cert cert =
      Edited(CleanRun().cert, [](Json& json) { json["left_out"]["uncertified_ids"] = 2; });
  EXPECT_EQ(Explanation(IsTokenIdentical(), cert), "which could not compare 2 ids");
}

TEST(IsPromotableTest, AcceptsACleanRunAndItsCert) {
  const CellRun run = CleanRun();
  EXPECT_THAT(run, IsPromotable());
  EXPECT_THAT(run.cert, IsPromotable());
  EXPECT_EQ(Explanation(IsPromotable(), run), "which meets every point of the promotion rule");
}

TEST(IsPromotableTest, ListsEveryUnmetPoint) {
  const CellRun run = RunOf(testing::CleanRecord({.n_ids = 8, .dispatch_n = 4, .passes = 2}));
  EXPECT_THAT(run, Not(IsPromotable()));
  EXPECT_THAT(Explanation(IsPromotable(), run),
              StartsWith("which leaves 1 point of the promotion rule unmet: SAMPLE_TOO_SMALL: "));
  EXPECT_THAT(Explanation(IsPromotable(), DivergentRun()),
              AllOf(HasSubstr("STATUS: "), HasSubstr("; DIVERGENCE: ")));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(run, IsPromotable()), "SAMPLE_TOO_SMALL");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(CleanRun(), Not(IsPromotable())),
                          "which meets every point of the promotion rule");
}

TEST(IsPromotableTest, FollowsAStricterPolicy) {
  Policy strict;
  strict.min_promotion_prompts = 100;
  EXPECT_THAT(CleanRun(), Not(IsPromotable(strict)));
}

TEST(IsPromotableTest, DescribesItselfAndItsNegation) {
  EXPECT_EQ(DescribeMatcher<CellRun>(IsPromotable()), "is promotable");
  EXPECT_EQ(DescribeMatcher<CellRun>(IsPromotable(), true), "isn't promotable");
}

TEST(IsPromotableTest, ACertOfAnotherCellDoesNotPromoteTheRun) {
  CellRun run = CleanRun();
  run.cell.dispatch_n = 8;
  EXPECT_THAT(run, Not(IsPromotable()));
}

TEST(IsPromotableTest, ARunThatBrokeOffIsNotPromotableWhateverItsCertSays) {
  CellRun run = CleanRun();
  run.error = Error{.code = ErrorCode::kIo, .message = "disk full", .where = ""};
  EXPECT_THAT(Explanation(IsPromotable(), run), HasSubstr("RUN_FAILED: disk full"));
  EXPECT_THAT(run, Not(IsPromotable()));
}

TEST(IsPromotableTest, ACertThatNamesNoCellIsNotPromotable) {
  for (const char* key : {"model", "ctx", "dispatch_n", "kv_label"}) {
    const Cert cert = Edited(CleanRun().cert, [key](Json& json) { json.if_object()->erase(key); });
    EXPECT_THAT(cert, Not(IsPromotable()));
    EXPECT_THAT(Explanation(IsPromotable(), cert),
                HasSubstr("key `" + std::string(key) + "` is missing"));
  }
}

TEST(IsPromotableTest, NumbersBeyondAnIntAreNotWrapped) {
  const Cert cert =
      Edited(CleanRun().cert, [](Json& json) { json["ctx"] = (std::int64_t{1} << 32) + 4096; });
  EXPECT_EQ(Explanation(IsPromotable(), cert), "whose ctx is out of range");
}

TEST(IsPromotableTest, AnEditedCertIsNotPromotable) {
  Cert cert = CleanRun().cert;
  cert.document["statistics"]["n_effective_prompts"] = 999;
  EXPECT_THAT(Explanation(IsPromotable(), cert), HasSubstr("DIGEST: "));
}

}  // namespace
}  // namespace bi_test
