#include "bi_test/cell_test.h"
#include "bi_test/matchers.h"

BI_TEST_CELLS(Onboarding) {
  EXPECT_THAT(Run(), bi_test::IsBatchInvariant());
  EXPECT_THAT(Run(), bi_test::HasOverlapDepth(testing::Ge(2)));
}
