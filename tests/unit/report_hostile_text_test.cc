#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "report/cell_properties.h"
#include "report/console.h"
#include "report/ctest_measurements.h"
#include "report/explain.h"
#include "report/junit.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"
#include "unit/xml_check.h"

namespace bi_test::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::CharacterFault;
using testing_support::HostileText;
using testing_support::XmlFault;

/// A RED in which every text there is holds `text`: whole where a model or user writes at length,
/// its first 4 KB elsewhere, because copying megabytes tests nothing.
CellRun RunFullOf(const std::string& text) {
  const std::string part = text.substr(0, 4096);
  CellRun run = testing_support::RedRun();
  run.cell.model = text;
  run.cell.kv_label = part;
  run.record.source = part;
  Judgement& judgement = run.judgement;
  judgement.divergence_class = part;
  judgement.anomaly = part;
  judgement.mismatch = part;
  judgement.first_cause = part;
  judgement.reason_codes = {part};
  for (PassReport& pass : judgement.passes) pass.why_not = part;
  Divergence& divergence = judgement.divergences.front();
  divergence.test_id = part;
  divergence.field = part;
  divergence.x_around = text + "a" + text;
  divergence.y_around = text + "b" + text;
  divergence.leak_donor = part;
  divergence.cause = part;
  divergence.companions = {part, part};
  run.cert_path = "/out/" + part;
  run.trace_path = part;
  run.server_logs = {part};
  return run;
}

SweepResult SweepFullOf(const std::string& text) {
  const std::string part = text.substr(0, 4096);
  CellResult full;
  FillFromRun(RunFullOf(text), full);
  full.test_name = part;
  full.file = part;
  full.labels = {part};
  full.accepted = part;
  full.message = text;
  SweepResult sweep;
  for (const CellState state :
       {CellState::kRan, CellState::kError, CellState::kNotRun, CellState::kSkipped}) {
    CellResult cell = full;
    cell.state = state;
    if (state != CellState::kRan) cell.explanation = text;
    sweep.cells.push_back(std::move(cell));
  }
  sweep.sweep_file = sweep.start_utc = sweep.end_utc = part;
  return sweep;
}

struct HostileCase {
  std::string name;
  std::string text;
};

void PrintTo(const HostileCase& test, std::ostream* out) { *out << test.name; }

class HostileTextTest : public testing::TestWithParam<HostileCase> {};

TEST_P(HostileTextTest, JunitStaysWellFormed) {
  for (const JunitFlavour flavour : {JunitFlavour::kFull, JunitFlavour::kStrict}) {
    const std::string xml = JunitXml(SweepFullOf(GetParam().text), flavour);
    EXPECT_THAT(XmlFault(xml), IsEmpty());
    EXPECT_THAT(xml, Not(HasSubstr("[[ATTACHMENT|/etc")));
    EXPECT_LT(xml.size(), 1U << 20U);
  }
}

TEST_P(HostileTextTest, ConsoleStaysHarmless) {
  const SweepResult sweep = SweepFullOf(GetParam().text);
  std::string text = Summary(sweep, Palette(false));
  for (const CellResult& cell : sweep.cells) text += CellLine(cell, Palette(false));
  text += ArmLine({.cell = GetParam().text, .arm = GetParam().text});
  EXPECT_THAT(CharacterFault(text), IsEmpty());
  for (const char* bad : {"[  SKIPPED ]", "[  FAILED  ]", "[====", "<CTestMeasurement",
                          "\n::", "[[ATTACHMENT|", "##vso["}) {
    EXPECT_THAT(text, Not(HasSubstr(bad)));
  }
}

TEST_P(HostileTextTest, LiveLineHoldsNoControlSequenceButItsOwn) {
  const std::string line = LiveLine({.cell = GetParam().text, .arm = GetParam().text}, 1000);
  ASSERT_GE(line.size(), 4U);
  EXPECT_THAT(CharacterFault(line.substr(1, line.size() - 4)), IsEmpty());
}

TEST_P(HostileTextTest, ExplanationStaysShortAndHarmless) {
  const CellRun run = RunFullOf(GetParam().text);
  EXPECT_THAT(CharacterFault(Explain(run)), IsEmpty());
  EXPECT_THAT(CharacterFault(MessageLine(run)), IsEmpty());
  EXPECT_LT(Explain(run).size(), 4096U);
  EXPECT_LT(MessageLine(run).size(), 300U);
  EXPECT_THAT(Explain(run), Not(HasSubstr("[  SKIPPED ]")));
}

TEST_P(HostileTextTest, MeasurementsKeepTheirTagsToThemselves) {
  const CellResult cell = SweepFullOf(GetParam().text).cells.front();
  const std::string text = CTestMeasurements(cell);
  const std::string body = text.substr(text.find('\n') + 1);
  EXPECT_THAT(XmlFault("<all>" + body + "</all>"), IsEmpty());
  std::size_t tags = 0;
  for (std::size_t at = body.find("<CTestMeasurement type"); at != std::string::npos;
       at = body.find("<CTestMeasurement type", at + 1)) {
    ++tags;
  }
  EXPECT_EQ(tags, CellProperties(cell).size());
}

INSTANTIATE_TEST_SUITE_P(
    All, HostileTextTest,
    testing::Values(HostileCase{"AllKinds", HostileText()},
                    HostileCase{"OneMegabyteOfText", std::string(1U << 20U, 'x')},
                    HostileCase{"OneMegabyteOfEscapes", std::string(1U << 20U, '\x1b')},
                    HostileCase{"OneMegabyteOfMarkup", std::string(1U << 20U, '<')},
                    HostileCase{"OneMegabyteOfBadBytes", std::string(1U << 20U, '\xff')},
                    HostileCase{"OneMegabyteOfNewlines", std::string(1U << 20U, '\n')},
                    HostileCase{"Empty", ""}),
    [](const testing::TestParamInfo<HostileCase>& test) { return test.param.name; });

}  // namespace
}  // namespace bi_test::report
