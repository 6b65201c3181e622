#include "fixtures/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bi_test::fixtures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Environment = std::map<std::string, std::string>;

TEST(FlagsTest, EveryFlagIsRead) {
  const ParsedFlags parsed = ParseFlags(
      {"--bi_test_sweep=a/cells.yaml", "--bi_test_out_dir=out", "--bi_test_model=phi-4,qwen*",
       "--bi_test_ctx=4096,8192", "--bi_test_parallel=2,16", "--bi_test_server_binary=/opt/server",
       "--bi_test_passes=3", "--bi_test_run_timeout=90", "--bi_test_fail_fast",
       "--bi_test_skip_missing_server=true", "--bi_test_junit=strict:r.xml", "--bi_test_color=no",
       "--bi_test_list", "--bi_test_print_ctest=1", "--bi_test_help"},
      {});
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.consumed.size(), 15u);
  const Flags& flags = parsed.flags;
  EXPECT_EQ(flags.sweep, "a/cells.yaml");
  EXPECT_EQ(flags.out_dir, "out");
  EXPECT_THAT(flags.models, ElementsAre("phi-4", "qwen*"));
  EXPECT_THAT(flags.ctx, ElementsAre(4096, 8192));
  EXPECT_THAT(flags.parallel, ElementsAre(2, 16));
  EXPECT_EQ(flags.server_binary, "/opt/server");
  EXPECT_EQ(flags.passes, 3);
  EXPECT_EQ(flags.run_timeout, std::chrono::seconds(90));
  EXPECT_TRUE(flags.fail_fast);
  EXPECT_TRUE(flags.skip_missing_server);
  EXPECT_EQ(flags.junit, report::JunitFlavour::kStrict);
  EXPECT_EQ(flags.junit_file, "r.xml");
  EXPECT_EQ(flags.color, ColorMode::kNo);
  EXPECT_TRUE(flags.list);
  EXPECT_TRUE(flags.print_ctest);
  EXPECT_TRUE(flags.help);
}

TEST(FlagsTest, OtherArgumentsAreLeftAlone) {
  const ParsedFlags parsed =
      ParseFlags({"--gtest_filter=*", "--bi_test_fail_fast", "file", "-v", "--", "--bi=1"}, {});
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_THAT(parsed.consumed, ElementsAre(1u));
}

TEST(FlagsTest, AFlagBeatsItsEnvironmentTwin) {
  const Environment env = {{"BI_TEST_OUT_DIR", "from-env"}, {"BI_TEST_PASSES", "7"}};
  const ParsedFlags parsed = ParseFlags({"--bi_test_out_dir=from-flag"}, env);
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.flags.out_dir, "from-flag");
  EXPECT_EQ(parsed.flags.passes, 7);
}

TEST(FlagsTest, TheLastOfEqualFlagsWins) {
  const ParsedFlags parsed = ParseFlags(
      {"--bi_test_ctx=1,2", "--bi_test_ctx=3", "--bi_test_fail_fast", "--bi_test_fail_fast=false"},
      {});
  EXPECT_THAT(parsed.flags.ctx, ElementsAre(3));
  EXPECT_FALSE(parsed.flags.fail_fast);
}

TEST(FlagsTest, AnEmptyEnvironmentVariableCountsAsUnset) {
  const ParsedFlags parsed = ParseFlags({}, {{"BI_TEST_PASSES", ""}, {"BI_TEST_SWEEP", ""}});
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.flags.passes, std::nullopt);
}

TEST(FlagsTest, FlagsThatOnlyPrintHaveNoEnvironmentTwin) {
  const ParsedFlags parsed =
      ParseFlags({}, {{"BI_TEST_LIST", "1"}, {"BI_TEST_HELP", "1"}, {"BI_TEST_PRINT_CTEST", "1"}});
  EXPECT_FALSE(parsed.flags.list || parsed.flags.help || parsed.flags.print_ctest);
}

struct JunitCase {
  const char* name;
  const char* value;
  std::optional<report::JunitFlavour> flavour;
  const char* file;
};

class JunitFlagTest : public testing::TestWithParam<JunitCase> {};

TEST_P(JunitFlagTest, IsReadAs) {
  const ParsedFlags parsed = ParseFlags({std::string("--bi_test_junit=") + GetParam().value}, {});
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.flags.junit, GetParam().flavour);
  EXPECT_EQ(parsed.flags.junit_file, GetParam().file);
}

constexpr auto kFull = report::JunitFlavour::kFull;
constexpr auto kStrict = report::JunitFlavour::kStrict;

INSTANTIATE_TEST_SUITE_P(Values, JunitFlagTest,
                         testing::Values(JunitCase{"Off", "off", std::nullopt, ""},
                                         JunitCase{"FullAtTheUsualPlace", "full", kFull, ""},
                                         JunitCase{"StrictAtTheUsualPlace", "strict", kStrict, ""},
                                         JunitCase{"FullElsewhere", "full:a/b", kFull, "a/b"},
                                         JunitCase{"StrictElsewhere", "strict:a.xml", kStrict,
                                                   "a.xml"},
                                         JunitCase{"FileAlone", "dir/r.xml", kFull, "dir/r.xml"}),
                         [](const testing::TestParamInfo<JunitCase>& param_info) {
                           return std::string(param_info.param.name);
                         });

struct MistakeCase {
  const char* name;
  std::vector<std::string> args;
  Environment env;
  const char* error;
};

class FlagMistakeTest : public testing::TestWithParam<MistakeCase> {};

