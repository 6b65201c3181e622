#include <gmock/gmock.h>

#include <string>

#include "report/ctest_measurements.h"
#include "unit/approved.h"
#include "unit/sample_runs.h"
#include "unit/sample_sweep.h"

namespace bi_test::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::RedRun;
using testing_support::ResultOf;

TEST(CTestMeasurementsTest, AreAsApproved) {
  testing_support::ExpectApproved("ctest_measurements.txt",
                                  CTestMeasurements(ResultOf(RedRun(), "qwen2.5-0.5b", 8)));
}

TEST(CTestMeasurementsTest, AskForTheFullOutputFirst) {
  EXPECT_THAT(CTestMeasurements({}), StartsWith("CTEST_FULL_OUTPUT\n"));
}

TEST(CTestMeasurementsTest, LeaveOutFilesThatCTestCouldNotFind) {
  CellResult cell = ResultOf(RedRun(), "m", 8);
  cell.cert_path = "relative.json";
  EXPECT_THAT(CTestMeasurements(cell), Not(HasSubstr("name=\"cert\"")));
}

TEST(CTestMeasurementsTest, EscapeWhatTheyHold) {
  EXPECT_THAT(CTestMeasurements(ResultOf(RedRun(), "a<b>&c", 8)),
              HasSubstr("name=\"bi_model\">a&lt;b&gt;&amp;c</CTestMeasurement>\n"));
}

}  // namespace
}  // namespace bi_test::report
