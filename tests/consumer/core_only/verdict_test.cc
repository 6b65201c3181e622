// The verdict, with nothing else of bi_test on the machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bi_test/judge.h"
#include "bi_test/matchers.h"

namespace bi_test {
namespace {

using testing::Ge;
using testing::Not;

constexpr int kIds = 40;
constexpr int kWidth = 4;

void AddArm(Record* record, Arm arm, int pass) {
  for (int i = 0; i < kIds; ++i) {
    Trial trial;
    trial.arm = arm;
    trial.pass = pass;
    trial.test_id = "w" + std::to_string(i);
    trial.score = 1.0;
    trial.passed = true;
    trial.extracted_answer = "ok-" + std::to_string(i);
    trial.expected_answer = trial.extracted_answer;
    trial.prompt_tokens_measured = 5;
    trial.failure_mode = "ok";
    trial.content = trial.extracted_answer;
    trial.finish_reason = "stop";
    trial.completion_tokens = 3;
    trial.family = "default";
    trial.fill_ratio = 0.0;
    const double begin = arm == Arm::kC ? i / kWidth : i;
    trial.dispatch_ts = begin;
    trial.first_token_ts = begin + 0.25;
    trial.complete_ts = begin + 0.875;
    trial.cached_tokens = 0;
    record->trials.push_back(trial);
  }
}

Record CleanRecord() {
  Record record;
  record.cell = {"m", 4096, kWidth};
  record.source = "live";
  for (const int pass : {0, 1}) AddArm(&record, Arm::kA, pass);
  AddArm(&record, Arm::kB, 0);
  for (const int pass : {0, 1}) {
    AddArm(&record, Arm::kC, pass);
    PassEvidence evidence;
    evidence.pass = pass;
    evidence.server_peak_busy_slots = kWidth;
    evidence.mean_busy_slots = 3.9;
    evidence.decode_calls = 310;
    evidence.tokens_decoded = 1190;
    record.evidence.push_back(evidence);
  }
  return record;
}

TEST(CoreAloneTest, EqualOutputsAtFullWidthAreGreen) {
  const Judgement judgement = Judge(CleanRecord());
  EXPECT_THAT(judgement, IsBatchInvariant());
  EXPECT_THAT(judgement, HasOverlapDepth(Ge(kWidth)));
}

TEST(CoreAloneTest, OneChangedAnswerIsRed) {
  Record record = CleanRecord();
  Trial& last = record.trials.back();
  last.content = "ok-39b";
  last.extracted_answer = last.content;
  const Judgement judgement = Judge(record);
  EXPECT_THAT(judgement, Not(IsBatchInvariant()));
  EXPECT_EQ(judgement.verdict, Verdict::kRed);
}

}  // namespace
}  // namespace bi_test
