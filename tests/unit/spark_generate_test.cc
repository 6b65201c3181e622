// Whole work-sets: same values, same bytes; every prompt a question of its own; lengths as counted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "base/sha256.h"
#include "spark/answer_rules.h"
#include "spark/content_seed.h"
#include "spark/family.h"
#include "spark/generate.h"
#include "spark/placement.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Words and marks, roughly what a tokenizer makes of English.
std::optional<std::int64_t> CountWords(std::string_view text) {
  std::int64_t tokens = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word ? !in_word : c != ' ') ++tokens;
    in_word = word;
  }
  return tokens;
}

GenerateInput Input(int ctx = 8192) {
  GenerateInput input;
  input.model = "model";
  input.ctx = ctx;
  input.max_tokens = 128;
  return input;
}

Generated Make(const GenerateInput& input) {
  Result<Generated> made = Generate(input);
  if (!made.ok()) {
    ADD_FAILURE() << made.error().Text();
    return {};
  }
  return *std::move(made);
}

std::string Digest(const Generated& made) {
  std::string all;
  for (const Row& row : made.rows) {
    all += row.family + '\0' + row.system + '\0' + row.prompt + '\0' + CompactText(row.gold) + '\0';
  }
  return ShortSha(all);
}

// One for each corner and each way to place and fill, so that any change of a byte shows. Raise the
// content version with them.
TEST(SparkGenerate, TheBytesAreThoseOfContentVersionOne) {
  ASSERT_EQ(kContentVersion, 1);
  GenerateInput input = Input();
  EXPECT_EQ(Digest(Make(input)), "a9b9a1c3a78f") << "balanced, estimated";
  input.count = CountWords;
  EXPECT_EQ(Digest(Make(input)), "4b4f367cfcbc") << "balanced, counted";
  input.config.corner = "short";
  EXPECT_EQ(Digest(Make(input)), "a5f9016fb52d") << "short";
  input.config.corner = "long";
  EXPECT_EQ(Digest(Make(input)), "05ec9aa4d03f") << "long";
  input.config.needle = NeedleStrategy::kJitter;
  EXPECT_EQ(Digest(Make(input)), "925261a4000c") << "long, jitter";
  input.config.needle = NeedleStrategy::kAdaptive;
  input.config.window = 1024;
  EXPECT_EQ(Digest(Make(input)), "d9d607065390") << "long, adaptive";
  input.config = {};
  input.config.filler = FillerVariant::kWhitespace;
  EXPECT_EQ(Digest(Make(input)), "34d865182a48") << "whitespace";
  input.config.filler = FillerVariant::kMaskedRepeat;
  EXPECT_EQ(Digest(Make(input)), "ecde3f29193f") << "masked_repeat";
}

TEST(SparkGenerate, TheSameValuesGiveTheSameBytes) {
  GenerateInput input = Input();
  input.count = CountWords;
  const Generated one = Make(input);
  const Generated other = Make(input);
  EXPECT_EQ(Digest(one), Digest(other));
  EXPECT_EQ(one.stamp, other.stamp);
}

TEST(SparkGenerate, AHundredAndTwentyItemsAreAsManyQuestions) {
  GenerateInput input = Input();
  input.reps = 3;
  const Generated made = Make(input);
  ASSERT_EQ(made.rows.size(), 120U);
  std::set<std::string> prompts;
  std::set<std::string> questions;
  for (const Row& row : made.rows) {
    prompts.insert(row.prompt);
    questions.insert(row.family + CompactText(row.gold));
  }
  EXPECT_EQ(prompts.size(), 120U);
  // Small pools (a bug of three, a helper of seven) repeat a gold now and then; the prompts differ.
  EXPECT_GE(questions.size(), 90U);
}

TEST(SparkGenerate, RowsStandFamilyByFamilyFillByFillRepByRep) {
  GenerateInput input = Input();
  input.reps = 2;
  input.config.corner = "short";
  input.config.families = {"E5", "A2"};
  std::vector<std::string> order;
  for (const Row& row : Make(input).rows) {
    order.push_back(row.family + ' ' + std::to_string(row.fill_hundredths) + ' ' +
                    std::to_string(row.rep));
  }
  EXPECT_THAT(order, ElementsAre("A2 5 0", "A2 5 1", "A2 15 0", "A2 15 1",  //
                                 "E5 5 0", "E5 5 1", "E5 15 0", "E5 15 1"));
}

