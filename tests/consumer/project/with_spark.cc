#include <gmock/gmock.h>

#include "bi_test/cell_test.h"
#include "bi_test/init.h"
#include "bi_test/matchers.h"
#include "bi_test/spark.h"

BI_TEST_CELLS(WithSpark) { EXPECT_THAT(Run(), bi_test::IsBatchInvariant()); }

int main(int argc, char** argv) {
  if (!bi_test::RegisterSpark().ok()) return 1;
  testing::InitGoogleMock(&argc, argv);
  bi_test::Init(&argc, argv);
  return bi_test::RunAllTests();
}
