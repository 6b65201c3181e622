#include "fixtures/ctest_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace bi_test::fixtures {
namespace {

using testing::HasSubstr;

TEST(CTestScriptTest, IsThis) {
  EXPECT_EQ(CTestScript({{"Cells.phi_4__n4", {"model:phi-4", "n:4"}}, {"Plain.Test", {}, true}},
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
            "\"${BI_TEST_SWEEP_TIMEOUT}\" SKIP_RETURN_CODE 77 ENVIRONMENT_MODIFICATION "
            "\"GTEST_TOTAL_SHARDS=unset:;GTEST_SHARD_INDEX=unset:\" ${BI_TEST_SWEEP_PROPERTIES})\n"
            "set(bi_test_name [==[Plain.Test]==])\n"
            "add_test(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" ${BI_TEST_SWEEP_COMMAND} "
            "\"--gtest_filter=${bi_test_name}\")\n"
            "set_tests_properties(\"${BI_TEST_SWEEP_NAME}.${bi_test_name}\" PROPERTIES LABELS "
            "\"bi_test${BI_TEST_SWEEP_LABELS}\" TIMEOUT \"${BI_TEST_SWEEP_TIMEOUT}\" "
            "SKIP_RETURN_CODE 77 ENVIRONMENT_MODIFICATION "
            "\"GTEST_TOTAL_SHARDS=unset:;GTEST_SHARD_INDEX=unset:\" DISABLED TRUE "
            "${BI_TEST_SWEEP_PROPERTIES})\n"
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

std::string NamesOfShard(const std::map<std::string, std::string>& env) {
  const auto own = OwnShard({{"a", {}}, {"b", {}}, {"off", {}, true}, {"c", {}}, {"d", {}}}, env);
  if (!own.ok()) return own.error().Text();
  std::string names;
  for (const CTestEntry& entry : *own) names += entry.full_name + ' ';
  return names;
}

TEST(CTestScriptTest, ShardsAreDealtRoundAmongTheTestsThatRun) {
  const auto shard = [](const char* index) {
    return NamesOfShard({{"GTEST_TOTAL_SHARDS", "3"}, {"GTEST_SHARD_INDEX", index}});
  };
  EXPECT_EQ(NamesOfShard({}), "a b off c d ");
  EXPECT_EQ(shard("0"), "a off d ");
  EXPECT_EQ(shard("1"), "b off ");
  EXPECT_EQ(shard("2"), "off c ");
}

TEST(CTestScriptTest, HalfAShardIsAnError) {
  constexpr const char* kExpected =
      ", expected both, and an index from 0 to one less than the total";
  EXPECT_EQ(NamesOfShard({{"GTEST_TOTAL_SHARDS", "3"}}),
            "found GTEST_TOTAL_SHARDS=\"3\" and GTEST_SHARD_INDEX=\"\"" + std::string(kExpected));
  for (const char* index : {"3", "-1", "x", "1x"}) {
    EXPECT_EQ(NamesOfShard({{"GTEST_TOTAL_SHARDS", "3"}, {"GTEST_SHARD_INDEX", index}}),
              "found GTEST_TOTAL_SHARDS=\"3\" and GTEST_SHARD_INDEX=\"" + std::string(index) +
                  "\"" + kExpected);
  }
}

TEST(CTestLabelTest, KeepsWhatListsAndShellsKeep) {
  EXPECT_EQ(CTestLabel("model:Qwen2.5-7B:Q4_K_M/x y"), "model:Qwen2.5-7B:Q4_K_M/x_y");
  EXPECT_EQ(CTestLabel("a;b[c]$d\"e\\f\n\xc3\xa9"), "a_b_c__d_e_f___");
  EXPECT_EQ(CTestLabel(""), "");
}

}  // namespace
}  // namespace bi_test::fixtures
