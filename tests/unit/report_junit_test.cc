#include <gmock/gmock.h>

#include <ostream>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "report/junit.h"
#include "unit/approved.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"
#include "unit/xml_check.h"

namespace bi_test::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_support::GreenRun;
using testing_support::RedRun;
using testing_support::ResultOf;
using testing_support::SampleSweep;

class JunitTest : public testing::TestWithParam<JunitFlavour> {
 protected:
  /// Suites of that sweep in the flavour under test.
  pugi::xml_node Load(const SweepResult& sweep) {
    text_ = JunitXml(sweep, GetParam());
    EXPECT_THAT(testing_support::XmlFault(text_), IsEmpty());
    document_.load_string(text_.c_str());
    return document_.child("testsuites");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  pugi::xml_document document_;
};

std::string FlavourName(const testing::TestParamInfo<JunitFlavour>& test) {
  return test.param == JunitFlavour::kFull ? "Full" : "Strict";
}

INSTANTIATE_TEST_SUITE_P(Flavours, JunitTest,
                         testing::Values(JunitFlavour::kFull, JunitFlavour::kStrict), FlavourName);

TEST_P(JunitTest, IsAsApproved) {
  testing_support::ExpectApproved(
      GetParam() == JunitFlavour::kFull ? "junit_full.xml" : "junit_strict.xml",
      JunitXml(SampleSweep(), GetParam()));
}

TEST_P(JunitTest, CountsAddUp) {
  const pugi::xml_node suites = Load(SampleSweep());
  int tests = 0;
  for (const pugi::xml_node suite : suites.children("testsuite")) {
    int failures = 0;
    int errors = 0;
    int skipped = 0;
    int cases = 0;
    for (const pugi::xml_node test : suite.children("testcase")) {
      ++cases;
      const bool failed = !test.child("failure").empty();
      const bool broken = !test.child("error").empty();
      const bool left_out = !test.child("skipped").empty();
      EXPECT_LE(failed + broken + left_out, 1);
      failures += failed;
      errors += broken;
      skipped += left_out;
    }
    EXPECT_EQ(suite.attribute("tests").as_int(), cases);
    EXPECT_EQ(suite.attribute("failures").as_int(), failures);
    EXPECT_EQ(suite.attribute("errors").as_int(), errors);
    EXPECT_EQ(suite.attribute("skipped").as_int(), skipped);
    tests += cases;
  }
  EXPECT_EQ(tests, 10);
  if (GetParam() == JunitFlavour::kFull) {
    EXPECT_EQ(suites.attribute("tests").as_int(), 10);
  }
}

TEST_P(JunitTest, NamesAreUniqueAndDoNotDependOnPosition) {
  // Four cells that would all be called n2: two ids that clean up alike, a KV type, a repetition.
  SweepResult sweep;
  sweep.cells = {ResultOf(GreenRun(), "a/b", 2), ResultOf(GreenRun(), "a:b", 2),
                 ResultOf(GreenRun(), "a/b", 2), ResultOf(GreenRun(), "a/b", 2)};
  sweep.cells[0].test_name = "first";
  sweep.cells[1].test_name = "second";
  sweep.cells[2].test_name = "third";
  sweep.cells[3].test_name = "third";
  std::set<std::string> names;
  for (const pugi::xml_node test : Load(sweep).child("testsuite").children("testcase")) {
    EXPECT_STREQ(test.attribute("classname").value(), "a_b.ctx4096");
    EXPECT_TRUE(names.insert(test.attribute("name").value()).second);
  }
  EXPECT_THAT(names, testing::ElementsAre("n2_first", "n2_second", "n2_third", "n2_third_2"));
}

TEST_P(JunitTest, FailureMessageIsShortAndTextIsLong) {
  SweepResult sweep;
  sweep.cells = {ResultOf(RedRun(), "m", 8)};
  const pugi::xml_node failure = Load(sweep).child("testsuite").child("testcase").child("failure");
  EXPECT_THAT(failure.attribute("message").value(), StartsWith("RED: 3 of 48 ids differ"));
  EXPECT_STREQ(failure.attribute("type").value(), "bi_test.co_batching");
  EXPECT_THAT(failure.text().get(), HasSubstr("First difference: id t03"));
}

TEST_P(JunitTest, ACellNotReachedIsAnError) {
  SweepResult sweep;
  sweep.cells.resize(1);
  sweep.cells.front().message = "interrupted";
  const pugi::xml_node error = Load(sweep).child("testsuite").child("testcase").child("error");
  EXPECT_STREQ(error.attribute("message").value(), "not run");
  EXPECT_STREQ(error.attribute("type").value(), "bi_test.not_run");
  EXPECT_STREQ(error.text().get(), "interrupted");
}

TEST_P(JunitTest, ASkipTellsItsReasonInBothPlaces) {
  SweepResult sweep;
  sweep.cells.resize(1);
  sweep.cells.front().state = CellState::kSkipped;
  sweep.cells.front().message = "no server";
  const pugi::xml_node skipped = Load(sweep).child("testsuite").child("testcase").child("skipped");
  EXPECT_STREQ(skipped.attribute("message").value(), "no server");
  EXPECT_STREQ(skipped.text().get(), "no server");
}

TEST_P(JunitTest, AttachmentsStandAloneOnALine) {
  SweepResult sweep;
  sweep.cells = {ResultOf(RedRun(), "m", 8)};
  Load(sweep);
  EXPECT_THAT(text(), HasSubstr("[[ATTACHMENT|/out/qwen2.5-0.5b__ctx4096__N8.json]]\n"
                                "[[ATTACHMENT|/out/qwen2.5-0.5b__ctx4096__N8.trace.jsonl]]\n"));
}

TEST_P(JunitTest, NoCellsGiveAnEmptyReport) { EXPECT_TRUE(Load({}).child("testsuite").empty()); }

TEST_P(JunitTest, TheSameSweepGivesTheSameBytes) {
  EXPECT_EQ(JunitXml(SampleSweep(), GetParam()), JunitXml(SampleSweep(), GetParam()));
}

TEST(JunitFullTest, PropertiesComeBeforeResults) {
  SweepResult sweep;
  sweep.cells = {ResultOf(RedRun(), "m", 8)};
  pugi::xml_document document;
  document.load_string(JunitXml(sweep, JunitFlavour::kFull).c_str());
  const pugi::xml_node test = document.child("testsuites").child("testsuite").child("testcase");
  std::string order;
  for (const pugi::xml_node child : test.children()) order += std::string(child.name()) + " ";
  EXPECT_EQ(order, "properties failure system-out ");
}

TEST(JunitFullTest, PointsAtTheSweepEntry) {
  SweepResult sweep;
  sweep.cells = {ResultOf(RedRun(), "m", 8)};
  const std::string text = JunitXml(sweep, JunitFlavour::kFull);
  EXPECT_THAT(text, HasSubstr(" file=\"cells.yaml\" line=\"8\""));
}

TEST(JunitFullTest, TheTimestampIsUtcAndSaysSo) {
  EXPECT_THAT(JunitXml(SampleSweep(), JunitFlavour::kFull),
              HasSubstr(" timestamp=\"2026-03-01T08:00:00Z\""));
}

TEST(JunitStrictTest, KeepsToWhatThePublishedSchemasAllow) {
  const std::string text = JunitXml(SampleSweep(), JunitFlavour::kStrict);
  pugi::xml_document document;
  document.load_string(text.c_str());
  const pugi::xml_node suites = document.child("testsuites");
  EXPECT_TRUE(suites.first_attribute().empty());
  int id = 0;
  for (const pugi::xml_node suite : suites.children("testsuite")) {
    EXPECT_EQ(suite.attribute("id").as_int(-1), id++);
    EXPECT_STREQ(suite.attribute("timestamp").value(), "2026-03-01T08:00:00");
    for (const char* name : {"package", "hostname"}) {
      EXPECT_FALSE(suite.attribute(name).empty()) << name;
    }
    std::string order;
    for (const pugi::xml_node child : suite.children()) {
      const std::string name = child.name();
      if (!order.ends_with(name + " ")) order += name + " ";
    }
    EXPECT_EQ(order, "properties testcase system-out system-err ");
    for (const pugi::xml_node test : suite.children("testcase")) {
      std::string attributes;
      for (const pugi::xml_attribute attribute : test.attributes()) {
        attributes += std::string(attribute.name()) + " ";
      }
      EXPECT_EQ(attributes, "classname name time ");
      EXPECT_TRUE(test.child("properties").empty());
      EXPECT_TRUE(test.child("system-out").empty());
    }
  }
  EXPECT_EQ(id, 2);
}

TEST(JunitStrictTest, TimesHaveThreeDecimals) {
  const std::string text = JunitXml(SampleSweep(), JunitFlavour::kStrict);
  const std::regex time(" time=\"([^\"]*)\"");
  int seen = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), time), end; at != end; ++at) {
    EXPECT_THAT((*at)[1].str(), testing::MatchesRegex("[0-9]+\\.[0-9][0-9][0-9]"));
    ++seen;
  }
  EXPECT_EQ(seen, 12);
}

