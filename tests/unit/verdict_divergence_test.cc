// Where outputs part, and whether a neighbour's text came out (R014, R016, R111).
#include "verdict/divergence.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "support/records.h"
#include "verdict/leak.h"

namespace bi_test {
namespace {

using ::testing::IsEmpty;
using testing::MakeTrial;
using ::testing::Optional;

TEST(TextDifferenceTest, ByteAndCodePointOffsetsPointAtTheFirstDifference) {
  struct Case {
    const char* name;
    std::string x, y;
    std::size_t byte;
    std::int64_t code_point;
  };
  const Case cases[] = {
      {"first character", "a", "b", 0, 0},
      {"after ascii", "answer 1", "answer 2", 7, 7},
      {"one is a prefix", "ab", "abc", 2, 2},
      {"empty against text", "", "x", 0, 0},
      {"inside a character", "n\u00e9", "n\u00ea", 2, 1},
      {"after characters of several bytes", "\u20ac\U0001F642x", "\u20ac\U0001F642y", 7, 2},
  };
  for (const Case& one : cases) {
    const auto found = LocateTextDifference(one.x, one.y);
    ASSERT_TRUE(found) << one.name;
    EXPECT_EQ(found->byte_offset, one.byte) << one.name;
    EXPECT_EQ(found->code_point_offset, one.code_point) << one.name;
  }
  EXPECT_EQ(LocateTextDifference("same", "same"), std::nullopt);
}

TEST(TextDifferenceTest, ShowsEightyCharactersOnEachSideOfAMegabyte) {
  std::string x(1'000'000, 'x');
  std::string y = x;
  y[900'000] = 'y';
  const auto found = LocateTextDifference(x, y);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->byte_offset, 900'000U);
  EXPECT_EQ(found->x_around, std::string(160, 'x'));
  std::string expected(160, 'x');
  expected[80] = 'y';
  EXPECT_EQ(found->y_around, expected);
}

TEST(TextDifferenceTest, NeverCutsACharacter) {
  std::string x;
  for (int i = 0; i < 200; ++i) x += "\u20ac";
  std::string y = x;
  y.replace(300, 3, "\u20ad");
  const auto found = LocateTextDifference(x, y);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->x_around.size(), 160U * 3U);
  EXPECT_EQ(found->byte_offset, 302U);
  EXPECT_EQ(found->code_point_offset, 100);
}

[[nodiscard]] Divergence Describe(const Trial* x, const Trial* y) {
  return DescribeDivergence("w00", Arm::kC, 3, x, y, RowComparer(Policy{}));
}

TEST(DivergenceTest, NamesTokenTextAndMargin) {
  const Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = MakeTrial(Arm::kC, 3, 0, 0.0, 1.0);
  y.token_ids = {{7, 55, 9}};
  y.content = y.extracted_answer = "answer XX";
  y.slot = 2;
  const Divergence found = Describe(&x, &y);
  EXPECT_EQ(found.field, "extracted_answer");
  EXPECT_EQ(found.pass, 3);
  EXPECT_THAT(found.token_index, Optional(1));
  EXPECT_THAT(found.x_token, Optional(100));
  EXPECT_THAT(found.y_token, Optional(55));
  EXPECT_THAT(found.byte_offset, Optional(7));
  EXPECT_THAT(found.margin, Optional(0.125));
  EXPECT_FALSE(found.not_explained_by_rounding);
  EXPECT_THAT(found.slot, Optional(2));
}

TEST(DivergenceTest, AnOutputThatEndsEarlierHasNoTokenThere) {
  Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = x;
  y.token_ids = {{7, 100}};
  Divergence found = Describe(&x, &y);
  EXPECT_THAT(found.token_index, Optional(2));
  EXPECT_THAT(found.x_token, Optional(9));
  EXPECT_EQ(found.y_token, std::nullopt);
  EXPECT_THAT(found.margin, Optional(3.0));
  found = Describe(&y, &x);
  EXPECT_EQ(found.x_token, std::nullopt);
  EXPECT_THAT(found.y_token, Optional(9));
}

TEST(DivergenceTest, AMarginThatIsNotThereIsNotTold) {
  Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = x;
  y.token_ids = {{7, 55, 9}};
  x.margins = {{2.0}};
  EXPECT_EQ(Describe(&x, &y).margin, std::nullopt);
  x.margins = {{2.0, std::nan(""), 1.0}};
  EXPECT_EQ(Describe(&x, &y).margin, std::nullopt);
  x.token_ids.reset();
  EXPECT_EQ(Describe(&x, &y).token_index, std::nullopt);
}

TEST(DivergenceTest, TextsOfReasoningAndAnswerAreLocatedWhenTheOutputAgrees) {
  const Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = x;
  y.extracted_answer = "answer 99";
  EXPECT_THAT(Describe(&x, &y).byte_offset, Optional(7));
  y.reasoning_content = "hm";
  EXPECT_EQ(Describe(&x, &y).y_around, "hm");
  EXPECT_EQ(Describe(&y, &x).x_around, "hm");
  y = x;
  y.extracted_answer = Json();
  EXPECT_THAT(Describe(&x, &y).byte_offset, Optional(0));
  y = x;
  y.score = 0.0;
  EXPECT_EQ(Describe(&x, &y).byte_offset, std::nullopt);
}

TEST(DivergenceTest, FaultTextsTellWhatIsKnown) {
  Trial trial;
  EXPECT_EQ(FaultText(trial), "null");
  trial.failure_mode = 5;
  trial.http_status = 0;
  EXPECT_EQ(FaultText(trial), "5");
  trial.failure_mode = "http_5xx";
  trial.http_status = 503;
  EXPECT_EQ(FaultText(trial), "http_5xx HTTP 503");
  trial.phase = "headers";
  trial.http_status.reset();
  trial.reason = "busy";
  EXPECT_EQ(FaultText(trial), "http_5xx (headers): busy");
}

TEST(DivergenceTest, AFlipAtALargeMarginIsNotRounding) {
  Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = x;
  y.token_ids = {{7, 55, 9}};
  for (const auto& [margin, beyond] : {std::pair(0.25, false), std::pair(0.2500001, true)}) {
    x.margins = {{2.0, margin, 3.0}};
    EXPECT_EQ(Describe(&x, &y).not_explained_by_rounding, beyond) << margin;
  }
  x.margins.reset();
  EXPECT_EQ(Describe(&x, &y).margin, std::nullopt);
}

struct FieldNameCase {
  const char* field;
  std::function<void(Trial&)> change;
};

TEST(DivergenceTest, NamesTheFirstDifferingFieldOrPartOfTheOutput) {
  const FieldNameCase cases[] = {
      {"score", [](Trial& t) { t.score = 0.0; }},
      {"failure_mode", [](Trial& t) { t.failure_mode = "empty"; }},
      {"token_ids", [](Trial& t) { t.token_ids = {{1}}; }},
      {"content", [](Trial& t) { t.content = "other"; }},
      {"content",
       [](Trial& t) {
         t.content = Json();
         t.response_first_200 = "answer 00";
       }},
      {"content",
       [](Trial& t) {
         t.content = "other";
         t.token_ids.reset();
       }},
      {"reasoning_content", [](Trial& t) { t.reasoning_content = "hm"; }},
      {"tool_calls", [](Trial& t) { t.tool_calls = Json::Array{1}; }},
      {"finish_reason", [](Trial& t) { t.finish_reason = "length"; }},
      {"completion_tokens", [](Trial& t) { t.completion_tokens = 9; }},
      {"<row>", [](Trial& t) { t.malformed_row = Json(); }},
  };
  for (const FieldNameCase& one : cases) {
    const Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
    Trial y = MakeTrial(Arm::kC, 3, 0, 0.0, 1.0);
    one.change(y);
    EXPECT_EQ(Describe(&x, &y).field, one.field);
  }
}

TEST(DivergenceTest, MissingRowsHaveNothingToShow) {
  const Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  EXPECT_EQ(Describe(&x, nullptr).field, "<missing>");
  EXPECT_EQ(Describe(nullptr, &x).field, "<missing>");
}

TEST(DivergenceTest, FaultsCarryTheirCauseInsteadOfTexts) {
  const Trial x = MakeTrial(Arm::kA, 0, 0, 0.0, 1.0);
  Trial y = MakeTrial(Arm::kC, 3, 0, 0.0, 1.0);
  y.content = Json();
  y.failure_mode = "http_5xx";
  y.phase = "headers";
  y.http_status = 500;
  y.reason = "Invalid input batch.\x1b";
  const Divergence found = Describe(&x, &y);
  EXPECT_TRUE(found.transport);
  EXPECT_EQ(found.cause, "http_5xx (headers) HTTP 500: Invalid input batch.\\x1b");
  EXPECT_EQ(found.byte_offset, std::nullopt);
  EXPECT_THAT(found.x_around, IsEmpty());
}

class LeakTest : public ::testing::Test {
 protected:
  Record record_ = testing::CleanRecord({8, 4, 1});

