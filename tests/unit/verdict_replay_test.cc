// Public reports as they reach the judge (numbers are those of the reports).
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

[[nodiscard]] std::string Text(const char* prefix, int number) {
  return std::string(prefix).append(std::to_string(number));
}

void Say(Trial& trial, const std::string& text) {
  trial.content = text;
  trial.extracted_answer = text;
  trial.score = trial.expected_answer == Json(text) ? 1.0 : 0.0;
  trial.passed = trial.expected_answer == Json(text);
}

/// All C trials for which `matches` holds, with their position in the record.
template <typename Change>
void ForC(Record& record, Change change) {
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kC) change(trial);
  }
}

TEST(ReplayTest, R001DistinctOutputsPerIdAreCounted) {
  Record record = CleanRecord({8, 4, 3});
  ForC(record, [](Trial& t) { Say(t, Text("variant ", t.pass)); });
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kRed);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("co_batching")));
  EXPECT_THAT(judgement.distinct_outputs, SizeIs(8));
  EXPECT_THAT(judgement.distinct_outputs, Contains(Pair("w00", 4)));
}

TEST(ReplayTest, R003PlannedPowerIsStated) {
  EXPECT_NEAR(Judge(CleanRecord({48, 4, 8})).statistics.planned_power_1_percent, 0.979, 5e-4);
  EXPECT_NEAR(Judge(CleanRecord({8, 4, 2})).statistics.planned_power_1_percent, 0.149, 5e-4);
}

TEST(ReplayTest, R005TailWavesAreNotBookedAsWidthN) {
  Record record = CleanRecord({10, 4, 2});
  ForC(record, [](Trial& t) {
    if (t.test_id >= "w08") Say(t, "narrow");
  });
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kRed);
  EXPECT_THAT(judgement.divergences_by_width, ElementsAre(Pair(2, 4)));
  EXPECT_THAT(judgement.divergences.front().observed_width, Optional(2));
  EXPECT_THAT(judgement.decision_reasons, Contains("differences by width in service: 4 at 2"));
}

TEST(ReplayTest, R007CompanionsAreNamed) {
  Record record = CleanRecord();
  Say(At(record, Arm::kC, 1, "w00"), "changed by a neighbour");
  const Judgement judgement = Judge(record);
  ASSERT_THAT(judgement.divergences, SizeIs(1));
  EXPECT_THAT(judgement.divergences[0].companions, ElementsAre("w01", "w02", "w03"));
  EXPECT_EQ(judgement.divergences[0].pass, 1);
}

TEST(ReplayTest, R009ASeriallyUnstableIdIsNotBlamedOnBatching) {
  Record record = CleanRecord();
  Say(At(record, Arm::kA, 1, "w00"), "answer 00b");
  Say(At(record, Arm::kC, 1, "w00"), "answer 00b");
  const Judgement judgement = Judge(record);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("harness_nondeterminism")));
  EXPECT_THAT(judgement.serial_unstable_ids, ElementsAre("w00"));
  EXPECT_THAT(judgement.decision_reasons, Contains("batching was not judged for: w00"));
}

TEST(ReplayTest, R011EqualPromptsHaveNoPower) {
  testing::RecordShape shape;
  shape.distinct_prompts = false;
  const Judgement judgement = Judge(CleanRecord(shape));
  EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
  EXPECT_THAT(judgement.reason_codes, ElementsAre("FEW_PROMPTS"));
  EXPECT_EQ(judgement.statistics.n_distinct_prompts, 1);
}

TEST(ReplayTest, R013EffectSizesAreOnTheJudgement) {
  for (const int n_divergent : {6, 2}) {
    Record record = CleanRecord({12, 4, 2});
    ForC(record, [=](Trial& t) {
      if (t.pass == 1 && t.test_id < testing::MakeTrial(Arm::kA, 0, n_divergent, 0, 1).test_id) {
        t.score = 0.0;
      }
    });
    const Judgement judgement = Judge(record);
    EXPECT_EQ(judgement.verdict, Verdict::kRed);
    EXPECT_EQ(judgement.statistics.n_divergent_prompts, n_divergent);
    EXPECT_EQ(judgement.statistics.n_compared_prompts, 12);
    EXPECT_LT(*judgement.statistics.exact_lower_95, n_divergent / 12.0);
    EXPECT_GT(*judgement.statistics.exact_upper_95, n_divergent / 12.0);
  }
}

