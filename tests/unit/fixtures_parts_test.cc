// The small parts of the plugin: sign-offs, reserved devices, report file names, suite names,
// dates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "fixtures/accepted_matcher.h"
#include "fixtures/cell_suites.h"
#include "fixtures/ctest_devices.h"
#include "fixtures/junit_path.h"
#include "fixtures/program.h"
#include "session/sign_off.h"

namespace bi_test::fixtures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Environment = std::map<std::string, std::string>;

SweepCell PhiCell() {
  SweepCell cell;
  cell.cell = {"phi/4", 8192, 4};
  cell.test_name = "phi_4__ctx8192__n4";
  return cell;
}

SignOff MakeSignOff(const std::string& cell, const std::string& expires) {
  return {cell, "Ada", "known tie", expires};
}

struct SignOffCase {
  const char* name;
  std::vector<SignOff> sign_offs;
  const char* valid;  ///< Expiry of the valid one; empty when there is none.
  const char* expired;
};

class SignOffTest : public testing::TestWithParam<SignOffCase> {};

TEST_P(SignOffTest, IsFound) {
  const session::SignOffLookup found =
      session::FindSignOff(GetParam().sign_offs, PhiCell(), "2026-06-15");
  EXPECT_EQ(found.valid == nullptr ? "" : found.valid->expires, GetParam().valid);
  EXPECT_EQ(found.expired == nullptr ? "" : found.expired->expires, GetParam().expired);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SignOffTest,
    testing::Values(
        SignOffCase{"None", {}, "", ""},
        SignOffCase{
            "ByTestName", {MakeSignOff("phi_4__ctx8192__n4", "2026-07-01")}, "2026-07-01", ""},
        SignOffCase{
            "ByModelCtxAndN", {MakeSignOff("phi/4/8192/4", "2026-07-01")}, "2026-07-01", ""},
        SignOffCase{"OfAnotherCell", {MakeSignOff("phi/4/8192/8", "2026-07-01")}, "", ""},
        SignOffCase{"PartOfTheName", {MakeSignOff("phi_4__ctx8192", "2026-07-01")}, "", ""},
        SignOffCase{"OnItsLastDay", {MakeSignOff("phi/4/8192/4", "2026-06-15")}, "2026-06-15", ""},
        SignOffCase{"TheDayAfter", {MakeSignOff("phi/4/8192/4", "2026-06-14")}, "", "2026-06-14"},
        SignOffCase{
            "ExpiredBesideValid",
            {MakeSignOff("phi/4/8192/4", "2026-01-01"), MakeSignOff("phi/4/8192/4", "2026-12-31")},
            "2026-12-31",
            "2026-01-01"},
        SignOffCase{
            "LastOfTheExpired",
            {MakeSignOff("phi/4/8192/4", "2026-02-01"), MakeSignOff("phi/4/8192/4", "2026-01-01")},
            "",
            "2026-02-01"}),
    [](const testing::TestParamInfo<SignOffCase>& param_info) {
      return std::string(param_info.param.name);
    });

CellRun RunWith(Verdict verdict) {
  CellRun run;
  run.cell = PhiCell().cell;
  run.judgement.verdict = verdict;
  return run;
}

std::string Explanation(const testing::Matcher<const CellRun&>& matcher, const CellRun& run) {
  testing::StringMatchResultListener listener;
  testing::ExplainMatchResult(matcher, run, &listener);
  return listener.str();
}

std::shared_ptr<const Sweep> SweepWith(std::vector<SignOff> sign_offs,
                                       std::vector<KnownVerdict> known = {}) {
  auto sweep = std::make_shared<Sweep>();
  sweep->sign_offs = std::move(sign_offs);
  if (!known.empty()) sweep->known_verdicts = {"known.yaml", std::move(known)};
  return sweep;
}

