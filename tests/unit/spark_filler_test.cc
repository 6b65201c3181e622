// Filler: enough different sentences, none that gives a question away, cuts that leave whole
// sentences and whole functions; and where needles are put in it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spark/filler.h"
#include "spark/filler_text.h"
#include "spark/placement.h"
#include "spark/splice.h"
#include "spark/term_check.h"

namespace bi_test::spark {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;

constexpr FillerSource kSources[] = {FillerSource::kProse, FillerSource::kNews,
                                     FillerSource::kCode};

/// Whether it is whole lines of functions and comments: what begins at the margin is a `def` with
/// its colon or a comment, a `def` has a body, and brackets and quotes close where they open.
bool IsWholeCode(const std::string& text) {
  bool needs_body = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const bool comment = line.find_first_not_of(' ') == line.find('#');
    if (line[0] != ' ' && !comment) {
      if (needs_body || !line.starts_with("def ") || !line.ends_with(":")) return false;
      needs_body = true;
    } else if (!comment) {
      needs_body = false;
    }
    for (const std::string_view pair : {"()", "[]", "{}"}) {
      if (std::ranges::count(line, pair[0]) != std::ranges::count(line, pair[1])) return false;
    }
    if (std::ranges::count(line, '"') % 2 != 0) return false;
  }
  return !needs_body;
}

TEST(SparkFillerText, TenThousandDifferentUnitsOfEachKind) {
  for (const FillerSource source : kSources) {
    Random random(1);
    std::set<std::string> different;
    for (int i = 0; i < 12'000; ++i) different.insert(DrawFillerUnit(source, random));
    EXPECT_GE(different.size(), 10'000U) << static_cast<int>(source);
  }
}

TEST(SparkFillerText, SentencesEndOnceAndHoldNoDigit) {
  for (const FillerSource source : {FillerSource::kProse, FillerSource::kNews}) {
    Random random(2);
    for (int i = 0; i < 2'000; ++i) {
      const std::string unit = DrawFillerUnit(source, random);
      ASSERT_EQ(unit.find_first_of(".!?"), unit.size() - 1) << unit;
      ASSERT_EQ(unit.find_first_of("0123456789{}"), unit.npos) << unit;
    }
  }
}

TEST(SparkFillerText, EveryFunctionIsWhole) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const std::string unit = DrawFillerUnit(FillerSource::kCode, random);
    ASSERT_TRUE(IsWholeCode(unit)) << unit;
    ASSERT_FALSE(IsWholeCode(unit.substr(0, unit.find(':') + 1))) << unit;
    ASSERT_EQ(unit.find("  return {"), unit.npos) << "a dict would be a second answer to E5";
  }
}

TEST(SparkFillerText, TheDigestIsThatOfContentVersionOne) {
  EXPECT_EQ(BuiltInFillerDigest().substr(0, 12), "9985bfbfc10f");
}

TEST(SparkTermCheck, MatchesWholeWordsOfAnyCase) {
  const TermCheck check({"45", "North Store", "x1"});
  EXPECT_TRUE(check.Holds("It is 45."));
  EXPECT_TRUE(check.Holds("the NORTH store"));
  EXPECT_TRUE(check.Holds("X1=3"));
  EXPECT_FALSE(check.Holds("145 or 450 or 4.5"));
  EXPECT_FALSE(check.Holds("north  store"));
  EXPECT_FALSE(check.Holds("x1_a"));
  EXPECT_FALSE(TermCheck({""}).Holds("anything"));
}

std::string Joined(const Filler& filler) {
  std::string out;
  for (std::size_t i = 0; i < filler.units.size(); ++i) {
    if (i > 0) out += filler.separator;
    out += filler.units[i];
  }
  return out;
}

