// Random numbers, content seeds and the questions drawn from them: the same bits on every machine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "spark/answer_rules.h"
#include "spark/content_seed.h"
#include "spark/corner.h"
#include "spark/family.h"
#include "spark/random.h"

namespace bi_test::spark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SparkRandom, SeedZeroGivesThePublishedNumbers) {
  Random random(0);
  EXPECT_EQ(random.Next(), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(random.Next(), 0x6E789E6AA1B965F4U);
  EXPECT_EQ(random.Next(), 0x06C45D188009454FU);
}

TEST(SparkRandom, BelowThirtySix) {
  Random random(42);
  std::vector<std::uint64_t> drawn;
  for (int i = 0; i < 8; ++i) drawn.push_back(random.Below(36));
  EXPECT_THAT(drawn, ElementsAre(1, 19, 18, 0, 34, 6, 1, 32));
}

TEST(SparkRandom, ABoundThatLeavesNoRestTakesTheFirstValue) {
  Random random(0);
  EXPECT_EQ(random.Below(std::uint64_t{1} << 63), 0xE220A8397B1DCDAFU & ~(std::uint64_t{1} << 63));
}

TEST(SparkRandom, ValuesInTheUnevenEndAreDrawnAgain) {
  // Of 2^64 values 2^63 + 1 are below the bound, the other 2^63 - 1 are the uneven end.
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63) + 1;
  Random random(0);
  EXPECT_EQ(random.Below(kBound), 0x6E789E6AA1B965F4U) << "the first value is in that end";
}

TEST(SparkRandom, CodeUsesTheSameDrawsAsBelow) {
  Random random(42);
  EXPECT_EQ(random.Code(), "BTSA8GB6");
}

TEST(SparkRandom, UnitIsTheTopFiftyThreeBits) {
  Random random(0);
  EXPECT_EQ(random.Unit(), static_cast<double>(0xE220A8397B1DCDAFU >> 11) * 0x1p-53);
}

TEST(SparkRandom, ASampleIsTheFrontOfAShuffle) {
  Random one(7);
  Random other(7);
  std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  one.Shuffle(all);
  all.resize(4);
  EXPECT_EQ(other.Sample(10, 4), all);
  EXPECT_EQ(one.Next(), other.Next());
}

TEST(SparkRandom, BetweenReachesBothEnds) {
  Random random(1);
  std::set<int> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.Between(-2, 2));
  EXPECT_THAT(seen, ElementsAre(-2, -1, 0, 1, 2));
}