TEST(SparkGenerate, APromptIsHaystackQuestionAndCue) {
  GenerateInput input = Input();
  input.config.families = {"A2"};
  const Row row = Make(input).rows.front();
  EXPECT_EQ(row.system, SystemMessage());
  const std::size_t question = row.prompt.find("\n\nWhich access code opens the depot numbered ");
  ASSERT_NE(question, row.prompt.npos);
  EXPECT_TRUE(row.prompt.ends_with("?\nAccess code:"));
  const std::size_t needle = row.prompt.find("The depot numbered ");
  // The needle asked for the middle of the filler.
  EXPECT_NEAR(static_cast<double>(needle) / static_cast<double>(question), 0.5, 0.05);
}

TEST(SparkGenerate, CountedLengthsAreWhatTheFillsSay) {
  GenerateInput input = Input();
  input.count = CountWords;
  const Generated made = Make(input);
  for (const Row& row : made.rows) {
    const std::int64_t nominal = NominalTokens(input.ctx, row.fill_hundredths);
    EXPECT_EQ(row.tokens, *CountWords(row.prompt));
    EXPECT_NEAR(static_cast<double>(row.tokens), static_cast<double>(nominal),
                static_cast<double>(nominal) * 0.03 + 1)
        << row.family;
  }
  EXPECT_EQ(*made.stamp.Find("calibration"), Json("measured"));
  const Json::Array& fills = *made.stamp.Find("fills")->if_array();
  ASSERT_EQ(fills.size(), 4U);
  EXPECT_EQ(*fills[1].Find("nominal"), Json("0.35"));
  EXPECT_NEAR(*fills[1].Find("smallest")->if_double(), 0.35, 0.012);
  EXPECT_NEAR(*fills[1].Find("largest")->if_double(), 0.35, 0.012);
}

TEST(SparkGenerate, EstimatedFillsAreStampedAsNominalOnly) {
  const Generated made = Make(Input());
  EXPECT_EQ(*made.stamp.Find("calibration"), Json("estimate"));
  for (const Json& fill : *made.stamp.Find("fills")->if_array()) {
    EXPECT_TRUE(fill.Find("smallest")->is_null());
    EXPECT_TRUE(fill.Find("largest")->is_null());
  }
}

TEST(SparkGenerate, ACounterThatFailsOnceGivesTheTextOfNoCounter) {
  const std::string without = Digest(Make(Input()));
  for (const int fails_at : {1, 2, 30, 100}) {
    GenerateInput input = Input();
    input.template_tokens = 80;
    int calls = 0;
    input.count = [&calls, fails_at](std::string_view text) -> std::optional<std::int64_t> {
      if (++calls == fails_at) return std::nullopt;
      return CountWords(text);
    };
    const Generated made = Make(input);
    EXPECT_EQ(Digest(made), without) << fails_at;
    EXPECT_EQ(*made.stamp.Find("calibration"), Json("estimate"));
  }
}

TEST(SparkGenerate, TheCapLeavesRoomForTheAnswer) {
  GenerateInput input = Input(2048);
  input.count = CountWords;
  input.template_tokens = 90;
  input.config.corner = "long";
  const Generated made = Make(input);
  EXPECT_EQ(*made.stamp.Find("cap_tokens"), Json(2048 - 128 - 90));
  int capped = 0;
  for (const Row& row : made.rows) {
    EXPECT_LE(row.tokens, 2048 - 128 - 90);
    EXPECT_TRUE(row.capped || row.fill_hundredths != 97);
    if (row.capped) ++capped;
  }
  EXPECT_GE(capped, 10);
}

TEST(SparkGenerate, AShortTemplateStillGetsTheRoomTheDriverWants) {
  GenerateInput input = Input();
  input.count = CountWords;
  input.template_tokens = 5;
  EXPECT_EQ(*Make(input).stamp.Find("template_tokens"), Json(64 + *CountWords(SystemMessage())));
}

struct ErrorCase {
  const char* name;
  void (*change)(GenerateInput&);
  const char* text;
};