TEST(ReplayTest, R014SwappedAnswersAreALeakWithItsDonor) {
  Record record = CleanRecord();
  Say(At(record, Arm::kC, 0, "w02"), "answer 03");
  Say(At(record, Arm::kC, 0, "w03"), "answer 02");
  const Judgement judgement = Judge(record);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("leak")));
  EXPECT_THAT(judgement.reason_codes, ElementsAre("AC_DIVERGED", "LEAK"));
  ASSERT_THAT(judgement.divergences, SizeIs(2));
  EXPECT_EQ(judgement.divergences[0].leak_donor, "w03");
  EXPECT_EQ(judgement.divergences[1].leak_donor, "w02");
}

TEST(ReplayTest, R016ALenientScorerDoesNotHideASwap) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w02").content = "answer 03";
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kAmber);
  EXPECT_EQ(judgement.divergences.front().leak_donor, "w03");
}

TEST(ReplayTest, R020AndR132CutPromptsAreInfrastructure) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    trial.prompt_tokens = trial.arm == Arm::kA ? 300 : 128;
    if (trial.arm != Arm::kA) Say(trial, "the the OOOO");
  }
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("infrastructure")));
  EXPECT_THAT(judgement.reason_codes, Contains("PROMPT_TRUNCATED"));
  EXPECT_THAT(judgement.decision_reasons,
              Contains(StartsWith("prompt truncated in B, C: test_id \"w00\" has 300 prompt tokens "
                                  "in A, 128 in B")));
}

TEST(ReplayTest, R088PromptCountsBeyondDoublesAreToldApart) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    trial.prompt_tokens = trial.arm == Arm::kC ? 9007199254740992 : 9007199254740993;
  }
  EXPECT_THAT(Judge(record).reason_codes, Contains("PROMPT_TRUNCATED"));
}

TEST(ReplayTest, R030ServerFaultsInConcurrencyAreInfrastructure) {
  Record record = CleanRecord({8, 4, 4});
  ForC(record, [](Trial& t) {
    if (t.pass < 2) return;
    t.failure_mode = "http_5xx";
    t.http_status = 500;
    t.reason = "Invalid input batch.";
    t.content = Json();
    t.extracted_answer = Json();
    t.score = 0.0;
    t.passed = false;
  });
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kRed);
  EXPECT_TRUE(judgement.transport_only);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("infrastructure")));
  EXPECT_THAT(judgement.status_counts, ElementsAre(Pair("http_5xx", 16), Pair("ok", 40)));
  EXPECT_EQ(judgement.first_cause,
            "arm C pass 2 test_id \"w00\": http_5xx HTTP 500: Invalid input batch.");
}

TEST(ReplayTest, R034OneLongRequestIsNoConcurrency) {
  Record record = CleanRecord();
  ForC(record, [](Trial& t) {
    t.complete_ts = *t.dispatch_ts + (t.test_id == "w00" || t.test_id == "w04" ? 0.9 : 0.005);
  });
  for (const std::optional<double> mean : {std::optional<double>(1.02), std::optional<double>()}) {
    for (PassEvidence& evidence : record.evidence) evidence.mean_busy_slots = mean;
    const Judgement judgement = Judge(record);
    EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
    EXPECT_THAT(judgement.passes[0].why_not, HasSubstr("median width 1"));
  }
}