struct TypeCase {
  std::string name;
  CellResult cell;
  std::string element;
  std::string type;
};

void PrintTo(const TypeCase& test, std::ostream* out) { *out << test.name; }

CellResult WithVerdict(Verdict verdict, const std::string& divergence_class,
                       const std::string& anomaly) {
  CellResult cell;
  cell.state = CellState::kRan;
  cell.verdict = verdict;
  cell.figures.divergence_class = divergence_class;
  cell.figures.anomaly = anomaly;
  return cell;
}

class JunitTypeTest : public testing::TestWithParam<TypeCase> {};

TEST_P(JunitTypeTest, NamesTheClass) {
  SweepResult sweep;
  sweep.cells = {GetParam().cell};
  pugi::xml_document document;
  document.load_string(JunitXml(sweep, JunitFlavour::kFull).c_str());
  const pugi::xml_node test = document.child("testsuites").child("testsuite").child("testcase");
  EXPECT_STREQ(test.child(GetParam().element.c_str()).attribute("type").value(),
               GetParam().type.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    All, JunitTypeTest,
    testing::Values(
        TypeCase{"RedWithItsClass", WithVerdict(Verdict::kRed, "slot_allocation(+co_batching)", ""),
                 "failure", "bi_test.slot_allocation(+co_batching)"},
        TypeCase{"RedWithoutClass", WithVerdict(Verdict::kRed, "", "arm_missing"), "failure",
                 "bi_test.red"},
        TypeCase{"AmberWithItsAnomaly", WithVerdict(Verdict::kAmber, "", "serial_token_drift"),
                 "failure", "bi_test.serial_token_drift"},
        TypeCase{"AmberWithoutAnomaly", WithVerdict(Verdict::kAmber, "", ""), "failure",
                 "bi_test.amber"},
        TypeCase{"Unverified", WithVerdict(Verdict::kUnverified, "", ""), "failure",
                 "bi_test.unverified"},
        TypeCase{"GreenWhoseTestAskedForMore", WithVerdict(Verdict::kGreen, "", ""), "failure",
                 "bi_test.expectation"},
        TypeCase{"TransportFaults", ResultOf(testing_support::InfrastructureRun(), "m", 8), "error",
                 "bi_test.infrastructure"},
        TypeCase{"BrokenRun", ResultOf(testing_support::BrokenRun(), "m", 8), "error",
                 "bi_test.server"}),
    [](const testing::TestParamInfo<TypeCase>& test) { return test.param.name; });

}  // namespace
}  // namespace bi_test::report