  /// Ids 1 to 3 are beside id 0.
  [[nodiscard]] std::optional<std::uint32_t> Donor(const std::string& said) {
    const RecordIndex index = BuildIndex(record_);
    Trial row = *FindRow(index.passes[0], 0);
    row.content = said;
    LeakDetector detector(index);
    return detector.FindDonor(*FindRow(index.a, 0), row, {1, 2, 3});
  }
  void SetAnswer(std::string_view id, const std::string& text) {
    testing::At(record_, Arm::kA, 0, id).content = text;
  }
};

TEST_F(LeakTest, ANeighboursWholeAnswerNamesTheNeighbour) {
  EXPECT_THAT(Donor("answer 03"), Optional(3U));
  EXPECT_THAT(Donor(" answer 03\n"), Optional(3U));
}

TEST_F(LeakTest, ANeighboursAnswerInsideCounts) {
  EXPECT_THAT(Donor("well, answer 02 it is"), Optional(2U));
}

TEST_F(LeakTest, OnlyNeighboursLeak) { EXPECT_EQ(Donor("answer 07"), std::nullopt); }

TEST_F(LeakTest, OtherTextIsNoLeak) {
  EXPECT_EQ(Donor("something else"), std::nullopt);
  EXPECT_EQ(Donor("answer 00 again"), std::nullopt);
  EXPECT_EQ(Donor(""), std::nullopt);
}

TEST_F(LeakTest, WhatSeveralPromptsAnswerTellsNoSpeaker) {
  SetAnswer("w01", "yes");
  SetAnswer("w05", "yes");
  EXPECT_EQ(Donor("yes"), std::nullopt);
  testing::At(record_, Arm::kA, 0, "w05").prompt_sha256 =
      testing::At(record_, Arm::kA, 0, "w01").prompt_sha256;
  EXPECT_THAT(Donor("yes"), Optional(1U)) << "repetitions of one prompt are one speaker";
}

TEST_F(LeakTest, ShortTextsTurnUpInOthersByChance) {
  SetAnswer("w01", "B");
  EXPECT_EQ(Donor("A or B"), std::nullopt);
  EXPECT_THAT(Donor("B"), Optional(1U));
}

TEST_F(LeakTest, TextThatTheIdSaysAnywayIsNoLeak) {
  SetAnswer("w00", "answer 01 and more");
  EXPECT_EQ(Donor("answer 01 and less"), std::nullopt);
}

TEST_F(LeakTest, TheLongestNeighbourInsideIsTheDonor) {
  SetAnswer("w01", "long");
  SetAnswer("w02", "a long answer");
  SetAnswer("w03", "long answer");
  EXPECT_THAT(Donor("here is a long answer."), Optional(2U));
}

TEST_F(LeakTest, ACommonTextInsideTellsNoSpeaker) {
  SetAnswer("w01", "yes indeed");
  SetAnswer("w05", "yes indeed");
  EXPECT_EQ(Donor("well, yes indeed"), std::nullopt);
  // A third speaker of the first one's prompt does not make it telling again.
  SetAnswer("w06", "yes indeed");
  testing::At(record_, Arm::kA, 0, "w06").prompt_sha256 =
      testing::At(record_, Arm::kA, 0, "w01").prompt_sha256;
  EXPECT_EQ(Donor("well, yes indeed"), std::nullopt);
}

TEST_F(LeakTest, SpeakersWithoutAPromptHashAreStrangers) {
  SetAnswer("w01", "yes indeed");
  SetAnswer("w05", "yes indeed");
  for (const char* id : {"w01", "w05"}) {
    testing::At(record_, Arm::kA, 0, id).prompt_sha256 = nullptr;
  }
  EXPECT_EQ(Donor("yes indeed"), std::nullopt);
}

TEST_F(LeakTest, ANeighbourWithoutAnAnswerGivesNone) {
  testing::At(record_, Arm::kA, 0, "w01").malformed_row = Json("answer 09");
  SetAnswer("w02", " \n");
  testing::RemoveTrials(record_,
                        [](const Trial& t) { return t.arm == Arm::kA && t.test_id == "w03"; });
  EXPECT_EQ(Donor("answer 03"), std::nullopt);
  EXPECT_EQ(Donor("answer 09"), std::nullopt);
}

TEST_F(LeakTest, ANeighbourThatSaysTheSameAsTheIdItselfIsNoDonor) {
  SetAnswer("w00", "answer 02");
  EXPECT_EQ(Donor("answer 02 twice"), std::nullopt);
}

TEST_F(LeakTest, WithoutContentTheDisplayFormOrTheAnswerSpeaks) {
  Trial& donor = testing::At(record_, Arm::kA, 0, "w01");
  donor.content = Json();
  donor.response_first_200 = "shown text";
  EXPECT_THAT(Donor("shown text"), Optional(1U));
  donor.response_first_200 = Json();
  donor.extracted_answer = "taken answer";
  EXPECT_THAT(Donor("taken answer"), Optional(1U));
  donor.extracted_answer = 5;
  EXPECT_EQ(Donor("taken answer"), std::nullopt);
}

TEST_F(LeakTest, RowsThatAreNoObjectsLeakNothing) {
  const RecordIndex index = BuildIndex(record_);
  const Trial serial = *FindRow(index.a, 0);
  Trial row = *FindRow(index.passes[0], 0);
  row.content = "answer 03";
  Trial bad = row;
  bad.malformed_row = Json();
  LeakDetector detector(index);
  EXPECT_EQ(detector.FindDonor(serial, bad, {1, 2, 3}), std::nullopt);
  EXPECT_EQ(detector.FindDonor(bad, row, {1, 2, 3}), std::nullopt);
  EXPECT_THAT(detector.FindDonor(serial, row, {1, 2, 3}), Optional(3U));
}

TEST_F(LeakTest, FailedRequestsLeakNothing) {
  const RecordIndex index = BuildIndex(record_);
  Trial row = *FindRow(index.passes[0], 0);
  row.content = "answer 03";
  row.failure_mode = "http_timeout";
  LeakDetector detector(index);
  EXPECT_EQ(detector.FindDonor(*FindRow(index.a, 0), row, {1, 2, 3}), std::nullopt);
}

}  // namespace
}  // namespace bi_test
