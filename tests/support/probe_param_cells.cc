// Cells through gtest's own parameterized tests. Driven as a child by fixtures_server_test.
#include "bi_test/cell_test.h"
#include "bi_test/matchers.h"

namespace {

class ParamCells : public bi_test::CellTest {};

TEST_P(ParamCells, AreInvariant) { EXPECT_THAT(Run(), bi_test::IsBatchInvariant()); }

INSTANTIATE_TEST_SUITE_P(Sweep, ParamCells, testing::ValuesIn(bi_test::CellsIn("cells.yaml")),
                         bi_test::CellName());

}  // namespace