TEST(ReplayTest, ALongPrefillBesideSharedDecodeStepsCounts) {
  // Two requests arrive together and the second waits for the whole prefill of the first: alone by
  // time, together in nearly every decode call, as the server's counters show.
  Record record = CleanRecord();
  ForC(record, [](Trial& t) {
    t.complete_ts = *t.dispatch_ts + (t.test_id == "w00" || t.test_id == "w04" ? 0.9 : 0.005);
  });
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.passes[0].median_width, 1);
  EXPECT_EQ(judgement.passes[0].why_not, "");
}

TEST(ReplayTest, R040FallingCountersProveNothing) {
  Record record = CleanRecord();
  record.evidence[1].counter_reset = true;
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kUnverified);
  EXPECT_THAT(judgement.passes[1].why_not, HasSubstr("counter reset"));
}

TEST(ReplayTest, R058ACutBodyIsAFaultOfThatId) {
  Record record = CleanRecord({8, 4, 3});
  Trial& trial = At(record, Arm::kC, 2, "w03");
  trial.failure_mode = "bad_reply";
  trial.reason = "truncated body";
  const Judgement judgement = Judge(record);
  EXPECT_TRUE(judgement.transport_only);
  EXPECT_EQ(judgement.ac.n_compared, 8);
  EXPECT_THAT(*judgement.mismatch, HasSubstr("truncated body"));
  EXPECT_TRUE(judgement.divergences.front().transport);
}

TEST(ReplayTest, AFaultBesideARealDivergenceExcusesNothing) {
  Record record = CleanRecord();
  At(record, Arm::kC, 0, "w03").failure_mode = "http_timeout";
  At(record, Arm::kC, 1, "w03").score = 0.0;
  const Judgement judgement = Judge(record);
  EXPECT_FALSE(judgement.transport_only);
  EXPECT_THAT(judgement.divergence_class, Optional(std::string("co_batching")));
}

TEST(ReplayTest, R077FramingIsNoOtherAnswer) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id != "w00") continue;
    if (trial.arm == Arm::kC) {
      Say(trial, "answer 00");
      trial.reasoning_content = "x";
    } else {
      Say(trial, "<think>x</think>answer 00");
    }
  }
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kAmber);
  EXPECT_EQ(judgement.reason_codes.front(), "FRAMING");
  EXPECT_THAT(judgement.ac.framing_ids, ElementsAre("w00"));
  EXPECT_EQ(judgement.divergences.front().field, "framing");
}

TEST(ReplayTest, R077FramingOfEveryIdLeavesThePositiveControlItsPower) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    const std::string answer = *trial.content.if_string();
    if (trial.arm == Arm::kC) {
      trial.reasoning_content = "x";
    } else {
      Say(trial, std::string("<think>x</think>").append(answer));
    }
  }
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kAmber);
  EXPECT_TRUE(judgement.positive_control_ok);
}

TEST(ReplayTest, R081TheFinishReasonHasItsOwnClass) {
  Record record = CleanRecord();
  ForC(record, [](Trial& t) {
    if (t.test_id == "w00") t.finish_reason = "length";
  });
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kAmber);
  EXPECT_EQ(judgement.reason_codes.front(), "FINISH_REASON");
}

TEST(ReplayTest, R090LoneSurrogatesAreTextLikeAnyOther) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id == "w00") Say(trial, "ok-0 \xED\xB0\x80");
  }
  EXPECT_EQ(Judge(record).verdict, Verdict::kGreen);
}

TEST(ReplayTest, R111TheFirstDifferenceOfTwoMegabytesIsLocated) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id != "w00") continue;
    std::string text(1'000'000, 'x');
    if (trial.arm == Arm::kC) text[900'000] = 'y';
    trial.token_ids.reset();
    Say(trial, text);
  }
  const Judgement judgement = Judge(record);
  const Divergence& first = judgement.divergences.front();
  EXPECT_THAT(first.byte_offset, Optional(900'000));
  EXPECT_THAT(first.x_around, SizeIs(160));
  EXPECT_LT(judgement.mismatch->size(), 1000U);
}

}  // namespace
}  // namespace bi_test