TEST(SparkContentSeed, VectorsOfTheProfile) {
  EXPECT_EQ(SeedText({"model", 8192, "A2", 500'000, 35, 0}),
            "spark/1|model|8192|A2|0.500000|0.35|0");
  EXPECT_EQ(ContentSeed({"model", 8192, "A2", 500'000, 35, 0}), 13997687654772915248U);
  EXPECT_EQ(SeedText({"model", 8192, "E5", 500'000, 85, 2}),
            "spark/1|model|8192|E5|0.500000|0.85|2");
  EXPECT_EQ(ContentSeed({"model", 8192, "E5", 500'000, 85, 2}), 9897992651531128983U);
}

TEST(SparkContentSeed, EveryPartCounts) {
  const ContentKey base{"m", 2048, "A2", 500'000, 10, 0};
  std::set<std::uint64_t> seeds = {ContentSeed(base)};
  for (const ContentKey& other :
       {ContentKey{"n", 2048, "A2", 500'000, 10, 0}, ContentKey{"m", 4096, "A2", 500'000, 10, 0},
        ContentKey{"m", 2048, "A4", 500'000, 10, 0}, ContentKey{"m", 2048, "A2", 500'001, 10, 0},
        ContentKey{"m", 2048, "A2", 500'000, 11, 0}, ContentKey{"m", 2048, "A2", 500'000, 10, 1}}) {
    EXPECT_TRUE(seeds.insert(ContentSeed(other)).second) << SeedText(other);
  }
}

TEST(SparkContentSeed, FractionsArePrintedInFull) {
  EXPECT_EQ(FractionText(1'000'000, 6), "1.000000");
  EXPECT_EQ(FractionText(5, 2), "0.05");
  EXPECT_EQ(FractionText(97, 2), "0.97");
}

TEST(SparkCorner, KnowsThree) {
  EXPECT_THAT(FindCorner("balanced")->fill_hundredths, ElementsAre(10, 35, 60, 85));
  EXPECT_THAT(FindCorner("short")->fill_hundredths, ElementsAre(5, 15));
  EXPECT_THAT(FindCorner("long")->fill_hundredths, ElementsAre(75, 90, 97));
  EXPECT_EQ(FindCorner("Long"), nullptr);
}

TEST(SparkFamily, TenInTheOrderOfTheRows) {
  std::vector<std::string> names;
  for (const Family& family : Families()) names.emplace_back(family.name);
  EXPECT_THAT(names, ElementsAre("A2", "A4", "B1", "C1", "D1", "E1", "E2", "E3", "E4", "E5"));
}

Question Draw(std::string_view family, std::uint64_t seed) {
  Random random(seed);
  return FindFamily(family)->draw(random, seed);
}

std::string AllText(const Question& question) {
  std::string text;
  for (const std::string& needle : question.needles) text += needle + '\n';
  return text + question.question + '\n' + question.cue + '\n' + CompactText(question.gold);
}

// Of the first hundred seeds: any change of a text, a pool or the order of draws shows here, and
// then needs another content version.
TEST(SparkFamily, EveryTextIsThatOfContentVersionOne) {
  const std::pair<const char*, const char*> kDigests[] = {
      {"A2", "9d505d5896e8"}, {"A4", "2682df358691"}, {"B1", "a52510158257"},
      {"C1", "8180577ff42f"}, {"D1", "0799fe9c8dec"}, {"E1", "ba999576920f"},
      {"E2", "0e9e62a3fba7"}, {"E3", "3dc30595ac2e"}, {"E4", "a95af416d006"},
      {"E5", "90b5c9a39203"},
  };
  ASSERT_EQ(kContentVersion, 1);
  for (const auto& [family, digest] : kDigests) {
    std::string text;
    for (std::uint64_t seed = 0; seed < 100; ++seed) text += AllText(Draw(family, seed));
    EXPECT_EQ(ShortSha(text), digest) << family << '\n' << text.substr(0, 1500);
  }
}

TEST(SparkFamily, EveryGoldFitsItsRule) {
  for (const Family& family : Families()) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Question question = Draw(family.name, seed);
      const Status status = CheckGold(family.name, question.gold);
      ASSERT_TRUE(status.ok()) << family.name << " seed " << seed << ": " << status.error().Text();
      ASSERT_FALSE(question.needles.empty() || question.question.empty() || question.cue.empty());
    }
  }
}

// A right answer in the plainest words gets full marks from the family's own rule.
std::string PlainAnswer(const Json& gold) {
  if (const std::string* text = gold.if_string()) return *text;
  if (const Json::Array* list = gold.if_array()) {
    std::string out;
    for (const Json& value : *list) out += *value.if_string() + '\n';
    return out;
  }
  if (gold.Find("inspector") != nullptr) {
    std::string out;
    for (const auto& [key, value] : *gold.if_object()) out += "- " + *value.if_string() + '\n';
    return out;
  }
  return CompactText(gold);
}

TEST(SparkFamily, TheGoldItselfScoresOne) {
  for (const Family& family : Families()) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Json gold = Draw(family.name, seed).gold;
      ASSERT_EQ(ScoreByRule(family.name, PlainAnswer(gold), gold), 1.0)
          << family.name << " seed " << seed << ": " << PlainAnswer(gold);
    }
  }
}

// An echo of the passage must not pass for an answer.
TEST(SparkFamily, TheNeedleItselfDoesNotPass) {
  for (const std::string_view family : {"A2", "A4", "B1", "E2", "E4", "E5"}) {
    int passed = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Question question = Draw(family, seed);
      std::string echo;
      for (const std::string& needle : question.needles) echo += needle + '\n';
      if (ScoreByRule(family, echo, question.gold) >= 0.5) ++passed;
    }
    // By chance a number of the formulas can be the result.
    EXPECT_LE(passed, 5) << family;
  }
}

TEST(SparkFamily, NoResultOfAChainIsPrinted) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Question four = Draw("A4", seed);
    ASSERT_EQ(four.needles.size(), 4U);
    EXPECT_EQ(four.needles[2], "Third note: X3 = 2 * X2.");
    EXPECT_THAT(four.needles[3], Not(HasSubstr(*four.gold.if_string() + ".")))
        << "by chance for this seed?";
    ASSERT_EQ(Draw("B1", seed).needles.size(), 3U);
  }
}

TEST(SparkFamily, TheTwoDatesOfAReportDiffer) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Question question = Draw("D1", seed);
    const std::string& audit = *question.gold.Find("next_audit")->if_string();
    const std::string& needle = question.needles[0];
    ASSERT_EQ(needle.find(audit), needle.rfind(audit)) << needle;
  }
}

TEST(SparkFamily, TheHelperIsNotToldByOneProperty) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Question question = Draw("E5", seed);
    const std::string& needle = question.needles[0];
    const std::string& target = *question.gold.if_string();
    const std::size_t defined = needle.find("def " + target + "(");
    ASSERT_NE(defined, needle.npos);
    EXPECT_NE(needle.find(target), defined + 4) << "its name also stands elsewhere";
    EXPECT_EQ(std::count(needle.begin(), needle.end(), '{'), 1);
    EXPECT_NE(needle.find("= parse_fields("), needle.rfind("= parse_fields("));
  }
}

TEST(SparkFamily, EveryTextIsAscii) {
  for (const Family& family : Families()) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      for (const char c : AllText(Draw(family.name, seed))) {
        ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << family.name;
      }
    }
  }
}

}  // namespace
}  // namespace bi_test::spark
