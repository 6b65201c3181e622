// A label other than `ok` on an answer that was scored does not count against the completion floor;
// a request that failed, or gave nothing, always does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "bi_test/judge.h"
#include "support/records.h"
#include "verdict/trial_fields.h"

namespace bi_test::testing {
namespace {

struct CountCase {
  const char* name;
  Json label;
  Json scored;
  bool counts;
  const char* phase = "";
};

void PrintTo(const CountCase& test, std::ostream* out) { *out << test.name; }

class Scored : public ::testing::TestWithParam<CountCase> {};

TEST_P(Scored, CountsAsAnAnswer) {
  Trial trial;
  trial.failure_mode = GetParam().label;
  trial.scored = GetParam().scored;
  trial.phase = GetParam().phase;
  EXPECT_EQ(IsOk(trial), GetParam().counts);
  trial.malformed_row = Json(1);
  EXPECT_FALSE(IsOk(trial)) << "a malformed row never counts";
}

const CountCase kCounts[] = {
    {"Ok", "ok", Json(), true},
    {"OkIsEnough", "ok", false, true},
    {"OtherLabel", "parse_fail", Json(), false},
    {"OtherLabelScored", "parse_fail", true, true},
    {"OtherLabelNotScored", "parse_fail", false, false},
    {"OnlyTrueIsTrue", "parse_fail", 1, false},
    {"NorItsText", "parse_fail", "true", false},
    {"Empty", "empty", true, false},
    {"PrematureEnd", "premature_eos", true, false},
    {"Truncated", "truncated", true, false},
    {"TransportFault", "http_5xx", true, false},
    {"ScorerError", "scorer_error", true, false},
    {"FailedSomewhere", "parse_fail", true, false, "context"},
    {"NoLabel", Json(), true, false},
    {"EmptyLabel", "", true, false},
    {"LabelOfAnotherType", 5, true, false},
};

INSTANTIATE_TEST_SUITE_P(All, Scored, ::testing::ValuesIn(kCounts),
                         [](const auto& test) { return std::string(test.param.name); });

Record LabelledRecord(const Json& scored) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id > "w03") continue;
    trial.failure_mode = "parse_fail";
    trial.scored = scored;
  }
  return record;
}

TEST(ScoredTest, AModelThatFailsOneTaskCanStillBeGreen) {
  const Judgement with = Judge(LabelledRecord(true), Policy{});
  EXPECT_EQ(with.verdict, Verdict::kGreen);
  EXPECT_EQ(with.floor.n_ok_a, 8);
  EXPECT_EQ(with.statistics.n_effective_prompts, 8);
  EXPECT_TRUE(with.uncertified_ids.empty());
  EXPECT_EQ(with.status_counts.at("parse_fail"),
            Judge(LabelledRecord(Json()), Policy{}).status_counts.at("parse_fail"))
      << "the labels are counted as they are";

  const Judgement without = Judge(LabelledRecord(Json()), Policy{});
  EXPECT_EQ(without.verdict, Verdict::kUnverified);
  EXPECT_EQ(without.floor.n_ok_a, 4);
}

TEST(ScoredTest, TheLabelIsComparedAllTheSame) {
  Record record = LabelledRecord(true);
  At(record, Arm::kC, 1, "w02").failure_mode = "runaway_repetition";
  EXPECT_EQ(Judge(record, Policy{}).verdict, Verdict::kRed);
}

TEST(ContentHashTest, MatchesTheVectorsOfTheContract) {
  const std::pair<const char*, const char*> cases[] = {{"", "e3b0c44298fc"},
                                                       {"abc", "ba7816bf8f01"},
                                                       {"\u00e9", "4a99557e4033"},
                                                       {"x x x x ", "9144176b1330"},
                                                       {"\xED\xA0\x80", "91a681b99855"}};
  for (const auto& [text, sha] : cases) {
    Trial trial;
    trial.content = text;
    EXPECT_EQ(ContentSha(trial), sha) << text;
  }
  EXPECT_EQ(ContentSha(Trial{}), "e3b0c44298fc");
}

TEST(ContentHashTest, ContentWinsOverTheDisplayFormAndOtherTypesCountAsTheirText) {
  Trial trial;
  trial.response_first_200 = "zzz";
  EXPECT_EQ(OutputText(trial), "zzz");
  trial.content = "";
  EXPECT_EQ(OutputText(trial), "");
  trial.content = 5;
  EXPECT_EQ(OutputText(trial), "5");
}

TEST(ContentHashTest, OutputHashSeesAllFiveParts) {
  Trial base;
  base.content = "c";
  for (const auto member : {&Trial::content, &Trial::reasoning_content, &Trial::tool_calls,
                            &Trial::finish_reason, &Trial::completion_tokens}) {
    Trial other = base;
    other.*member = "changed";
    EXPECT_NE(OutputSha(base), OutputSha(other));
  }
}

}  // namespace
}  // namespace bi_test::testing
