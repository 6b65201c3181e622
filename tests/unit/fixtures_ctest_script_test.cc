#include "fixtures/ctest_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bi_test::fixtures {
namespace {

using testing::HasSubstr;

TEST(CTestScriptTest, IsThis) {
  EXPECT_EQ(CTestScript({{"Cells.phi_4__n4", {"model:phi-4", "n:4"}}, {"Plain.Test", {}}},
                        std::chrono::milliseconds(600'001)),
            "# bi_test: begin of the CTest script\n"
            "if(NOT DEFINED BI_TEST_SWEEP_TIMEOUT)\n"
            "  set(BI_TEST_SWEEP_TIMEOUT 721)\n"
            "endif()\n"
            "set(bi_test_name [==[Cells.phi_4__n4]==])\n"
            "add_test(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" ${BI_TEST_SWEEP_COMMAND} "
            "\"--gtest_filter=${bi_test_name}\")\n"
            "set_tests_properties(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" PROPERTIES LABELS "
            "\"bi_test${BI_TEST_SWEEP_LABELS};model:phi-4;n:4\" TIMEOUT "
            "\"${BI_TEST_SWEEP_TIMEOUT}\" SKIP_RETURN_CODE 77 ${BI_TEST_SWEEP_PROPERTIES})\n"
            "set(bi_test_name [==[Plain.Test]==])\n"
            "add_test(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" ${BI_TEST_SWEEP_COMMAND} "
            "\"--gtest_filter=${bi_test_name}\")\n"
            "set_tests_properties(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" PROPERTIES LABELS "
            "\"bi_test${BI_TEST_SWEEP_LABELS}\" TIMEOUT \"${BI_TEST_SWEEP_TIMEOUT}\" "
            "SKIP_RETURN_CODE 77 ${BI_TEST_SWEEP_PROPERTIES})\n"
            "# bi_test: end of the CTest script\n");
}

TEST(CTestScriptTest, NamesCannotBreakOut) {
  EXPECT_THAT(CTestScript({{"A.]==] ${x}", {}}}, std::chrono::seconds(1)),
              HasSubstr("set(bi_test_name [===[A.]==] ${x}]===])\n"));
}

TEST(CTestScriptTest, ABracketAtTheEndOfANameDoesNotClose) {
  EXPECT_THAT(CTestScript({{"A.x]==", {}}}, std::chrono::seconds(1)),
              HasSubstr("set(bi_test_name [===[A.x]==]===])\n"));
}

TEST(CTestLabelTest, KeepsWhatListsAndShellsKeep) {
  EXPECT_EQ(CTestLabel("model:Qwen2.5-7B:Q4_K_M/x y"), "model:Qwen2.5-7B:Q4_K_M/x_y");
  EXPECT_EQ(CTestLabel("a;b[c]$d\"e\\f\n\xc3\xa9"), "a_b_c__d_e_f___");
  EXPECT_EQ(CTestLabel(""), "");
}

}  // namespace
}  // namespace bi_test::fixtures