TEST(SparkGenerate, Errors) {
  const ErrorCase kErrors[] = {
      {"Corner", [](GenerateInput& in) { in.config.corner = "round"; },
       "workset.corner: found no corner \"round\""},
      {"Family",
       [](GenerateInput& in) {
         in.config.families = {"A2", "A3"};
       },
       "workset.families: found no family \"A3\""},
      {"NoRoom", [](GenerateInput& in) { in.max_tokens = 8192; },
       "workset: max_tokens 8192 and 93 tokens of the chat template leave no room for a prompt in "
       "a "
       "slot of 8192: use a larger ctx or a smaller max_tokens"},
      {"TooLong",
       [](GenerateInput& in) {
         in.ctx = 512;
         in.config.corner = "short";
         in.config.families = {"E1"};
       },
       "workset: the question of family E1 alone has 185 tokens, more than the 26 of fill 0.05 at "
       "ctx "
       "512: use a larger ctx, another corner, or leave the family out"},
      {"Window",
       [](GenerateInput& in) {
         in.config.needle = NeedleStrategy::kAdaptive;
         in.config.window = 100;
       },
       "workset.window: the sliding window of 100 tokens holds no question with its facts: set "
       "window "
       "to 0 to place the facts without regard to it"},
      {"Corpus",
       [](GenerateInput& in) {
         in.config.families = {"A2"};
         in.config.corpus.prose = "Every depot has one.";
       },
       "workset.corpus: every part of the corpus holds a word of the question or its answer: use a "
       "longer text, or none"},
  };
  for (const ErrorCase& test : kErrors) {
    GenerateInput input = Input();
    test.change(input);
    const Result<Generated> made = Generate(input);
    ASSERT_FALSE(made.ok()) << test.name;
    EXPECT_EQ(made.error().Text(), test.text) << test.name;
  }
}

// From where the needle begins to the end of the prompt.
std::int64_t Reach(const Row& row) {
  const std::size_t needle = row.prompt.find("The depot numbered ");
  return *CountWords(std::string_view(row.prompt).substr(needle));
}

