// Names of cells, arms and verdicts.
#include "bi_test/cell.h"

#include <gmock/gmock.h>

#include <limits>
#include <sstream>

#include "bi_test/trial.h"
#include "bi_test/verdict.h"
#include "verdict/pass_name.h"

namespace bi_test {
namespace {

using ::testing::EndsWith;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct StemCase {
  const char* name;
  Cell cell;
  const char* stem;
};

TEST(FileStemTest, EncodesEverythingThatIsNotPlain) {
  const StemCase cases[] = {
      {"184", {"m", 8192, 4, "f16"}, "m__ctx8192__N4"},
      {"185", {"a/b", 8192, 4, "f16"}, "a%2Fb__ctx8192__N4"},
      {"186", {"../x", 8192, 4, "f16"}, "%2E.%2Fx__ctx8192__N4"},
      {"187", {"", 8192, 4, "f16"}, ""},
      {"188", {"m", 8192, 0, "f16"}, ""},
      {"one request is no concurrency", {"m", 8192, 1, "f16"}, ""},
      {"no context", {"m", 0, 4, "f16"}, ""},
      {"R118", {"sn/mistral:7b", 1, 2, "f16"}, "sn%2Fmistral%3A7b__ctx1__N2"},
      {"byte above ascii", {"\xC3\xA9", 1, 2, "f16"}, "%C3%A9__ctx1__N2"},
      {"kv type is no part", {"m", 8192, 4, "q4_0"}, "m__ctx8192__N4"},
  };
  for (const StemCase& one : cases) EXPECT_EQ(FileStem(one.cell), one.stem) << one.name;
}

// R120
TEST(FileStemTest, LongNamesKeepTheirStartAndGetAHash) {
  const std::string first = FileStem({std::string(300, 'x'), 1, 2, "f16"});
  const std::string second = FileStem({std::string(301, 'x'), 1, 2, "f16"});
  EXPECT_THAT(first, SizeIs(177));
  EXPECT_THAT(first, StartsWith(std::string(160, 'x').append("-")));
  EXPECT_NE(first, second);
}

TEST(NamesTest, VerdictsHaveANameForPeopleAndAStatusForCerts) {
  const std::tuple<Verdict, const char*, const char*> cases[] = {
      {Verdict::kGreen, "GREEN", "green"},
      {Verdict::kRed, "RED", "failed"},
      {Verdict::kAmber, "AMBER", "green_with_caveat"},
      {Verdict::kUnverified, "UNVERIFIED", "green_unverified"}};
  for (const auto& [verdict, name, status] : cases) {
    EXPECT_STREQ(VerdictName(verdict), name);
    EXPECT_STREQ(VerdictStatus(verdict), status);
  }
}

TEST(NamesTest, PassesOfArmCCountFromOneAndControlsFromTwo) {
  EXPECT_EQ(PassName(0), "c1");
  EXPECT_EQ(ArmPassName(Arm::kC, 0), "c1");
  EXPECT_EQ(ArmPassName(Arm::kC, 11), "c12");
  EXPECT_EQ(PassName(std::numeric_limits<int>::max()), "c2147483648") << "a cert may say so";
  EXPECT_EQ(ArmPassName(Arm::kA, 0), "A");
  EXPECT_EQ(ArmPassName(Arm::kA, 1), "A2");
  EXPECT_EQ(ArmPassName(Arm::kA, 2), "A3");
  EXPECT_EQ(ArmPassName(Arm::kB, 0), "B");
  EXPECT_EQ(ArmPassName(Arm::kB, 1), "B2");
}

TEST(NamesTest, PrintersStayOnOneLineWhateverTheModelSays) {
  Trial trial;
  trial.arm = Arm::kC;
  trial.pass = 2;
  trial.test_id = "a\x1b[31m";
  trial.extracted_answer = "line\nbreak";
  std::ostringstream out;
  out << trial << Cell{"m\x1b", 8, 2, "q8_0"};
  EXPECT_THAT(out.str(), StartsWith("arm C pass 2 id \"a\\x1b[31m\""));
  EXPECT_THAT(out.str(), EndsWith("m\\x1b ctx=8 N=2 kv=q8_0"));
  EXPECT_THAT(out.str(), Not(::testing::HasSubstr("\n")));
}

}  // namespace
}  // namespace bi_test
