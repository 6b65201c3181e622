// Re-judging without the plugin: core and matchers alone, with gtest's own main.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bi_test/judge.h"
#include "bi_test/matchers.h"
#include "bi_test/version.h"

TEST(PlainTest, NothingMeasuredIsNotInvariant) {
  EXPECT_THAT(bi_test::Judge({}), testing::Not(bi_test::IsBatchInvariant()));
  EXPECT_STRNE(BI_TEST_VERSION, "");
}