TEST(SparkAdaptive, ANeedleOutOfReachMovesJustIntoTheWindow) {
  GenerateInput input = Input();
  input.count = CountWords;
  input.template_tokens = 70;
  input.config.corner = "long";
  input.config.families = {"A2"};
  const Generated fixed = Make(input);
  input.config.needle = NeedleStrategy::kAdaptive;
  input.config.window = 1000;
  const Generated adaptive = Make(input);
  ASSERT_EQ(adaptive.rows.size(), fixed.rows.size());
  for (std::size_t i = 0; i < fixed.rows.size(); ++i) {
    EXPECT_GT(Reach(fixed.rows[i]) + 70, 1000);
    EXPECT_LE(Reach(adaptive.rows[i]) + 70, 1000);
    EXPECT_GE(Reach(adaptive.rows[i]) + 70, 900) << "the smallest move";
    EXPECT_EQ(adaptive.rows[i].gold, fixed.rows[i].gold) << "placing draws nothing";
    EXPECT_GT(adaptive.rows[i].position_millionths, 800'000);
  }
}

TEST(SparkAdaptive, AWindowThatHoldsEverythingChangesNothing) {
  GenerateInput input = Input();
  input.count = CountWords;
  const std::string fixed = Digest(Make(input));
  input.config.needle = NeedleStrategy::kAdaptive;
  for (const int window : {0, 16384}) {
    input.config.window = window;
    EXPECT_EQ(Digest(Make(input)), fixed) << window;
  }
}

TEST(SparkAdaptive, AllPartsOfASpreadNeedleAreInside) {
  GenerateInput input = Input();
  input.count = CountWords;
  input.config.corner = "long";
  input.config.families = {"A4"};
  input.config.needle = NeedleStrategy::kAdaptive;
  input.config.window = 2000;
  for (const Row& row : Make(input).rows) {
    const std::size_t first = row.prompt.find("First note:");
    EXPECT_LE(*CountWords(std::string_view(row.prompt).substr(first)) + 64, 2000);
    EXPECT_LT(first, row.prompt.find("Second note:"));
    EXPECT_LT(row.prompt.find("Third note:"), row.prompt.find("Fourth note:"));
  }
}

TEST(SparkAdaptive, ARowWhoseNeedleDoesNotFitIsDroppedWithANote) {
  GenerateInput input = Input();
  input.count = CountWords;
  input.reps = 2;
  input.config.families = {"A2", "E1"};
  input.config.needle = NeedleStrategy::kAdaptive;
  input.config.window = 180;
  const Generated made = Make(input);
  EXPECT_EQ(made.rows.size(), 8U);
  EXPECT_EQ(*made.stamp.Find("needle")->Find("needle_outside_window"),
            Json(Json::Array{"E1 at fill 0.10", "E1 at fill 0.35", "E1 at fill 0.60",
                             "E1 at fill 0.85"}));
}

TEST(SparkStamp, SaysWhereTheWindowCameFrom) {
  GenerateInput input = Input();
  input.config.families = {"A2"};
  const auto source = [&] { return *Make(input).stamp.Find("needle")->Find("window_source"); };
  const auto window = [&] { return *Make(input).stamp.Find("needle")->Find("window"); };
  EXPECT_EQ(source(), Json("none"));
  EXPECT_EQ(window(), Json(0));
  input.probed_window = 512;
  EXPECT_EQ(source(), Json("probe"));
  EXPECT_EQ(window(), Json(512));
  input.config.window = 0;
  EXPECT_EQ(source(), Json("option"));
  EXPECT_EQ(window(), Json(0)) << "the option forces a dense model";
}

TEST(SparkStamp, NamesWhatShapedTheRows) {
  GenerateInput input = Input();
  input.config.families = {"A2"};
  input.config.corner = "short";
  const Json stamp = Make(input).stamp;
  EXPECT_EQ(*stamp.Find("profile"), Json("spark"));
  EXPECT_EQ(*stamp.Find("content_version"), Json(1));
  EXPECT_EQ(*stamp.Find("corner"), Json("short"));
  EXPECT_EQ(*stamp.Find("filler"), Json("coherent"));
  EXPECT_EQ(*stamp.Find("needle")->Find("strategy"), Json("fixed"));
  EXPECT_EQ(*stamp.Find("needle")->Find("position"), Json("0.500000"));
  const Json& row = stamp.Find("rows")->if_array()->at(0);
  EXPECT_EQ(*row.Find("seed"),
            Json(std::to_string(ContentSeed({"model", 8192, "A2", 500'000, 5, 0}))));
  EXPECT_EQ(*row.Find("fill"), Json("0.05"));
  EXPECT_EQ(*row.Find("position"), Json("0.500000"));
}

TEST(SparkStamp, StaysSmallerThanWhatACertCopies) {
  GenerateInput input = Input();
  input.model = std::string(64, 'm');
  input.reps = 10;
  const Generated made = Make(input);
  EXPECT_EQ(made.rows.size(), 400U);
  EXPECT_EQ(made.stamp.Find("rows")->if_array()->size(), 200U);
  EXPECT_EQ(*made.stamp.Find("rows_left_out"), Json(200));
  EXPECT_LT(CompactText(made.stamp).size(), 30'000U);
}

TEST(SparkStamp, ACorpusChangesTheDigestOfTheFiller) {
  GenerateInput input = Input();
  input.config.families = {"A2"};
  const Json built_in = *Make(input).stamp.Find("filler_sha256");
  input.config.corpus.code = "x = 1";
  EXPECT_FALSE(*Make(input).stamp.Find("filler_sha256") == built_in);
}

TEST(SparkGenerate, JitterMovesTheNeedleAndNothingElse) {
  GenerateInput input = Input();
  input.config.families = {"A2"};
  const Generated fixed = Make(input);
  input.config.needle = NeedleStrategy::kJitter;
  const Generated jitter = Make(input);
  for (std::size_t i = 0; i < fixed.rows.size(); ++i) {
    EXPECT_EQ(jitter.rows[i].gold, fixed.rows[i].gold);
    EXPECT_EQ(jitter.rows[i].position_millionths, Jittered(500'000, fixed.rows[i].seed));
  }
}

TEST(SparkGenerate, FillerNeverGivesAQuestionAway) {
  GenerateInput input = Input();
  input.config.families = {"A2", "C1", "E5", "D1", "E2"};
  for (const Row& row : Make(input).rows) {
    Random random(row.seed);
    const Question question = FindFamily(row.family)->draw(random, row.seed);
    std::string filler = row.prompt.substr(0, row.prompt.find("\n\n" + question.question));
    for (const std::string& needle : question.needles) {
      const std::size_t at = filler.find(needle);
      ASSERT_NE(at, filler.npos) << row.family;
      filler.erase(at, needle.size());
    }
    EXPECT_FALSE(TermCheck(question.terms).Holds(filler)) << row.family << '\n' << filler;
  }
}

}  // namespace
}  // namespace bi_test::spark