TEST(SparkFiller, NoUnitHoldsATerm) {
  const TermCheck terms({"miller", "37", "banner"});
  for (const FillerSource source : kSources) {
    Random random(4);
    FillerReservoir reservoir(source, FillerVariant::kCoherent, "", terms, random);
    ASSERT_TRUE(reservoir.GrowTo(100'000).ok());
    EXPECT_FALSE(terms.Holds(Joined(reservoir.Cut(100'000))));
  }
}

TEST(SparkFiller, ACutIsNeverLongerThanAskedAndLittleShorter) {
  const TermCheck terms({});
  for (const FillerSource source : kSources) {
    Random random(5);
    FillerReservoir reservoir(source, FillerVariant::kCoherent, "", terms, random);
    ASSERT_TRUE(reservoir.GrowTo(4'000).ok());
    for (std::size_t bytes = 0; bytes <= 4'000; bytes += 7) {
      const std::string text = Joined(reservoir.Cut(bytes));
      ASSERT_LE(text.size(), bytes);
      ASSERT_LE(bytes - text.size(), source == FillerSource::kCode ? 100U : 25U) << text;
    }
  }
}

TEST(SparkFiller, WhatWasDrawnStaysWhenMoreIsDrawn) {
  const TermCheck terms({});
  Random random(6);
  FillerReservoir reservoir(FillerSource::kProse, FillerVariant::kCoherent, "", terms, random);
  ASSERT_TRUE(reservoir.GrowTo(500).ok());
  const std::string before = Joined(reservoir.Cut(300));
  ASSERT_TRUE(reservoir.GrowTo(50'000).ok());
  EXPECT_EQ(Joined(reservoir.Cut(300)), before);
}

TEST(SparkFiller, EveryCutOfCodeIsWhole) {
  const TermCheck terms({});
  Random random(7);
  FillerReservoir reservoir(FillerSource::kCode, FillerVariant::kCoherent, "", terms, random);
  ASSERT_TRUE(reservoir.GrowTo(2'000).ok());
  for (std::size_t bytes = 0; bytes <= 2'000; ++bytes) {
    const std::string text = Joined(reservoir.Cut(bytes));
    ASSERT_TRUE(IsWholeCode(text)) << text;
  }
}

TEST(SparkFiller, VariantsWithoutSense) {
  const TermCheck terms({});
  Random random(8);
  FillerReservoir empty(FillerSource::kCode, FillerVariant::kWhitespace, "corpus", terms, random);
  ASSERT_TRUE(empty.GrowTo(5).ok());
  EXPECT_EQ(Joined(empty.Cut(5)), "\n\n\n\n\n");
  FillerReservoir masked(FillerSource::kProse, FillerVariant::kMaskedRepeat, "", terms, random);
  ASSERT_TRUE(masked.GrowTo(60).ok());
  EXPECT_EQ(Joined(masked.Cut(60)), "# this line was left out\n# this line was left out");
}

TEST(SparkFiller, ACorpusIsReadFromARandomPlaceAndAgain) {
  const TermCheck terms({"secret"});
  Random random(9);
  FillerReservoir reservoir(FillerSource::kProse, FillerVariant::kCoherent,
                            "One is here. A secret is there! Is two here?  Three.", terms, random);
  ASSERT_TRUE(reservoir.GrowTo(200).ok());
  const Filler filler = reservoir.Cut(200);
  ASSERT_GE(filler.units.size(), 6U);
  for (std::size_t i = 3; i + 1 < filler.units.size(); ++i) {
    EXPECT_EQ(filler.units[i], filler.units[i - 3]);
  }
  EXPECT_THAT(std::set<std::string>(filler.units.begin(), filler.units.begin() + 3),
              ElementsAre("Is two here?", "One is here.", "Three."));
}

TEST(SparkFiller, ACorpusThatGivesTheAnswerAwayThroughoutIsAnError) {
  const TermCheck terms({"secret"});
  Random random(10);
  FillerReservoir reservoir(FillerSource::kProse, FillerVariant::kCoherent, "A secret. No secret.",
                            terms, random);
  const Status status = reservoir.GrowTo(10);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(
      status.error().Text(),
      "workset.corpus: every part of the corpus holds a word of the question or its answer: use "
      "a longer text, or none");
}

TEST(SparkFiller, CodeIsSplitBetweenTopLevelParts) {
  EXPECT_THAT(SplitCode("a = 1\nb = 2\n\n\ndef f():\n    x\n\n    y\n\n# z\nc\r\n"),
              ElementsAre("a = 1\nb = 2", "def f():\n    x\n\n    y", "# z\nc"));
}

struct CutCase {
  const char* name;
  std::string text;
  std::size_t bytes;
  std::string cut;
};

TEST(SparkFiller, CutsOfOneUnit) {
  const CutCase kSentences[] = {
      {"None", "The old mill.", 0, ""},
      {"NotEvenAWord", "The old mill.", 3, ""},
      {"OneWord", "The old mill.", 4, "The."},
      {"AtAWord", "The old mill.", 9, "The old."},
      {"NoSpaceAtAll", "Supercalifragilistic", 10, ""},
      {"AfterAComma", "So, the mill", 5, "So."},
  };
  for (const CutCase& test : kSentences) {
    EXPECT_EQ(CutSentence(test.text, test.bytes), test.cut) << test.name;
  }
  const std::string code = "# note\ndef f(x):\n    y = x\n    return y";
  const CutCase kCode[] = {
      {"OnlyTheComment", code, 10, ""},
      {"HeadWithoutBody", code, 20, ""},
      {"OneLine", code, 30, "# note\ndef f(x):\n    y = x"},
      {"All", code, 100, code},
      {"OpenBlock", "def f(x):\n    y = x\n    if y:\n        return y", 32,
       "def f(x):\n    y = x"},
  };
  for (const CutCase& test : kCode)
    EXPECT_EQ(CutCode(test.text, test.bytes), test.cut) << test.name;
}

struct SpliceCase {
  const char* name;
  std::vector<std::string> units;
  std::string separator;
  std::vector<int> positions;
  std::string text;
};

void PrintTo(const SpliceCase& test, std::ostream* out) { *out << test.name; }

class SparkSplice : public ::testing::TestWithParam<SpliceCase> {};

TEST_P(SparkSplice, PutsNeedlesBetweenUnits) {
  const SpliceCase& test = GetParam();
  std::vector<std::string> needles;
  for (std::size_t i = 0; i < test.positions.size(); ++i) {
    needles.push_back("N" + std::to_string(i + 1) + ".");
  }
  const Haystack haystack = Splice({test.units, test.separator}, needles, test.positions);
  EXPECT_EQ(haystack.text, test.text);
  EXPECT_EQ(haystack.text.substr(haystack.needle_begin, 3), "N1.");
}

const SpliceCase kSplices[] = {
    {"NoFiller", {}, " ", {500'000}, "N1."},
    {"ZeroIsBeforeEverything", {"Aa.", "Bb.", "Cc."}, " ", {0}, "N1. Aa. Bb. Cc."},
    {"OneIsAfterEverything", {"Aa.", "Bb.", "Cc."}, " ", {kOne}, "Aa. Bb. Cc. N1."},
    {"ALittleIsAfterTheFirst", {"Aa.", "Bb.", "Cc."}, " ", {1}, "Aa. N1. Bb. Cc."},
    {"TheNearestPlace", {"Aa.", "Bb.", "Cc.", "Dd."}, " ", {600'000}, "Aa. Bb. N1. Cc. Dd."},
    {"TheFirstOfTwoAsNear", {"Aa.", "Bb.", "Cc."}, " ", {500'000}, "Aa. N1. Bb. Cc."},
    {"Spread", {"Aa.", "Bb.", "Cc.", "Dd."}, " ", {250'000, 750'000}, "Aa. N1. Bb. Cc. N2. Dd."},
    {"TogetherInOrder", {"Aa.", "Bb."}, " ", {kOne, kOne}, "Aa. Bb. N1. N2."},
    {"BetweenFunctions", {"def a", "def b"}, "\n\n", {500'000}, "def a\n\nN1.\n\ndef b"},
    {"OneFunctionStaysWhole", {"def a"}, "\n\n", {500'000}, "def a\n\nN1."},
    {"ALoneSentenceIsCut", {"abcdef ghij"}, " ", {600'000}, "abcdef N1. ghij"},
    {"AtAnyCharacter", {"abcdefghij"}, " ", {300'000}, "abc N1. defghij"},
    {"ALoneSentenceWithTwo", {"abcdefghij"}, " ", {300'000, 300'000}, "abc N1. N2. defghij"},
    {"BeforeALoneSentence", {"abc"}, " ", {0}, "N1. abc"},
    {"AfterALoneSentence", {"abc"}, " ", {kOne}, "abc N1."},
    {"NotWithinACharacter", {"a\u00e9b"}, " ", {500'000}, "a N1. \u00e9b"},
};

INSTANTIATE_TEST_SUITE_P(All, SparkSplice, ::testing::ValuesIn(kSplices),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SparkPosition, OnlyNumbersFromZeroToOne) {
  EXPECT_EQ(*PositionMillionths(0.5), 500'000);
  EXPECT_EQ(*PositionMillionths(1.0), kOne);
  for (const double wrong : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    const Result<int> position = PositionMillionths(wrong);
    ASSERT_FALSE(position.ok()) << wrong;
    EXPECT_EQ(position.error().Text(), "position: found a position that is no number from 0 to 1");
  }
}

TEST(SparkPosition, PartsAreSpreadAroundIt) {
  EXPECT_THAT(SpreadPositions(500'000, 1, 0), ElementsAre(500'000));
  EXPECT_THAT(SpreadPositions(500'000, 4, 0), ElementsAre(200'000, 400'000, 600'000, 800'000));
  EXPECT_THAT(SpreadPositions(0, 3, 0), ElementsAre(0, 0, 0));
  EXPECT_THAT(SpreadPositions(kOne, 3, 0), ElementsAre(kOne, kOne, kOne));
  EXPECT_THAT(SpreadPositions(500'000, 4, 700'000),
              ElementsAre(700'000, 700'000, 700'000, 800'000));
}

TEST(SparkPosition, JitterStaysNearAndHasItsOwnDraws) {
  std::set<int> different;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const int at = Jittered(500'000, seed);
    EXPECT_GE(at, 420'000);
    EXPECT_LE(at, 580'000);
    EXPECT_EQ(at, Jittered(500'000, seed));
    different.insert(at);
  }
  EXPECT_GT(different.size(), 95U);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_GE(Jittered(0, seed), 0);
    EXPECT_LE(Jittered(kOne, seed), kOne);
  }
}

struct WindowCase {
  const char* name;
  std::int64_t window;
  PromptSizes sizes;
  std::optional<int> earliest;
};

TEST(SparkPosition, TheEarliestPlaceInTheWindow) {
  const WindowCase kCases[] = {
      {"NoWindow", 0, {30, 1000, 50}, 0},
      {"TheWindowHoldsEverything", 1050, {30, 1000, 50}, 0},
      {"OneTokenShort", 1049, {30, 1000, 50}, 47'000},
      {"HalfOfIt", 596, {30, 1000, 50}, 500'000},
      {"JustTheNeedle", 96, {30, 1000, 50}, 1'000'000},
      {"NotEvenTheNeedle", 95, {30, 1000, 50}, std::nullopt},
  };
  for (const WindowCase& test : kCases) {
    EXPECT_EQ(EarliestInWindow(test.window, test.sizes), test.earliest) << test.name;
  }
}

TEST(SparkPosition, NamesReadBack) {
  for (const auto strategy :
       {NeedleStrategy::kFixed, NeedleStrategy::kJitter, NeedleStrategy::kAdaptive}) {
    EXPECT_EQ(NeedleStrategyNamed(NameOf(strategy)), strategy);
  }
  for (const auto variant :
       {FillerVariant::kCoherent, FillerVariant::kWhitespace, FillerVariant::kMaskedRepeat}) {
    EXPECT_EQ(FillerVariantNamed(NameOf(variant)), variant);
  }
  EXPECT_EQ(NeedleStrategyNamed("Fixed"), std::nullopt);
  EXPECT_EQ(FillerVariantNamed(""), std::nullopt);
}

}  // namespace
}  // namespace bi_test::spark
