// What to do next, for what was found. That every code has advice: reason_views_test.
#include "cert/advice.h"

#include <gmock/gmock.h>

#include <set>

#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

[[nodiscard]] CellFacts FactsWith(Verdict verdict, ReasonCode code) {
  CellFacts facts;
  facts.cell.dispatch_n = 4;
  facts.judgement.verdict = verdict;
  facts.judgement.reason_codes = {std::string(ReasonOf(code).name)};
  return facts;
}

TEST(AdviceTest, AnErrorSaysWhatItTakesToRunAgain) {
  CellFacts facts = FactsWith(Verdict::kRed, ReasonCode::kAcDiverged);
  std::set<std::string> texts;
  for (const ErrorCode code :
       {ErrorCode::kUsage, ErrorCode::kNotFound, ErrorCode::kRefused, ErrorCode::kServer,
        ErrorCode::kTransport, ErrorCode::kDeadline, ErrorCode::kIo, ErrorCode::kInterrupted}) {
    facts.error = Error{code, "it failed", "here"};
    texts.insert(Advice(facts));
  }
  EXPECT_EQ(texts.size(), 8U) << "each its own";
  EXPECT_FALSE(texts.contains(""));
  facts.error = Error{ErrorCode::kInvalidFile, "it failed", "here"};
  EXPECT_TRUE(texts.contains(Advice(facts))) << "as for wrong usage";
}

TEST(AdviceTest, AnOlderCertIsNoGroundForMore) {
  CellFacts facts = FactsWith(Verdict::kGreen, ReasonCode::kClean);
  facts.kind = CertKind::kOlder;
  EXPECT_THAT(Advice(facts), StartsWith("Run the cell again"));
}

TEST(AdviceTest, WithoutACodeThatIsKnownTheVerdictDecides) {
  const std::pair<Verdict, std::string> cases[] = {
      {Verdict::kGreen, std::string(ReasonOf(ReasonCode::kClean).advice)},
      {Verdict::kRed, "Serve this model one request at a time at this ctx."},
      {Verdict::kAmber, std::string(ReasonOf(ReasonCode::kTokenOnly).advice)},
      {Verdict::kUnverified, "Add the missing evidence and run the cell again."}};
  for (const auto& [verdict, text] : cases) {
    CellFacts facts;
    facts.judgement.verdict = verdict;
    facts.judgement.reason_codes = {"OF_A_LATER_VERSION"};
    EXPECT_EQ(Advice(facts), text) << verdict;
  }
}

TEST(AdviceTest, AServerThatShowsNoWidthIsHelpedByItsDialect) {
  for (const ReasonCode code : {ReasonCode::kNoOverlap, ReasonCode::kWidth}) {
    const std::string plain(ReasonOf(code).advice);
    CellFacts facts = FactsWith(Verdict::kUnverified, code);
    facts.set_up.width_hint = "start it with --metrics\n";
    EXPECT_EQ(Advice(facts), plain) << "no pass was blind";
    facts.judgement.passes.resize(2);
    facts.judgement.passes[0].mean_busy_slots = 3.0;
    EXPECT_THAT(Advice(facts), HasSubstr("served at once: start it with --metrics"))
        << "the second";
    facts.judgement.passes[1].counter_reset = true;
    EXPECT_EQ(Advice(facts), plain);
    facts.judgement.passes[1] = PassReport{};
    facts.judgement.passes[1].sampled_peak_busy_slots = 1;
    EXPECT_EQ(Advice(facts), plain);
    facts.judgement.passes[1] = PassReport{};
    facts.set_up.width_hint.clear();
    EXPECT_EQ(Advice(facts), plain) << "the dialect knows nothing";
  }
}

TEST(AdviceTest, BelowTwoThereIsNothingSmallerToTry) {
  CellFacts facts = FactsWith(Verdict::kRed, ReasonCode::kAcDiverged);
  EXPECT_EQ(Advice(facts), ReasonOf(ReasonCode::kAcDiverged).advice);
  facts.cell.dispatch_n = 2;
  EXPECT_EQ(Advice(facts), "Serve this model one request at a time at this ctx.");
}

TEST(AdviceTest, AScorerThatFailedAloneIsNamed) {
  CellFacts facts = FactsWith(Verdict::kUnverified, ReasonCode::kFloor);
  const std::string plain(ReasonOf(ReasonCode::kFloor).advice);
  EXPECT_EQ(Advice(facts), plain);
  facts.judgement.status_counts = {{"ok", 3}, {"scorer_error", 9}};
  EXPECT_THAT(Advice(facts), StartsWith("The scorer failed"));
  facts.judgement.status_counts["http_timeout"] = 1;
  EXPECT_EQ(Advice(facts), plain);
  facts.judgement.status_counts = {{"ok", 12}};
  EXPECT_EQ(Advice(facts), plain);
}

TEST(AdviceTest, AnyOtherCodeHasItsOwn) {
  for (const Reason& reason : Reasons()) {
    CellFacts facts = FactsWith(Verdict::kUnverified, reason.code);
    facts.kind = CertKind::kOther;
    EXPECT_EQ(Advice(facts), reason.advice) << reason.name;
  }
}

TEST(AdviceTest, NothingOnADamagedCertCounts) {
  EXPECT_THAT(AdviceOnDamage(), StartsWith("Nothing this file says counts."));
}

}  // namespace
}  // namespace bi_test