TEST_P(FlagMistakeTest, IsReportedAs) {
  EXPECT_THAT(ParseFlags(GetParam().args, GetParam().env).errors, ElementsAre(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, FlagMistakeTest,
    testing::Values(
        MistakeCase{"UnknownFlagWithANearName",
                    {"--bi_test_parralel=4"},
                    {},
                    "unknown flag \"--bi_test_parralel=4\" (did you mean --bi_test_parallel?); "
                    "--bi_test_help lists all flags"},
        MistakeCase{"UnknownFlagWithoutANearName",
                    {"--bi_test_zzzzzzzzz"},
                    {},
                    "unknown flag \"--bi_test_zzzzzzzzz\"; --bi_test_help lists all flags"},
        MistakeCase{"DashesForUnderscores",
                    {"--bi-test-out-dir=x"},
                    {},
                    "unknown flag \"--bi-test-out-dir=x\" (did you mean --bi_test_out_dir?); "
                    "--bi_test_help lists all flags"},
        MistakeCase{"OneDash",
                    {"-bi_test_sweep=x"},
                    {},
                    "unknown flag \"-bi_test_sweep=x\" (did you mean --bi_test_sweep?); "
                    "--bi_test_help lists all flags"},
        MistakeCase{"ValueMissing",
                    {"--bi_test_ctx"},
                    {},
                    "--bi_test_ctx: found no value, expected --bi_test_ctx=TOKENS,..., whole "
                    "numbers from 1, divided by commas"},
        MistakeCase{"EmptyPath",
                    {"--bi_test_sweep="},
                    {},
                    "--bi_test_sweep: found \"\", expected the path of a sweep file"},
        MistakeCase{"EmptyListEntry",
                    {"--bi_test_model=a,,b"},
                    {},
                    "--bi_test_model: found \"a,,b\", expected model ids divided by commas, * and "
                    "? allowed"},
        MistakeCase{
            "NumberWithLetters",
            {"--bi_test_ctx=4k"},
            {},
            "--bi_test_ctx: found \"4k\", expected whole numbers from 1, divided by commas"},
        MistakeCase{"NumberInOctal",
                    {"--bi_test_passes=010"},
                    {},
                    "--bi_test_passes: found \"010\", expected a whole number from 1 to 1000"},
        MistakeCase{"NumberTooLarge",
                    {"--bi_test_passes=1001"},
                    {},
                    "--bi_test_passes: found \"1001\", expected a whole number from 1 to 1000"},
        MistakeCase{"NumberBeyondSixtyFourBits",
                    {"--bi_test_ctx=99999999999999999999"},
                    {},
                    "--bi_test_ctx: found \"99999999999999999999\", expected whole numbers from 1, "
                    "divided by commas"},
        MistakeCase{"NegativeNumber",
                    {"--bi_test_run_timeout=-5"},
                    {},
                    "--bi_test_run_timeout: found \"-5\", expected a whole number of seconds from "
                    "1 to 604800"},
        MistakeCase{"OneInFlightIsNoBatch",
                    {"--bi_test_parallel=1"},
                    {},
                    "--bi_test_parallel: found \"1\", expected whole numbers from 2, divided by "
                    "commas"},
        MistakeCase{"SwitchWithAnotherWord",
                    {"--bi_test_fail_fast=maybe"},
                    {},
                    "--bi_test_fail_fast: found \"maybe\", expected true or false"},
        MistakeCase{"JunitFlavourMisspelt",
                    {"--bi_test_junit=ful"},
                    {},
                    "--bi_test_junit: found \"ful\", expected full, strict, full:FILE, "
                    "strict:FILE, a FILE ending in .xml, or off"},
        MistakeCase{"WrongEnvironmentVariable",
                    {},
                    {{"BI_TEST_COLOR", "blue"}},
                    "environment variable BI_TEST_COLOR: found \"blue\", expected auto, yes or no"},
        MistakeCase{"ControlCharactersAreShown",
                    {"--bi_test_color=\x1b[31m"},
                    {},
                    "--bi_test_color: found \"\\x1b[31m\", expected auto, yes or no"}),
    [](const testing::TestParamInfo<MistakeCase>& param_info) {
      return std::string(param_info.param.name);
    });

TEST(FlagsTest, AllMistakesAreReportedAtOnce) {
  EXPECT_EQ(ParseFlags({"--bi_test_passes=0", "--bi_test_colour=no", "--bi_test_ctx=x"},
                       {{"BI_TEST_PARALLEL", "1"}})
                .errors.size(),
            4u);
}

TEST(FlagsTest, AnUnknownFlagIsConsumedSoThatNobodyElseReportsIt) {
  EXPECT_THAT(ParseFlags({"x", "--bi_test_no", "--bi-test-no"}, {}).consumed, ElementsAre(1u, 2u));
}

TEST(FlagsTest, TheHelpPageNamesEachFlagAndItsTwin) {
  const std::string help = FlagsHelp();
  for (const char* text :
       {"--bi_test_sweep=FILE\n      BI_TEST_SWEEP\n", "--bi_test_model=ID,...", "BI_TEST_CTX",
        "BI_TEST_PARALLEL", "BI_TEST_OUT_DIR", "BI_TEST_SERVER_BINARY", "BI_TEST_PASSES",
        "BI_TEST_RUN_TIMEOUT", "BI_TEST_FAIL_FAST", "BI_TEST_SKIP_MISSING_SERVER", "BI_TEST_JUNIT",
        "BI_TEST_COLOR", "--bi_test_list\n      Print", "--bi_test_print_ctest", "--bi_test_help",
        "77 all selected cells skipped"}) {
    EXPECT_THAT(help, HasSubstr(text));
  }
  EXPECT_THAT(help, Not(HasSubstr("BI_TEST_LIST")));
}

}  // namespace
}  // namespace bi_test::fixtures
