#include <gmock/gmock.h>

#include <map>
#include <ostream>
#include <string>

#include "report/terminal.h"

namespace bi_test::report {
namespace {

struct ColorCase {
  std::string name;
  std::map<std::string, std::string> env;
  bool is_terminal;
  bool want;
};

void PrintTo(const ColorCase& test, std::ostream* out) { *out << test.name; }

class ColorTest : public testing::TestWithParam<ColorCase> {};

TEST_P(ColorTest, Decides) {
  EXPECT_EQ(UseColor(GetParam().env, GetParam().is_terminal), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ColorTest,
    testing::Values(
        ColorCase{"TerminalGetsColour", {{"TERM", "xterm"}}, true, true},
        ColorCase{"FileGetsNone", {{"TERM", "xterm"}}, false, false},
        ColorCase{"DumbTerminalGetsNone", {{"TERM", "dumb"}}, true, false},
        ColorCase{"NoColorWins", {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, true, false},
        ColorCase{"EmptyNoColorMeansNothing", {{"NO_COLOR", ""}}, true, true},
        ColorCase{"NoColorZeroStillSaysNo", {{"NO_COLOR", "0"}}, true, false},
        ColorCase{"ForceColorBeatsFile", {{"FORCE_COLOR", "1"}}, false, true},
        ColorCase{"ForceColorZeroForcesNothing", {{"FORCE_COLOR", "0"}}, false, false},
        ColorCase{
            "ForceColorBeatsDumbTerminal", {{"FORCE_COLOR", "1"}, {"TERM", "dumb"}}, true, true},
        ColorCase{"CliColorForceBeatsFile", {{"CLICOLOR_FORCE", "1"}}, false, true},
        ColorCase{"CliColorForceZeroForcesNothing", {{"CLICOLOR_FORCE", "0"}}, false, false},
        ColorCase{"CliColorZeroSaysNo", {{"CLICOLOR", "0"}}, true, false},
        ColorCase{"CliColorOneNeedsATerminal", {{"CLICOLOR", "1"}}, false, false}),
    [](const testing::TestParamInfo<ColorCase>& test) { return test.param.name; });

class LiveProgressTest : public testing::TestWithParam<ColorCase> {};

TEST_P(LiveProgressTest, Decides) {
  EXPECT_EQ(UseLiveProgress(GetParam().env, GetParam().is_terminal), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, LiveProgressTest,
    testing::Values(ColorCase{"OnATerminal", {{"TERM", "xterm"}}, true, true},
                    ColorCase{"NotInAFile", {}, false, false},
                    ColorCase{"NotOnADumbTerminal", {{"TERM", "dumb"}}, true, false},
                    ColorCase{"NotInCi", {{"CI", "true"}}, true, false},
                    ColorCase{"NotInAzure", {{"TF_BUILD", "True"}}, true, false},
                    ColorCase{"NotInJenkins", {{"BUILD_URL", "http://ci/1"}}, true, false}),
    [](const testing::TestParamInfo<ColorCase>& test) { return test.param.name; });

TEST(PaletteTest, PaintsOnlyWhenOn) {
  EXPECT_EQ(Palette(false).Paint(Verdict::kRed, "RED"), "RED");
  EXPECT_EQ(Palette(true).Paint(Verdict::kRed, "RED"), "\x1b[31mRED\x1b[0m");
}

TEST(PaletteTest, EachVerdictHasItsOwnColour) {
  const Palette palette(true);
  EXPECT_NE(palette.Paint(Verdict::kGreen, "x"), palette.Paint(Verdict::kAmber, "x"));
  EXPECT_NE(palette.Paint(Verdict::kUnverified, "x"), palette.Paint(Verdict::kAmber, "x"));
  EXPECT_NE(palette.PaintError("x"), palette.Paint(Verdict::kRed, "x"));
}

}  // namespace
}  // namespace bi_test::report