TEST(AcceptedMatcherTest, AcceptsGreenAndSignedOffAmberOnly) {
  const std::vector<SignOff> sign_offs = {MakeSignOff("phi/4/8192/4", "2026-07-01")};
  const auto signed_off = MakeAcceptedMatcher(SweepWith(sign_offs), PhiCell(), "2026-06-15");
  EXPECT_THAT(RunWith(Verdict::kGreen), signed_off);
  EXPECT_THAT(RunWith(Verdict::kAmber), signed_off);
  EXPECT_THAT(RunWith(Verdict::kRed), Not(signed_off));
  EXPECT_THAT(RunWith(Verdict::kUnverified), Not(signed_off));
  const auto not_signed = MakeAcceptedMatcher(SweepWith({}), PhiCell(), "2026-06-15");
  EXPECT_THAT(RunWith(Verdict::kGreen), not_signed);
  EXPECT_THAT(RunWith(Verdict::kAmber), Not(not_signed));
}

TEST(AcceptedMatcherTest, ARunThatBrokeOffIsNeverAccepted) {
  CellRun run = RunWith(Verdict::kGreen);
  run.error = Error{ErrorCode::kServer, "the server died", "arm C"};
  EXPECT_THAT(run, Not(MakeAcceptedMatcher(SweepWith({}), PhiCell(), "2026-06-15")));
}

TEST(AcceptedMatcherTest, DescribesItselfAndItsNegation) {
  const auto matcher = MakeAcceptedMatcher(SweepWith({}), PhiCell(), "2026-06-15");
  EXPECT_EQ(testing::DescribeMatcher<const CellRun&>(matcher), "is GREEN, or AMBER and signed off");
  EXPECT_EQ(testing::DescribeMatcher<const CellRun&>(matcher, true),
            "is RED or UNVERIFIED, or AMBER and not signed off");
}

TEST(AcceptedMatcherTest, ExplainsSignOffs) {
  const CellRun amber = RunWith(Verdict::kAmber);
  const std::vector<SignOff> sign_offs = {MakeSignOff("phi/4/8192/4", "2026-06-15")};
  EXPECT_THAT(
      Explanation(MakeAcceptedMatcher(SweepWith(sign_offs), PhiCell(), "2026-06-15"), amber),
      StartsWith("which is AMBER, signed off by Ada until 2026-06-15: known tie"));
  EXPECT_THAT(
      Explanation(MakeAcceptedMatcher(SweepWith(sign_offs), PhiCell(), "2026-06-16"), amber),
      StartsWith("which is AMBER, but its sign-off has expired: signed off by Ada until "
                 "2026-06-15: known tie"));
  EXPECT_THAT(
      Explanation(MakeAcceptedMatcher(SweepWith({}), PhiCell(), "2026-06-15"), amber),
      StartsWith("which is AMBER, but nobody has signed it off (sign_offs of the sweep file)"));
  EXPECT_EQ(Explanation(MakeAcceptedMatcher(SweepWith({}), PhiCell(), "2026-06-15"),
                        RunWith(Verdict::kGreen)),
            "which is GREEN");
}

KnownVerdict KnownRed(const char* until = "") {
  KnownVerdict known;
  known.cell = PhiCell().cell;
  known.verdict = Verdict::kRed;
  known.divergence_class = "co_batching";
  known.reason = "flash attention";
  known.until = until;
  known.line = 4;
  return known;
}

TEST(AcceptedMatcherTest, AcceptsTheKnownVerdictAndNoOther) {
  const auto matcher = MakeAcceptedMatcher(SweepWith({}, {KnownRed()}), PhiCell(), "2026-06-15");
  CellRun red = RunWith(Verdict::kRed);
  red.judgement.divergence_class = "co_batching";
  EXPECT_THAT(red, matcher);
  EXPECT_THAT(Explanation(matcher, red),
              StartsWith("which is RED, known RED (co_batching): flash attention (known.yaml:4)"));
  EXPECT_THAT(RunWith(Verdict::kGreen), Not(matcher)) << "better is a change, too";
  EXPECT_EQ(Explanation(matcher, RunWith(Verdict::kGreen)),
            "which is GREEN, but the verdict has changed: known is RED (co_batching) "
            "(known.yaml:4), found GREEN; if the change is meant to stay, renew the file with "
            "`bi-test known write`");
  red.judgement.divergence_class = "leak";
  EXPECT_THAT(red, Not(matcher)) << "another class is another bug";
  EXPECT_THAT(RunWith(Verdict::kUnverified), Not(matcher));
  EXPECT_EQ(testing::DescribeMatcher<const CellRun&>(matcher),
            "has the known verdict RED (co_batching)");
  EXPECT_EQ(testing::DescribeMatcher<const CellRun&>(matcher, true),
            "does not have the known verdict RED (co_batching)");
}

