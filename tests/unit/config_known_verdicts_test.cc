// The known-verdicts file: reading, writing, and what it lets pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "config/sweep/known_verdicts.h"
#include "session/acceptance.h"
#include "support/temp_dir.h"

namespace bi_test::config {
namespace {

using test_support::TempDir;

Result<KnownVerdicts> Load(const TempDir& dir, const std::string& text) {
  const std::filesystem::path file = dir.path() / "known.yaml";
  std::ofstream(file) << text;
  return LoadKnownVerdicts(file);
}

KnownVerdict Red() {
  KnownVerdict known;
  known.cell = {"phi/4 \"x\"\n", 8192, 8, "q8_0"};
  known.verdict = Verdict::kRed;
  known.divergence_class = "co_batching";
  known.reason = "flash attention: 'why' # \xc3\xa4";
  known.until = "2030-12-31";
  known.seen = "2026-11-30T01:02:03Z";
  known.build = "b11669";
  return known;
}

TEST(KnownVerdictsFile, ReadsBackWhatWasWrittenInTheOrderOfCells) {
  const TempDir dir;
  KnownVerdict green;
  green.cell = {"a", 4096, 2, "f16"};
  KnownVerdict red = Red();
  red.cell.model = "phi/4 \"x\"";
  const auto read = Load(dir, KnownVerdictsText({"", {red, green}}));
  ASSERT_TRUE(read.ok()) << read.error().Text();
  green.line = 5;
  red.line = 10;
  EXPECT_EQ(read->cells, (std::vector<KnownVerdict>{green, red}));
  EXPECT_EQ(*read->Find(red.cell), red);
  Cell other = red.cell;
  other.kv_label = "f16";
  EXPECT_EQ(read->Find(other), nullptr) << "the KV cache type is part of the cell";
}

TEST(KnownVerdictsFile, AnEmptyOneIsAFile) {
  const TempDir dir;
  const auto read = Load(dir, KnownVerdictsText({}));
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_TRUE(read->cells.empty());
}

struct Mistake {
  const char* name;
  const char* text;
  const char* message;  ///< Behind the name of the file.
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

class KnownVerdictsMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(KnownVerdictsMistake, IsNamedWithItsPlace) {
  const TempDir dir;
  const auto read = Load(dir, GetParam().text);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().Text(), (dir.path() / "known.yaml").string() + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, KnownVerdictsMistake,
    ::testing::Values(
        Mistake{"NoVersion", "cells: []\n", ":1: version: found nothing, allowed: 1"},
        Mistake{"OtherVersion", "version: 2\ncells: []\n",
                ":1: version: found \"2\", allowed: an integer from 1 to 1"},
        Mistake{"UnknownKey",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdikt: GREEN, "
                "verdict: GREEN}\n",
                ":3: cells[0].verdikt: found an unknown key, allowed: model, ctx, parallel, kv, "
                "verdict, class, reason, until, seen, build (did you mean \"verdict\"?)"},
        Mistake{"RedWithoutClass",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: RED, reason: "
                "r}\n",
                ":3: cells[0].class: found nothing, allowed: the divergence class of the cert "
                "(co_batching, slot_allocation(+co_batching), harness_nondeterminism, "
                "request_mismatch or leak); infrastructure is a fault, not a verdict to expect"},
        Mistake{"NoSuchClass",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: RED, reason: r, "
                "class: co-batching}\n",
                ":3: cells[0].class: found \"co-batching\", allowed: the divergence class of the "
                "cert (co_batching, slot_allocation(+co_batching), harness_nondeterminism, "
                "request_mismatch or leak); infrastructure is a fault, not a verdict to expect"},
        Mistake{"Infrastructure",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: RED, reason: r, "
                "class: infrastructure}\n",
                ":3: cells[0].class: found \"infrastructure\", allowed: the divergence class of "
                "the cert (co_batching, slot_allocation(+co_batching), harness_nondeterminism, "
                "request_mismatch or leak); infrastructure is a fault, not a verdict to expect"},
        Mistake{"GreenWithClass",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: GREEN, class: "
                "leak}\n",
                ":3: cells[0].class: found \"leak\", allowed: no class, as the verdict is not "
                "RED"},
        Mistake{"Unverified",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: UNVERIFIED}\n",
                ":3: cells[0].verdict: found \"UNVERIFIED\", allowed: GREEN, RED or AMBER; "
                "UNVERIFIED is no result to expect: leave the cell out"},
        Mistake{"AmberWithoutReason",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: AMBER}\n",
                ":3: cells[0].reason: found nothing, allowed: why this is lived with"},
        Mistake{"NoDay",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: GREEN, until: "
                "2026-02-30}\n",
                ":3: cells[0].until: found \"2026-02-30\", allowed: a date such as 2030-12-31"},
        Mistake{"Twice",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: GREEN}\n  - "
                "{model: a, ctx: 1, parallel: 2, verdict: AMBER, reason: r}\n",
                ":4: cells[1]: found a second entry of a ctx=1 N=2, allowed: one entry per cell "
                "(the first is in line 3)"},
        Mistake{"OneInFlight",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 1, verdict: GREEN}\n",
                ":3: cells[0].parallel: found \"1\", allowed: an integer from 2 to 2147483647"},
        Mistake{"OneMistakeIsToldOnce",
                "version: 1\ncells:\n  - {model: a, ctx: 1, parallel: 2, verdict: AMBER}\n  - "
                "{model: a, ctx: 1, parallel: 2, verdict: GREEN}\n",
                ":3: cells[0].reason: found nothing, allowed: why this is lived with"},
        Mistake{"NoList", "version: 1\ncells: all\n",
                ":2: cells: found \"all\", allowed: a list of mappings, or [] for none"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(KnownVerdictsFile, HasALimit) {
  const TempDir dir;
  std::string text = "version: 1\ncells:\n";
  for (int i = 0; i < 10'001; ++i) text += "  - {}\n";
  EXPECT_EQ(Load(dir, text).error().Text(),
            (dir.path() / "known.yaml").string() +
                ":3: cells: found 10001 entries, allowed: at most 10000");
}

TEST(KnownVerdictsFile, TheExampleOfTheManualIsOne) {
  const TempDir dir;
  std::ifstream page(BI_TEST_SOURCE_DIR "/docs/known-verdicts.md");
  const std::string all{std::istreambuf_iterator<char>(page), {}};
  const std::string fence = "```yaml known\n";
  const std::size_t begin = all.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t at = begin + fence.size();
  const auto read = Load(dir, all.substr(at, all.find("```", at) - at));
  ASSERT_TRUE(read.ok()) << read.error().Text();
  ASSERT_EQ(read->cells.size(), 1u);
  EXPECT_EQ(read->cells[0].cell, (Cell{"phi-4", 8192, 8, "f16"}));
  EXPECT_EQ(read->cells[0].until, "2030-12-31");
}

TEST(KnownVerdictsFile, AMissingOneSaysHowToMakeIt) {
  const TempDir dir;
  const auto read = LoadKnownVerdicts(dir.path() / "none.yaml");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().Text(),
            (dir.path() / "none.yaml").string() +
                ": found no such file, allowed: the path of a known-verdicts file; `bi-test known "
                "write` makes one from certs");
}

struct Rule {
  const char* name;
  Verdict known;
  const char* known_class;
  const char* until;
  Verdict found;
  const char* found_class;
  bool accepted;
  const char* why;
  bool changed = false;
};
std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }

class AcceptRule : public ::testing::TestWithParam<Rule> {};

TEST_P(AcceptRule, OfAKnownCell) {
  const Rule& rule = GetParam();
  Sweep sweep;
  SweepCell cell;
  cell.cell = {"m", 4096, 4, "f16"};
  cell.test_name = "m__ctx4096__n4";
  sweep.known_verdicts.file = "k.yaml";
  KnownVerdict known;
  known.cell = cell.cell;
  known.verdict = rule.known;
  known.divergence_class = rule.known_class;
  known.until = rule.until;
  known.line = 3;
  sweep.known_verdicts.cells = {known};
  const session::Acceptance got =
      session::Accept(sweep, cell, rule.found, rule.found_class, "2026-06-15");
  EXPECT_EQ(got.accepted, rule.accepted);
  EXPECT_EQ(got.why, rule.why);
  EXPECT_EQ(got.expired, got.why.starts_with("its known verdict has expired: "));
  EXPECT_EQ(got.changed, rule.changed);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, AcceptRule,
    ::testing::Values(
        Rule{"KnownRed", Verdict::kRed, "co_batching", "", Verdict::kRed, "co_batching", true,
             "known RED (co_batching) (k.yaml:3)"},
        Rule{"OnItsLastDay", Verdict::kRed, "co_batching", "2026-06-15", Verdict::kRed,
             "co_batching", true, "known RED (co_batching) until 2026-06-15 (k.yaml:3)"},
        Rule{"AfterItsLastDay", Verdict::kRed, "co_batching", "2026-06-14", Verdict::kRed,
             "co_batching", false,
             "its known verdict has expired: known RED (co_batching) until 2026-06-14 (k.yaml:3)"},
        Rule{"MendedAfterItsLastDay", Verdict::kRed, "co_batching", "2026-06-14", Verdict::kGreen,
             "", true, ""},
        Rule{"KnownGreen", Verdict::kGreen, "", "", Verdict::kGreen, "", true, ""},
        Rule{"Worse", Verdict::kGreen, "", "", Verdict::kRed, "leak", false,
             "the verdict has changed: known is GREEN (k.yaml:3), found RED (leak); if the change "
             "is meant to stay, renew the file with `bi-test known write`",
             true},
        Rule{"Better", Verdict::kRed, "co_batching", "", Verdict::kGreen, "", false,
             "the verdict has changed: known is RED (co_batching) (k.yaml:3), found GREEN; if the "
             "change is meant to stay, renew the file with `bi-test known write`",
             true},
        Rule{"AnotherClass", Verdict::kRed, "co_batching", "", Verdict::kRed, "leak", false,
             "the verdict has changed: known is RED (co_batching) (k.yaml:3), found RED (leak); if "
             "the change is meant to stay, renew the file with `bi-test known write`",
             true},
        Rule{"Weaker", Verdict::kAmber, "", "", Verdict::kUnverified, "", false,
             "the verdict has changed: known is AMBER (k.yaml:3), found UNVERIFIED; if the change "
             "is meant to stay, renew the file with `bi-test known write`",
             true}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Accept, ACellWithoutAnEntryIsJudgedAsEver) {
  Sweep sweep;
  SweepCell cell;
  cell.cell = {"m", 4096, 4, "f16"};
  sweep.known_verdicts.file = "k.yaml";
  EXPECT_TRUE(session::Accept(sweep, cell, Verdict::kGreen, "", "2026-06-15").accepted);
  const session::Acceptance red = session::Accept(sweep, cell, Verdict::kRed, "leak", "2026-06-15");
  EXPECT_FALSE(red.accepted);
  EXPECT_EQ(red.why, "k.yaml knows nothing of this cell");
  EXPECT_FALSE(session::Accept(sweep, cell, Verdict::kUnverified, "", "2026-06-15").accepted);
}

}  // namespace
}  // namespace bi_test::config