TEST(ReservedGpusTest, DoublesAreDropped) {
  const Environment env = {
      {"CTEST_RESOURCE_GROUP_COUNT", "2"},
      {"CTEST_RESOURCE_GROUP_0", "gpus"},
      {"CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:1;id:1,slots:1;id:0,slots:2"},
      {"CTEST_RESOURCE_GROUP_1_GPUS", "id:a_3,slots:1;id:0,slots:1"}};
  EXPECT_THAT(ReservedGpus(env), ElementsAre("1", "0", "a_3"));
  EXPECT_EQ(VisibleDevices(env).value(), "1,0,a_3");
}

TEST(ReservedGpusTest, NothingReservedChangesNothing) {
  EXPECT_EQ(VisibleDevices({}).value(), "");
  EXPECT_EQ(VisibleDevices({{"CTEST_RESOURCE_GROUP_COUNT", "0"}}).value(), "");
  EXPECT_EQ(VisibleDevices({{"CUDA_VISIBLE_DEVICES", "3"}}).value(), "");
  EXPECT_EQ(VisibleDevices({{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                            {"CTEST_RESOURCE_GROUP_0_GPUS", "rubbish;id:;;"}})
                .value(),
            "");
}

TEST(ReservedGpusTest, AReservationStaysWithinWhatTheSchedulerGave) {
  std::map<std::string, std::string> env = {{"CUDA_VISIBLE_DEVICES", "3,10"},
                                            {"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                            {"CTEST_RESOURCE_GROUP_0_GPUS", "id:10,slots:1"}};
  EXPECT_EQ(VisibleDevices(env).value(), "10");
  env["CTEST_RESOURCE_GROUP_0_GPUS"] = "id:3,slots:1;id:1,slots:1";
  EXPECT_EQ(VisibleDevices(env).error().Text(),
            "found GPU \"1\" reserved by ctest, but CUDA_VISIBLE_DEVICES is \"3,10\"; give ctest a "
            "resource spec file with the ids of that list");
  env["CUDA_VISIBLE_DEVICES"] = "";  // hides all devices
  EXPECT_EQ(VisibleDevices(env).error().Text(),
            "found GPU \"3\" reserved by ctest, but CUDA_VISIBLE_DEVICES is \"\"; give ctest a "
            "resource spec file with the ids of that list");
}

void ApplyOverrides(const Flags& flags, const Environment& env, Sweep* sweep) {
  session::ApplyOverrides(OverridesOf(flags, env), sweep);
}

TEST(ApplyOverridesTest, FlagsGoOverTheSweepFile) {
  Flags flags;
  flags.server_binary = "/opt/llama-server";
  flags.passes = 3;
  flags.run_timeout = std::chrono::seconds(60);
  flags.out_dir = "elsewhere";
  Sweep sweep;
  ApplyOverrides(
      flags, {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:2,slots:1"}},
      &sweep);
  EXPECT_EQ(sweep.server.binary, "/opt/llama-server");
  EXPECT_EQ(sweep.server.binary_as_written, "/opt/llama-server");
  EXPECT_EQ(sweep.run.passes, 3);
  EXPECT_EQ(sweep.run.run_timeout, std::chrono::seconds(60));
  EXPECT_EQ(sweep.output.dir, std::filesystem::absolute("elsewhere"));
  EXPECT_EQ(sweep.server.env.at("CUDA_VISIBLE_DEVICES"), "2");
}

TEST(ApplyOverridesTest, TheDeadlineOfTheSweepFileIsNeverExtended) {
  Flags flags;
  flags.run_timeout = std::chrono::hours(100);
  Sweep sweep;
  const auto before = sweep.run.run_timeout;
  ApplyOverrides(flags, {}, &sweep);
  EXPECT_EQ(sweep.run.run_timeout, before);
}

TEST(ApplyOverridesTest, DevicesOfTheSweepFileWin) {
  Sweep sweep;
  sweep.server.env["CUDA_VISIBLE_DEVICES"] = "7";
  ApplyOverrides({}, {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:2"}},
                 &sweep);
  EXPECT_EQ(sweep.server.env.at("CUDA_VISIBLE_DEVICES"), "7");
}

struct JunitPathCase {
  const char* name;
  const char* flag;
  Environment env;
  std::size_t registered, selected, suites;
  const char* path;
};

class JunitPathTest : public testing::TestWithParam<JunitPathCase> {};

TEST_P(JunitPathTest, IsCalled) {
  const JunitPathCase& c = GetParam();
  Flags flags;
  flags.junit_file = c.flag;
  JunitScope scope{"out", c.registered, c.selected, c.suites, PhiCell().cell, "Onboarding"};
  EXPECT_EQ(JunitPath(flags, c.env, scope), c.path);
}

INSTANTIATE_TEST_SUITE_P(
    Paths, JunitPathTest,
    testing::Values(
        JunitPathCase{"AsTheFlagSays", "r.xml", {}, 9, 9, 1, "r.xml"},
        JunitPathCase{"WholeSweep", "", {}, 9, 9, 1, "out/junit.xml"},
        JunitPathCase{"PartOfTheSweep", "", {}, 9, 2, 1, "out/junit.xml"},
        JunitPathCase{"SweepOfOneCell", "", {}, 1, 1, 1, "out/junit.xml"},
        JunitPathCase{"OneCellOfSeveral", "", {}, 9, 1, 1, "out/phi%2F4__ctx8192__N4.junit.xml"},
        JunitPathCase{
            "OneOfTwoSuites", "", {}, 9, 1, 2, "out/phi%2F4__ctx8192__N4.Onboarding.junit.xml"},
        JunitPathCase{"Shard",
                      "",
                      {{"GTEST_SHARD_INDEX", "1"}, {"GTEST_TOTAL_SHARDS", "3"}},
                      9,
                      3,
                      1,
                      "out/junit-shard1of3.xml"},
        JunitPathCase{"OnlyShard",
                      "",
                      {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "1"}},
                      9,
                      9,
                      1,
                      "out/junit.xml"},
        JunitPathCase{"ShardWithAPathInIt",
                      "",
                      {{"GTEST_SHARD_INDEX", "../x"}, {"GTEST_TOTAL_SHARDS", "3"}},
                      9,
                      3,
                      1,
                      "out/junit.xml"}),
    [](const testing::TestParamInfo<JunitPathCase>& param_info) {
      return std::string(param_info.param.name);
    });

CellSuite Suite(const std::string& name) { return {name, "a.cc", 3, {}}; }

TEST(CellSuitesTest, ProperNamesPass) {
  EXPECT_THAT(CheckSuites({Suite("Onboarding"), Suite("Night_2")}), IsEmpty());
}

TEST(CellSuitesTest, WrongAndDoubledNamesAreReported) {
  EXPECT_THAT(
      CheckSuites({Suite("a-b"), Suite("X"), Suite("X"), Suite("")}),
      ElementsAre("a.cc:3: found the suite name \"a-b\", expected letters, digits and underscores",
                  "a.cc:3: found a second suite X, expected one declaration; give this one a name "
                  "of its own",
                  "a.cc:3: found the suite name \"\", expected letters, digits and underscores"));
}

}  // namespace
}  // namespace bi_test::fixtures
